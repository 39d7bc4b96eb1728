"""What the page of one memory reads: the same number of statements however long its history."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from accounts.models import User
from memory.border import owner_scope
from memory.domain.values import Status
from memory.models import Conflict, Event, Memory, MemoryRevision, Recall, RecallItem
from memory.models.recalls import Place
from panel import words
from panel.access import get_memory_for_owner
from panel.curves import Life
from panel.differences import Piece, difference
from panel.memory_forms import Audience, audiences_of
from panel.reads.contests import link_contests
from panel.reads.gestures import Gesture, group_events
from panel.reads.lives import read_life
from panel.reads.memories import read_cards
from panel.reads.talk import Said, read_talk
from panel.reads.versions import Version, fold_versions, read_line
from panel.reads.weighing import Reasons, read_reasons
from panel.rows import Card, Row, make_row
from panel.visits import read_policy

_MOST_VERSIONS = 50
_MOST_EVENTS = 100
_MOST_USES = 8


@dataclass(frozen=True, slots=True)
class Revision:
    """What it said before, and what was changed then."""

    version: int
    until: datetime
    content: str
    pieces: list[Piece]


@dataclass(frozen=True, slots=True)
class Use:
    """A recall in which it was told: `rank` where it was ranked, else it is always told."""

    recall: Recall
    rank: int | None


@dataclass(slots=True)
class OneMemory:
    """Everything the page shows."""

    memory: Memory
    row: Row
    # Where it waits for an answer: the card, with its other sides.
    card: Card | None
    revisions: list[Revision]
    history: list[Gesture]
    successor: Memory | None
    # The history it is part of, newest first, itself included.
    line: list[Version]
    # How it faded and was reinforced; None for what is past.
    life: Life | None
    # Why its tier, and what its importance was made from; None for what is past.
    reasons: Reasons | None
    # The last recalls that told it.
    uses: list[Use]
    # The turn it was taken from, among those around it.
    talk: list[Said]

    @property
    def tier(self) -> str:
        return str(words.TIER[self.memory.tier])

    @property
    def wordings(self) -> list[tuple[str, datetime, str]]:
        """Everything it says and said, newest first: a name for the address, since when, words."""
        found: list[tuple[str, datetime, str]] = []
        for version in self.line:
            name = str(version.id)
            if version.id != self.memory.pk:
                found.append((name, version.since, version.content))
                continue
            # A wording holds from when the one before it was given up.
            began = [one.until for one in self.revisions] + [version.since]
            words_then = [version.content] + [one.content for one in self.revisions]
            names = [name] + [f"{name}-{one.version}" for one in self.revisions]
            found += zip(names, began, words_then, strict=True)
        return found

    @property
    def audiences(self) -> list[Audience]:
        return audiences_of(self.memory)

    @property
    def kind(self) -> str:
        return str(words.KIND[self.memory.kind])

    @property
    def status(self) -> str:
        return words.status_name(self.memory.status)

    @property
    def importance(self) -> int:
        return round(self.memory.importance * 100)

    @property
    def times_served(self) -> int:
        return int(self.memory.use.times_served)

    @property
    def is_past(self) -> bool:
        return self.memory.status == Status.SUPERSEDED


def read_one(owner: User, memory: UUID, *, now: datetime) -> OneMemory:
    """One memory with its history; 404 for what is not this owner's."""
    with owner_scope(owner.pk):
        rules = read_policy(owner.pk).rules()
        found = get_memory_for_owner(memory, owner)
        row = make_row(found, rules=rules, now=now)
        fold_versions([row], owner.pk)
        link_contests([row], owner.pk)
        waiting = (
            Conflict.objects.of(owner.pk)
            .waiting()
            .filter(members__memory=found.pk, members__bystander=False)
        )
        cards = read_cards(owner.pk, list(waiting[:1]), rules, now)
        events = (
            Event.objects.of(owner.pk)
            .about(found.pk)
            .select_related("agent", "memory")
            .order_by("-id")[:_MOST_EVENTS]
        )
        past = found.status == Status.SUPERSEDED
        return OneMemory(
            memory=found,
            row=row,
            card=cards[0] if cards else None,
            revisions=_revisions(owner.pk, found),
            history=group_events(list(events)),
            successor=_kept(found.superseded_by),
            line=read_line(found),
            life=None if past else read_life(found, rules, now),
            reasons=None if past else read_reasons(found, rules),
            uses=_uses(found),
            talk=read_talk(found),
        )


def _uses(memory: Memory) -> list[Use]:
    """Where it was used, newest first; of a recall that told it twice, its rank."""
    items = (
        RecallItem.objects.of(memory.owner_id)
        .filter(memory=memory, place__in=[Place.MEMORY, Place.STANDING])
        .select_related("recall__agent")
        .order_by("-recall__asked_at", "place")
    )
    uses: dict[UUID, Use] = {}
    for item in items[: 2 * _MOST_USES]:
        rank = item.rank if item.place == Place.MEMORY else None
        uses.setdefault(item.recall_id, Use(item.recall, rank))
    return list(uses.values())[:_MOST_USES]


def _kept(memory: Memory | None) -> Memory | None:
    return memory if memory is not None and memory.deleted_at is None else None


def _revisions(owner: UUID, memory: Memory) -> list[Revision]:
    """Newest first, each compared with what came after it."""
    after = memory.content
    revisions = []
    for old in (
        MemoryRevision.objects.of(owner)
        .filter(memory=memory.pk)
        .order_by("-version")[:_MOST_VERSIONS]
    ):
        pieces = difference(old.content, after)
        revisions.append(Revision(old.version, old.created_at, old.content, pieces))
        after = old.content
    return revisions
