"""Apply a ruling to an entry and to the rows in it.

Everything here runs inside owner_scope, under the owner's write lock.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.domain import tiers
from memory.domain.values import Kind, Reason, Ruling, Source, Status, Tier
from memory.models import Conflict, Memory, MemoryUse
from memory.models.events import Actor, Verb
from memory.models.tombstones import Buried
from memory.services.bury import bury
from memory.services.errors import AlreadySettled
from memory.services.hold import (
    NOT_CONTESTING,
    ask_about_sharing,
    has_rival,
    is_contested_elsewhere,
    leave_conflicts,
    waiting_members,
)
from memory.services.lock import read_rules
from memory.services.record import Trail
from memory.services.reword import (
    Words,
    make_successor,
    refuse_twin,
    store_successor,
)

# From when until when a side holds; None where it is open.
Span = tuple[datetime | None, datetime | None]


def claim(entry: Conflict, ruling: str, trail: Trail, *, by: UUID | None = None) -> None:
    """Take the entry by a conditional UPDATE: where no row changed, somebody ruled first."""
    if not Conflict.objects.waiting().filter(pk=entry.pk).update(ruling=ruling):
        raise AlreadySettled(str(entry.pk))
    entry.ruling = ""
    trail.rule(
        entry,
        Verb.SETTLED,
        reason=ruling,
        state="settled",
        settled_at=trail.at,
        settled_by_id=None if trail.actor is Actor.PROGRAM else by or trail.owner,
        ruling=ruling,
    )


def sides_of(entry: Conflict) -> list[Memory]:
    """The rows a ruling speaks of, oldest first.

    Of a contradiction also what it contests, though that keeps its status meanwhile; of what is
    asked about rows that wait for nothing, those rows; of all else the ones that wait.
    """
    if entry.reason == Reason.CONTRADICTION:
        return [row for row in kept_members(entry) if row.status != Status.SUPERSEDED]
    if entry.reason in (Reason.REPORTED, Reason.ELSEWHERE):
        return [row for row in kept_members(entry) if row.status in (Status.ACTIVE, Status.STALE)]
    return waiting_members(entry)


def choosable(entry: Conflict) -> list[Memory]:
    """The rows that may be named as the true one: what a guess contradicts is among them."""
    if entry.reason in (Reason.SUGGESTION, Reason.SHARING):
        return waiting_members(entry)
    return kept_members(entry)


def kept_members(entry: Conflict) -> list[Memory]:
    """All rows of an entry that are not deleted, oldest first."""
    places = entry.members.select_related("memory__use").order_by("id")
    return [place.memory for place in places if place.memory.deleted_at is None]


def confirm_row(row: Memory, trail: Trail, *, entry: Conflict | None = None) -> None:
    """What confirming does to the row itself. `entry`: the one question that this answers."""
    changes: dict[str, Any] = {
        "status": Status.ACTIVE,
        "status_reason": "",
        "source": Source.USER_STATED,
        "confirmed_at": trail.at,
        "contested": row.contested and entry is not None and is_contested_elsewhere(row, entry),
        "archived_at": None,
        "tier": tiers.tier_after_confirmation(
            Tier(row.tier), kind=Kind(row.kind), has_end=row.valid_to is not None
        ),
    }
    if row.single_valued and has_rival(row, row.key):
        # A protected value of the topic stays: what the owner confirms stands beside it.
        changes["single_valued"] = False
    trail.change(row, Verb.CONFIRMED, **changes)
    # An owner's confirmation is a reinforcement: it moves the anchor, for good.
    MemoryUse.objects.filter(memory=row, anchor__lt=trail.at).update(anchor=trail.at)
    if row.agent_id is not None:
        ask_about_sharing(row, read_rules(trail.owner)[0], trail)


def deny_row(row: Memory, trail: Trail, *, conflict: UUID | None = None) -> None:
    """Not so: superseded, never proposed again (`bury`)."""
    bury(row, Buried.DENIED, now=trail.at)
    trail.change(
        row,
        Verb.DENIED,
        reason=Reason.DENIED,
        conflict=conflict,
        **past(Reason.DENIED, trail.at),
    )


def past(reason: Reason, at: datetime, by: UUID | None = None) -> dict[str, Any]:
    """The fields of a row that belongs to the past."""
    return {
        "status": Status.SUPERSEDED,
        "status_reason": reason,
        "invalidated_at": at,
        "superseded_by_id": by,
    }


def close_for(
    entry: Conflict, kept: Memory, trail: Trail, *, chosen: bool, by: UUID | None = None
) -> None:
    """Settle an entry in favour of one row; the other sides become its past.

    `chosen`: the owner saw the sides and named this one, so that even a protected one goes. Where
    he only confirmed a memory, what it contradicts is retired no further than the rules say.
    """
    claim(entry, Ruling.KEPT, trail, by=by)
    sides = sides_of(entry) if chosen else waiting_members(entry)
    for row in sides:
        if row.pk == kept.pk:
            continue
        if row.source != Source.USER_STATED:
            deny_row(row, trail, conflict=entry.pk)
            continue
        trail.change(row, Verb.SUPERSEDED, **past(Reason.REPLACED, trail.at, kept.pk))
        apart = entry.reason == Reason.ELSEWHERE
        if kept.replaces_id is None and not apart and row.successor() is None:
            trail.change(kept, Verb.CHANGED, reason="chain", replaces_id=row.pk)
    _release(entry, kept, trail)


def _release(entry: Conflict, kept: Memory, trail: Trail) -> None:
    """What the kept row contradicts: retired where one value excludes the other, else free."""
    if entry.reason in NOT_CONTESTING:
        return
    policy, _ = read_rules(trail.owner)
    for place in entry.members.select_related("memory__use").filter(bystander=True):
        row = place.memory
        if row.pk == kept.pk or not row.contested or row.status == Status.SUPERSEDED:
            continue
        if row.single_valued and row.key == kept.key and not row.is_protected(policy):
            changes = past(Reason.REPLACED, trail.at, kept.pk)
            trail.change(row, Verb.SUPERSEDED, **changes)
        elif not is_contested_elsewhere(row, entry):
            trail.change(row, Verb.STILL_TRUE, contested=False)


def release_bystanders(entry: Conflict, trail: Trail) -> None:
    """What the entry contested stands uncontested again, unless another entry contests it too."""
    if entry.reason in NOT_CONTESTING:
        return
    for place in entry.members.select_related("memory__use").filter(bystander=True):
        row = place.memory
        if row.contested and not is_contested_elsewhere(row, entry):
            trail.change(row, Verb.STILL_TRUE, reason="unopposed", contested=False)


def stand_beside(
    row: Memory, words: Words | None, span: Span | None, trail: Trail, *, entry: Conflict
) -> None:
    """True, and not against the others any more: no value of this topic excludes another.

    The span before the words: undo takes a rewording back only from the version it made.
    """
    trail.change(row, Verb.CHANGED, reason="beside", single_valued=False)
    since, until = span or (None, None)
    if since is not None or until is not None:
        trail.change(
            row,
            Verb.CHANGED,
            reason="validity",
            bump=True,
            valid_from=since or row.valid_from,
            valid_to=until or row.valid_to,
        )
    if words is not None:
        said = words.apply(row, trail)
        if said.pk != row.pk:
            leave_conflicts(said, trail)
        row = said
    confirm_row(row, trail, entry=entry)
    if row.valid_to is not None and row.valid_to <= trail.at:
        trail.change(
            row,
            Verb.OUTDATED,
            reason=Reason.EXPIRED,
            status=Status.STALE,
            status_reason=Reason.EXPIRED,
        )


def merge(sides: Sequence[Memory], words: Words, trail: Trail) -> None:
    """A new memory with the merged words; the sides become its past, the newest its forerunner."""
    last = sides[-1]
    new = make_successor(last, words, trail)
    for row in sides:
        changes = past(Reason.REPLACED, trail.at, new.pk)
        trail.change(row, Verb.SUPERSEDED, **changes)
    refuse_twin(last, new.content)
    if new.single_valued and has_rival(new, new.key):
        # A value of the topic that nobody asked about stays; what is merged stands beside it.
        new.single_valued = False
    store_successor(new, last, words, trail)
    confirm_row(new, trail)


def trail_of(owner: UUID, by: UUID | None, now: datetime, epoch: int) -> Trail:
    """The trail of a ruling: the owner's own, or an admin's who helps him."""
    actor = Actor.OWNER if by is None else Actor.ADMIN
    return Trail(owner=owner, actor=actor, at=now, epoch=epoch)
