"""What waits for all owners, as their admins may see it: numbers, names of topics, masked words."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from accounts.models import User
from memory.border import operations
from memory.domain.values import AdminsSee, Reason, Status
from memory.models import Conflict, ConflictMember, Policy
from panel import review_words
from panel.cursors import BadCursor, read_cursor, write_cursor
from panel.masking import mask
from panel.topics import known_label

PAGE = 50


@dataclass(frozen=True, slots=True)
class Told:
    """One member's words, as far as they may be read."""

    id: UUID
    text: str
    masked: bool
    waits: bool


@dataclass(slots=True)
class Entry:
    """One entry of the queue. Holds no word that is not in `told`."""

    id: UUID
    owner: str
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

    @property
    def masked(self) -> bool:
        return any(told.masked for told in self.told)

    @property
    def is_pair(self) -> bool:
        return self.kind in (Reason.CONTRADICTION, Reason.ELSEWHERE) and len(self.told) > 1

    @property
    def name(self) -> str:
        return str(review_words.KIND[self.kind])


@dataclass(slots=True)
class QueuePage:
    entries: list[Entry] = field(default_factory=list)
    next: str = ""


def read_queue(by: UUID, cursor: str, *, now: datetime) -> QueuePage:
    """A page of entries, oldest first. Always as many statements. Raises BadCursor."""
    with operations("review_queue", by=by):
        entries = Conflict.objects.helpable()
        if cursor:
            values = read_cursor(cursor, by, "queue")
            if len(values) != 1:
                raise BadCursor
            try:
                entries = entries.filter(id__gt=UUID(str(values[0])))
            except ValueError as error:
                raise BadCursor from error
        found = list(entries.select_related("owner", "claimed_by").order_by("id")[: PAGE + 1])
        page = QueuePage(_describe(found[:PAGE], by, now, revealed=False))
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
        described = _describe(found, by, now, revealed=revealed)
        return described[0] if described else None


def _describe(entries: list[Conflict], by: UUID, now: datetime, *, revealed: bool) -> list[Entry]:
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
    return [
        _entry(entry, places[entry.pk], settings.get(entry.owner_id, ""), by, now, revealed)
        for entry in entries
    ]


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
            )
            for place in places
        ],
        claimed_by=_owner_name(entry.claimed_by) if held and entry.claimed_by else "",
        claimed_until=entry.claimed_until if held else None,
        mine=held and entry.claimed_by_id == by,
    )


def _owner_name(person: Any) -> str:
    return person.display_name if isinstance(person, User) else ""
