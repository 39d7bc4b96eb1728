"""An admin who cannot decide passes an entry on to the others, with a note, or takes that back.

Nothing of the owner's changes by it; both stand in the owner's Activity.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from memory.border import operations, owner_scope
from memory.models import AdminNote, Conflict
from memory.models.events import Actor, Verb
from memory.services.assist import check_claim, find_owner, first_member
from memory.services.errors import AlreadySettled, Claimed
from memory.services.lock import lock_writes
from memory.services.record import Trail


def pass_entry_on(*, conflict: UUID, by: UUID, note: str, now: datetime) -> None:
    """Leave an entry to other admins; the claim on it ends.

    Raises NotFound, Claimed where he did not take the entry up.
    """
    owner = find_owner(conflict, by=by)
    with operations("review_act", by=by, owner=owner), owner_scope(owner):
        epoch = lock_writes(owner)
        check_claim(conflict, by, now)
        Conflict.objects.of(owner).filter(pk=conflict).update(
            escalated_at=now, claimed_by=None, claimed_until=None
        )
        trail = Trail(owner=owner, actor=Actor.ADMIN, at=now, epoch=epoch)
        trail.note(Verb.ESCALATED, conflict=conflict, memory=first_member(conflict), by=str(by))
        trail.explain(conflict, note, by=by)
        trail.leave()


def take_back(*, conflict: UUID, by: UUID, now: datetime) -> None:
    """Put an entry that was passed on among the others again, with its claim as it is.

    Raises NotFound, Claimed where somebody else is at it, AlreadySettled where it was not passed
    on, or is no longer.
    """
    owner = find_owner(conflict, by=by)
    with operations("review_act", by=by, owner=owner), owner_scope(owner):
        epoch = lock_writes(owner)
        entry = Conflict.objects.of(owner).get(pk=conflict)
        if entry.state != "open" or entry.escalated_at is None:
            raise AlreadySettled(str(conflict))
        held = entry.claimed_until is not None and entry.claimed_until > now
        if held and entry.claimed_by_id != by:
            raise Claimed(entry.claimed_by_id, entry.claimed_until)
        passed = AdminNote.objects.of(owner).filter(conflict=conflict, at=entry.escalated_at)
        undid = [str(gesture) for gesture in passed.values_list("gesture", flat=True)]
        Conflict.objects.of(owner).filter(pk=conflict).update(escalated_at=None)
        trail = Trail(owner=owner, actor=Actor.ADMIN, at=now, epoch=epoch)
        trail.note(
            Verb.UNDONE,
            conflict=conflict,
            memory=first_member(conflict),
            by=str(by),
            **({"undid": undid[0]} if undid else {}),
        )
        trail.leave()
