"""The owner rules on what waits for him."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from memory.border import owner_scope
from memory.domain.text import is_unspaced
from memory.domain.values import Reason, Ruling, Status, Visibility
from memory.models import Conflict, Memory
from memory.models.events import Actor, Verb
from memory.services.errors import AlreadySettled, InvalidInput, NotFound
from memory.services.hold import drop_questions, leave_conflicts
from memory.services.lock import check_version, lock_writes, read_for_change
from memory.services.record import Trail
from memory.services.reword import Words, rewrite
from memory.services.rule import (
    Span,
    choosable,
    claim,
    close_for,
    confirm_row,
    deny_row,
    kept_members,
    merge,
    release_bystanders,
    sides_of,
    stand_beside,
    trail_of,
)

# Confirming a memory answers nothing about these: what was drawn from it, who else may know it,
# what another agent keeps.
_OTHER_QUESTIONS = (Reason.SUGGESTION, Reason.SHARING, Reason.ELSEWHERE)


def confirm_memory(
    *,
    owner: UUID,
    memory: UUID,
    version: int | None = None,
    content: str | None = None,
    now: datetime,
) -> UUID:
    """The owner says this is true: active, his own word, anchor now, tier by DESIGN "Tier".

    Of a contradiction the other sides are superseded, but never a protected one. `content`
    confirms with other words. Returns the gesture. Raises NotFound, VersionConflict,
    AlreadySettled where it no longer waits and is superseded.
    """
    words = rewrite(owner, memory, content) if content is not None else None
    with owner_scope(owner):
        epoch = lock_writes(owner)
        row = read_for_change(owner, memory)
        check_version(row, version)
        if row.status == Status.SUPERSEDED:
            raise AlreadySettled(str(memory))
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        for entry in answered_by(row):
            close_for(entry, row, trail, chosen=False)
        if words is not None:
            # Words that another memory has already: that one is confirmed, and answers with it.
            row = words.apply(row, trail)
            for entry in answered_by(row):
                close_for(entry, row, trail, chosen=False)
        confirm_row(row, trail)
        return trail.leave()


def deny_memory(*, owner: UUID, memory: UUID, version: int | None = None, now: datetime) -> UUID:
    """The owner says this is not so: superseded, never proposed again.

    What it contradicted stands again. Returns the gesture. Raises NotFound, VersionConflict,
    AlreadySettled.
    """
    with owner_scope(owner):
        epoch = lock_writes(owner)
        row = read_for_change(owner, memory)
        check_version(row, version)
        if row.status == Status.SUPERSEDED:
            raise AlreadySettled(str(memory))
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        leave_conflicts(row, trail)
        drop_questions(row, trail)
        deny_row(row, trail)
        return trail.leave()


def settle_conflict(
    *,
    owner: UUID,
    conflict: UUID,
    ruling: Ruling,
    keep: UUID | None = None,
    text: str | None = None,
    contexts: Mapping[UUID, str] | None = None,
    spans: Mapping[UUID, Span] | None = None,
    versions: Mapping[UUID, int] | None = None,
    by: UUID | None = None,
    note: str = "",
    now: datetime,
) -> UUID:
    """The ruling on an entry; returns the gesture, whose undo restores exactly what was.

    KEPT: the side `keep` is true, in the words of `text` where they are given; the others become
    its past. BOTH: all are true, each with its context (where) added to its words if `contexts`
    names one, and from when until when if `spans` does. MERGED: `text` is what is true; a new
    memory takes the place of all sides. NEITHER: none is true.

    `versions`: what was on screen; nobody rules on words he has not seen. `by`: the admin who
    rules for the owner, with a `note` to him. All or nothing; the second of two rulings gets
    AlreadySettled. Raises NotFound, InvalidInput, VersionConflict.
    """
    words = _prepare_words(owner, conflict, ruling, keep, text)
    contexts = contexts if contexts and ruling is Ruling.BOTH else {}
    told = {pk: _prepare_context(owner, pk, context) for pk, context in contexts.items()}
    with owner_scope(owner):
        epoch = lock_writes(owner)
        entry = Conflict.objects.of(owner).filter(pk=conflict).first()
        if entry is None:
            raise NotFound(str(conflict))
        trail = trail_of(owner, by, now, epoch)
        sides = sides_of(entry)
        if entry.state == "open":
            for row in sides:
                check_version(row, (versions or {}).get(row.pk))
        if ruling is Ruling.KEPT:
            kept = next((row for row in choosable(entry) if row.pk == keep), None)
            if kept is None:
                raise InvalidInput(keep="this memory is not part of the question")
            close_for(entry, kept, trail, chosen=True, by=by)
            if words is not None:
                kept = words.apply(kept, trail)
                for other in answered_by(kept):
                    close_for(other, kept, trail, chosen=False, by=by)
            confirm_row(kept, trail, entry=entry)
        else:
            claim(entry, ruling, trail, by=by)
            release_bystanders(entry, trail)
            if ruling is Ruling.BOTH:
                for row in sides:
                    span = (spans or {}).get(row.pk)
                    stand_beside(row, told.get(row.pk), span, trail, entry=entry)
            elif ruling is Ruling.NEITHER:
                for row in sides:
                    deny_row(row, trail, conflict=entry.pk)
            elif words is not None:
                merge(sides, words, trail)
        if by is not None and note:
            trail.explain(entry.pk, note, by=by)
        return trail.leave()


def answer_sharing(
    *, owner: UUID, conflict: UUID, share: bool, by: UUID | None = None, now: datetime
) -> UUID:
    """May all the owner's agents know this safety fact? Either way it is not asked again.

    Returns the gesture. Raises NotFound, AlreadySettled.
    """
    with owner_scope(owner):
        epoch = lock_writes(owner)
        entry = Conflict.objects.of(owner).filter(pk=conflict, reason=Reason.SHARING).first()
        if entry is None:
            raise NotFound(str(conflict))
        trail = trail_of(owner, by, now, epoch)
        claim(entry, "shared" if share else "kept_apart", trail, by=by)
        for row in kept_members(entry) if share else ():
            trail.change(row, Verb.SHARED, bump=True, visibility=Visibility.USER)
        return trail.leave()


def _prepare_words(
    owner: UUID, conflict: UUID, ruling: Ruling, keep: UUID | None, text: str | None
) -> Words | None:
    """The new words of a ruling, embedded before the transaction that needs them."""
    if ruling is Ruling.KEPT:
        return rewrite(owner, keep, text) if text and keep is not None else None
    if ruling is not Ruling.MERGED:
        return None
    if not text:
        raise InvalidInput(text="say what is true")
    with owner_scope(owner):
        entry = Conflict.objects.of(owner).filter(pk=conflict).first()
        sides = sides_of(entry) if entry is not None and entry.state == "open" else []
    if entry is None:
        raise NotFound(str(conflict))
    if not sides:
        raise AlreadySettled(str(conflict))
    return rewrite(owner, sides[-1].pk, text)


def _prepare_context(owner: UUID, memory: UUID, context: str) -> Words:
    """The side's own words with where or when they hold, embedded before the transaction."""
    with owner_scope(owner):
        row = Memory.objects.of(owner).kept().filter(pk=memory).first()
    if row is None:
        raise NotFound(str(memory))
    wide = any(is_unspaced(ch) for ch in row.content)
    content = f"{row.content}（{context}）" if wide else f"{row.content} ({context})"
    return rewrite(owner, memory, content)


def answered_by(row: Memory) -> Sequence[Conflict]:
    """The entries that confirming the row settles: where it waits, or where it is contradicted."""
    return list(
        Conflict.objects.of(row.owner_id)
        .waiting()
        .filter(Q(members__bystander=False) | ~Q(reason__in=_OTHER_QUESTIONS), members__memory=row)
        .order_by("id")
    )
