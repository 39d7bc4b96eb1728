"""Suppose the owner confirmed a memory: where would it rank then?"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from memory.domain import ranking
from memory.domain.tiers import tier_after_confirmation
from memory.domain.values import Kind, Preset, Source, Status, Tier
from memory.querysets.callers import Caller
from memory.services.consider import Considered, Question, as_candidate


def suppose_confirmed(
    caller: Caller, question: Question, read: Considered, *, memory: UUID, at: datetime
) -> int | None:
    """The row's place among the facts, from 1, had the owner confirmed it at `at`.

    Ranks all candidates again with this one changed as confirming changes it (DESIGN "Tier",
    "Deleting"); None where it would be no fact even then. Asks the database nothing.
    """
    name = str(memory)
    if name not in read.rows:
        return None
    row = read.rows[name]
    tier = tier_after_confirmation(
        Tier(row.tier), kind=Kind(row.kind), has_end=row.valid_to is not None
    )
    row = replace(
        row,
        status=Status.ACTIVE.value,
        status_reason="",
        source=Source.USER_STATED.value,
        tier=tier.value,
        confirmed_at=at,
        archived_at=None,
        anchor=max(row.anchor, at),
    )
    changed = as_candidate(row, places=read.places, policy=caller.policy, now=at)
    candidates = [
        *(item.candidate for item in read.ranked.ranked),
        *(drop.candidate for drop in read.ranked.dropped),
    ]
    supposed = replace(
        read,
        rows={**read.rows, name: row},
        ranked=ranking.rank(
            [changed if one.id == name else one for one in candidates],
            strategy=question.strategy,
            preset=question.preset or Preset.STANDARD,
            policy=caller.policy,
        ),
    )
    matched = {item.candidate.id for item in supposed.ranked.ranked}
    facts = [fact.id for fact in supposed.aggregate(question).facts if fact.id in matched]
    return facts.index(name) + 1 if name in facts else None
