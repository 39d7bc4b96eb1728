"""The verdict about one pair: what a new statement does to one old one."""

import re

from memory.domain.conflicts import comparing
from memory.domain.conflicts.apart import judge_apart, judge_denied, never_did, retire_same
from memory.domain.conflicts.makers import (
    ask,
    beside,
    explicit_wording,
    hold_new,
    replace_old,
    update,
)
from memory.domain.conflicts.reading import Side, share_dimension, share_subject
from memory.domain.conflicts.safety import endangers
from memory.domain.conflicts.shapes import CueKind, Routing
from memory.domain.policy import Policy
from memory.domain.quantities import differ
from memory.domain.values import ConflictPolicy, Decision, Reason, Relation


def judge(
    new: Side, old: Side, *, similarity: float | None, alone: bool, policy: Policy
) -> Routing | None:
    """What the new statement does to the old one; None: nothing.

    `alone`: no other known statement is of the same family, so a change without a name for what
    it replaces can only mean this one.
    """
    mine, theirs = new.words, old.words
    slot = share_dimension(new, old)
    if endangers(new, old):
        return hold_new(old, relation=Relation.CONTRADICTION, cue=CueKind.POLARITY, single=False)
    if not slot and not share_subject(new, old):
        return None
    if not mine.mood.is_about_now(dated=mine.is_dated):
        return beside(CueKind.NOT_NOW) if slot else None
    if mine.mood.is_past():
        return beside(CueKind.PAST) if slot else None
    if theirs.mood.undecided and mine.mood.decided:
        return _decide(new, old) if comparing.shares_substance(mine, theirs) else None
    if not slot and not theirs.mood.is_about_now(dated=theirs.is_dated):
        return None
    shift = _judge_shift(new, old, slot=slot, alone=alone)
    if shift is not None:
        return shift
    if slot:
        return _judge_slot(new, old, policy=policy)
    if mine.mood.is_passing():
        return None
    if new.given and old.given:
        return None
    return judge_apart(new, old, similarity=similarity, policy=policy)


def _judge_slot(new: Side, old: Side, *, policy: Policy) -> Routing | None:
    """Both speak about one dimension."""
    mine = new.words
    corrected = judge_denied(new, old)
    if corrected is not None:
        return corrected
    if not new.given and never_did(new, old):
        return ask(old, single=new.single)
    if comparing.is_about_same(new, old):
        if comparing.flips(new, old) or comparing.ends(new, old):
            if mine.mood.is_passing() and not mine.mood.ended:
                return beside(CueKind.TEMPORARY)
            return retire_same(new, old, policy=policy)
        if _adds_detail(new, old) or (new.single and old.single and comparing.adds_to(new, old)):
            return update(old, new, relation=Relation.REFINEMENT, policy=policy)
        if differ(mine.quantities, old.words.quantities) and not mine.mood.coexist:
            explicit = explicit_wording(new, old, policy)
            return (
                replace_old(old, cue=explicit, single=new.single)
                if explicit
                else ask(old, single=new.single)
            )
        return beside(CueKind.COEXIST) if mine.mood.coexist else None
    if (not new.value or not new.given) and comparing.ends(new, old) and not _names_new(new, old):
        return retire_same(new, old, policy=policy)
    if not (new.single and old.single):
        if _adds_detail(new, old):
            return update(old, new, relation=Relation.REFINEMENT, policy=policy)
        return judge_denied(new, old)
    return _settle_other_value(new, old, policy=policy)


def _names_new(new: Side, old: Side) -> bool:
    """Whether the statement that ends the old value names another in its place."""
    return (
        bool(new.value)
        and not comparing.mentions(new.value, old.value or "\0")
        and bool(new.words.mood.change or new.words.mood.now)
    )


def _adds_detail(new: Side, old: Side) -> bool:
    """A use told more exactly: Java, then Java 21 and Spring Boot 3."""
    mine, theirs = new.words, old.words
    return (
        mine.act == theirs.act == "use"
        and not mine.mood.coexist
        and not comparing.flips(new, old)
        and theirs.words < mine.words
        and comparing.says_more(mine, theirs)
        and comparing.is_about_same(new, old)
    )


