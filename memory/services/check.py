"""Ask the owner about a few extractions a week, drawn at random: did we get this right?"""

from __future__ import annotations

import hashlib
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

from memory.border import operations, owner_scope
from memory.domain.values import Source, Status
from memory.models import Memory, SpotCheck
from memory.models.checks import CheckState
from memory.models.events import Actor, Verb
from memory.services.errors import AlreadySettled, NotFound
from memory.services.hold import drop_questions, leave_conflicts
from memory.services.lock import lock_writes, read_for_change
from memory.services.record import Trail
from memory.services.reword import Words, rewrite
from memory.services.rule import deny_row

A_WEEK = 3


def draw_spot_checks(owner: UUID, now: datetime) -> int:
    """Draw what is still missing of this week's; returns how many.

    Drawn are the last seven days' memories that came from a conversation, are served as facts and
    nobody has looked at. Running it again in the same week, at once or later, draws no more.
    """
    week = _week_of(now)
    with owner_scope(owner):
        epoch = lock_writes(owner)
        missing = A_WEEK - SpotCheck.objects.of(owner).filter(week=week).count()
        if missing <= 0:
            return 0
        candidates = (
            Memory.objects.of(owner)
            .kept()
            .filter(
                status=Status.ACTIVE,
                source=Source.USER_STATED,
                message__isnull=False,
                confirmed_at__isnull=True,
                created_at__gt=now - timedelta(days=7),
                created_at__lte=now,
                spot_checks__isnull=True,
            )
            .values_list("pk", flat=True)
        )
        drawn = sorted(candidates, key=lambda pk: _lot(week, pk))[:missing]
        SpotCheck.objects.bulk_create(
            SpotCheck(owner_id=owner, memory_id=pk, week=week, drawn_at=now, epoch=epoch)
            for pk in drawn
        )
    return len(drawn)


def draw_for_all(now: datetime) -> int:
    """Draw for every owner with a recent extraction; returns how many were drawn."""
    with operations("spot_checks"):
        owners = list(
            Memory.objects.filter(message__isnull=False, created_at__gt=now - timedelta(days=7))
            .order_by("owner")
            .values_list("owner", flat=True)
            .distinct()
        )
    return sum(draw_spot_checks(owner, now) for owner in owners)


def answer_spot_check(
    owner: UUID, check: UUID, right: bool, now: datetime, content: str | None = None
) -> UUID:
    """The owner answers: right changes nothing, wrong denies it, or corrects it to `content`.

    Returns the gesture. Raises NotFound, AlreadySettled where it was answered before or overtaken
    meanwhile.
    """
    words = _prepare(owner, check, content) if content and not right else None
    with owner_scope(owner):
        epoch = lock_writes(owner)
        asked = SpotCheck.objects.of(owner).filter(pk=check).first()
        if asked is None:
            raise NotFound(str(check))
        state = CheckState.RIGHT if right else CheckState.WRONG
        claimed = SpotCheck.objects.of(owner).waiting().filter(pk=check)
        if not claimed.exists():
            raise AlreadySettled(str(check))
        SpotCheck.objects.filter(pk=check).update(state=state, answered_at=now)
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        trail.note(Verb.CHECKED, memory=asked.memory_id, reason=state, check=str(check))
        if not right:
            row = read_for_change(owner, asked.memory_id)
            if words is not None:
                words.apply(row, trail, reason="corrected")
            else:
                leave_conflicts(row, trail)
                drop_questions(row, trail)
                deny_row(row, trail)
        return trail.leave()


def _prepare(owner: UUID, check: UUID, content: str) -> Words:
    """The corrected words, embedded before the transaction that needs them."""
    with owner_scope(owner):
        asked = SpotCheck.objects.of(owner).filter(pk=check).first()
    if asked is None:
        raise NotFound(str(check))
    return rewrite(owner, asked.memory_id, content)


def _week_of(now: datetime) -> date:
    day = now.astimezone(UTC).date()
    return day - timedelta(days=day.weekday())


def _lot(week: date, memory: UUID) -> str:
    """A memory's place in the draw: as good as random, and the same whoever draws."""
    return hashlib.sha256(f"{week}\0{memory}".encode()).hexdigest()
