"""Say how much facts matter: by the judge where one answers, by the rules otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory.adapters.judges import Scored
from memory.domain import importance
from memory.domain.importance import ImportanceScore
from memory.domain.policy import Policy
from memory.domain.tiers import cap_opinion
from memory.services.consult import Consultation

JUDGE = "judge"


def score_facts(
    facts: Sequence[tuple[Scored, float | None]],
    *,
    policy: Policy,
    consultation: Consultation,
) -> list[ImportanceScore]:
    """The importance of each fact, given with its caller's opinion. Never inside a transaction.

    One question for all of them. A judge may find a danger the rules miss, but never lowers one
    they found: a forgotten allergy costs more than one remembered too well.
    """
    by_rules = [
        importance.score(
            fact.content, kind=fact.kind, key=fact.key or None, opinion=opinion, policy=policy
        )
        for fact, opinion in facts
    ]
    opinions = consultation.score([fact for fact, _ in facts]) if facts else None
    if opinions is None:
        return by_rules
    scores = []
    for rules, dimensions, (_, opinion) in zip(by_rules, opinions, facts, strict=True):
        judged = replace(dimensions, safety=max(dimensions.safety, rules.safety))
        value = importance.combine(judged, policy=policy)
        if opinion is not None:
            value = (value + cap_opinion(opinion, policy)) / 2
        if judged.safety >= policy.safety_line:
            value = max(value, policy.safety_importance)
        scores.append(
            ImportanceScore(
                importance=round(value, 4), dimensions=judged, safety=judged.safety, path=JUDGE
            )
        )
    return scores
