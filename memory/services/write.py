"""Take in facts: admit, score, embed, then route and store each in a transaction of its own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.adapters.embedders import get_embedder
from memory.adapters.judges import Scored
from memory.border import owner_scope
from memory.domain import text
from memory.domain.admission import Admission, admit
from memory.domain.conflicts import Routing, Statement, route
from memory.domain.values import DecidedBy, Decision, Reason, Relation, Visibility
from memory.models import Memory
from memory.models.events import Actor, Verb
from memory.models.tombstones import Buried
from memory.querysets.callers import Caller
from memory.services.bury import CODES, find_tombstone, refuses
from memory.services.compare import compare_elsewhere
from memory.services.consult import Consultation, consult
from memory.services.decide import Opinion, ask_judge, weigh
from memory.services.errors import InvalidInput
from memory.services.gather import find_key, gather_known
from memory.services.hear import check_questions, hear_answer, hear_repetition, note_heard
from memory.services.hold import as_known
from memory.services.index import index_texts
from memory.services.lock import lock_writes, read_rules
from memory.services.outcomes import Outcome, note_outcome, recall_outcomes, say_why
from memory.services.place import Fact, Path, Ready, say_again, store_new
from memory.services.record import Trail
from memory.services.rename import follow_topics
from memory.services.replay import Ledger
from memory.services.score import score_facts
from memory.services.suggest import is_feedback, suggest_rules
from memory.services.trace import Origin, trace_facts

__all__ = ["Fact", "Outcome", "add_memory", "write_facts"]


def write_facts(
    caller: Caller,
    facts: Sequence[Fact],
    *,
    now: datetime,
    ledger: Ledger | None = None,
    seconds: float | None = None,
) -> list[Outcome]:
    """Store each fact or say why not; one refused fact does not refuse its neighbours.

    1. Check where each comes from, and admit it by source and words.
    2. Work out importance, tier and sensitivity; embed all of them at once. Outside any
       transaction, the judge within `seconds`.
    3. Per fact: lock the owner's writes, read what it speaks about, let the router decide, apply,
       note the outcome in the `ledger`. What stands there already is not done again.

    Raises InvalidInput for an unknown project, conversation or message, OldEpoch where the owner
    cleared everything since the caller was let in, OperationalError when the lock is held too long.
    """
    _check_projects(caller, facts)
    check_questions(caller, facts, ledger)
    facts = follow_topics(caller.owner, [find_key(fact) for fact in facts])
    consultation = consult(caller.owner, now=now, seconds=seconds)
    try:
        origins = trace_facts(caller, facts)
        gates = [_admit(caller, *pair) for pair in zip(facts, origins, strict=True)]
        ready = make_ready(caller, facts, origins, gates, consultation)
        outcomes = [
            _write_one(caller, one, number, ledger, consultation, now=now)
            for number, one in enumerate(ready)
        ]
    finally:
        consultation.close()
    if caller.agent is not None and any(is_feedback(fact.content) for fact in facts):
        suggest_rules(caller, now=now)
    return outcomes


def make_ready(
    caller: Caller,
    facts: Sequence[Fact],
    origins: Sequence[Origin],
    gates: Sequence[Admission],
    consultation: Consultation,
) -> list[Ready]:
    """Score and embed what was admitted, all at once. Never inside a transaction."""
    kept = [fact for fact, gate in zip(facts, gates, strict=True) if gate.accepted]
    scores = score_facts(
        [
            (Scored(content=fact.content, kind=fact.kind, key=fact.key), fact.importance)
            for fact in kept
        ],
        policy=caller.policy,
        consultation=consultation,
    )
    indexes = index_texts([_search_text(fact) for fact in kept])
    worked_out = iter(zip(scores, indexes, strict=True))
    ready = []
    for fact, origin, gate in zip(facts, origins, gates, strict=True):
        score, index = next(worked_out) if gate.accepted else (None, None)
        ready.append(
            Ready(
                fact=fact,
                origin=origin,
                gate=gate,
                score=score,
                index=index,
                fallback=fact.fallback or consultation.fallback,
            )
        )
    return ready


def _admit(caller: Caller, fact: Fact, origin: Origin) -> Admission:
    """The gate of every fact by its agent; the owner's own hand passes it."""
    if caller.agent is None:
        return admit(origin.source)
    return admit(
        origin.source,
        external_allowed=caller.external_allowed,
        content=fact.content,
        others=[
            fact.key,
            fact.value,
            fact.quote,
            json.dumps(dict(fact.metadata), ensure_ascii=False) if fact.metadata else "",
        ],
        kind=fact.kind,
        key=fact.key,
    )


