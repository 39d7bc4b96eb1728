"""A memory as the list shows it: the big word, the date behind it, the quiet second line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from memory.domain.policy import Policy
from memory.domain.values import Reason, Status, Visibility
from memory.models import Conflict, ConflictMember, Memory
from panel import words
from panel.topics import topic_label


@dataclass(frozen=True, slots=True)
class Earlier:
    """A version that came before the row it is folded under, `depth` steps before."""

    id: UUID
    text: str
    since: datetime
    until: datetime | None
    depth: int


@dataclass(slots=True)
class Row:
    """One memory, ready for the template. Holds no query."""

    memory: Memory
    label: str
    # The same topic as the row above: its name is not repeated.
    label_again: bool
    # What stands large, and the whole sentence where that says more.
    text: str
    sentence: str
    # What is said in brackets behind it, or instead of it.
    dated: str
    marks: list[tuple[str, str]]
    source: str
    agent: str
    who_sees: str
    left: int | None
    question: str = ""
    why: str = ""
    earlier: list[Earlier] = field(default_factory=list)
    # Set where a month begins, in a list by month.
    begins: datetime | None = None
    successor: str = ""
    # The question that contradicts it, where it is contested.
    contest: UUID | None = None

    @property
    def id(self) -> UUID:
        return self.memory.pk

    @property
    def status(self) -> str:
        return self.memory.status

    @property
    def waits(self) -> bool:
        return self.memory.status == Status.CONFLICT

    @property
    def agent_apart(self) -> bool:
        """Whether the agent is not named already by who can see the memory."""
        past = self.memory.status == Status.SUPERSEDED
        return bool(self.agent) and (past or self.memory.visibility != Visibility.PRIVATE)

    @property
    def confirmed(self) -> bool:
        return self.memory.confirmed_at is not None

    @property
    def said_at(self) -> datetime:
        return self.memory.said_at


@dataclass(slots=True)
class Card:
    """What waits for one answer: a guess alone, or two or more sides of a contradiction."""

    id: UUID
    reason: str
    label: str
    sides: list[Row]
    # Contradicted, but kept as it is until the owner says otherwise.
    bystanders: list[Row]

    @property
    def is_pair(self) -> bool:
        return len(self.sides) > 1

    @property
    def opens(self) -> bool:
        """Whether it is a question between several, which has more answers than yes and no."""
        against = bool(self.bystanders) and self.reason != Reason.SUGGESTION
        return self.is_pair or against


def month(moment: datetime) -> str:
    """2026-10, in the owner's zone."""
    return timezone.localtime(moment).strftime("%Y-%m")


def day(moment: datetime) -> str:
    """2026-10-03, in the owner's zone."""
    return timezone.localtime(moment).strftime("%Y-%m-%d")


def make_row(memory: Memory, *, rules: Policy, now: datetime, label_again: bool = False) -> Row:
    """Reads use, agent, project and superseded_by: queries where they were not selected along."""
    waits = memory.status == Status.CONFLICT
    # A guess is judged by its words, not by what was made of them.
    text = memory.content if waits else memory.value or memory.content
    return Row(
        memory=memory,
        label=topic_label(memory.key),
        label_again=label_again,
        text=text,
        sentence=memory.content if text != memory.content else "",
        dated=_dated(memory),
        marks=_marks(memory, rules),
        source=words.source_name(memory.source),
        agent=memory.agent.name if memory.agent else "",
        who_sees=words.who_sees(memory),
        left=_left(memory, rules, now),
        question=words.question(memory) if waits else "",
        why=words.why(memory),
        successor=_short(memory.superseded_by),
    )


def make_rows(
    memories: Iterable[Memory], *, rules: Policy, now: datetime, after: str | None = None
) -> list[Row]:
    """Rows in order; a topic is named at its first row.

    `after`: the key the page before ended in.
    """
    rows = []
    last = after
    for memory in memories:
        rows.append(make_row(memory, rules=rules, now=now, label_again=memory.key == last))
        last = memory.key
    return rows


def make_card(
    conflict: Conflict, places: Sequence[ConflictMember], *, rules: Policy, now: datetime
) -> Card:
    """A card from an entry and its members' places, their memories selected along."""
    sides: list[Row] = []
    bystanders: list[Row] = []
    for place in places:
        if place.memory.deleted_at is not None:
            continue
        waits = place.memory.status == Status.CONFLICT and not place.bystander
        row = make_row(place.memory, rules=rules, now=now)
        (sides if waits else bystanders).append(row)
    key = conflict.key or next((row.memory.key for row in sides if row.memory.key), "")
    return Card(conflict.pk, conflict.reason, topic_label(key) if key else "", sides, bystanders)


def _dated(memory: Memory) -> str:
    if memory.status == Status.STALE:
        return _(" (%(month)s)") % {"month": month(_last_known(memory))}
    if memory.status == Status.ACTIVE and memory.confirmed_at:
        return _(" (confirmed %(month)s)") % {"month": month(memory.confirmed_at)}
    return ""


def _last_known(memory: Memory) -> datetime:
    """The last moment somebody vouched for it, or the end of its validity."""
    if memory.status_reason == Reason.EXPIRED and memory.valid_to:
        return memory.valid_to
    return max(memory.said_at, memory.confirmed_at or memory.said_at)


def _marks(memory: Memory, rules: Policy) -> list[tuple[str, str]]:
    marks = []
    if memory.pinned:
        marks.append(("pin", _("Pinned")))
    if memory.is_protected(rules) and not memory.pinned:
        marks.append(("shield", _("Protected")))
    if memory.status_reason == Reason.DENIED:
        marks.append(("x", _("Denied")))
    if memory.archived_at:
        marks.append(("archive", _("Archived")))
    return marks


def _left(memory: Memory, rules: Policy, now: datetime) -> int | None:
    """How much is left, in percent; of what is past nothing is counted any more."""
    if memory.status not in (Status.ACTIVE, Status.STALE):
        return None
    return round(memory.retention(rules, now) * 100)


def _short(successor: Memory | None) -> str:
    if successor is None or successor.deleted_at is not None:
        return ""
    return words.shortened(successor.value or successor.content)
