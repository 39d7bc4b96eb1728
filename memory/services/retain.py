"""The sweeps of a memory's life: what has risen, ended, gone stale, faded, or been taken away.

Each sweep goes through the rows that are due (`memory.querysets.lifecycle`) in id order and in
small batches, one transaction a batch. It changes only the columns named here, and only on rows
that are still due at that instant: whoever edits, says or recalls a memory meanwhile wins. Every
change leaves an event with its numbers, a gesture of its own that can be undone; what is purged or
erased cannot come back. Running a sweep twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

import structlog
from django.db import connection
from django.db.models import Case, Expression, F, FloatField, Func, Value, When
from django.db.models.expressions import Combinable

from memory.border import operations, owner_scope
from memory.domain.decay import require_aware
from memory.domain.errors import UnsafePolicy
from memory.domain.policy import Policy as Rules
from memory.domain.tiers import promote
from memory.domain.values import Reason, Status, Tier
from memory.models import Memory, Policy
from memory.models.events import Actor, Verb
from memory.querysets.decay import retention_expression
from memory.querysets.lifecycle import archive_value, idle_days, unknown_zones
from memory.querysets.memories import MemoryQuerySet
from memory.services.erase import erase_for_good
from memory.services.errors import ServiceError
from memory.services.lock import held_alone, try_lock_writes
from memory.services.record import Trail, change_many

log = structlog.get_logger(__name__)

# Rows a transaction: a writer who waits for one waits less than a tenth of a second.
BATCH = 500
# Batches of rows that are looked for at a time.
AHEAD = 20
# How many of the rows that a purge would take are listed.
LISTED = 1000


class Sweep(StrEnum):
    """The sweeps, in the order in which they run: what has risen is not archived."""

    PROMOTE = "promote"
    EXPIRE = "expire"
    STALE = "stale"
    ARCHIVE = "archive"
    PURGE = "purge"
    ERASE = "erase"


# What cannot be undone, and the reason its events give.
_FINAL = {Sweep.PURGE: "purged", Sweep.ERASE: "deleted"}
# Ids of memories, each with its owner's.
_Rows = list[tuple[UUID, UUID]]


class SweepRunning(ServiceError):
    """Another process is sweeping."""


@dataclass(frozen=True, slots=True)
class _Clock:
    """When a sweep runs, by whose numbers, and what both share."""

    now: datetime
    rules: Rules
    unknown_zones: list[str]


def sweep(
    *,
    now: datetime,
    only: Iterable[Sweep] | None = None,
    dry_run: bool = False,
    wait: float = 0.0,
    batch: int = BATCH,
) -> dict[str, int]:
    """Run the sweeps as of `now`; returns how many rows each changed, or would change.

    One process at a time does so: raises SweepRunning where another still sweeps after `wait`
    seconds. Raises NaiveTime. Rows whose owner is being written for are left for the next time.
    """
    # In UTC, or "30 days ago" would be by the clock on the wall.
    now = require_aware(now, name="now").astimezone(UTC)
    wanted = [name for name in Sweep if only is None or name in set(only)]
    counts = dict.fromkeys((name.value for name in wanted), 0)
    with held_alone("memoir:sweep", wait=wait) as alone:
        if not alone:
            raise SweepRunning("Another sweep is running.")
        for numbers, clock in _policies(now):
            for name in wanted:
                counts[name] += (
                    _count(name, numbers, clock)
                    if dry_run
                    else _run(name, numbers, clock, batch=batch)
                )
    if any(counts.values()):
        log.info("swept", dry_run=dry_run, **counts)
    return counts


def list_purge(*, owner: UUID, rules: Rules, now: datetime) -> list[UUID]:
    """What the purge would take from an owner, by these numbers; changes nothing. In owner_scope.

    For showing before it is switched on: `rules` need not be in force.
    """
    due = Memory.objects.of(owner).due_to_purge(now, rules)
    return list(due.order_by("id").values_list("pk", flat=True)[:LISTED])


def _policies(now: datetime) -> Iterator[tuple[dict[str, Any], _Clock]]:
    """Every set of numbers in force; owners who changed none share one."""
    with operations("sweep"):
        stored = list(
            Policy.objects.exclude(numbers={}).values_list("numbers", flat=True).distinct()
        )
        zones = unknown_zones()
    for numbers in ({}, *stored):
        try:
            rules = Policy(numbers=numbers).rules()
        except UnsafePolicy as error:
            # The ranges became narrower than what somebody once set: their rows wait for them.
            log.error("unsafe policy", field=error.field)
            continue
        yield numbers, _Clock(now, rules, zones)


def _due(name: Sweep, rows: MemoryQuerySet, clock: _Clock) -> MemoryQuerySet:
    now, rules = clock.now, clock.rules
    return {
        Sweep.PROMOTE: lambda: rows.due_to_rise(rules, unknown_zones=clock.unknown_zones),
        Sweep.EXPIRE: lambda: rows.due_to_expire(now),
        Sweep.STALE: lambda: rows.due_to_go_stale(now, rules),
        Sweep.ARCHIVE: lambda: rows.due_to_archive(now, rules),
        Sweep.PURGE: lambda: rows.due_to_purge(now, rules),
        Sweep.ERASE: lambda: rows.due_to_erase(now, rules),
    }[name]()


def _count(name: Sweep, numbers: Mapping[str, Any], clock: _Clock) -> int:
    with operations("sweep"):
        return _due(name, Memory.objects.governed_by(dict(numbers)), clock).count()


def _run(name: Sweep, numbers: Mapping[str, Any], clock: _Clock, *, batch: int) -> int:
    """One sweep over one policy's owners, batch by batch.

    1. Find the next due rows in id order, many at a time, since finding them reads the table.
    2. Batch by batch, owner by owner, change what is still due. Rows of an owner who was being
       written for get a second chance afterwards, then wait for the next sweep.
    """
    changed = 0
    last: UUID | None = None
    while True:
        with operations("sweep"):
            due = _due(name, Memory.objects.governed_by(dict(numbers)), clock)
            if last is not None:
                due = due.filter(pk__gt=last)
            found = list(due.order_by("pk").values_list("pk", "owner_id")[: batch * AHEAD])
        if not found:
            return changed
        last = found[-1][0]
        waiting = sorted(found, key=lambda row: (row[1], row[0]))
        for _ in range(2):
            busy: list[tuple[UUID, UUID]] = []
            for at in range(0, len(waiting), batch):
                some = waiting[at : at + batch]
                done, left = (
                    _take_away(name, some, clock) if name in _FINAL else _change(name, some, clock)
                )
                changed += done
                busy += left
            waiting = busy
        if len(found) < batch * AHEAD:
            return changed


def _change(name: Sweep, found: _Rows, clock: _Clock) -> tuple[int, _Rows]:
    """One batch, one transaction: hold its owners' writes, then change what is still due.

    The second is a statement of its own, which sees what the last writer did. Returns how many
    rows changed, and the rows whose owner was being written for.
    """
    with operations("sweep"), connection.cursor() as cursor:
        # A crash that loses the last batch loses nothing: what is due then is due again.
        cursor.execute("SET LOCAL synchronous_commit = off")
        free = try_lock_writes({owner for _, owner in found})
        ids = [pk for pk, owner in found if owner in free]
        rows = _due(name, Memory.objects.filter(pk__in=ids), clock)
        changed = _APPLY[name](rows, clock) if ids else 0
    return changed, [row for row in found if row[1] not in free]


def _take_away(name: Sweep, found: _Rows, clock: _Clock) -> tuple[int, _Rows]:
    """Erase for good, each owner's rows in that owner's scope."""
    by_owner: dict[UUID, list[UUID]] = {}
    for pk, owner in found:
        by_owner.setdefault(owner, []).append(pk)
    erased = 0
    busy: _Rows = []
    for owner, ids in by_owner.items():
        with owner_scope(owner):
            if owner not in try_lock_writes([owner]):
                busy += [(pk, owner) for pk in ids]
                continue
            rows = _due(name, Memory.objects.of(owner).filter(pk__in=ids), clock)
            due = list(
                rows.order_by("pk")
                .select_for_update(of=("self",), skip_locked=True)
                .only("pk", "epoch", "deleted_at", "archived_at")
            )
            if not due:
                continue
            trail = Trail(owner=owner, actor=Actor.PROGRAM, at=clock.now, epoch=due[0].epoch)
            erase_for_good(due, trail, reason=_FINAL[name])
            erased += len(due)
    return erased, busy


def _rounded(value: Expression) -> Expression:
    """Six decimals: an event is read by people, and 8.4e-18 says no more than 0."""
    return Func(
        value,
        function="round",
        template="%(function)s((%(expressions)s)::numeric, 6)",
        output_field=FloatField(),
    )


def _numbers(clock: _Clock, line: Value) -> dict[str, Combinable]:
    return {
        "retention": _rounded(retention_expression(clock.now, clock.rules)),
        "line": line,
        "days": _rounded(idle_days(clock.now)),
    }


def _expire(rows: MemoryQuerySet, clock: _Clock) -> int:
    return change_many(
        rows.filter(use__isnull=False),
        Verb.OUTDATED,
        actor=Actor.PROGRAM,
        at=clock.now,
        why=Value(Reason.EXPIRED),
        numbers={"valid_to": F("valid_to")},
        status=Status.STALE,
        status_reason=Reason.EXPIRED,
    )


def _go_stale(rows: MemoryQuerySet, clock: _Clock) -> int:
    return change_many(
        rows,
        Verb.OUTDATED,
        actor=Actor.PROGRAM,
        at=clock.now,
        why=Value(Reason.FADED),
        numbers=_numbers(clock, Value(clock.rules.stale_line)),
        status=Status.STALE,
        status_reason=Reason.FADED,
    )


def _archive(rows: MemoryQuerySet, clock: _Clock) -> int:
    held = archive_value(clock.now, clock.rules)
    below = When(held__lt=clock.rules.archive_line, then=Value("faded"))
    return change_many(
        rows.alias(held=held),
        Verb.ARCHIVED,
        actor=Actor.PROGRAM,
        at=clock.now,
        why=Case(below, default=Value("idle")),
        numbers=_numbers(clock, Value(clock.rules.archive_line)),
        archived_at=clock.now,
    )


def _promote(rows: MemoryQuerySet, clock: _Clock) -> int:
    """One tier up. The upper first, or a row would rise twice."""
    changed = 0
    for tier in (Tier.SHORT_TERM, Tier.WORKING):
        changed += change_many(
            rows.filter(tier=tier),
            Verb.PROMOTED,
            actor=Actor.PROGRAM,
            at=clock.now,
            why=Value("served"),
            numbers={"recalls": F("recalls"), "days": F("days")},
            tier=promote(tier),
        )
    return changed


_APPLY: dict[Sweep, Callable[[MemoryQuerySet, _Clock], int]] = {
    Sweep.PROMOTE: _promote,
    Sweep.EXPIRE: _expire,
    Sweep.STALE: _go_stale,
    Sweep.ARCHIVE: _archive,
}
