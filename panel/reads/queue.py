"""What waits for all owners, as their admins may see it: numbers, names of topics, masked words."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db.models import F, Q
from django.db.models.aggregates import Count

from accounts.models import User
from memory.border import operations
from memory.domain.decisions import Side, is_pair
from memory.domain.values import AdminsSee, Status
from memory.models import AdminNote, Conflict, ConflictMember, Policy
from memory.querysets.conflicts import ConflictQuerySet, opened_within
from panel import review_words
from panel.cursors import BadCursor, read_cursor, write_cursor
from panel.masking import mask
from panel.topics import known_label

PAGE = 50


class Part(StrEnum):
    """Which entries the list shows: an address says no more than this and an age."""

    WAITING = "waiting"
    ESCALATED = "escalated"
    ALL = "all"


class Age(StrEnum):
    """How long ago an entry was opened."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    OLDER = "older"


# From how many days ago, to how many.
AGES: dict[Age, tuple[int, int | None]] = {
    Age.DAY: (0, 1),
    Age.WEEK: (1, 7),
    Age.MONTH: (7, 30),
    Age.OLDER: (30, None),
}


@dataclass(frozen=True, slots=True)
class Which:
    """What of the queue is looked at."""

    part: Part = Part.WAITING
    age: Age | None = None

    @property
    def narrowed(self) -> bool:
        return self != Which()

    @property
    def query(self) -> str:
        """As it stands in an address; empty for the queue as such."""
        given = {"show": self.part if self.part != Part.WAITING else "", "age": self.age or ""}
        return "&".join(f"{name}={value}" for name, value in given.items() if value)


@dataclass(frozen=True, slots=True)
class Told:
    """One member's words, as far as they may be read."""

    id: UUID
    text: str
    masked: bool
    waits: bool
    # By which of two is the newer one, and whether they were changed since they were shown.
    said_at: datetime
    version: int


@dataclass(slots=True)
class Entry:
    """One entry of the queue. Holds no word that is not in `told`."""

    id: UUID
    owner: str
    owner_id: UUID
    kind: str
    label: str
    agent: str
    opened_at: datetime
    sensitive: list[str]
    told: list[Told]
    # Who is at it, if anybody is; `mine`: the one who looks.
    claimed_by: str = ""
    claimed_until: datetime | None = None
    mine: bool = False
    # Passed on by whom, with which words to the others.
    escalated_at: datetime | None = None
    escalated_by: str = ""
    escalated_why: str = ""

    @property
    def masked(self) -> bool:
        return any(told.masked for told in self.told)

    @property
    def sides(self) -> list[Side]:
        """As the rules see it."""
        return [Side(told.id, told.version, told.said_at) for told in self.told]

    @property
    def is_pair(self) -> bool:
        return is_pair(self.kind, self.sides)

    @property
    def name(self) -> str:
        return str(review_words.KIND[self.kind])

    @property
    def title(self) -> str:
        """What tells it from others in a sentence: what it is, about what, whose."""
        return " · ".join(filter(None, (self.name, self.label, self.owner)))


@dataclass(slots=True)
class QueuePage:
    entries: list[Entry] = field(default_factory=list)
    next: str = ""
    waiting: int = 0
    escalated: int = 0


def entries_of(which: Which, now: datetime) -> ConflictQuerySet:
    """The entries a list shows, and a number that leads to it counts. Inside `operations`."""
    entries: ConflictQuerySet = Conflict.objects.helpable()
    if which.part == Part.WAITING:
        entries = entries.not_passed_on()
    elif which.part == Part.ESCALATED:
        entries = entries.passed_on()
    if which.age is None:
        return entries
    return entries.filter(opened_at_age(which.age, now))


def opened_at_age(age: Age, now: datetime) -> Q:
    """The condition that an entry has been waiting for that long."""
    latest, earliest = AGES[age]
    since = None if earliest is None else now - timedelta(days=earliest)
    return opened_within(since, now - timedelta(days=latest) if latest else None)


