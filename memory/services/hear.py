"""Hear what the user's own words say about an open question: evidence, or its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from memory.border import owner_scope
from memory.domain.conflicts import Statement, adds_nothing, side_that_holds
from memory.domain.policy import Policy
from memory.domain.values import Reason, Ruling, Source, Status
from memory.models import Conflict, ConflictMember, Memory
from memory.models.events import Actor, Verb
from memory.querysets.callers import Caller
from memory.services.errors import AlreadySettled, InvalidInput
from memory.services.hold import as_known, has_rival, open_entries
from memory.services.outcomes import SETTLED, Outcome, say_why
from memory.services.place import Fact, Ready
from memory.services.record import Trail
from memory.services.replay import Ledger
from memory.services.rule import claim, kept_members, past

# Questions that words about the matter can answer.
_ANSWERABLE = (Reason.CONTRADICTION, Reason.INFERRED, Reason.EXTERNAL)


def check_questions(caller: Caller, facts: Sequence[Fact], ledger: Ledger | None) -> None:
    """Each `resolves` must name an open question in which this agent sees somebody wait.

    Raises InvalidInput for one that does not exist for it, AlreadySettled for one ruled on.
    """
    asked = {n: fact.resolves for n, fact in enumerate(facts) if fact.resolves is not None}
    if not asked:
        return
    with owner_scope(caller.owner):
        seen = Memory.objects.visible_to(caller).values("pk")
        places = ConflictMember.objects.filter(bystander=False, memory__in=seen)
        entries = Conflict.objects.of(caller.owner).filter(
            pk__in=asked.values(), reason__in=_ANSWERABLE
        )
        states = dict(entries.filter(pk__in=places.values("conflict")).values_list("pk", "state"))
        done = {n for n in asked if ledger is not None and ledger.read(n) is not None}
    for number, entry in asked.items():
        if entry not in states:
            raise InvalidInput(**{f"facts.{number}.resolves": "there is none with this id"})
        if states[entry] != "open" and number not in done:
            # A repetition that goes on where it stopped has settled it itself.
            raise AlreadySettled(str(entry))


@dataclass(frozen=True, slots=True)
class Heard:
    """The question that somebody's words speak about.

    `kept`: the side for which they settled it. `choosing`: they say nothing beside that.
    """

    question: UUID
    kept: Memory | None = None
    choosing: bool = False


def hear_answer(caller: Caller, question: UUID, ready: Ready, trail: Trail) -> Heard | None:
    """Words quoted as the answer to a question. Under the write lock.

    Where they say which side holds, the program settles it; else they are evidence. None where it
    was ruled on meanwhile: the fact then stands by itself.
    """
    entry = Conflict.objects.of(caller.owner).waiting().filter(pk=question).first()
    if entry is None:
        return None
    sides = [as_known(row, caller.policy) for row in kept_members(entry)]
    words = Statement(content=ready.fact.quote, source=ready.origin.source)
    kept = settle_by_words(entry, words, trail, answered=True, policy=caller.policy)
    whole = Statement(content=ready.fact.content, source=ready.origin.source)
    return Heard(entry.pk, kept, choosing=kept is not None and adds_nothing(whole, sides))


def hear_repetition(caller: Caller, twin: Memory, words: Statement, trail: Trail) -> Heard | None:
    """A side of a question said again: evidence, or with wording that chooses it, the answer."""
    if twin.status != Status.CONFLICT:
        return None
    for entry in open_entries(twin):
        kept = settle_by_words(entry, words, trail, answered=False, policy=caller.policy)
        if kept is not None:
            return Heard(entry.pk, kept, choosing=kept.pk == twin.pk)
    return None


def note_heard(outcome: Outcome, heard: Heard, trail: Trail) -> Outcome:
    """The outcome of a statement with the question it speaks about."""
    if heard.kept is not None:
        return replace(
            outcome,
            conflict=heard.question,
            code=SETTLED,
            reason=say_why(outcome.decision, outcome.relation, SETTLED),
        )
    if outcome.conflict is not None:
        return outcome
    if outcome.memory is not None:
        trail.note(Verb.HELD, memory=outcome.memory.pk, conflict=heard.question, reason="evidence")
    return replace(outcome, conflict=heard.question)


def settle_by_words(
    entry: Conflict, words: Statement, trail: Trail, *, answered: bool, policy: Policy
) -> Memory | None:
    """Settle a question for the one side that the user's own words hold to be true.

    Returns that side, None where they do not. Only the user's words do this, and never against a
    protected memory. What it retires is listed under "Changed for you" and can be undone; nothing
    is buried, since nobody denied it.
    """
    if words.source is not Source.USER_STATED or entry.reason not in _ANSWERABLE:
        return None
    rows = [row for row in kept_members(entry) if row.status != Status.SUPERSEDED]
    held = side_that_holds(words, [as_known(row, policy) for row in rows], answered=answered)
    kept = next((row for row in rows if str(row.pk) == held), None)
    losing = [row for row in rows if row is not kept]
    if kept is None or any(row.is_protected(policy) for row in losing):
        return None
    mine = Trail(
        owner=trail.owner, actor=Actor.PROGRAM, agent=trail.agent, at=trail.at, epoch=trail.epoch,
        gesture=trail.gesture,
    )  # fmt: skip
    claim(entry, Ruling.KEPT, mine)
    for row in losing:
        mine.change(
            row, Verb.SUPERSEDED, conflict=entry.pk, reason=Reason.REPLACED,
            **past(Reason.REPLACED, mine.at, kept.pk),
        )  # fmt: skip
        if kept.replaces_id is None and row.successor() is None:
            mine.change(kept, Verb.CHANGED, reason="chain", replaces_id=row.pk)
    mine.change(kept, Verb.STILL_TRUE, conflict=entry.pk, reason="words", **_standing(kept, mine))
    mine.leave()
    return kept


def _standing(kept: Memory, trail: Trail) -> dict[str, Any]:
    """The fields of the side that holds: served, the user's own word, said now."""
    return {
        "status": Status.ACTIVE,
        "status_reason": "",
        "source": Source.USER_STATED,
        "contested": False,
        "archived_at": None,
        "said_at": max(kept.said_at, trail.at),
        "single_valued": kept.single_valued and not has_rival(kept, kept.key),
    }
