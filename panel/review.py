"""A card of Review: what is asked, what speaks for each side, and what an answer changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.utils.html import escape
from django.utils.translation import gettext as _

from memory.domain import decay
from memory.domain.policy import Policy
from memory.domain.values import Reason, Status
from memory.models import Conflict, Memory
from panel import review_words, words
from panel.differences import Piece, difference
from panel.own_words import sentence
from panel.rows import Row, make_row
from panel.topics import topic_label

CHECK = "check"
# Cards whose sides stand in columns, to choose between.
_PAIRED = (Reason.CONTRADICTION, Reason.ELSEWHERE)
MOST_COLUMNS = 2
# As much as a question quotes of what it asks about.
MOST_QUOTED = 200


@dataclass(slots=True)
class Side:
    """One row of a card, with what speaks for it."""

    row: Row
    pieces: list[Piece]
    # Of a side that waits: how much it counts meanwhile, 0 to 1; None for what keeps its status.
    weight: float | None = None
    times_said: int = 1
    recently: bool = False

    @property
    def id(self) -> UUID:
        return self.row.memory.pk

    @property
    def memory(self) -> Memory:
        return self.row.memory

    @property
    def stays(self) -> bool:
        """Contradicted, but kept as it is until the answer."""
        return self.weight is None


@dataclass(slots=True)
class ReviewCard:
    """One question, ready for the template. Holds no query."""

    id: UUID
    kind: str
    sides: list[Side]
    # What a guess contradicts, or a suggestion was drawn from.
    others: list[Side]
    label: str
    opened_at: datetime
    recurrences: int = 1
    later_until: datetime | None = None
    later_on_mention: bool = False
    sensitive: list[str] = field(default_factory=list)

    @property
    def is_pair(self) -> bool:
        return self.kind in _PAIRED and len(self.sides) > 1

    @property
    def is_check(self) -> bool:
        return self.kind == CHECK

    @property
    def first(self) -> Side:
        return self.sides[0]

    @property
    def columns(self) -> list[Side]:
        return self.sides[:MOST_COLUMNS]

    @property
    def more_sides(self) -> list[Side]:
        return self.sides[MOST_COLUMNS:]

    @property
    def name(self) -> str:
        """What kind of question it is."""
        return str(review_words.KIND[self.kind])

    @property
    def question(self) -> str:
        memory = self.first.memory
        if self.kind == Reason.ELSEWHERE:
            return _("Two of your agents keep what does not go together. Which is true?")
        if self.is_pair:
            return _("These do not go together. Which is true?")
        if self.is_check:
            return _("Did we get this right?")
        if self.kind == Reason.REPORTED:
            return _("An agent says this is wrong. Is it?")
        if self.kind == Reason.SHARING:
            return _("This is about your safety. May all your agents know it?")
        if memory.status == Status.CONFLICT:
            return words.question(memory)
        return _("Is this true?")

    @property
    def asks_words(self) -> bool:
        """Whether the question quotes the memory, which then need not stand apart from it."""
        return not self.is_pair and self.first.memory.status == Status.CONFLICT

    @property
    def claims_apart(self) -> bool:
        """Whether the claim stands below the question, which has no or not all of its words."""
        return not self.asks_words or len(self.first.memory.content) > MOST_QUOTED

    @property
    def why(self) -> str:
        """Why it waits, in a sentence."""
        if self.kind in review_words.WHY_ASKED:
            return str(review_words.WHY_ASKED[self.kind])
        return self.first.row.why

    @property
    def meanwhile(self) -> str:
        """What agents get until it is answered."""
        agent = self.first.row.agent or escape(_("One agent"))
        if self.kind == Reason.CONTRADICTION:
            if any(side.stays for side in self.sides):
                return _("Agents keep getting the one in use, marked as contested.")
            return _("Agents get neither as a fact; where it matters they are told it is open.")
        if self.kind == Reason.QUARANTINED:
            return _("No agent gets it.")
        if self.kind == Reason.ELSEWHERE:
            return _("Each agent keeps its own, and neither is told.")
        if self.kind == Reason.SHARING:
            return sentence(_("Only %(agent)s gets it."), agent=agent)
        if self.kind == Reason.REPORTED or self.is_check:
            return _("Agents keep getting it.")
        if self.others and self.kind != Reason.SUGGESTION:
            return _("No agent uses it as a fact; what it contradicts stays in use, contested.")
        return _("No agent uses it as a fact.")

    @property
    def effect(self) -> str:
        """What an answer changes."""
        if self.is_pair:
            return _("The one you choose counts as your word; the other becomes its past.")
        if self.is_check:
            return _("Yes changes nothing. No lets you put it right.")
        if self.kind == Reason.REPORTED:
            return _("Right: it counts as confirmed. Wrong: it goes, and is not learned again.")
        if self.kind == Reason.SHARING:
            return _("Yes: every agent is told it, whatever it asks. No: nothing changes.")
        return _("Confirm: it counts as your word. Deny: it is never proposed again.")


def make_review_card(
    entry: Conflict,
    sides: Sequence[Memory],
    others: Sequence[Memory],
    *,
    said: Mapping[UUID, int],
    rules: Policy,
    now: datetime,
) -> ReviewCard:
    """A card from an entry and its members; `said`: how often each was said again."""

    def side(memory: Memory) -> Side:
        return _make_side(memory, entry, said, rules, now)

    card = ReviewCard(
        id=entry.pk,
        kind=entry.reason,
        sides=[side(memory) for memory in sides],
        others=[side(memory) for memory in others],
        label=_label(entry.key, sides),
        opened_at=entry.opened_at,
        recurrences=entry.recurrences,
        later_until=entry.later_until,
        later_on_mention=entry.later_on_mention,
        sensitive=review_words.sensitive_topics(
            {topic for memory in sides for topic in memory.sensitivity}
        ),
    )
    if card.is_pair:
        _mark_differences(card.sides)
    return card


def make_check_card(
    check: UUID, memory: Memory, drawn_at: datetime, *, rules: Policy, now: datetime
) -> ReviewCard:
    """A spot check as a card."""
    row = make_row(memory, rules=rules, now=now)
    return ReviewCard(
        id=check,
        kind=CHECK,
        sides=[Side(row, [Piece("same", memory.content)])],
        others=[],
        label=_label("", [memory]),
        opened_at=drawn_at,
        sensitive=review_words.sensitive_topics(set(memory.sensitivity)),
    )


def _make_side(
    memory: Memory, entry: Conflict, said: Mapping[UUID, int], rules: Policy, now: datetime
) -> Side:
    age = max(0.0, (now - memory.said_at).total_seconds() / 86_400)
    recently = memory.said_at > memory.created_at and age <= rules.conflict_evidence_days
    weight = None
    if memory.status == Status.CONFLICT:
        weight = decay.status_weight(
            Status.CONFLICT,
            age_days=age,
            recent_evidence=recently,
            recurrences=entry.recurrences,
            policy=rules,
        )
    return Side(
        row=make_row(memory, rules=rules, now=now),
        pieces=[Piece("same", memory.content)],
        weight=weight,
        times_said=1 + said.get(memory.pk, 0),
        recently=recently,
    )


def _mark_differences(sides: Sequence[Side]) -> None:
    """Each side against the first; the first against the second. No side is the newer one."""
    first, second = sides[0], sides[1]
    steps = difference(first.memory.content, second.memory.content)
    first.pieces = [piece for piece in steps if piece.kind != "come"]
    for other in sides[1:]:
        steps = difference(first.memory.content, other.memory.content)
        other.pieces = [piece for piece in steps if piece.kind != "gone"]


def _label(key: str, sides: Sequence[Memory]) -> str:
    key = key or next((memory.key for memory in sides if memory.key), "")
    return topic_label(key) if key else ""
