"""One recall: what was told, in which order and why, as far as the owner still keeps it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from accounts.models import User
from memory.border import owner_scope
from memory.domain import questions
from memory.domain.context import make_context
from memory.domain.values import Reason
from memory.models import Memory, MemoryRevision, Recall, RecallItem
from memory.models.recalls import Place
from memory.querysets.callers import Caller
from memory.services.admit import read_caller
from memory.services.consider import Question, consider
from memory.services.find_gate import Gate, find_gate
from memory.services.note_recall import line_of, question_of
from memory.services.recall import embed_question, find
from memory.services.suppose import suppose_confirmed
from panel.access import get_recall_for_owner
from panel.reads.served import Fact, Ranked, explain_all
from panel.visits import read_policy

MOST_MISSING = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A memory that was told or asked about; `memory` is None where it was deleted since."""

    memory: Memory | None
    text: str
    changed: bool
    why: str = ""
    outcome: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedBack:
    """What the agent was asked to ask the owner."""

    reason: str
    question: str
    told: Sequence[Told]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    told: Told
    began: datetime
    ended: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """A memory that was not told, and the first gate it failed."""

    memory: Memory
    gate: Gate


@dataclass(frozen=True, slots=True, kw_only=True)
class OneRecall:
    recall: Recall
    question: Question
    standing: Sequence[Told]
    facts: Sequence[Fact]
    asked: Sequence[AskedBack]
    history: Sequence[Sequence[Step]]
    # Rule and number, without those that are nought.
    left_out: Sequence[tuple[str, int]]
    context: str
    # How many lines of the context are missing, their memories deleted or erased since.
    gone: int
    # The search for what was missing: what was looked for, and what became of it.
    looked_for: str
    missing: Sequence[Missing]


def read_recall(owner: User, recall: UUID, *, looked_for: str, now: datetime) -> OneRecall:
    """One recall with its reasons; 404 for what is not this owner's.

    The question is ranked again as of now for "if confirmed today", and as of then for what was
    looked for. The embedder is asked outside any transaction; changes nothing.
    """
    with owner_scope(owner.pk):
        row = get_recall_for_owner(recall, owner)
    question = question_of(row)
    vector = embed_question(row.query)
    with owner_scope(owner.pk):
        caller = _caller(row)
        items = list(
            RecallItem.objects.of(owner.pk)
            .filter(recall=row)
            .select_related("memory__use", "memory__agent", "memory__project")
            .defer("memory__embedding", "memory__search_text", "memory__before")
            .order_by("place", "rank", "id")
        )
        words = _words(owner.pk, items)
        now_asked = replace(question, as_of=None)
        possible = question.project is None or question.project in caller.projects
        facts = [item for item in items if item.place == Place.MEMORY]
        again = (
            consider(caller, now_asked, vector=vector, at=now)
            if facts and possible and vector is not None
            else None
        )
        ranked = [
            Ranked(
                memory=_kept(item),
                text=_text(item, words),
                changed=_changed(item, words),
                rank=item.rank or 0,
                score=item.score or 0.0,
                numbers=item.parts,
                outcome=item.outcome,
                confirmed=suppose_confirmed(caller, now_asked, again, memory=item.memory_id, at=now)
                if again is not None and _kept(item) is not None
                else None,
            )
            for item in facts
        ]
        standing = [item for item in items if item.place == Place.STANDING]
        lines = [*standing, *facts]
        told = [line_of(item, _text(item, words)) for item in lines if _kept(item) is not None]
        missing: list[Missing] = []
        if looked_for and possible:
            missing = _look_for(caller, row, question, looked_for, vector)
        return OneRecall(
            recall=row,
            question=question,
            standing=[_told(item, words, why=item.parts.get("why", "")) for item in standing],
            facts=explain_all(ranked),
            asked=_asked(items, words),
            history=_history(items, words),
            left_out=_left_out(row),
            context=make_context(told),
            gone=_gone(row, facts) + sum(_kept(item) is None for item in lines),
            looked_for=looked_for,
            missing=missing,
        )


def _caller(recall: Recall) -> Caller:
    """Who asked, as it is now; the owner in person where no agent did."""
    if recall.agent_id is None:
        return Caller(owner=recall.owner_id, policy=read_policy(recall.owner_id).rules())
    return read_caller(recall.owner_id, recall.agent_id)


