"""What happened, gesture by gesture, newest first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db.models import Count
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from memory.border import owner_scope
from memory.models import AdminNote, Event
from memory.models.events import AGREED, Actor, Verb
from panel import words
from panel.cursors import BadCursor, read_cursor, write_cursor
from panel.reads.agreed import name_agreed

PAGE = 50
# A gesture of more rows than these is summed up.
_MOST_LINES = 8
_EVENTS = 200
_FINAL = frozenset(
    {Verb.CLEARED, Verb.ERASED, Verb.REFUSED, Verb.CONNECTED, Verb.KEY_MADE, Verb.KEY_REVOKED}
)
# Acts on no single memory.
_WITHOUT_MEMORY = frozenset({Verb.CLEARED, Verb.REFUSED, *AGREED})
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
    # What one sweep did to many rows: each may be taken back by itself. `swept` counts them all.
    sweep: tuple[str, str, datetime] | None = None
    # What an admin wrote to the owner about it.
    note: str = ""
    members: list[Gesture] = field(default_factory=list)
    swept: int = 0


@dataclass(frozen=True, slots=True)
class ActivityPage:
    gestures: list[Gesture]
    next: str


def read_activity(owner: UUID, cursor: str) -> ActivityPage:
    """One page of gestures. Raises BadCursor. A page never ends inside a gesture.

    A sweep stands there once, however many rows it changed: what of it does not fit on the page is
    left out of the next one.
    """
    with owner_scope(owner):
        events = Event.objects.of(owner).recent().select_related("agent", "memory")
        if cursor:
            events = _go_on(events, read_cursor(cursor, owner, "activity"))
        found = list(
            events.defer(
                "memory__embedding", "memory__search_text", "memory__before", "memory__metadata"
            )[: _EVENTS + 1]
        )
        full = len(found) > _EVENTS
        gestures = group_sweeps(group_events(found, name_agreed(owner, found)))
        cut = None
        if full and not gestures[-1].sweep:
            # The last one may go on; the next page has it whole, unless it is longer than a page.
            if len(gestures) > 1:
                gestures.pop()
            else:
                cut = gestures[0]
                _count_rows(owner, cut)
        kept = gestures[:PAGE]
        _mark_undone(owner, [one for gesture in kept for one in (gesture, *gesture.members)])
        _count_sweeps(owner, kept)
        _read_notes(owner, kept)
        if len(gestures) <= PAGE and not full:
            return ActivityPage(kept, "")
        ids = {one.id for gesture in kept for one in (gesture, *gesture.members)}
        last = min(event.id for event in found if event.gesture in ids)
        values: list[Any] = [last]
        if kept[-1].sweep:
            verb, reason, at = kept[-1].sweep
            values += [verb, reason, at.isoformat()]
        elif cut:
            values.append(str(cut.id))
        return ActivityPage(kept, write_cursor(owner, "activity", values))


def _read_notes(owner: UUID, gestures: list[Gesture]) -> None:
    """What admins wrote to their acts: one statement, where there are any."""
    by_admins = {gesture.id: gesture for gesture in gestures if gesture.is_admin}
    if not by_admins:
        return
    notes = AdminNote.objects.of(owner).filter(gesture__in=by_admins)
    for gesture, text in notes.values_list("gesture", "text"):
        by_admins[gesture].note = text


def _go_on(events: Any, values: list[Any]) -> Any:
    if len(values) not in (1, 2, 4) or not isinstance(values[0], int):
        raise BadCursor
    events = events.filter(id__lt=values[0])
    if len(values) == 2:
        events = events.exclude(gesture=values[1])
    if len(values) == 4:
        verb, reason, at = values[1:]
        events = events.exclude(
            actor=Actor.PROGRAM, verb=verb, reason=reason, at=parse_datetime(at)
        )
    return events


def group_sweeps(gestures: list[Gesture]) -> list[Gesture]:
    """Neighbouring gestures of one sweep as one entry, its rows folded into it."""
    grouped: list[Gesture] = []
    for gesture in gestures:
        before = grouped[-1] if grouped else None
        if before and gesture.sweep and before.sweep == gesture.sweep:
            if not before.members:
                before.members.append(_as_member(before))
            before.members.append(gesture)
            before.undoable = before.undone = False
        else:
            grouped.append(gesture)
    return grouped


def _count_rows(owner: UUID, gesture: Gesture) -> None:
    """How many memories a gesture is about, when only some of its lines were read."""
    rows = Event.objects.of(owner).of_gesture(gesture.id).exclude(memory=None)
    number = rows.order_by().values("memory").distinct().count()
    gesture.left_out = max(0, number - len(gesture.lines))


def _as_member(gesture: Gesture) -> Gesture:
    """The entry's own row, as one among those folded into it."""
    return Gesture(
        gesture.id, gesture.at, gesture.by, gesture.is_owner, gesture.is_admin, gesture.lines,
        gesture.left_out, gesture.undoable,
    )  # fmt: skip


