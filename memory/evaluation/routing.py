"""How often the router does with a pair of statements what a person would do."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import structlog

from memory.border import owner_scope
from memory.domain.values import Decision, Status
from memory.evaluation.throwaway import throwaway_owner
from memory.models import Memory
from memory.services.write import Fact, write_facts

log = structlog.get_logger(__name__)

# When the new statement is made; the old one was written this long before.
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
APART = timedelta(days=30)
_LABELS = tuple(
    decision.value
    for decision in (
        Decision.ADD,
        Decision.UPDATE,
        Decision.DELETE,
        Decision.NOOP,
        Decision.CONFLICT,
    )
)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two statements, and what should become of the second and of the first."""

    id: str
    old: str
    new: str
    expected: str
    also_ok: tuple[str, ...]
    old_stays_active: bool
    kind: str


@dataclass(frozen=True, slots=True)
class Routed:
    """What the write path made of a pair: the decision, and what became of the old row."""

    pair: Pair
    decision: str
    old_status: Status

    @property
    def is_accepted(self) -> bool:
        return self.decision in (self.pair.expected, *self.pair.also_ok)

    @property
    def is_destructive(self) -> bool:
        """The old statement was true and is not served any more."""
        gone = self.old_status is Status.SUPERSEDED
        return self.pair.old_stays_active and gone and not self.is_accepted

    @property
    def is_stale(self) -> bool:
        """The old statement is not true any more and still served."""
        served = self.old_status in (Status.ACTIVE, Status.STALE)
        return not self.pair.old_stays_active and served and not self.is_accepted


def read_pairs(path: Path) -> Iterator[Pair]:
    """The pairs of a JSON-lines file. Keys it names are left out: the words must do."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.strip():
            continue
        row = json.loads(line)
        yield Pair(
            id=str(row["id"]),
            old=row["old"],
            new=row["new"],
            expected=row["expected"],
            also_ok=tuple(row.get("also_ok", ())),
            old_stays_active=bool(row["old_stays_active"]),
            kind=row.get("kind", ""),
        )


def evaluate_routing(pairs: Sequence[Pair]) -> dict[str, Any]:
    """Each pair in an owner of its own, through the real write path with real embeddings."""
    results = []
    for number, pair in enumerate(pairs, 1):
        results.append(route_pair(pair))
        if number % 20 == 0:
            log.info("routed", pairs=number, of=len(pairs))
    return summarise(results)


def route_pair(pair: Pair) -> Routed:
    """Write the old statement and, thirty days later, the new one."""
    with throwaway_owner() as caller:
        [first] = write_facts(caller, [Fact(content=pair.old)], now=NOW - APART)
        [second] = write_facts(caller, [Fact(content=pair.new)], now=NOW)
        assert first.memory is not None
        status = _read_status(caller.owner, first.memory)
    return Routed(pair=pair, decision=second.decision.value, old_status=status)


def _read_status(owner: UUID, memory: Memory) -> Status:
    with owner_scope(owner):
        return Status(Memory.objects.of(owner).get(pk=memory.pk).status)


def summarise(results: Sequence[Routed]) -> dict[str, Any]:
    """The figures of DESIGN section 7: shares 0 to 100, errors as counts."""
    right = sum(result.decision == result.pair.expected for result in results)
    accepted = sum(result.is_accepted for result in results)
    return {
        "pairs": len(results),
        "accuracy": _share(right, len(results)),
        "accuracy_lenient": _share(accepted, len(results)),
        "macro_f1": _macro_f1(results),
        "destructive": sum(result.is_destructive for result in results),
        "stale": sum(result.is_stale for result in results),
        "misses": [
            {
                "id": result.pair.id,
                "kind": result.pair.kind,
                "old": result.pair.old,
                "new": result.pair.new,
                "expected": result.pair.expected,
                "decision": result.decision,
                "destructive": result.is_destructive,
                "stale": result.is_stale,
            }
            for result in results
            if not result.is_accepted
        ],
    }


def _share(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0


def _macro_f1(results: Sequence[Routed]) -> float:
    """The mean over the decisions that are expected at least once, strictly counted."""
    scores = []
    for label in _LABELS:
        wanted = sum(result.pair.expected == label for result in results)
        if not wanted:
            continue
        given = sum(result.decision == label for result in results)
        hits = sum(result.decision == label == result.pair.expected for result in results)
        scores.append(2 * hits / (wanted + given))
    return round(100 * sum(scores) / len(scores), 2) if scores else 0.0
