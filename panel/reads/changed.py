"""What changed without the owner and was not taken back: below the cards, not counted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Case, CharField, Exists, F, OuterRef, Q, Value, When
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from memory.domain.values import Status
from memory.models import Event, Memory
from memory.models.events import Actor, Verb
from panel import review_words, words

DAYS = 30
SHOWN = 20
_HEAVY = ("embedding", "search_text", "before", "metadata", "dimensions")
# Of each way to retire a memory: that it is still retired by it.
_RETIRED = (
    Q(verb=Verb.SUPERSEDED, memory__status=Status.SUPERSEDED)
    | Q(verb=Verb.OUTDATED, memory__status=Status.STALE, memory__status_reason=F("reason"))
    | Q(verb=Verb.ARCHIVED, memory__archived_at=F("at"))
)


@dataclass(frozen=True, slots=True)
class Change:
    """What the program retired by itself, with the gesture that takes it back."""

    gesture: UUID
    at: datetime
    memory: Memory
    what: str
    why: str
    successor: Memory | None
    agent: str

    @property
    def is_past(self) -> bool:
        return self.memory.status == Status.SUPERSEDED


def read_changes(owner: UUID, now: datetime) -> tuple[list[Change], bool]:
    """The changes of the last 30 days, and whether there are more. Inside owner_scope, one
    statement.

    What something said later made past comes before what faded: it is more likely to be wrong.
    """
    undone = (
        Event.objects.of(owner)
        .annotate(undid=KeyTextTransform("undid", "data"))
        .filter(verb=Verb.UNDONE, undid=Cast(OuterRef("gesture"), CharField()))
    )
    found = list(
        Event.objects.of(owner)
        .filter(
            _RETIRED,
            actor__in=(Actor.AGENT, Actor.PROGRAM),
            at__gt=now - timedelta(days=DAYS),
            memory__deleted_at__isnull=True,
        )
        .exclude(Exists(undone))
        .annotate(
            faded=Case(When(verb=Verb.SUPERSEDED, then=Value(0)), default=Value(1)),
            touchy=Case(When(Q(memory__sensitivity__len__gt=0), then=Value(0)), default=Value(1)),
        )
        .select_related("agent", "memory", "memory__superseded_by")
        .defer(*(f"memory__{name}" for name in _HEAVY))
        .order_by("faded", "touchy", "-id")[: SHOWN + 1]
    )
    changes = [
        Change(
            gesture=event.gesture,
            at=event.at,
            memory=event.memory,
            what=str(words.VERB[event.verb]),
            why=review_words.why_changed(event, event.memory),
            successor=_kept(event.memory.superseded_by),
            agent=event.agent.name if event.agent else "",
        )
        for event in found[:SHOWN]
        if event.memory is not None
    ]
    return changes, len(found) > SHOWN


def _kept(memory: Memory | None) -> Memory | None:
    return memory if memory is not None and memory.deleted_at is None else None
