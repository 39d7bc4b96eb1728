"""The border between people, as the program sees it: two context managers and a guard.

Row-level security in PostgreSQL refuses what slips through the querysets. For it to know whose rows
may be seen, every query on an owner's table runs inside `owner_scope(owner)`; the few that must see
all owners' rows (sweeps, the queue, admins) run inside `operations(reason)`.

Nothing that leaves the process (embedder, judge, mail, waiting for a job) happens inside either:
both hold a transaction open.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from uuid import UUID

import structlog
from django.apps import apps
from django.db import connection, transaction

from memory.domain.errors import DomainError

log = structlog.get_logger(__name__)

OPERATIONS = "operations"
_scope: ContextVar[UUID | str | None] = ContextVar("memoir_scope", default=None)


class BorderDown(DomainError):
    """The database would not keep owners apart: wrong role, or a table without its policy."""


def current_scope() -> UUID | str | None:
    """The owner in scope, the word "operations", or None outside both."""
    return _scope.get()


def _set_owner(owner: UUID | str | None) -> None:
    value = "" if owner is None or owner == OPERATIONS else str(owner)
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('app.owner', %s, true)", [value])


@contextmanager
def owner_scope(owner: UUID) -> Iterator[None]:
    """Open a transaction in which the rows of `owner`, and no others, can be read and written.

    May be nested, for another owner too: the outer owner is back in force afterwards. A failed
    inner scope is restored by its savepoint; a released savepoint keeps the inner setting, so a
    successful one is restored by hand.
    """
    outer = _scope.get()
    nested = connection.in_atomic_block
    token = _scope.set(owner)
    try:
        with transaction.atomic():
            _set_owner(owner)
            yield
            if nested:
                _set_owner(outer)
    finally:
        _scope.reset(token)


@contextmanager
def operations(reason: str, *, by: UUID | None = None, owner: UUID | None = None) -> Iterator[None]:
    """Open a transaction that sees every owner's rows, and record who did so, why, and to whom.

    `reason` is a code listed in docs/operations.md; `by` the person who asked, None for the
    program itself; `owner` the one person looked at, None for all. The record is one line per
    reason, person and hour with a count, so that a sweep every ten seconds does not bury a look
    at somebody's memories.
    """
    outer = _scope.get()
    nested = connection.in_atomic_block
    token = _scope.set(OPERATIONS)
    log.debug("operations", reason=reason, by=str(by or ""), owner=str(owner or ""))
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(
                    "SET LOCAL ROLE memoir_ops;"
                    "SET LOCAL statement_timeout = '60s'; SET LOCAL lock_timeout = '5s'"
                )
                cursor.execute(
                    "INSERT INTO memory_operation (reason, by_id, owner_id, hour, count) "
                    "VALUES (%s, %s, %s, date_trunc('hour', now()), 1) "
                    "ON CONFLICT (reason, by_id, owner_id, hour) "
                    "DO UPDATE SET count = memory_operation.count + 1",
                    [reason, by, owner],
                )
            yield
            if nested:
                with connection.cursor() as cursor:
                    cursor.execute("SET LOCAL ROLE none")
                _set_owner(outer)
    finally:
        _scope.reset(token)


def owned_tables() -> list[str]:
    """The tables under the border: every table of `memory`."""
    return sorted(model._meta.db_table for model in apps.get_app_config("memory").get_models())


def check_border() -> None:
    """Refuse to serve where row-level security would not hold; raises BorderDown with the reason.

    Holds only if the role is no superuser, has no BYPASSRLS and owns none of the tables, and every
    table has row security enabled with a policy for the runtime role.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_user, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user"
        )
        role, superuser, bypass = cursor.fetchone()
        if superuser or bypass:
            raise BorderDown(
                f"The database role {role} is not bound by row-level security. "
                "Connect as memoir_app (docs/configuration.md)."
            )
        cursor.execute(
            "SELECT c.relname, pg_has_role(current_user, c.relowner, 'USAGE'), c.relrowsecurity, "
            "EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid) "
            "FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY(%s)",
            [owned_tables()],
        )
        found = cursor.fetchall()
        # A restore brings default privileges back: the history must stay append-only all the same.
        cursor.execute(
            "SELECT coalesce(has_table_privilege(to_regclass(%s), 'UPDATE'), false)",
            ["memory_event"],
        )
        [rewritable] = cursor.fetchone()
    missing = set(owned_tables()) - {name for name, *_ in found}
    if missing:
        raise BorderDown(f"Tables are missing: {', '.join(sorted(missing))}. Run the migrations.")
    for name, owns, secured, has_policy in found:
        if owns:
            raise BorderDown(f"The role {role} owns {name}; row-level security would not bind it.")
        if not (secured and has_policy):
            raise BorderDown(f"The table {name} has no row-level security policy.")
    if rewritable:
        raise BorderDown(
            "The history could be rewritten: "
            "REVOKE UPDATE ON memory_event FROM memoir_app, memoir_ops."
        )
