"""An admin helps an owner with what waits: takes it up, looks, rules for him, hands it back.

Every act is in the owner's Activity as an administrator's; what changed something can be undone
there. An owner who shows admins nothing has no entry that could be found here.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Q

from memory.border import operations, owner_scope
from memory.domain.values import AdminsSee, Ruling
from memory.models import Conflict, ConflictMember, Policy
from memory.models.events import Actor, Verb
from memory.services.errors import AlreadySettled, Claimed, NotFound
from memory.services.lock import lock_writes
from memory.services.record import Trail
from memory.services.settle import settle_conflict

CLAIM = timedelta(minutes=5)


def find_owner(conflict: UUID, *, by: UUID) -> UUID:
    """Whose entry it is. Raises NotFound, also where the owner shows admins nothing."""
    with operations("review_queue", by=by):
        owner: UUID | None = (
            Conflict.objects.helpable().filter(pk=conflict).values_list("owner", flat=True).first()
        )
    if owner is None:
        raise NotFound(str(conflict))
    return owner


def claim_entry(*, conflict: UUID, by: UUID, now: datetime) -> datetime:
    """Take an entry up for five minutes, or go on with it; returns until when.

    A conditional UPDATE: of two admins one gets it. Raises NotFound, Claimed, AlreadySettled.
    """
    owner = find_owner(conflict, by=by)
    with operations("review_act", by=by, owner=owner), owner_scope(owner):
        epoch = lock_writes(owner)
        entry = Conflict.objects.of(owner).get(pk=conflict)
        if entry.state != "open":
            raise AlreadySettled(str(conflict))
        until = now + CLAIM
        mine = entry.claimed_by_id == by and entry.claimed_until is not None
        free = Q(claimed_by=None) | Q(claimed_until__lte=now) | Q(claimed_by=by)
        taken = Conflict.objects.waiting().filter(free, pk=conflict)
        if mine and entry.claimed_until is not None and entry.claimed_until > now:
            # Renewed while it is open: no news for the owner.
            taken.update(claimed_until=until)
            return until
        if not taken.update(claimed_by=by, claimed_until=until):
            raise Claimed(entry.claimed_by_id, entry.claimed_until)
        trail = Trail(owner=owner, actor=Actor.ADMIN, at=now, epoch=epoch)
        trail.note(Verb.CLAIMED, conflict=conflict, memory=first_member(conflict), by=str(by))
        trail.leave()
        return until


def hand_back(*, conflict: UUID, by: UUID, now: datetime) -> None:
    """Leave the entry to the owner and to other admins. Raises NotFound, Claimed."""
    owner = find_owner(conflict, by=by)
    with operations("review_act", by=by, owner=owner), owner_scope(owner):
        epoch = lock_writes(owner)
        check_claim(conflict, by, now)
        Conflict.objects.of(owner).filter(pk=conflict).update(claimed_by=None, claimed_until=None)
        trail = Trail(owner=owner, actor=Actor.ADMIN, at=now, epoch=epoch)
        trail.note(Verb.HANDED_BACK, conflict=conflict, memory=first_member(conflict), by=str(by))
        trail.leave()


def look_at_words(*, conflict: UUID, by: UUID, reason: str, now: datetime) -> None:
    """Note that an admin looks at the words, and why, before he is shown them.

    Raises NotFound, Claimed where he did not take the entry up.
    """
    owner = find_owner(conflict, by=by)
    with operations("review_look", by=by, owner=owner), owner_scope(owner):
        epoch = lock_writes(owner)
        check_claim(conflict, by, now)
        trail = Trail(owner=owner, actor=Actor.ADMIN, at=now, epoch=epoch)
        trail.note(Verb.SEEN, conflict=conflict, memory=first_member(conflict), by=str(by))
        trail.explain(conflict, reason, by=by)
        trail.leave()


def settle_for_owner(
    *,
    conflict: UUID,
    by: UUID,
    ruling: Ruling,
    keep: UUID | None = None,
    versions: Mapping[UUID, int] | None = None,
    note: str,
    now: datetime,
) -> UUID:
    """Rule as the owner would, with a note to him; returns the gesture he may undo.

    `versions`: what was on screen. Raises NotFound, Claimed where he did not take the entry up,
    AlreadySettled, InvalidInput, VersionConflict.
    """
    owner = find_owner(conflict, by=by)
    with operations("review_act", by=by, owner=owner), owner_scope(owner):
        check_claim(conflict, by, now)
    return settle_conflict(
        owner=owner,
        conflict=conflict,
        ruling=ruling,
        keep=keep,
        versions=versions,
        by=by,
        note=note,
        now=now,
    )


def what_admins_see(owner: UUID) -> AdminsSee:
    """The owner's setting. Inside a scope that sees the owner's rows."""
    found = Policy.objects.of(owner).values_list("admins_see", flat=True).first()
    return AdminsSee(found or AdminsSee.MASKED)


def check_claim(conflict: UUID, by: UUID, now: datetime) -> None:
    """Raises Claimed where it is not his now. Inside a scope that sees the entry."""
    entry = Conflict.objects.get(pk=conflict)
    if entry.claimed_by_id != by or entry.claimed_until is None or entry.claimed_until <= now:
        raise Claimed(entry.claimed_by_id, entry.claimed_until)


def first_member(conflict: UUID) -> UUID | None:
    """The memory by which Activity names an entry: the first that waits in it."""
    found: UUID | None = (
        ConflictMember.objects.filter(conflict=conflict)
        .order_by("bystander", "id")
        .values_list("memory", flat=True)
        .first()
    )
    return found
