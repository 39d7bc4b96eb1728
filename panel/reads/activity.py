"""What happened, gesture by gesture, newest first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from uuid import UUID

from django.utils.translation import gettext as _

from memory.border import owner_scope
from memory.models import Event
from memory.models.events import Actor, Verb
from panel import words
from panel.cursors import BadCursor, read_cursor, write_cursor

PAGE = 50
# A gesture of more rows than these is summed up.
_MOST_LINES = 8
_EVENTS = 200
_FINAL = frozenset({Verb.CLEARED, Verb.ERASED, Verb.REFUSED, Verb.PAUSED, Verb.RESUMED})
# Acts on no single memory.
_WITHOUT_MEMORY = frozenset({Verb.CLEARED, Verb.REFUSED, Verb.PAUSED, Verb.RESUMED})
# Side effects of an act that say nothing to people.
_SILENT = frozenset({"chain"})


@dataclass(slots=True)
class Line:
    """What one gesture did to one memory: one verb, or several in order."""

    verbs: list[str]
    memory: UUID | None
    text: str
    deleted: bool

    @property
    def verb(self) -> str:
        return _(", ").join(self.verbs)


@dataclass(slots=True)
class Gesture:
    """Everything one act changed, with whether it may still be taken back."""

    id: UUID
    at: datetime
    by: str
    is_owner: bool
    is_admin: bool
    lines: list[Line]
    left_out: int
    undoable: bool
    undone: bool = False


@dataclass(frozen=True, slots=True)
class ActivityPage:
    gestures: list[Gesture]
    next: str


def read_activity(owner: UUID, cursor: str) -> ActivityPage:
    """One page of gestures. Raises BadCursor. A page never ends inside a gesture."""
    with owner_scope(owner):
        events = Event.objects.of(owner).recent().select_related("agent", "memory")
        if cursor:
            values = read_cursor(cursor, owner, "activity")
            if len(values) != 1 or not isinstance(values[0], int):
                raise BadCursor
            events = events.filter(id__lt=values[0])
        found = list(
            events.defer(
                "memory__embedding", "memory__search_text", "memory__before", "memory__metadata"
            )[: _EVENTS + 1]
        )
        full = len(found) > _EVENTS
        gestures = group_events(found)
        if full and len(gestures) > 1:
            # The last one may go on; the next page has it whole.
            gestures.pop()
        kept = gestures[:PAGE]
        _mark_undone(owner, kept)
        if len(gestures) <= PAGE and not full:
            return ActivityPage(kept, "")
        ids = {gesture.id for gesture in kept}
        last = min(event.id for event in found if event.gesture in ids)
        return ActivityPage(kept, write_cursor(owner, "activity", [last]))


def group_events(events: Iterable[Event]) -> list[Gesture]:
    """Neighbouring events of one gesture as one entry. Reads agent and memory of each."""
    return [
        _gesture(gesture, list(group))
        for gesture, group in groupby(events, key=lambda event: event.gesture)
    ]


def _gesture(gesture: UUID, events: list[Event]) -> Gesture:
    told: dict[UUID | None, Line] = {}
    # Newest first is the order of the page; within a gesture the act comes before its effects.
    for event in reversed(events):
        if event.reason in _SILENT or not (event.memory_id or event.verb in _WITHOUT_MEMORY):
            continue
        line = told.setdefault(event.memory_id, _line(event))
        verb = str(words.VERB[event.verb])
        if verb not in line.verbs:
            line.verbs.append(verb)
    lines = list(told.values()) or [_line(events[0])]
    first = events[0]
    return Gesture(
        id=gesture,
        at=first.at,
        by=words.actor_name(first.actor, first.agent.name if first.agent else ""),
        is_owner=first.actor == Actor.OWNER,
        is_admin=first.actor == Actor.ADMIN,
        lines=lines[:_MOST_LINES],
        left_out=max(0, len(lines) - _MOST_LINES),
        undoable=_may_be_undone(events),
    )


def _may_be_undone(events: list[Event]) -> bool:
    """The owner's own acts, and what the program or an agent retired by itself."""
    verbs = {event.verb for event in events}
    if verbs & _FINAL or Verb.UNDONE in verbs:
        return False
    return events[0].actor == Actor.OWNER or bool(verbs & {Verb.SUPERSEDED, Verb.OUTDATED})


def _line(event: Event) -> Line:
    memory = event.memory
    return Line(
        verbs=[] if memory or event.verb in _WITHOUT_MEMORY else [str(words.VERB[event.verb])],
        memory=memory.pk if memory else None,
        text=words.shortened(memory.content, 120) if memory else "",
        deleted=bool(memory and memory.deleted_at),
    )


def _mark_undone(owner: UUID, gestures: list[Gesture]) -> None:
    """Which of them were taken back already: one statement."""
    undone = set(
        Event.objects.of(owner)
        .filter(verb=Verb.UNDONE, data__undid__in=[str(gesture.id) for gesture in gestures])
        .values_list("data__undid", flat=True)
    )
    for gesture in gestures:
        if str(gesture.id) in undone:
            gesture.undone = True
            gesture.undoable = False