def _judge_shift(new: Side, old: Side, *, slot: bool, alone: bool) -> Routing | None:
    """ "Moved from Java to Go": whatever speaks of Java as in use is replaced."""
    mine, theirs = new.words, old.words
    left, arrived = mine.shifted()
    if not mine.mood.change or not arrived or theirs.negative or theirs.mood.ended:
        return None
    if left and left & theirs.words and comparing.shares_substance(mine, theirs):
        if new.given and old.given and not slot:
            return None
        about = theirs.dimension.about if theirs.dimension else theirs.words
        if left & about and theirs.act in ("", "use", "have", "habit"):
            return replace_old(old, cue=mine.mood.change, single=new.single)
        return None
    if left or slot or mine.mood.coexist:
        return None
    mine_family = mine.dimension.family if mine.dimension else ""
    theirs_family = theirs.dimension.family if theirs.dimension else "-"
    if mine_family == theirs_family and theirs.act == "use" and (old.single or alone):
        return replace_old(old, cue=mine.mood.change, single=new.single)
    return None


def _decide(new: Side, old: Side) -> Routing:
    return replace_old(old, cue=new.words.mood.decided, single=new.single)


def _settle_other_value(new: Side, old: Side, *, policy: Policy) -> Routing | None:
    """Another value of a single-valued dimension."""
    mine = new.words
    row = old.row
    if row is None:
        return None
    if new.since is not None and old.since is not None and new.since < old.since:
        return Routing(
            decision=Decision.ADD,
            relation=Relation.HISTORICAL,
            reason=Reason.OUTDATED,
            target_id=row.id,
            history=True,
            single_valued=True,
        )
    mood = mine.mood
    compared = mood.temporary if mine.dimension and mine.dimension.compared else ""
    ended = comparing.end_cue(new, old) if old.value else ""
    explicit = (
        mood.change or mood.correction or ended or compared or explicit_wording(new, old, policy)
    )
    if not explicit:
        scopes = [_SCOPE.search(side.words.said) for side in (new, old)]
        if all(scopes) and len({scope.group() for scope in scopes if scope}) > 1:
            return beside(CueKind.COEXIST)
        if mood.coexist:
            return beside(CueKind.COEXIST)
        if mood.temporary:
            return beside(CueKind.TEMPORARY)
    elif explicit == mood.now and mood.coexist:
        return beside(CueKind.COEXIST)
    if (
        mine.negative
        and not old.words.negative
        and not explicit
        and not comparing.refines(new, old)
    ):
        # "Not in Berlin": denies a value, names none. Only the owner knows what is meant.
        return ask(old, single=True) if not new.given else _unworded(new, old, policy=policy)
    if not explicit:
        return _unworded(new, old, policy=policy)
    refined = comparing.refines(new, old) and not (mood.change or mood.correction)
    return replace_old(
        old,
        cue=explicit,
        single=True,
        relation=Relation.REFINEMENT if refined else Relation.REPLACEMENT,
        reason=Reason.CORRECTED if mood.correction and not mood.change else Reason.REPLACED,
    )


def _unworded(new: Side, old: Side, *, policy: Policy) -> Routing:
    """Another value without change wording (requirement 5.5 d, o)."""
    refined = comparing.refines(new, old)
    dated = has_own_date(new, old)
    if refined or dated or policy.conflict_policy is ConflictPolicy.ASSERTIVE:
        return update(
            old,
            new,
            relation=Relation.REFINEMENT if refined else Relation.REPLACEMENT,
            policy=policy,
            cue=CueKind.VALIDITY.value if dated and not refined else "",
        )
    return ask(old, single=True)


# For what, where there can be one value for each.
_SCOPE = re.compile(
    r"\bfor (?:my |the |our )?[a-z]+(?: [a-z]+)?$|\b(?:at|for) (?:work|home|school)\b|\bon (?:weekends|weekdays)\b"
    r"|工作(?:上|中|时|日)?|在?公司|家里|在家|个人|副业|周末|平日|平时"
)


_SINCE = re.compile(
    r"从.{1,12}(?:起|开始)|自.{1,12}(?:起|以来)|(?:月|年|号|日|周|天)起|\bsince (?:\w+ )?(?:\d|january|february|march|april|may|june|july|august|september|october|november|december|last|monday)"
    r"|\bas of \w+|\beffective \w+|\bstarting (?:\w+ )?(?:\d|january|february|march|april|may|june|july|august|september|october|november|december|monday|next)"
)


def has_own_date(new: Side, old: Side) -> bool:
    """A date of validity later than the old one: given by the caller, or named in the words."""
    if new.words.mood.ended:
        return False
    return new.dated_later(old) or _SINCE.search(new.words.said) is not None
