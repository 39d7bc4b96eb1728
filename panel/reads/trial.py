"""A question on trial: what an agent would be told, and why. Changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext as _

from memory.border import owner_scope
from memory.domain.values import Preset, Status, Strategy
from memory.models import Agent, Memory, Project
from memory.querysets.callers import Caller
from memory.services.admit import read_caller
from memory.services.answers import Answer
from memory.services.consider import Question, consider
from memory.services.recall import compose, embed_question
from memory.services.suppose import suppose_confirmed
from panel import words
from panel.reads.served import Fact, Ranked, explain_all
from panel.topics import topic_label

MOST_TOPICS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """The rows that one rule kept out."""

    rule: str
    memories: Sequence[Memory]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one strategy makes of the question."""

    strategy: str
    answer: Answer
    facts: Sequence[Fact]
    left_out: Sequence[LeftOut]

    @property
    def saved(self) -> int:
        """Tokens that need not be sent."""
        return max(0, self.answer.tokens_before - self.answer.tokens_after)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """`outcomes`: one, or two side by side; none while the agent is paused."""

    agent: str
    paused: bool
    outcomes: Sequence[Outcome] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What the form offers, and questions to begin with."""

    agents: Sequence[Agent]
    projects: Sequence[Project]
    questions: Sequence[str]


def read_choices(owner: UUID) -> Choices:
    with owner_scope(owner):
        keys = (
            Memory.objects.of(owner)
            .kept()
            .everyday()
            .filter(status=Status.ACTIVE)
            .exclude(key="")
            .order_by("-importance", "-created_at", "-id")
            .values_list("key", flat=True)[: MOST_TOPICS * 10]
        )
        labels = dict.fromkeys(topic_label(key) for key in keys)
        return Choices(
            agents=list(Agent.objects.of(owner).order_by("name")),
            projects=list(Project.objects.of(owner).order_by("name")),
            questions=[
                _("%(topic)s: what do you know?") % {"topic": label}
                for label in list(labels)[:MOST_TOPICS]
            ],
        )


def read_trial(
    owner: UUID,
    question: Question,
    *,
    agent: UUID,
    strategies: Sequence[tuple[Strategy, Preset | None]],
    now: datetime,
) -> Trial:
    """The answer this agent would get, by each strategy. The embedder is asked outside."""
    vector = embed_question(question.query)
    at = question.as_of or now
    with owner_scope(owner):
        caller = read_caller(owner, agent)
        if caller.paused:
            return Trial(agent=caller.agent_name, paused=True)
        outcomes = [
            _ask(caller, replace(question, strategy=strategy, preset=preset), vector=vector, at=at)
            for strategy, preset in strategies
        ]
    return Trial(agent=caller.agent_name, paused=False, outcomes=outcomes)


def _ask(
    caller: Caller, question: Question, *, vector: list[float] | None, at: datetime
) -> Outcome:
    read = consider(caller, question, vector=vector, at=at)
    answer = compose(caller, question, read, at=at)
    ranked = [
        Ranked(
            memory=item.memory,
            text=item.memory.content,
            rank=item.rank,
            score=item.explanation.final,
            numbers=asdict(item.explanation),
            confirmed=suppose_confirmed(caller, question, read, memory=item.memory.pk, at=at),
        )
        for item in answer.served
    ]
    by_rule: dict[str, list[Memory]] = {}
    for left in answer.dropped:
        if left.memory is not None:
            by_rule.setdefault(left.rule, []).append(left.memory)
    return Outcome(
        strategy=words.strategy_name(question.strategy, question.preset),
        answer=answer,
        facts=explain_all(ranked),
        left_out=[LeftOut(rule=rule, memories=rows) for rule, rows in by_rule.items()],
    )
