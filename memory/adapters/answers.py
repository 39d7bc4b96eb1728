"""The shapes a judge may answer in. What does not fit is no answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from memory.domain.values import Decision, Kind, Relation, Source

Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class Answer(BaseModel):
    # A judge that adds a field has not lied; one that leaves one out has not answered.
    model_config = ConfigDict(extra="ignore", frozen=True)


class Score(Answer):
    n: int
    relevance: Share
    factuality: Share
    actionability: Share
    personal: Share
    time: Share
    safety: Share


class Scores(Answer):
    scores: list[Score]


class FoundFact(Answer):
    """A fact as a judge found it. Nothing in it is believed before it was checked."""

    message: int
    quote: Annotated[str, Field(min_length=1, max_length=4000)]
    content: Annotated[str, Field(min_length=1, max_length=2000)]
    kind: Kind = Kind.SEMANTIC
    key: Annotated[str, Field(max_length=200, pattern=r"^[a-z0-9_.]*$")] = ""
    value: Annotated[str, Field(max_length=2000)] = ""
    source: Literal[Source.USER_STATED, Source.INFERRED] = Source.INFERRED


class FoundFacts(Answer):
    facts: Annotated[list[FoundFact], Field(max_length=400)]


class Ruling(Answer):
    decision: Literal[
        Decision.ADD, Decision.UPDATE, Decision.DELETE, Decision.NOOP, Decision.CONFLICT
    ]
    relation: Relation
    known: int | None = None


RELATIONS: Mapping[Decision, frozenset[Relation]] = {
    Decision.NOOP: frozenset({Relation.DUPLICATE}),
    Decision.UPDATE: frozenset({Relation.REPLACEMENT, Relation.REFINEMENT}),
    Decision.DELETE: frozenset({Relation.POLARITY}),
    Decision.CONFLICT: frozenset({Relation.CONTRADICTION}),
    Decision.ADD: frozenset({Relation.NEW, Relation.COEXIST}),
}
