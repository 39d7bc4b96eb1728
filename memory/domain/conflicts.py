"""What becomes of a new statement beside the memories it speaks about.

This router decides by key, value and wording. It compares nothing by meaning: statements without
a key in common stand side by side.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from memory.domain import lexicon
from memory.domain.dimensions import is_single_valued
from memory.domain.policy import DEFAULT_POLICY, Policy
from memory.domain.text import fingerprint, match_form, query_tokens, tokens
from memory.domain.values import ConflictPolicy, Decision, Reason, Relation, Source, Status

_SERVED_FIRST = {Status.ACTIVE: 0, Status.STALE: 1, Status.CONFLICT: 2}
_CLAUSE_BORDERS = re.compile(r"[,;。，；！!\n]|\.(?=\s|$)")
_PUNCTUATION = re.compile(r"[\s.,;:!。，、；：！]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What is being written.

    `single_valued` None: the key's list decides. `valid_from` is a date of validity of its own,
    `occurred_at` and `said_at` order it otherwise.
    """

    content: str
    key: str = ""
    value: str = ""
    source: Source = Source.USER_STATED
    single_valued: bool | None = None
    valid_from: datetime | None = None
    occurred_at: datetime | None = None
    said_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A stored memory that the writing agent may see: active, stale or waiting.

    `guarded`: the owner's own work, health or money, which only their explicit words retire.
    """

    id: str
    content: str
    created_at: datetime
    key: str = ""
    value: str = ""
    status: Status = Status.ACTIVE
    source: Source = Source.USER_STATED
    protected: bool = False
    guarded: bool = False
    single_valued: bool | None = None
    valid_from: datetime | None = None
    occurred_at: datetime | None = None


class CueKind(StrEnum):
    """What kind of wording settled a routing."""

    REPLACEMENT = "replacement"
    CORRECTION = "correction"
    ENDED = "ended"
    POLARITY = "polarity"
    COEXIST = "coexist"
    NOT_NOW = "not_now"
    TEMPORARY = "temporary"
    VALIDITY = "validity"


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    """The decision about a statement.

    `reason`: of UPDATE and DELETE, why the target is retired; of CONFLICT, why the statement
    waits. `cue` is the wording that settled it, '' for none. `contested`: the target keeps its
    status and is only marked. `should_forget`: the retired target is also weighed down.
    `history`: an ADD that joins the chain as superseded. `single_valued`: what the new row must
    be stored as; False where it stands beside the value of a single-valued key.
    """

    decision: Decision
    relation: Relation
    reason: Reason | None = None
    target_id: str | None = None
    cue: str = ""
    contested: bool = False
    should_forget: bool = False
    history: bool = False
    single_valued: bool = False


class _Keyed(Protocol):
    @property
    def content(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def value(self) -> str: ...


def resolve(new: _Keyed, old: _Keyed) -> str:
    """S1's own four answers: add, update, conflict or noop (requirement 68).

    `route` decides for the product; this is the source's sketch, tested against its numbers.
    """
    if new.key != old.key:
        return "add"
    if match_form(new.value) == match_form(old.value):
        return "noop"
    said = new.content
    return "update" if any(word in said for word in lexicon.REPLACEMENT_S1) else "conflict"


def route(new: Statement, known: Sequence[Known], *, policy: Policy = DEFAULT_POLICY) -> Routing:
    """Decide about a statement, in the order of DESIGN "Conflict routing".

    1. The same words, or the same value of the key: NOOP.
    2. An inference or outside content waits alone, whatever it contradicts.
    3. Another value with change wording, a date of its own, or containing the old: UPDATE.
    4. The same proposition flipped or ended: DELETE.
    5. Another value of a single-valued key: CONFLICT. Otherwise ADD.

    Independent of the order of `known`.
    """
    single = _is_single(new.key, new.single_valued)
    twin = _first(row for row in known if fingerprint(row.content) == fingerprint(new.content))
    if twin is not None:
        return Routing(
            decision=Decision.NOOP,
            relation=Relation.DUPLICATE,
            target_id=twin.id,
            single_valued=single,
        )
    rivals = [row for row in known if new.key and _same(row.key, new.key)]
    said = match_form(new.content)

    about_same = [row for row in rivals if _same_proposition(new, row)]
    twin = _first(row for row in about_same if not _flips(new, row) and not _ends(said, row))
    if twin is not None:
        return Routing(
            decision=Decision.NOOP,
            relation=Relation.DUPLICATE,
            target_id=twin.id,
            single_valued=single,
        )
    if new.source is not Source.USER_STATED:
        return _wait_alone(new, rivals, single=single)

    target = _first(about_same)
    if target is not None:
        return _retire_same(new, target, said=said, single=single, policy=policy)
    ended = _first(row for row in rivals if not new.value and _ends(said, row))
    if ended is not None:
        return _retire_same(new, ended, said=said, single=single, policy=policy)
    exclusive = [row for row in rivals if single and _is_single(row.key, row.single_valued)]
    target = _first(exclusive)
    if target is None:
        return Routing(
            decision=Decision.ADD,
            relation=Relation.COEXIST if rivals else Relation.NEW,
            single_valued=single,
        )
    return _settle_other_value(new, target, said=said, policy=policy)


def replacement_cue(text: str) -> str:
    """The change or correction wording in a text, '' where there is none or it is taken back.

    "没有换成 Go" and "haven't switched to Go" say that nothing changed.
    """
    said = match_form(text)
    return _find_change(said, lexicon.REPLACEMENT) or _find_change(said, lexicon.CORRECTION)


def is_negative(text: str) -> bool:
    """Whether a statement denies or dislikes: an odd number of negations (requirement 5.5 p).

    Read by words: 不错, 不仅 and "not only" deny nothing, 不是不喜欢 is positive.
    """
    said = lexicon.NOT_NEGATION.sub(_cancel_pairs, match_form(text))
    dislikes = len(lexicon.DISLIKE.findall(said))
    said = lexicon.DISLIKE.sub(" ", said)
    return (len(lexicon.NEGATION.findall(said)) + dislikes) % 2 == 1


def _cancel_pairs(found: re.Match[str]) -> str:
    # Each of these is a pair of negations or none: either way it does not flip the statement.
    return " "


def _retire_same(
    new: Statement, target: Known, *, said: str, single: bool, policy: Policy
) -> Routing:
    """The same proposition, flipped or ended: DELETE where the words are plain enough."""
    end_cue = _end_cue(said, target)
    cue = end_cue or CueKind.POLARITY.value
    reason = Reason.ENDED if end_cue else Reason.POLARITY
    if _not_about_now(said):
        return _beside(CueKind.NOT_NOW)
    if target.protected:
        return _only_new_waits(target, relation=Relation.POLARITY, single=single, cue=cue)
    hedged = _find(said, lexicon.HEDGED) != ""
    # An end is explicit wording; a flip is not, so `ask` and guarded topics ask about it. So does
    # a flip in other words, which may deny something else in the same breath.
    settled = end_cue or (
        policy.conflict_policy is not ConflictPolicy.ASK
        and not target.guarded
        and _bare(new.content) == _bare(target.content)
    )
    if hedged or not settled:
        return Routing(
            decision=Decision.CONFLICT,
            relation=Relation.CONTRADICTION,
            reason=Reason.CONTRADICTION,
            target_id=target.id,
            cue=cue,
            single_valued=single,
        )
    return Routing(
        decision=Decision.DELETE,
        relation=Relation.POLARITY,
        reason=reason,
        target_id=target.id,
        cue=cue,
        should_forget=True,
        single_valued=single,
    )


def _settle_other_value(new: Statement, target: Known, *, said: str, policy: Policy) -> Routing:
    """Another value of a single-valued key, said by the user."""
    if _not_about_now(said):
        return _beside(CueKind.NOT_NOW)
    if _is_older(new, target):
        return Routing(
            decision=Decision.ADD,
            relation=Relation.HISTORICAL,
            reason=Reason.OUTDATED,
            target_id=target.id,
            history=True,
            single_valued=True,
        )
    change = _find_change(said, lexicon.REPLACEMENT)
    correction = _find_change(said, lexicon.CORRECTION)
    ended_old = _end_cue(said, target) if target.value else ""
    explicit = change or correction or ended_old
    if not explicit:
        if _find(said, lexicon.COEXIST):
            return _beside(CueKind.COEXIST)
        if _find(said, lexicon.TEMPORARY):
            return _beside(CueKind.TEMPORARY)
    refines = _refines(new, target)
    relation = Relation.REFINEMENT if refines and not explicit else Relation.REPLACEMENT
    if target.protected:
        return _only_new_waits(target, relation=Relation.CONTRADICTION, single=True, cue=explicit)
    if explicit or _may_update_unworded(new, target, refines=refines, policy=policy):
        return Routing(
            decision=Decision.UPDATE,
            relation=relation,
            reason=Reason.CORRECTED if correction and not change else Reason.REPLACED,
            target_id=target.id,
            cue=explicit or (CueKind.VALIDITY.value if new.valid_from and not refines else ""),
            single_valued=True,
        )
    return Routing(
        decision=Decision.CONFLICT,
        relation=Relation.CONTRADICTION,
        reason=Reason.CONTRADICTION,
        target_id=target.id,
        single_valued=True,
    )


def _may_update_unworded(new: Statement, target: Known, *, refines: bool, policy: Policy) -> bool:
    """Whether a new value may retire the old without change wording (requirement 5.5 d, o)."""
    if policy.conflict_policy is ConflictPolicy.ASK or target.guarded:
        return False
    if refines or policy.conflict_policy is ConflictPolicy.ASSERTIVE:
        return True
    return new.valid_from is not None and new.valid_from > _since(target)


def _wait_alone(new: Statement, rivals: Sequence[Known], *, single: bool) -> Routing:
    """An inference or outside content: it waits, naming what it contradicts, which stays."""
    said = match_form(new.content)
    against = _first(
        row
        for row in rivals
        if row.status is not Status.CONFLICT
        and (
            (single and _is_single(row.key, row.single_valued))
            or _flips(new, row)
            or _ends(said, row)
        )
    )
    return Routing(
        decision=Decision.CONFLICT,
        relation=Relation.CONTRADICTION if against else Relation.NEW,
        reason=Reason.INFERRED if new.source is Source.INFERRED else Reason.EXTERNAL,
        target_id=against.id if against else None,
        contested=against is not None,
        single_valued=single,
    )


def _only_new_waits(target: Known, *, relation: Relation, single: bool, cue: str) -> Routing:
    return Routing(
        decision=Decision.CONFLICT,
        relation=relation,
        reason=Reason.CONTRADICTION,
        target_id=target.id,
        cue=cue,
        contested=True,
        single_valued=single,
    )


def _beside(cue: CueKind) -> Routing:
    return Routing(decision=Decision.ADD, relation=Relation.COEXIST, cue=cue.value)


def _first(rows: Iterable[Known]) -> Known | None:
    """The row to be compared with: served before waiting, then newest, then smallest id."""
    ordered = sorted(
        rows,
        key=lambda row: (
            _SERVED_FIRST.get(row.status, 3),
            -row.created_at.timestamp(),
            row.id,
        ),
    )
    return ordered[0] if ordered else None


def _is_single(key: str, given: bool | None) -> bool:
    return is_single_valued(key) if given is None else given


def _same(one: str, other: str) -> bool:
    return match_form(one) == match_form(other)


def _same_proposition(new: Statement, old: Known) -> bool:
    """The same value of the same key, or the same words but for liking and negation."""
    if new.value and old.value and _same(new.value, old.value):
        return True
    bare = _bare(new.content)
    return bare != "" and bare == _bare(old.content)


def _bare(text: str) -> str:
    said = lexicon.DISLIKE.sub("", match_form(text))
    said = lexicon.NEGATION.sub("", lexicon.ATTITUDE.sub("", said))
    return _PUNCTUATION.sub("", said)


def _flips(new: Statement, old: Known) -> bool:
    """Whether one affirms what the other denies, read in the clauses that name the value."""
    return _denies(new.content, new.value) != _denies(old.content, old.value)


def _denies(content: str, value: str) -> bool:
    """ "不再犹豫，就用 Go" denies the hesitation, not Go."""
    naming = [clause for clause in _clauses(match_form(content)) if _mentions(clause, value)]
    return is_negative(",".join(naming) or content)


def _ends(said: str, old: Known) -> bool:
    """Whether a clause says that the old fact ended: an end word, and the fact it ends.

    A fact that itself speaks of an end ("戒了咖啡") is not ended by saying it again.
    """
    if _find(match_form(old.content), lexicon.ENDED):
        return False
    return _end_cue(said, old) != ""


def _end_cue(said: str, old: Known) -> str:
    for clause in _clauses(said):
        if _mentions(clause, old.value) if old.value else _may_speak_of(clause, old):
            cue = _find(clause, lexicon.ENDED)
            if cue:
                return cue
    return ""


def _may_speak_of(clause: str, old: Known) -> bool:
    """Whether a clause is about an old fact without a value: of many, it must hold its words."""
    if _is_single(old.key, old.single_valued):
        return True
    words = set(query_tokens(lexicon.ATTITUDE.sub(" ", match_form(old.content))))
    return words != set() and words <= set(tokens(clause))


def _clauses(said: str) -> list[str]:
    return [clause.strip() for clause in _CLAUSE_BORDERS.split(said) if clause.strip()]


def _mentions(said: str, value: str) -> bool:
    wanted = match_form(value)
    return wanted != "" and _contains(said, wanted)


def _contains(text: str, part: str) -> bool:
    """Substring, at word borders where the part is Latin: java is not in javascript."""
    left = r"(?<![a-z0-9])" if part[0].isascii() and part[0].isalnum() else ""
    right = r"(?![a-z0-9+#])" if part[-1].isascii() and part[-1].isalnum() else ""
    return re.search(left + re.escape(part) + right, text) is not None


def _refines(new: Statement, old: Known) -> bool:
    """The new value contains the old one and says more (requirement 53)."""
    older = match_form(old.value or old.content)
    newer = match_form(new.value or new.content)
    return (
        older != "" and len(newer) > len(older) and _contains(newer, older) and not _flips(new, old)
    )


def _since(old: Known) -> datetime:
    return old.valid_from or old.occurred_at or old.created_at


def _is_older(new: Statement, old: Known) -> bool:
    """An older fact that arrives late; without any date a statement is about now."""
    began = new.valid_from or new.occurred_at or new.said_at
    return began is not None and began < _since(old)


def _not_about_now(said: str) -> bool:
    return any(
        _find(said, patterns)
        for patterns in (lexicon.HYPOTHETICAL, lexicon.PLANNED, lexicon.REPORTED)
    )


def _find(said: str, patterns: lexicon.Patterns) -> str:
    for pattern in patterns:
        found = pattern.search(said)
        if found:
            return found.group()
    return ""


def _find_change(said: str, patterns: lexicon.Patterns) -> str:
    for pattern in patterns:
        for found in pattern.finditer(said):
            before = said[: found.start()]
            if not lexicon.NOT_YET_ZH.search(before) and not lexicon.NOT_YET_EN.search(before):
                return found.group()
    return ""