def _check_projects(caller: Caller, facts: Sequence[Fact]) -> None:
    for number, fact in enumerate(facts):
        if fact.project is not None and fact.project not in caller.projects:
            raise InvalidInput(**{f"facts.{number}.project": "there is no project with this slug"})
        if fact.visibility is Visibility.GROUP and fact.project is None:
            raise InvalidInput(
                **{f"facts.{number}.visibility": "“group” needs the project it is shared in"}
            )


def _search_text(fact: Fact) -> str:
    return text.search_text(
        fact.content, key=fact.key or None, value=fact.value or None, before=fact.before or None
    )


def refuse(trail: Trail, gate: Admission) -> Outcome:
    """Not remembered, and why: codes in the history, no words."""
    data: dict[str, Any] = {"detail": gate.detail} if gate.detail else {}
    trail.note(Verb.REFUSED, reason=gate.code, **data)
    return Outcome(
        decision=Decision.REFUSED,
        relation=Relation.NEW,
        reason=gate.explanation or say_why(Decision.REFUSED, Relation.NEW, gate.code),
        code=gate.code,
        decided_by=DecidedBy.POLICY,
    )


def _trail(caller: Caller, now: datetime) -> Trail:
    actor = Actor.OWNER if caller.agent is None else Actor.AGENT
    return Trail(owner=caller.owner, actor=actor, agent=caller.agent, at=now, epoch=caller.epoch)


def _write_one(
    caller: Caller,
    ready: Ready,
    number: int,
    ledger: Ledger | None,
    consultation: Consultation,
    *,
    now: datetime,
) -> Outcome:
    opinion = _ask_first(caller, ready, consultation, now=now)
    with owner_scope(caller.owner):
        lock_writes(caller.owner, epoch=caller.epoch)
        done = ledger.read(number) if ledger is not None else None
        if done is not None:
            [outcome] = recall_outcomes(caller, [done])
            return outcome
        trail = _trail(caller, now)
        gate = _find_bar(caller, ready)
        outcome = keep(caller, ready, opinion, trail) if gate.accepted else refuse(trail, gate)
        trail.leave()
        if outcome.memory is not None and outcome.decision is not Decision.NOOP:
            statement = _as_statement(ready, now=now)
            compare_elsewhere(caller, ready.fact, statement, outcome.memory, now=now)
        if ledger is not None:
            shown = outcome.memory.pk if outcome.memory is not None else None
            ledger.note(note_outcome(outcome), memory=shown)
    return outcome


def _find_bar(caller: Caller, ready: Ready) -> Admission:
    """The gate, closed where a tombstone keeps an agent from writing this."""
    return ready.gate if caller.agent is None else find_bar(caller, ready)


def find_bar(caller: Caller, ready: Ready) -> Admission:
    """The gate, closed where a tombstone stands over these words. Inside owner_scope."""
    if not ready.gate.accepted:
        return ready.gate
    tombstone = find_tombstone(caller.owner, ready.fact.content)
    origin = ready.origin
    if tombstone is None or not refuses(tombstone, source=origin.source, said_at=origin.dated):
        return ready.gate
    return Admission(accepted=False, waits=False, code=CODES[Buried(tombstone.reason)])