def _words(owner: UUID, items: Sequence[RecallItem]) -> Mapping[tuple[UUID, int], str]:
    """The words a memory had at the version it was told in, where they were changed since."""
    told = {
        (item.memory_id, item.parts["told"]["version"])
        for item in items
        if "told" in item.parts and item.parts["told"]["version"] != item.memory.version
    }
    if not told:
        return {}
    revisions = MemoryRevision.objects.of(owner).filter(memory__in={pk for pk, _ in told})
    words: dict[tuple[UUID, int], str] = {}
    for revision in revisions.order_by("-version"):
        # The oldest revision that is not older than the version told.
        for pk, version in told:
            if pk == revision.memory_id and revision.version >= version:
                words[pk, version] = revision.content
    return words


def _kept(item: RecallItem) -> Memory | None:
    memory: Memory = item.memory
    return None if memory.deleted_at is not None else memory


def _text(item: RecallItem, words: Mapping[tuple[UUID, int], str]) -> str:
    if _kept(item) is None:
        return ""
    version = item.parts.get("told", {}).get("version", item.memory.version)
    return words.get((item.memory_id, version), item.memory.content)


def _changed(item: RecallItem, words: Mapping[tuple[UUID, int], str]) -> bool:
    return _kept(item) is not None and _text(item, words) != item.memory.content


def _told(item: RecallItem, words: Mapping[tuple[UUID, int], str], *, why: str = "") -> Told:
    return Told(
        memory=_kept(item),
        text=_text(item, words),
        changed=_changed(item, words),
        why=why,
        outcome=item.outcome,
    )


def _asked(items: Sequence[RecallItem], words: Mapping[tuple[UUID, int], str]) -> list[AskedBack]:
    entries: dict[int, list[RecallItem]] = {}
    for item in items:
        if item.place == Place.ASKED:
            entries.setdefault(item.rank or 0, []).append(item)
    asked = []
    for members in entries.values():
        reason = members[0].parts.get("reason") or members[0].memory.status_reason
        told = [_told(item, words) for item in members]
        said = [one.text for one in told if one.text]
        sides = said if reason == Reason.CONTRADICTION else said[:1]
        asked.append(
            AskedBack(
                reason=reason,
                question=questions.ask(Reason(reason), sides) if said and reason else "",
                told=told,
            )
        )
    return asked


def _history(
    items: Sequence[RecallItem], words: Mapping[tuple[UUID, int], str]
) -> list[list[Step]]:
    timelines: dict[int, list[Step]] = {}
    for item in items:
        if item.place != Place.HISTORY:
            continue
        ended = item.parts.get("to")
        told = _told(item, words)
        if told.memory is not None and told.memory.value and not told.changed:
            told = replace(told, text=told.memory.value)
        step = Step(
            told=told,
            began=datetime.fromisoformat(item.parts["from"]),
            ended=datetime.fromisoformat(ended) if ended else None,
        )
        timelines.setdefault(item.rank or 0, []).append(step)
    return [sorted(steps, key=lambda step: step.began) for steps in timelines.values()]


def _left_out(recall: Recall) -> list[tuple[str, int]]:
    stages = recall.stages
    if "left_out" in stages:
        by_rule = stages["left_out"]
        return [(gate.value, by_rule[gate.value]) for gate in Gate if by_rule.get(gate.value)]
    # Of a recall before they were counted by rule.
    past = stages.get("superseded_left_out", 0)
    further = stages.get("ranked", 0) - past - stages.get("returned", 0)
    counted = [
        (Gate.BELOW_QUALITY.value, stages.get("below_quality", 0)),
        (Gate.FADED.value, stages.get("dropped_by_decay", 0)),
        (Gate.SUPERSEDED.value, past),
        # Which of the three it was for each was not kept.
        ("not_told", further),
    ]
    return [(rule, number) for rule, number in counted if number > 0]


def _gone(recall: Recall, facts: Sequence[RecallItem]) -> int:
    """How many of the facts were erased since, with their items."""
    return max(0, int(recall.stages.get("returned", 0)) - len(facts))


def _look_for(
    caller: Caller, recall: Recall, question: Question, words: str, vector: list[float] | None
) -> list[Missing]:
    """Memories with these words, each with the first gate it failed, asked again as of then."""
    rows = Memory.objects.of(caller.owner).kept().saying(words).for_showing()
    rows = rows.order_by("-created_at", "-id")[:MOST_MISSING]
    answer = find(caller, question, vector=vector, at=recall.as_of)
    return [
        Missing(
            memory=row,
            gate=find_gate(caller, question, answer, row, asked_at=recall.asked_at),
        )
        for row in rows
    ]
