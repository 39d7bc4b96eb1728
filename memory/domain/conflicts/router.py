"""The decision about a statement, in the order of DESIGN "Conflict routing"."""

from collections.abc import Sequence
from dataclasses import replace

from memory.domain import wording
from memory.domain.conflicts import comparing
from memory.domain.conflicts.makers import hold_new
from memory.domain.conflicts.reading import (
    Side,
    read_known,
    read_statement,
    share_dimension,
    share_subject,
)
from memory.domain.conflicts.safety import endangers
from memory.domain.conflicts.shapes import Known, Routing, Statement
from memory.domain.conflicts.verdicts import judge
from memory.domain.policy import DEFAULT_POLICY, Policy
from memory.domain.text import match_form
from memory.domain.values import Decision, Reason, Relation, Source, Status
from memory.domain.wording import find_change

_SERVED_FIRST = {Status.ACTIVE: 0, Status.STALE: 1, Status.CONFLICT: 2}


def route(new: Statement, known: Sequence[Known], *, policy: Policy = DEFAULT_POLICY) -> Routing:
    """Decide about a statement.

    1. The same meaning: NOOP.
    2. An inference or outside content waits alone, whatever it contradicts.
    3. Another value with change wording, a date of its own, or containing the old: UPDATE.
    4. The same proposition flipped or ended: DELETE.
    5. Another value of a single-valued dimension: CONFLICT. Otherwise ADD.

    Independent of the order of `known`. A protected row is never retired: the statement waits.
    """
    side = read_statement(new)
    olds = _in_order(side, known)
    twin = next((old for old in olds if _is_twin(side, old)), None)
    if twin is not None:
        return Routing(
            decision=Decision.NOOP,
            relation=Relation.DUPLICATE,
            target_id=twin.row.id if twin.row else None,
            single_valued=side.single,
        )
    verdicts = _judge_all(side, olds, policy=policy)
    if new.source is not Source.USER_STATED:
        return _wait_alone(new.source, side, olds, verdicts)
    if not verdicts:
        rivals = any(share_dimension(side, old) for old in olds)
        chosen = Routing(
            decision=Decision.ADD,
            relation=Relation.COEXIST if rivals else Relation.NEW,
            single_valued=side.single,
        )
    else:
        chosen = min(verdicts, key=lambda verdict: _rank(verdict[1]))[1]
    return _keep_one_value(chosen, side, olds)


def _is_twin(new: Side, old: Side) -> bool:
    """The same meaning; near as the words may be, what doubts a safety fact does not repeat it."""
    return comparing.says_same(new, old, similarity=_similarity(old)) and not endangers(new, old)


def _rank(routing: Routing) -> int:
    """What weighs more when several known statements are concerned."""
    if routing.decision is Decision.CONFLICT:
        # A statement that waits because of a safety fact retires nothing else meanwhile.
        return 0 if routing.contested else 2
    if routing.decision in (Decision.UPDATE, Decision.DELETE):
        return 1
    return 3 if routing.history else 4


def _judge_all(new: Side, olds: Sequence[Side], *, policy: Policy) -> list[tuple[Side, Routing]]:
    families = [old.words.dimension.family for old in olds if old.words.dimension]
    found = []
    for old in olds:
        family = old.words.dimension.family if old.words.dimension else ""
        verdict = judge(
            new,
            old,
            similarity=_similarity(old),
            alone=families.count(family) == 1,
            policy=policy,
        )
        if verdict is not None:
            found.append((old, _spare_plain(_spare_protected(verdict, old), new, old)))
    return found


def _spare_protected(verdict: Routing, old: Side) -> Routing:
    """Against a protected memory only the new statement waits (DESIGN, Trust)."""
    row = old.row
    if row is None or not row.protected or verdict.decision is Decision.ADD:
        return verdict
    relation = Relation.POLARITY if verdict.decision is Decision.DELETE else Relation.CONTRADICTION
    return hold_new(old, relation=relation, cue=verdict.cue, single=verdict.single_valued)


def _spare_plain(verdict: Routing, new: Side, old: Side) -> Routing:
    """Words that are not sure of themselves take nothing from what was said plainly."""
    if verdict.decision is Decision.ADD or verdict.contested or old.row is None:
        return verdict
    if not new.words.mood.unsure or old.words.mood.unsure or old.row.status is Status.CONFLICT:
        return verdict
    return hold_new(
        old, relation=Relation.CONTRADICTION, cue=verdict.cue, single=verdict.single_valued
    )


def _wait_alone(
    source: Source, new: Side, olds: Sequence[Side], verdicts: Sequence[tuple[Side, Routing]]
) -> Routing:
    """An inference or outside content: it waits, naming what it contradicts, which stays."""
    contradicted = [
        old
        for old, verdict in verdicts
        if old.row is not None
        and old.row.status is not Status.CONFLICT
        and verdict.decision is not Decision.ADD
    ]
    contradicted += [
        old
        for old in olds
        if old.row is not None
        and old.row.status is not Status.CONFLICT
        and share_dimension(new, old)
        and ((new.single and old.single) or comparing.flips(new, old))
        and (new.given or share_subject(new, old))
    ]
    against = contradicted[0].row if contradicted else None
    return Routing(
        decision=Decision.CONFLICT,
        relation=Relation.CONTRADICTION if against else Relation.NEW,
        reason=Reason.INFERRED if source is Source.INFERRED else Reason.EXTERNAL,
        target_id=against.id if against else None,
        contested=against is not None,
        single_valued=new.single,
    )


def _keep_one_value(chosen: Routing, new: Side, olds: Sequence[Side]) -> Routing:
    """What stands beside an active value of its key is stored as one of many."""
    if not chosen.single_valued or chosen.decision is Decision.CONFLICT or chosen.history:
        return chosen
    occupied = any(
        old.row is not None
        and old.row.id != chosen.target_id
        and old.row.status is Status.ACTIVE
        and old.single
        and new.key
        and match_form(old.row.key) == match_form(new.key)
        for old in olds
    )
    return replace(chosen, single_valued=False) if occupied else chosen


def _in_order(new: Side, known: Sequence[Known]) -> list[Side]:
    """The same dimension first, served before waiting, newest, then smallest id."""
    sides = [read_known(row) for row in known]
    return sorted(
        sides,
        key=lambda side: (
            not share_dimension(new, side),
            _SERVED_FIRST.get(side.row.status, 3) if side.row else 3,
            -side.row.created_at.timestamp() if side.row else 0.0,
            side.row.id if side.row else "",
        ),
    )


def _similarity(old: Side) -> float | None:
    return old.row.similarity if old.row else None


def replacement_cue(text: str) -> str:
    """The change or correction wording in a text, '' where there is none or it is taken back.

    "没有换成 Go" and "haven't switched to Go" say that nothing changed.
    """
    said = match_form(text)
    return find_change(said, wording.REPLACEMENT) or find_change(said, wording.CORRECTION)
