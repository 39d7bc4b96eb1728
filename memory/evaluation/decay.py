"""The ablation of the strength rate: on a file of rows, or on an owner's own memories."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from django.utils.dateparse import parse_datetime

from memory.border import owner_scope
from memory.domain import decay, importance
from memory.domain.ablation import RATES, Held, ablate
from memory.domain.policy import DEFAULT_POLICY, Policy
from memory.domain.tiers import classify
from memory.domain.values import Status, Tier
from memory.evaluation.dialogues import Dialogue
from memory.models import Memory
from memory.services.lock import read_rules

# Twelve rows with the spread of requirement 5.6, for when no file is named.
TWELVE = Path(__file__).with_name("twelve_rows.json")


def evaluate_decay(
    rows: Sequence[Held], *, now: datetime, rates: Sequence[float] = RATES,
    policy: Policy = DEFAULT_POLICY,
) -> dict[str, Any]:  # fmt: skip
    """The table, one entry a rate. Raises UnsafePolicy for a rate out of range."""
    return {
        "rows": len(rows),
        "now": now.isoformat(),
        "anchor": policy.anchor.value,
        "archive_line": policy.archive_line,
        "rates": [
            outcome.as_dict() for outcome in ablate(rows, now=now, rates=rates, policy=policy)
        ],
    }


def read_rows(path: Path, *, policy: Policy = DEFAULT_POLICY) -> tuple[list[Held], datetime | None]:
    """Rows from a file, with the file's own `now` where it names one.

    Either `{"now": …, "rows": [...]}` or one row a line. A row has `content`, `importance` (else
    the rules score it), `created_at`, and where known `memory_type` or `tier`, `access_count` or
    `times_served`, `last_served_at`, `said_at`, `confirmed_at`, `pinned`, `safety`. Raises
    ValueError for anything else.
    """
    text = path.read_text(encoding="utf-8")
    now: datetime | None = None
    try:
        whole = json.loads(text)
    except ValueError:
        listed = [json.loads(line) for line in text.splitlines() if line.strip()]
    else:
        listed = whole["rows"] if isinstance(whole, dict) and "rows" in whole else whole
        listed = [listed] if isinstance(listed, dict) else listed
        if isinstance(whole, dict) and "now" in whole:
            now = _read_moment(whole["now"])
    return [_read_row(row, policy) for row in listed], now


def _read_row(row: dict[str, Any], policy: Policy) -> Held:
    score = importance.score(row["content"], policy=policy)
    worth = float(row.get("importance", score.importance))
    safety = float(row.get("safety", score.safety))
    named = row.get("tier") or row.get("memory_type")
    tier = Tier(named) if named else classify(worth, policy)
    moments = {
        name: _read_moment(row[name]) if row.get(name) else None
        for name in ("last_served_at", "said_at", "confirmed_at")
    }
    return Held(
        importance=worth,
        tier=tier,
        anchor=decay.anchor_of(
            _read_moment(row["created_at"]),
            last_served=moments["last_served_at"],
            last_said=moments["said_at"],
            confirmed=moments["confirmed_at"],
            policy=policy,
        ),
        times_served=int(row.get("times_served", row.get("access_count", 0))),
        protected=decay.is_protected(
            status=Status(row.get("status", Status.ACTIVE)),
            safety=safety,
            pinned=bool(row.get("pinned", False)),
            confirmed=moments["confirmed_at"] is not None,
            tier=tier,
            policy=policy,
        ),
    )


def _read_moment(text: str) -> datetime:
    found = parse_datetime(text)
    if found is None:
        raise ValueError(text)
    return decay.require_aware(found, name="a time in the file")


def read_owner(owner: UUID) -> tuple[list[Held], Policy]:
    """An owner's memories that count today, and the owner's policy. Changes nothing."""
    with owner_scope(owner):
        policy, _ = read_rules(owner)
        rows = [
            Held(
                importance=row.importance,
                tier=Tier(row.tier),
                anchor=row.use.anchor_under(policy, row.created_at),
                times_served=row.use.times_served,
                protected=row.is_protected(policy),
            )
            for row in Memory.objects.of(owner)
            .in_force()
            .select_related("use")
            .only("importance", "tier", "status", "safety", "pinned", "confirmed_at", "created_at",
                  "use__anchor", "use__times_served")
            .iterator(chunk_size=2000)
        ]  # fmt: skip
    return rows, policy


def rate_dialogues(dialogues: Iterable[Dialogue], rates: Sequence[float]) -> list[dict[str, float]]:
    """Per rate, what the archive line would do to a public dialogue (requirement 97).

    All rows long_term and never served, as `evaluate recall` stores them; shares are 0 to 100.
    `evidence_below_line`: of the rows that answer a question. `others_above_line`: of the rows
    that no question needs.
    """
    needed: list[float] = []
    others: list[float] = []
    for dialogue in dialogues:
        wanted = frozenset().union(*(asked.evidence for asked in dialogue.questions))
        for row in dialogue.rows:
            hours = decay.hours_between(row.at, dialogue.now)
            (needed if wanted.intersection(row.ids) else others).append(hours)
    found = []
    for rate in rates:
        policy = replace(DEFAULT_POLICY, strength_rate=float(rate))
        limit = decay.hours_until(policy.archive_line, tier=Tier.LONG_TERM, policy=policy)
        found.append(
            {
                "rate": policy.strength_rate,
                "evidence_below_line": _share(hours > limit for hours in needed),
                "others_above_line": _share(hours <= limit for hours in others),
            }
        )
    return found


def _share(hits: Iterable[bool]) -> float:
    counted = list(hits)
    return round(100 * sum(counted) / len(counted), 2) if counted else 0.0