def _ask_first(
    caller: Caller, ready: Ready, consultation: Consultation, *, now: datetime
) -> Opinion | None:
    """The judge's opinion, if there is one to ask: outside the transaction that will need it."""
    if consultation.judge is None or not ready.gate.accepted or ready.gate.waits:
        return None
    statement = _as_statement(ready, now=now)
    with owner_scope(caller.owner):
        known = gather_known(caller, ready)
    return ask_judge(statement, known, policy=caller.policy, consultation=consultation)


def _as_statement(ready: Ready, *, now: datetime) -> Statement:
    fact, origin = ready.fact, ready.origin
    return Statement(
        content=fact.content,
        key=fact.key,
        value=fact.value,
        source=origin.source,
        detected=fact.detected,
        single_valued=fact.single_valued,
        valid_from=fact.valid_from,
        occurred_at=fact.occurred_at,
        said_at=origin.said_at or now,
    )


def keep(caller: Caller, ready: Ready, opinion: Opinion | None, trail: Trail) -> Outcome:
    """Route the statement among what is known now, and store it there. Under the write lock.

    What answers an open question is heard first: it may settle it, and is then compared with what
    that left.
    """
    if ready.gate.reason is Reason.QUARANTINED:
        return _quarantine(caller, ready, trail)
    question = ready.fact.resolves
    heard = hear_answer(caller, question, ready, trail) if question is not None else None
    if heard is not None and heard.kept is not None and heard.choosing:
        outcome = say_again(heard.kept, ready, trail, Path(fallback=ready.fallback))
    else:
        outcome = _route(caller, ready, opinion, trail)
    return outcome if heard is None else note_heard(outcome, heard, trail)


def _route(caller: Caller, ready: Ready, opinion: Opinion | None, trail: Trail) -> Outcome:
    known = {row.pk: row for row in gather_known(caller, ready)}
    calibrate = get_embedder().calibrate
    routing = route(
        _as_statement(ready, now=trail.at),
        [
            replace(
                as_known(row, caller.policy),
                similarity=None if row.distance is None else calibrate(1 - row.distance),
            )
            for row in known.values()
        ],
        policy=caller.policy,
    )
    path = Path(fallback=ready.fallback, found_by=ready.fact.found_by)
    if opinion is not None:
        weighed, fallback = weigh(opinion, routing, known, policy=caller.policy)
        by = DecidedBy.RULES if fallback else DecidedBy.JUDGE
        routing = weighed
        path = replace(path, decided_by=by, fallback=fallback or ready.fallback)
    target = known.get(UUID(routing.target_id)) if routing.target_id else None
    if routing.decision is Decision.NOOP:
        assert target is not None
        heard = hear_repetition(caller, target, _as_statement(ready, now=trail.at), trail)
        twin = heard.kept if heard is not None and heard.kept is not None else target
        outcome = say_again(twin, ready, trail, path)
        return outcome if heard is None else note_heard(outcome, heard, trail)
    return store_new(caller, ready, routing, target, trail, path)


def _quarantine(caller: Caller, ready: Ready, trail: Trail) -> Outcome:
    """Orders to the agent wait for the owner, compared with nothing an agent may see."""
    path = Path(decided_by=DecidedBy.POLICY, found_by=ready.fact.found_by)
    twin = (
        Memory.objects.of(caller.owner)
        .live()
        .filter(
            agent=caller.agent,
            project=caller.projects[ready.fact.project] if ready.fact.project else None,
            fingerprint=text.fingerprint(ready.fact.content),
        )
        .select_related("use")
        .first()
    )
    if twin is not None:
        return say_again(twin, ready, trail, path)
    routing = Routing(decision=Decision.CONFLICT, relation=Relation.NEW, reason=Reason.QUARANTINED)
    return store_new(caller, ready, routing, None, trail, path)


def add_memory(
    *, owner: UUID, content: str, key: str = "", value: str = "", now: datetime
) -> Outcome:
    """The owner writes a memory in person, for all his agents to see."""
    with owner_scope(owner):
        rules, epoch = read_rules(owner)
    fact = Fact(content=content, key=key, value=value, visibility=Visibility.USER)
    [outcome] = write_facts(Caller(owner=owner, epoch=epoch, policy=rules), [fact], now=now)
    return outcome