def read_queue(by: UUID, which: Which, cursor: str, *, now: datetime) -> QueuePage:
    """A page of entries, oldest first. Always as many statements. Raises BadCursor."""
    with operations("review_queue", by=by):
        entries = entries_of(which, now)
        if cursor:
            values = read_cursor(cursor, by, "queue")
            if len(values) != 1:
                raise BadCursor
            try:
                entries = entries.filter(id__gt=UUID(str(values[0])))
            except ValueError as error:
                raise BadCursor from error
        found = list(entries.select_related("owner", "claimed_by").order_by("id")[: PAGE + 1])
        page = QueuePage(describe(found[:PAGE], by, now))
        counted = Conflict.objects.helpable().aggregate(
            waiting=Count("pk", Q(escalated_at=None)),
            escalated=Count("pk", Q(escalated_at__isnull=False)),
        )
        page.waiting, page.escalated = counted["waiting"], counted["escalated"]
        if len(found) > PAGE:
            page.next = write_cursor(by, "queue", [str(found[PAGE - 1].pk)])
        return page


def read_entry(by: UUID, conflict: UUID, *, now: datetime, revealed: bool = False) -> Entry | None:
    """One entry; None for what is not there or not shown to admins.

    `revealed`: the look has been noted (memory.services.assist.look_at_words).
    """
    with operations("review_queue", by=by):
        entries = Conflict.objects.helpable().filter(pk=conflict)
        found = list(entries.select_related("owner", "claimed_by"))
        described = describe(found, by, now, revealed=revealed)
        return described[0] if described else None


def describe(
    entries: list[Conflict], by: UUID, now: datetime, *, revealed: bool = False
) -> list[Entry]:
    """Entries as admins may see them, in three statements. Inside `operations`.

    Reads each one's owner and claimed_by.
    """
    owners = {entry.owner_id for entry in entries}
    settings: dict[UUID, str] = dict(
        Policy.objects.filter(owner__in=owners).values_list("owner", "admins_see")
    )
    places: defaultdict[UUID, list[ConflictMember]] = defaultdict(list)
    for place in (
        ConflictMember.objects.filter(
            conflict__in=[entry.pk for entry in entries], memory__deleted_at__isnull=True
        )
        .exclude(memory__status=Status.SUPERSEDED)
        .select_related("memory", "memory__agent")
        .defer("memory__embedding", "memory__search_text", "memory__before", "memory__quote")
        .order_by("bystander", "id")
    ):
        places[place.conflict_id].append(place)
    passed_on = [entry.pk for entry in entries if entry.escalated_at]
    notes = {
        note.conflict_id: note
        for note in AdminNote.objects.filter(
            conflict__in=passed_on, at=F("conflict__escalated_at")
        ).select_related("by")
    }
    described = []
    for entry in entries:
        setting = settings.get(entry.owner_id, "")
        one = _entry(entry, places[entry.pk], setting, by, now, revealed)
        if note := notes.get(entry.pk):
            one.escalated_by, one.escalated_why = _owner_name(note.by), note.text
        described.append(one)
    return described


def _entry(
    entry: Conflict,
    places: list[ConflictMember],
    setting: str,
    by: UUID,
    now: datetime,
    revealed: bool,
) -> Entry:
    plain = revealed or setting == AdminsSee.ALL
    memories = [place.memory for place in places]
    held = entry.claimed_until is not None and entry.claimed_until > now
    key = entry.key or next((memory.key for memory in memories if memory.key), "")
    return Entry(
        id=entry.pk,
        owner=_owner_name(entry.owner),
        owner_id=entry.owner_id,
        kind=entry.reason,
        label=known_label(key, plain=plain),
        agent=next((memory.agent.name for memory in memories if memory.agent), ""),
        opened_at=entry.opened_at,
        sensitive=review_words.sensitive_topics(
            {topic for memory in memories for topic in memory.sensitivity}
        ),
        told=[
            Told(
                id=place.memory_id,
                text=place.memory.content if plain else mask(place.memory.content),
                masked=not plain,
                waits=not place.bystander,
                said_at=place.memory.said_at,
                version=place.memory.version,
            )
            for place in places
        ],
        claimed_by=_owner_name(entry.claimed_by) if held and entry.claimed_by else "",
        claimed_until=entry.claimed_until if held else None,
        mine=held and entry.claimed_by_id == by,
        escalated_at=entry.escalated_at,
    )


def _owner_name(person: Any) -> str:
    return person.display_name if isinstance(person, User) else ""