def _count_sweeps(owner: UUID, gestures: list[Gesture]) -> None:
    """How many rows each sweep changed, also those that did not fit: one statement."""
    sweeps = {gesture.sweep: gesture for gesture in gestures if gesture.sweep and gesture.members}
    if not sweeps:
        return
    counted = (
        Event.objects.of(owner)
        .filter(actor=Actor.PROGRAM, at__in=[at for _verb, _reason, at in sweeps])
        .order_by()
        .values_list("verb", "reason", "at")
        .annotate(Count("id"))
    )
    for verb, reason, at, number in counted:
        if gesture := sweeps.get((verb, reason, at)):
            gesture.swept = number
            gesture.left_out = max(0, number - len(gesture.members))


def group_events(events: Iterable[Event], agreed: Mapping[int, str] | None = None) -> list[Gesture]:
    """Neighbouring events of one gesture as one entry. Reads agent and memory of each.

    `agreed`: what those are about that are about no memory (panel.reads.agreed).
    """
    return [
        _gesture(gesture, list(group), agreed or {})
        for gesture, group in groupby(events, key=lambda event: event.gesture)
    ]


def _gesture(gesture: UUID, events: list[Event], agreed: Mapping[int, str]) -> Gesture:
    told: dict[UUID | None, Line] = {}
    # Newest first is the order of the page; within a gesture the act comes before its effects.
    for event in reversed(events):
        if event.reason in _SILENT or not (event.memory_id or event.verb in _WITHOUT_MEMORY):
            continue
        line = told.setdefault(event.memory_id, _line(event, agreed))
        verb = str(words.VERB[event.verb])
        if verb not in line.verbs:
            line.verbs.append(verb)
    lines = list(told.values()) or [_line(events[0], agreed)]
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
        sweep=_sweep_of(events),
    )


def _sweep_of(events: list[Event]) -> tuple[str, str, datetime] | None:
    """What tells the rows of one sweep: the program did the same to each, at one moment."""
    [event, *others] = events
    if others or event.actor != Actor.PROGRAM or event.memory_id is None:
        return None
    return (event.verb, event.reason, event.at)


def _may_be_undone(events: list[Event]) -> bool:
    """The owner's own acts, and what the program or an agent retired by itself."""
    verbs = {event.verb for event in events}
    if verbs & _FINAL or Verb.UNDONE in verbs:
        return False
    if events[0].actor == Actor.ADMIN:
        return Verb.SETTLED in verbs
    return events[0].actor == Actor.OWNER or bool(
        verbs & {Verb.SUPERSEDED, Verb.OUTDATED, Verb.ARCHIVED}
    )


def _line(event: Event, agreed: Mapping[int, str]) -> Line:
    memory = event.memory
    return Line(
        verbs=[] if memory or event.verb in _WITHOUT_MEMORY else [str(words.VERB[event.verb])],
        memory=memory.pk if memory else None,
        text=words.shortened(memory.content, 120) if memory else agreed.get(event.pk, ""),
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
