"""A fact that was told, with the reasons for its place. Shared by past recalls and trials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memory.models import Memory
from panel.explanations import Part, Piece, explain_rank, parts_of, pieces_of, scale_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One ranked memory. `memory` is None where the owner has deleted it since."""

    memory: Memory | None
    # The words as they were told; empty where they are gone.
    text: str
    changed: bool
    rank: int
    score: float
    numbers: Mapping[str, Any]
    parts: Sequence[Part]
    pieces: Sequence[Piece]
    sentence: str
    outcome: str = ""

    @property
    def id(self) -> UUID | None:
        return self.memory.pk if self.memory else None

    @property
    def told_parts(self) -> list[Part]:
        """The parts worth a word: what took nothing away has no length either."""
        return [
            part for part in self.parts if part.name == "relevance" or round(part.factor, 2) != 1
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """What a fact is made from: a stored item, or one just served."""

    memory: Memory | None
    text: str
    rank: int
    score: float
    numbers: Mapping[str, Any]
    changed: bool = False
    outcome: str = ""
    # Its place had the owner confirmed it today; None where unknown, or no fact even then.
    confirmed: int | None = None


def explain_all(ranked: Sequence[Ranked]) -> list[Fact]:
    """The facts of one recall with their reasons, all bars on one scale."""
    parts = [parts_of(one.numbers) for one in ranked]
    scale = scale_of(parts)
    most = max((one.numbers["relevance"] for one in ranked), default=0.0)
    return [
        Fact(
            memory=one.memory,
            text=one.text,
            changed=one.changed,
            rank=one.rank,
            score=one.score,
            numbers=one.numbers,
            parts=its,
            pieces=pieces_of(its, scale),
            sentence=explain_rank(
                one.numbers,
                rank=one.rank,
                highest=one.numbers["relevance"] >= most,
                confirmed=one.confirmed,
            ),
            outcome=one.outcome,
        )
        for one, its in zip(ranked, parts, strict=True)
    ]
