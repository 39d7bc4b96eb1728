"""What one decision would do to several entries of the queue, before it is made."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.border import operations
from memory.domain.decisions import Decision, fits, kept_by, stamp_of
from memory.models import Conflict
from memory.services.decide_many import Left
from panel import review_words
from panel.reads.queue import Entry, Told, describe


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision, and how many of the chosen entries it answers."""

    decision: Decision
    count: int

    @property
    def word(self) -> str:
        return str(review_words.DECISION[self.decision])


@dataclass(frozen=True, slots=True)
class Foreseen:
    """An entry with what becomes of each side: (words, what becomes of it)."""

    entry: Entry
    sides: list[tuple[Told, str]]
    stamp: str


@dataclass(frozen=True, slots=True)
class Preview:
    """`left`: entries the decision would not touch, each with why. `gone`: no longer waiting."""

    chosen: int
    choices: list[Choice]
    decision: Decision | None
    decided: list[Foreseen]
    left: list[tuple[Entry, str]]
    gone: int

    @property
    def what(self) -> str:
        return str(review_words.DOES[self.decision]) if self.decision else ""

    @property
    def owners(self) -> int:
        return len({one.entry.owner_id for one in self.decided})


def read_chosen(by: UUID, chosen: Collection[UUID], *, now: datetime) -> list[Entry]:
    """Those of the chosen entries that wait, oldest first, in as many statements as for one."""
    with operations("review_queue", by=by):
        found = Conflict.objects.helpable().filter(pk__in=chosen)
        return describe(list(found.select_related("owner", "claimed_by").order_by("id")), by, now)


def read_titles(by: UUID, chosen: Collection[UUID], *, now: datetime) -> dict[UUID, str]:
    """What to call each of them, also one that was settled meanwhile."""
    with operations("review_queue", by=by):
        found = Conflict.objects.shown_to_admins().filter(pk__in=chosen)
        entries = describe(list(found.select_related("owner", "claimed_by")), by, now)
        return {entry.id: entry.title for entry in entries}


def foresee(entries: list[Entry], chosen: int, decision: Decision | None) -> Preview:
    """What the decision would do; without one, which there are."""
    decided, left = [], []
    for entry in entries:
        if why := _why_left(entry, decision):
            left.append((entry, _say_left(entry, why)))
        else:
            sides = _outcomes(entry, decision) if decision else [(told, "") for told in entry.told]
            decided.append(Foreseen(entry, sides, stamp_of(entry.sides)))
    choices = [
        Choice(one, sum(fits(one, entry.kind, entry.sides) for entry in entries))
        for one in Decision
    ]
    return Preview(
        chosen=chosen,
        choices=[choice for choice in choices if choice.count],
        decision=decision,
        decided=decided,
        left=left,
        gone=chosen - len(entries),
    )


def _why_left(entry: Entry, decision: Decision | None) -> Left | None:
    if entry.claimed_by and not entry.mine:
        return Left.CLAIMED
    if decision and not fits(decision, entry.kind, entry.sides):
        return Left.UNFIT
    return None


def _say_left(entry: Entry, why: Left) -> str:
    if why is Left.CLAIMED and entry.claimed_until:
        return review_words.taken_up(entry.claimed_by, entry.claimed_until)
    return str(review_words.LEFT[why])


def _outcomes(entry: Entry, decision: Decision) -> list[tuple[Told, str]]:
    kept = kept_by(decision, entry.sides)
    return [(told, str(_outcome(entry, told, decision, kept))) for told in entry.told]


def _outcome(entry: Entry, told: Told, decision: Decision, kept: UUID | None) -> object:
    """What becomes of one side, as settling does it (memory.services.rule)."""
    becomes = review_words.BECOMES
    if decision is Decision.ESCALATE:
        return ""
    if decision is Decision.BOTH or told.id == kept:
        return becomes["true"]
    if not entry.is_pair and told is not entry.told[0]:
        # What a guess contradicts, or was drawn from: not what is asked about.
        return becomes["beside" if decision is Decision.TRUE else "stays"]
    return becomes["untrue"] if decision is Decision.NEITHER else becomes["past"]
