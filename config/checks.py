"""System checks for settings that must agree with each other."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import DatabaseError, connections

from memory.adapters.embedders import get_embedder
from memory.domain.errors import UnsafePolicy
from memory.domain.policy import Policy

_HINT = "docs/lifecycle.md lists every number, memory/domain/policy.py its safe range."


@register()
def check_site_policy(app_configs: Any = None, **_: Any) -> list[CheckMessage]:
    """The site's own numbers: each in its range, and none at odds with another."""
    try:
        policy = Policy.from_mapping(dict(settings.MEMOIR_POLICY))
    except UnsafePolicy as error:
        return [Error(f"MEMOIR_POLICY is not safe: {error}.", hint=_HINT, id="memoir.E001")]
    found: list[CheckMessage] = []
    if policy.recall_days < policy.promotion_days:
        found.append(
            Warning(
                "MEMOIR_POLICY forgets recalls before they can lift a memory a tier "
                f"(recall_days {policy.recall_days}, promotion_days {policy.promotion_days}).",
                hint="Keep recalls for at least as many days as promotion asks for.",
                id="memoir.W001",
            )
        )
    if policy.purge_enabled and policy.purge_line >= policy.archive_line:
        found.append(
            Warning(
                "MEMOIR_POLICY purges at the line at which it archives "
                f"(purge_line {policy.purge_line:g}, archive_line {policy.archive_line:g}).",
                hint="Keep purge_line below archive_line.",
                id="memoir.W002",
            )
        )
    return found


# As the owner of the tables, who sees all owners' rows; one row of another embedder is enough.
_EMBEDDED_BY_ANOTHER = """
SELECT embedder FROM memory_memory
WHERE embedding IS NOT NULL AND deleted_at IS NULL AND embedder <> %s LIMIT 1
"""


@register(Tags.database)
def check_stored_vectors(
    app_configs: Any = None, databases: Any = None, **_: Any
) -> list[CheckMessage]:
    """Whether the memories were embedded by the embedder in force.

    Run by `migrate`, so at every start, and by `check --database schema`. A database that is not
    up, or has no tables yet, has nothing to say.
    """
    if "schema" not in (databases or ()) or "schema" not in connections.settings:
        return []
    current = get_embedder().name
    try:
        with connections["schema"].cursor() as cursor:
            # Asked first: a table that is missing is an error in the database's log.
            cursor.execute("SELECT to_regclass('memory_memory') IS NOT NULL")
            (has_tables,) = cursor.fetchone()
            if not has_tables:
                return []
            cursor.execute(_EMBEDDED_BY_ANOTHER, [current])
            stored = cursor.fetchone()
    except DatabaseError:
        return []
    if stored is None:
        return []
    return [
        Warning(
            f"Memories were embedded by {stored[0]}, and the embedder in force is {current}: "
            "they are found by their words alone.",
            hint="Run `manage.py reembed`; the service may stay up meanwhile.",
            id="memoir.W003",
        )
    ]
