"""Verdicts about statements without a dimension in common, and about plain ends and flips."""

import re

from memory.domain.conflicts import comparing
from memory.domain.conflicts.makers import (
    ask,
    beside,
    explicit_wording,
    hold_new,
    replace_old,
)
from memory.domain.conflicts.reading import Side, share_dimension
from memory.domain.conflicts.shapes import CueKind, Routing
from memory.domain.polarity import content_words
from memory.domain.policy import Policy
from memory.domain.quantities import agree, differ, read_quantities
from memory.domain.values import ConflictPolicy, Decision, Reason, Relation, Status

_NEAR = 0.5


# What an end is the end of, where the words name no value: "I resigned".
_ENDS_OF: dict[str, re.Pattern[str]] = {
    "employer": re.compile(
        r"离职|辞职|辞掉|辞了|被裁|失业|\b(?:quit|left|lost) (?:my|the|his|her) job\b|\bresigned\b|\blaid off\b|\bgot fired\b|\bwas fired\b|\bunemployed\b|\bleft the company\b|退休|\bretired\b"
    ),
    "job": re.compile(
        r"辞去|卸任|不当.{1,8}了|退休|\bretired\b|\bstepped down\b|离职|辞职|\bquit (?:my|the) job\b|\bresigned\b"
    ),
    "partner": re.compile(r"分手|离婚|\bbroke up\b|\bsplit up\b|\bdivorced\b"),
    "marital_status": re.compile(r"离婚|分手|\bdivorced\b|\bbroke up\b|\bcalled off\b"),
    "pets": re.compile(
        r"没有?(?:养)?宠物|不养了|\bno (?:more )?pets\b|\bno longer (?:has|have) (?:a|any) pets?\b"
    ),
    "vehicle": re.compile(
        r"(?:卖|报废|没)(?:了|掉了?)?.{0,4}车|车.{0,3}卖|\bsold (?:my|the|his|her) car\b|\bno (?:car|longer own)\b"
    ),
    "school": re.compile(r"毕业|退学|休学|\bgraduated\b|\bdropped out\b"),
    "medications": re.compile(r"停药|不(?:用|再)吃药|\boff (?:the |my )?(?:meds|medication)\b"),
}


_WISHED = re.compile(r"想|喜欢|爱|\b(?:want|like|enjoy|care)\b")


_NEVER = re.compile(
    r"从没|从未|从来没|没(?:有)?.{0,8}过|\bnever\b|\bno experience\b|\bhaven't ever\b"
)


_DONE = re.compile(
    r"(?<!没)(?<!没有)(?:写|做|去|用|学|吃|看|玩|试|参加|实现|完成|部署|搭|开发|上线|教|讲|拿)(?:了|过|好)|(?:刚|已经|上周|昨天|去年|上个月)"
    r"|\b\w{2,12}ed\b|\b(?:wrote|built|made|went|did|took|gave|ran|taught|set up|got|ate|saw|flew|swam|drove)\b"
)


# Not to know is no fact about the matter.
_UNKNOWING = re.compile(
    r"不知道|不清楚|不认识|不确定|不了解|\b(?:don't|doesn't|didn't) know\b|\bno idea\b|\bnot sure\b"
)


def judge_apart(
    new: Side, old: Side, *, similarity: float | None, policy: Policy
) -> Routing | None:
    """No dimension in common: only plain words about the same matter count."""
    mine, theirs = new.words, old.words
    ended = comparing.ends(new, old)
    if ended and not _is_own_act(new, old):
        ended = False
    if ended and (theirs.act != "taste" or (mine.negative and _WISHED.search(mine.said))):
        replaced = (
            mine.dimension
            and theirs.dimension
            and (mine.dimension.family == theirs.dimension.family and theirs.act == "use")
        )
        if replaced:
            return replace_old(old, cue=mine.mood.ended, single=new.single)
        return retire_same(new, old, policy=policy)
    pattern = _ENDS_OF.get(theirs.attribute)
    if pattern is not None and pattern.search(mine.said) and not theirs.negative:
        return retire_same(new, old, policy=policy, cue=pattern.search(mine.said))
    corrected = judge_denied(new, old)
    if corrected is not None:
        return corrected
    if never_did(new, old):
        return ask(old, single=new.single)
    return _judge_proposition(new, old, similarity=similarity, policy=policy)


_LEFT = re.compile(
    r"^(?:just |recently |finally )?(?:left|quit|resigned from|moved (?:away|out))\b|离职|辞职|离开"
)
_THIRD = re.compile(r"^(?:the|that|this|an?|his|her|their) ")


def _is_own_act(new: Side, old: Side) -> bool:
    """Whether it can be the owner's living or working there that ended, not a thing of that name."""
    said = new.words.said
    if old.words.act == "" and old.words.dimension is not None and not old.words.dimension.general:
        if not new.words.subject.named and _LEFT.search(said):
            return True
        return new.words.subject.named and new.words.about_owner
    return not _THIRD.match(said) or bool(new.words.dimension)


