"""Events told as gestures: everything one act changed stands together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from uuid import UUID

from django.utils.translation import gettext as _

from memory.models import Event
from memory.models.events import Actor, Verb
from panel import words
from panel.differences import Piece
from panel.reads.reasons import Change, tell_changes, tell_why

# A gesture of more rows than these is summed up.
_MOST_LINES = 8
_FINAL = frozenset(
    {Verb.CLEARED, Verb.ERASED, Verb.REFUSED, Verb.CONNECTED, Verb.KEY_MADE, Verb.KEY_REVOKED}
)
# Side effects of an act that say nothing to people.
_SILENT = frozenset({"chain"})


@dataclass(slots=True)
class Line:
    """What one gesture did to one memory: one verb, or several in order."""

    verbs: list[str]
    memory: UUID | None
    text: str
    deleted: bool
    # Why, in sentences; what stood before and stands now; what an edit did to the words.
    whys: list[str] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)

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


def group_events(
    events: Iterable[Event],
    told: Mapping[int, str] | None = None,
    reworded: Mapping[int, list[Piece]] | None = None,
) -> list[Gesture]:
    """Neighbouring events of one gesture as one entry. Reads agent and memory of each.

    `told`: what those are about that are about no memory; `reworded`: what edits did to the words
    (panel.reads.agreed, panel.reads.reasons).
    """
    return [
        _gesture(gesture, list(group), told or {}, reworded or {})
        for gesture, group in groupby(events, key=lambda event: event.gesture)
    ]


def _gesture(
    gesture: UUID,
    events: list[Event],
    told: Mapping[int, str],
    reworded: Mapping[int, list[Piece]],
) -> Gesture:
    by_memory: dict[UUID | None, Line] = {}
    # Newest first is the order of the page; within a gesture the act comes before its effects.
    for event in [event for event in reversed(events) if _says_something(event)] or events[:1]:
        line = by_memory.setdefault(event.memory_id, _line(event, told))
        verb = words.event_name(event.verb, event.data)
        if verb not in line.verbs:
            line.verbs.append(verb)
        why = tell_why(event)
        if why and why not in line.whys:
            line.whys.append(why)
        line.changes += [change for change in tell_changes(event) if change not in line.changes]
        line.pieces = line.pieces or reworded.get(event.pk, [])
    lines = list(by_memory.values())
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


def _says_something(event: Event) -> bool:
    """Not what only happened to a question: what became of its memories says it."""
    if event.reason in _SILENT or event.verb == Verb.UNDONE:
        return False
    return event.memory_id is not None or event.conflict_id is None


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


def _line(event: Event, told: Mapping[int, str]) -> Line:
    memory = event.memory
    return Line(
        verbs=[],
        memory=memory.pk if memory else None,
        text=words.shortened(memory.content, 120) if memory else told.get(event.pk, ""),
        deleted=bool(memory and memory.deleted_at),
    )


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


def _as_member(gesture: Gesture) -> Gesture:
    """The entry's own row, as one among those folded into it."""
    return Gesture(
        gesture.id, gesture.at, gesture.by, gesture.is_owner, gesture.is_admin, gesture.lines,
        gesture.left_out, gesture.undoable,
    )  # fmt: skip
