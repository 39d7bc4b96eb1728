"""The routings the router answers with, made in one place."""

from memory.domain.conflicts.reading import Side
from memory.domain.conflicts.shapes import CueKind, Routing
from memory.domain.policy import Policy
from memory.domain.values import ConflictPolicy, Decision, Reason, Relation


def update(old: Side, new: Side, *, relation: Relation, policy: Policy, cue: str = "") -> Routing:
    """UPDATE without explicit wording, where the policy and the topic allow it."""
    # The old words whole and more beside them take nothing away from a guarded topic.
    spared = old.guarded and not (
        relation is Relation.REFINEMENT and old.words.words <= new.words.words
    )
    if policy.conflict_policy is ConflictPolicy.ASK or spared:
        return ask(old, single=new.single)
    return replace_old(old, cue=cue, single=new.single, relation=relation)


def explicit_wording(new: Side, old: Side, policy: Policy) -> str:
    """The words that say by themselves that the old value is past, '' for none.

    "Now" names a present, not a change (requirements 69, 81: 改成, 换成, 不用了, 迁到). It is enough
    for what is not guarded; the owner's own work, health and money, and everything under `ask`, it
    retires only beside the past it replaces: "used to work at Acme, now at Globex".
    """
    mood = new.words.mood
    if mood.change or mood.correction:
        return mood.change or mood.correction
    strict = old.guarded or policy.conflict_policy is ConflictPolicy.ASK
    return mood.now if mood.past or not strict else ""


def replace_old(
    old: Side,
    *,
    cue: str,
    single: bool,
    relation: Relation = Relation.REPLACEMENT,
    reason: Reason = Reason.REPLACED,
) -> Routing:
    return Routing(
        decision=Decision.UPDATE,
        relation=relation,
        reason=reason,
        target_id=old.row.id if old.row else None,
        cue=cue,
        single_valued=single,
    )


def ask(old: Side, *, single: bool, cue: str = "") -> Routing:
    return Routing(
        decision=Decision.CONFLICT,
        relation=Relation.CONTRADICTION,
        reason=Reason.CONTRADICTION,
        target_id=old.row.id if old.row else None,
        cue=cue,
        single_valued=single,
    )


def hold_new(old: Side, *, relation: Relation, cue: str, single: bool) -> Routing:
    """Only the new statement waits; the old one is marked contested and stays served."""
    return Routing(
        decision=Decision.CONFLICT,
        relation=relation,
        reason=Reason.CONTRADICTION,
        target_id=old.row.id if old.row else None,
        cue=cue,
        contested=True,
        single_valued=single,
    )


def beside(cue: CueKind) -> Routing:
    return Routing(decision=Decision.ADD, relation=Relation.COEXIST, cue=cue.value)
