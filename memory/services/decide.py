"""Ask the judge how a statement stands to what is known, and take its word only where it may."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from memory.adapters.judges import Candidate, Verdict
from memory.domain import text
from memory.domain.conflicts import Routing, Statement, is_negative
from memory.domain.dimensions import is_single_valued
from memory.domain.policy import Policy
from memory.domain.values import ConflictPolicy, Decision, Reason, Relation, Status
from memory.models import Memory
from memory.services.consult import Consultation
from memory.services.hold import as_known

MOST_SHOWN = 20

_State = frozenset[tuple[UUID, int, str]]
_REASONS = {
    Relation.POLARITY: Reason.POLARITY,
    Relation.CONTRADICTION: Reason.CONTRADICTION,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What the judge said before the transaction, or why it said nothing (`fallback`)."""

    statement: Statement
    seen: _State = frozenset()
    shown: tuple[UUID, ...] = ()
    verdict: Verdict | None = None
    fallback: str = ""


def ask_judge(
    statement: Statement,
    known: Sequence[Memory],
    *,
    policy: Policy,
    consultation: Consultation,
) -> Opinion | None:
    """The judge's opinion among these rows; None where there is nothing to decide.

    Never inside a transaction. The same words need no judge.
    """
    same = text.fingerprint(statement.content)
    if not known or any(row.fingerprint == same for row in known):
        return None
    shown = known[:MOST_SHOWN]
    verdict = consultation.route(
        Candidate(
            content=statement.content,
            key=statement.key,
            value=statement.value,
            status="new",
            since=statement.said_at or statement.occurred_at or shown[0].created_at,
        ),
        [
            Candidate(
                content=row.content,
                key=row.key,
                value=row.value,
                status=row.status,
                since=row.valid_from or row.occurred_at or row.said_at,
            )
            for row in shown
        ],
    )
    return Opinion(
        statement=statement,
        seen=_state(known),
        shown=tuple(row.pk for row in shown),
        verdict=verdict,
        fallback="" if verdict is not None else consultation.fallback,
    )


def weigh(
    opinion: Opinion, by_rules: Routing, known: Mapping[UUID, Memory], *, policy: Policy
) -> tuple[Routing, str]:
    """The judge's routing where it may decide, else the rules' own, with why not.

    The judge must have seen the very rows that stand there now, and may not lose the new fact,
    lower a protected one, or retire the owner's work, health or money, or anything under `ask`,
    without the wording that the rules ask for.
    """
    verdict = opinion.verdict
    if verdict is None:
        return by_rules, opinion.fallback
    if opinion.seen != _state(known.values()):
        return by_rules, "changed"
    if by_rules.decision is Decision.NOOP or by_rules.history or by_rules.contested:
        return by_rules, "settled_by_rules"
    target = known[opinion.shown[verdict.candidate]] if verdict.candidate is not None else None
    if (verdict.decision, target and str(target.pk)) == (by_rules.decision, by_rules.target_id):
        return by_rules, ""
    refusal = _may_not(opinion.statement, verdict, target, policy)
    if refusal:
        return by_rules, refusal
    return _as_routing(opinion.statement, verdict, target, known, policy), ""


def _may_not(statement: Statement, verdict: Verdict, target: Memory | None, policy: Policy) -> str:
    if verdict.decision is Decision.ADD:
        return ""
    assert target is not None
    if verdict.decision is Decision.NOOP:
        return "" if _says_no_more(statement, target) else "would_lose_it"
    if verdict.decision is Decision.CONFLICT:
        return ""
    known = as_known(target, policy)
    if known.protected or known.guarded:
        return "guarded"
    return "ask" if policy.conflict_policy is ConflictPolicy.ASK else ""


def _says_no_more(statement: Statement, target: Memory) -> bool:
    """Whether nothing is lost when the statement is taken for a repetition of the row."""
    if is_negative(statement.content) != is_negative(target.content):
        return False
    if statement.value and text.match_form(statement.value) != text.match_form(target.value):
        return False
    return set(text.tokens(statement.content)) <= set(
        text.tokens(f"{target.content} {target.value}")
    )


def _as_routing(
    statement: Statement,
    verdict: Verdict,
    target: Memory | None,
    known: Mapping[UUID, Memory],
    policy: Policy,
) -> Routing:
    retires = verdict.decision in (Decision.UPDATE, Decision.DELETE)
    taken = any(
        row.key == statement.key and row.status == Status.ACTIVE and row.single_valued
        for row in known.values()
        if not (retires and row is target)
    )
    waits = verdict.decision is Decision.CONFLICT
    reason = _REASONS.get(verdict.relation, Reason.REPLACED if retires else None)
    return Routing(
        decision=verdict.decision,
        relation=verdict.relation,
        reason=reason,
        target_id=str(target.pk) if target is not None else None,
        contested=waits and target is not None and target.is_protected(policy),
        should_forget=verdict.decision is Decision.DELETE,
        single_valued=_is_single(statement) and (waits or not taken),
    )


def _is_single(statement: Statement) -> bool:
    """What the dimension found in the words is, else what the list says of the key."""
    if statement.single_valued is not None:
        return statement.single_valued
    return is_single_valued(statement.key)


def _state(rows: Iterable[Memory]) -> _State:
    return frozenset((row.pk, row.version, row.status) for row in rows)
