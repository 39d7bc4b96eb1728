"""How often the router sees a contradiction where there is none.

Formats: OCNLI (https://github.com/CLUEbenchmark/OCNLI, JSON lines) and CDConv
(https://github.com/thu-coai/CDConv, tab-separated).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import structlog

from memory.domain.values import Decision
from memory.evaluation.routing import APART, NOW
from memory.evaluation.throwaway import throwaway_owner
from memory.services.write import Fact, write_facts

log = structlog.get_logger(__name__)

_COLUMNS = 5


def read_ocnli(path: Path) -> Iterator[tuple[str, str]]:
    """Premise and hypothesis of the pairs labelled entailment or neutral."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            row = json.loads(line)
            if row["label"] in ("entailment", "neutral"):
                yield row["sentence1"], row["sentence2"]


def read_cdconv(path: Path) -> Iterator[tuple[str, str]]:
    """The two turns of the bot, where nobody found a contradiction."""
    for line in path.read_text(encoding="utf-8").splitlines():
        columns = line.split("\t")
        if len(columns) != _COLUMNS:
            raise ValueError("CDConv has five columns")
        if columns[4].strip() == "0":
            yield columns[1], columns[3]


def evaluate_alarms(pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """The shares (0 to 100) of pairs that were routed DELETE, UPDATE or CONFLICT."""
    decisions: Counter[str] = Counter()
    for number, (old, new) in enumerate(pairs, 1):
        with throwaway_owner() as caller:
            write_facts(caller, [Fact(content=old)], now=NOW - APART)
            [outcome] = write_facts(caller, [Fact(content=new)], now=NOW)
        decisions[outcome.decision.value] += 1
        if outcome.decision in (Decision.DELETE, Decision.UPDATE):
            log.info("alarm", decision=outcome.decision.value, old=old, new=new)
        if number % 200 == 0:
            log.info("routed", pairs=number, of=len(pairs))
    return {
        "pairs": len(pairs),
        **{
            name: round(100 * decisions[decision.value] / max(1, len(pairs)), 2)
            for name, decision in (
                ("deleted", Decision.DELETE),
                ("updated", Decision.UPDATE),
                ("conflict", Decision.CONFLICT),
            )
        },
    }
