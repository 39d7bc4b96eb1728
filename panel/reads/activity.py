"""What happened, gesture by gesture, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Count, QuerySet, Subquery
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.html import escape
from django.utils.translation import gettext as _

from memory.border import owner_scope
from memory.models import AdminNote, Event
from memory.models.events import Actor, Verb
from panel import words
from panel.activity_words import GROUPS
from panel.cursors import BadCursor, read_cursor, write_cursor
from panel.own_words import sentence
from panel.reads.agreed import name_agreed
from panel.reads.filters import WHEN_DAYS
from panel.reads.gestures import Gesture, group_events, group_sweeps
from panel.reads.reasons import read_reworded, read_topics

PAGE = 50
_EVENTS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityFilters:
    """A checked address. Empty means everything."""

    # An actor, or the id of an agent.
    by: str = ""
    # One of panel.activity_words.GROUPS.
    what: str = ""
    when: str = ""
    cursor: str = ""

    @property
    def narrowed(self) -> bool:
        return bool(self.by or self.what or self.when)


@dataclass(frozen=True, slots=True)
class ActivityPage:
    gestures: list[Gesture]
    next: str


def read_activity(owner: UUID, filters: ActivityFilters, *, now: datetime) -> ActivityPage:
    """One page of gestures. Raises BadCursor. A page never ends inside a gesture.

    A gesture is on it whole where one of its lines is what was asked for.

    A sweep stands there once, however many rows it changed: what of it does not fit on the page is
    left out of the next one.
    """
    with owner_scope(owner):
        events = Event.objects.of(owner).recent().select_related("agent", "memory")
        if filters.narrowed:
            events = events.filter(gesture__in=_asked_for(owner, filters, now))
        if filters.cursor:
            events = _go_on(events, read_cursor(filters.cursor, owner, "activity"))
        found = list(
            events.defer(
                "memory__embedding", "memory__search_text", "memory__before", "memory__metadata"
            )[: _EVENTS + 1]
        )
        full = len(found) > _EVENTS
        told = name_agreed(owner, found) | read_topics(owner, found)
        gestures = group_sweeps(group_events(found, told, read_reworded(owner, found)))
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


def _asked_for(owner: UUID, filters: ActivityFilters, now: datetime) -> QuerySet[Any, Any]:
    lines = Event.objects.of(owner)
    if filters.by in set(Actor):
        lines = lines.filter(actor=filters.by)
    elif filters.by:
        lines = lines.filter(agent=UUID(filters.by))
    if filters.what:
        lines = lines.filter(verb__in=GROUPS[filters.what])
    if filters.when:
        lines = lines.filter(at__gte=now - timedelta(days=WHEN_DAYS[filters.when]))
    return lines.values("gesture")


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


def _count_rows(owner: UUID, gesture: Gesture) -> None:
    """How many memories a gesture is about, when only some of its lines were read."""
    rows = Event.objects.of(owner).of_gesture(gesture.id).exclude(memory=None)
    number = rows.order_by().values("memory").distinct().count()
    gesture.left_out = max(0, number - len(gesture.lines))


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


def read_since(owner: UUID, gesture: UUID) -> str:
    """What has happened last to what a gesture touched, in a sentence; empty where nothing has."""
    with owner_scope(owner):
        events = Event.objects.of(owner)
        mine = events.of_gesture(gesture)
        last = (
            events.exclude(gesture=gesture)
            .filter(
                memory__in=mine.filter(memory__isnull=False).order_by().values("memory"),
                id__gt=Subquery(mine.order_by("-id").values("id")[:1]),
            )
            .select_related("agent", "memory")
            .recent()
            .first()
        )
    if last is None or last.memory is None:
        return ""
    return sentence(
        _("Since then: %(verb)s, “%(text)s” (%(who)s, %(day)s)."),
        verb=escape(words.VERB[last.verb]),
        text=words.shortened(last.memory.content, 60),
        who=words.actor_name(last.actor, last.agent.name if last.agent else ""),
        day=escape(timezone.localtime(last.at).strftime("%Y-%m-%d")),
    )