def _judge_proposition(
    new: Side, old: Side, *, similarity: float | None, policy: Policy
) -> Routing | None:
    """The same statement in all but its polarity or its amount."""
    mine, theirs = new.words, old.words
    if not comparing.shares_substance(mine, theirs):
        return None
    shared, union = mine.words & theirs.words, mine.words | theirs.words
    alike = max(
        len(shared) / len(union), 0.8 * len(shared) / min(len(mine.words), len(theirs.words))
    )
    if mine.act != theirs.act and "" not in (mine.act, theirs.act):
        return None
    if mine.negative != theirs.negative and mine.words == theirs.words:
        if _UNKNOWING.search(mine.said) or _UNKNOWING.search(theirs.said):
            return None
        return retire_same(new, old, policy=policy)
    if differ(mine.quantities, theirs.quantities) and _similar(alike, similarity, 0.34):
        explicit = explicit_wording(new, old, policy)
        if (mine.mood.coexist and not mine.mood.now) or _two_attributes(new, old):
            return None
        return (
            replace_old(old, cue=explicit, single=new.single)
            if explicit
            else ask(old, single=new.single)
        )
    if _is_exchanged(new, old, alike=alike, similarity=similarity, policy=policy):
        explicit = mine.mood.change or mine.mood.correction
        reason = Reason.CORRECTED if mine.mood.correction else Reason.REPLACED
        return replace_old(old, cue=explicit, single=new.single, reason=reason)
    if policy.conflict_policy is ConflictPolicy.ASSERTIVE:
        return _judge_by_source(new, old, similarity=similarity, policy=policy)
    return None


def _is_exchanged(
    new: Side, old: Side, *, alike: float, similarity: float | None, policy: Policy
) -> bool:
    """The same sentence with one part exchanged, and wording that says so."""
    mine, theirs = new.words, old.words
    explicit = mine.mood.correction or mine.mood.change
    return (
        bool(explicit)
        and not mine.mood.coexist
        and not mine.mood.temporary
        and (mine.negative == theirs.negative or bool(mine.mood.correction))
        and (mine.attribute == theirs.attribute or "" in (mine.attribute, theirs.attribute))
        and theirs.act not in ("taste", "have")
        and similarity is not None
        and similarity >= _NEAR
        and alike >= (0.25 if similarity >= policy.similarity_update else 0.5)
        and comparing.exchanges(mine, theirs)
    )


def judge_denied(new: Side, old: Side) -> Routing | None:
    """ "43, not 34": what is named as wrong is what the old statement says."""
    denied = new.words.denied
    if not denied:
        return None
    wrong = content_words(denied) & old.words.words
    if not wrong and not agree(read_quantities(denied.lower()), old.words.quantities):
        return None
    if not wrong and not old.words.quantities:
        return None
    return replace_old(
        old, cue=new.words.mood.correction, single=new.single, reason=Reason.CORRECTED
    )


def _similar(alike: float, similarity: float | None, least: float) -> bool:
    return alike >= least and (similarity is None or similarity >= 0.5)


def _two_attributes(new: Side, old: Side) -> bool:
    mine, theirs = new.words.attribute, old.words.attribute
    return mine != theirs and "" not in (mine, theirs)


def _judge_by_source(
    new: Side, old: Side, *, similarity: float | None, policy: Policy
) -> Routing | None:
    """S0's own lines (requirement 40): near enough, a negation ends and all else refines."""
    mine, theirs = new.words, old.words
    if similarity is None or old.guarded or mine.mood.coexist:
        return None
    if mine.negative != theirs.negative:
        return (
            retire_same(new, old, policy=policy) if similarity >= policy.similarity_flip else None
        )
    if similarity >= policy.similarity_update:
        return replace_old(old, cue="", single=new.single, relation=Relation.REFINEMENT)
    return None


def never_did(new: Side, old: Side) -> bool:
    """ "I have never written Flask routes", and then one was written (or the reverse)."""
    for denied, told in ((old, new), (new, old)):
        if (
            _NEVER.search(denied.words.said)
            and denied.words.negative
            and not told.words.negative
            and _DONE.search(told.words.said)
            and comparing.shares_substance(new.words, old.words)
            and _named_in_common(new, old)
        ):
            return True
    return False


def _named_in_common(new: Side, old: Side) -> bool:
    """The matter itself is shared: a name, a thing, or most of the shorter statement."""
    shared = new.words.words & old.words.words
    least = min(len(new.words.words), len(old.words.words))
    return len(shared) >= max(2, least / 2) or any(
        word.isascii() and len(word) > 2 for word in shared
    )


def retire_same(
    new: Side, old: Side, *, policy: Policy, cue: re.Match[str] | None = None
) -> Routing:
    """The same proposition, flipped or ended: DELETE where the words are plain enough."""
    mine = new.words
    ended = cue.group() if cue else comparing.end_cue(new, old)
    said = ended or CueKind.POLARITY.value
    if mine.mood.is_passing() and not ended:
        return beside(CueKind.TEMPORARY)
    # An end is explicit wording; a flip is not, so `ask` and guarded topics ask about it. So does
    # a flip in other words, which may deny something else in the same breath.
    settled = bool(ended) or (
        policy.conflict_policy is not ConflictPolicy.ASK and not old.guarded and _is_plain(new, old)
    )
    if mine.mood.hedged and not (old.row and old.row.status is Status.CONFLICT):
        # Half a doubt takes nothing away: the old fact stands while the owner is asked.
        return hold_new(old, relation=Relation.CONTRADICTION, cue=said, single=new.single)
    if mine.mood.hedged or not settled:
        return ask(old, single=new.single, cue=said)
    return Routing(
        decision=Decision.DELETE,
        relation=Relation.POLARITY,
        reason=Reason.ENDED if ended else Reason.POLARITY,
        target_id=old.row.id if old.row else None,
        cue=said,
        should_forget=True,
        single_valued=new.single,
    )


def _is_plain(new: Side, old: Side) -> bool:
    if new.words.words == old.words.words:
        return True
    return (
        not new.given
        and not old.given
        and share_dimension(new, old)
        and new.words.act == old.words.act != ""
        and comparing.is_about_same(new, old)
    )
