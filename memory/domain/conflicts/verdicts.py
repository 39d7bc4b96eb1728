"""The verdict about one pair: what a new statement does to one old one."""

import re

from memory.domain.conflicts import comparing
from memory.domain.conflicts.reading import Side, share_dimension, share_subject
from memory.domain.conflicts.shapes import CueKind, Routing
from memory.domain.policy import Policy
from memory.domain.polarity import content_words
from memory.domain.quantities import agree, differ, read_quantities
from memory.domain.values import ConflictPolicy, Decision, Reason, Relation

_NEAR = 0.5
# What an end is the end of, where the words name no value: "I resigned".
_ENDS_OF: dict[str, re.Pattern[str]] = {
    "employer": re.compile(r"离职|辞职|辞掉|辞了|被裁|失业|\b(?:quit|left|lost) (?:my|the|his|her) job\b|\bresigned\b|\blaid off\b|\bgot fired\b|\bwas fired\b|\bunemployed\b|\bleft the company\b|退休|\bretired\b"),
    "job": re.compile(r"辞去|卸任|不当.{1,8}了|退休|\bretired\b|\bstepped down\b|离职|辞职|\bquit (?:my|the) job\b|\bresigned\b"),
    "partner": re.compile(r"分手|离婚|\bbroke up\b|\bsplit up\b|\bdivorced\b"),
    "marital_status": re.compile(r"离婚|分手|\bdivorced\b|\bbroke up\b|\bcalled off\b"),
    "pets": re.compile(r"没有?(?:养)?宠物|不养了|\bno (?:more )?pets\b|\bno longer (?:has|have) (?:a|any) pets?\b"),
    "vehicle": re.compile(r"(?:卖|报废|没)(?:了|掉了?)?.{0,4}车|车.{0,3}卖|\bsold (?:my|the|his|her) car\b|\bno (?:car|longer own)\b"),
    "school": re.compile(r"毕业|退学|休学|\bgraduated\b|\bdropped out\b"),
    "medications": re.compile(r"停药|不(?:用|再)吃药|\boff (?:the |my )?(?:meds|medication)\b"),
}
_WISHED = re.compile(r"想|喜欢|爱|\b(?:want|like|enjoy|care)\b")
_NEVER = re.compile(r"从没|从未|从来没|没(?:有)?.{0,8}过|\bnever\b|\bno experience\b|\bhaven't ever\b")
_DONE = re.compile(
    r"(?<!没)(?<!没有)(?:写|做|去|用|学|吃|看|玩|试|参加|实现|完成|部署|搭|开发|上线|教|讲|拿)(?:了|过|好)|(?:刚|已经|上周|昨天|去年|上个月)"
    r"|\b\w{2,12}ed\b|\b(?:wrote|built|made|went|did|took|gave|ran|taught|set up|got|ate|saw|flew|swam|drove)\b"
)
_TAKEN = re.compile(
    r"吃|喝|服|用|没事|没反应|没问题|可以|不过敏|好了|治愈|痊愈|脱敏|耐受|误诊|不再|已经能"
    r"|\b(?:drinks?|drank|eat|eats|ate|eaten|took|takes?|taken|had|tolerated?s?|fine|safe|ok|okay|no reaction|outgrew|outgrown|cured|without (?:a |any )?(?:reaction|problem|issue)s?"
    r"|can have|negative|not allergic|no longer|isn't|tested|enjoy|love|snack)\b"
)
_AVOIDED = re.compile(r"(?:不能|不可以|不要|别|避免|禁止|不敢|远离|忌)(?:再)?(?:吃|喝|服|用|碰|接触)?|\b(?:can't|cannot|must not|avoid|avoids|never|don't|doesn't|shouldn't) (?:eat|have|take|give|touch|use|serve)?")
_TOLERATED = re.compile(r"不(?:再)?过敏|没(?:有)?(?:任何)?(?:过敏)?反应|没事|没问题|可以|误诊|不再|\b(?:no reaction|not allergic|no longer|without|fine|outgrew|isn't allergic|anymore)\b")
_ABOUT_OTHERS = re.compile(r"[他她]|\b(?:he|she|his|her|their|they)\b")
# Not to know is no fact about the matter.
_UNKNOWING = re.compile(r"不知道|不清楚|不认识|不确定|不了解|\b(?:don't|doesn't|didn't) know\b|\bno idea\b|\bnot sure\b")
_ALLERGY = re.compile(r"过敏|\ballerg|\bintoleran")
_BACK = re.compile(r"[?？]$|吗$|\bwhether\b|\bif\b|如果|是否|能不能")


def judge(
    new: Side, old: Side, *, similarity: float | None, alone: bool, policy: Policy
) -> Routing | None:
    """What the new statement does to the old one; None: nothing.

    `alone`: no other known statement is of the same family, so a change without a name for what
    it replaces can only mean this one.
    """
    mine, theirs = new.words, old.words
    slot = share_dimension(new, old)
    if _endangers(new, old):
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
    return _judge_apart(new, old, similarity=similarity, policy=policy)


def _judge_slot(new: Side, old: Side, *, policy: Policy) -> Routing | None:
    """Both speak about one dimension."""
    mine = new.words
    corrected = _judge_denied(new, old)
    if corrected is not None:
        return corrected
    if comparing.is_about_same(new, old):
        if comparing.flips(new, old) or comparing.ends(new, old):
            if mine.mood.is_passing() and not mine.mood.ended:
                return beside(CueKind.TEMPORARY)
            return _retire_same(new, old, policy=policy)
        if _adds_detail(new, old) or (new.single and old.single and comparing.adds_to(new, old)):
            return _update(old, new, relation=Relation.REFINEMENT, policy=policy)
        if differ(mine.quantities, old.words.quantities) and not mine.mood.coexist:
            explicit = mine.mood.change or mine.mood.now or mine.mood.correction
            return _replace(old, cue=explicit, single=new.single) if explicit else _ask(
                old, single=new.single
            )
        return beside(CueKind.COEXIST) if mine.mood.coexist else None
    if (not new.value or not new.given) and comparing.ends(new, old) and not _names_new(new, old):
        return _retire_same(new, old, policy=policy)
    if not (new.single and old.single):
        if _adds_detail(new, old):
            return _update(old, new, relation=Relation.REFINEMENT, policy=policy)
        return _judge_denied(new, old)
    return _settle_other_value(new, old, policy=policy)


def _names_new(new: Side, old: Side) -> bool:
    """Whether the statement that ends the old value names another in its place."""
    return bool(new.value) and not comparing.mentions(new.value, old.value or "\0") and bool(
        new.words.mood.change or new.words.mood.now
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
            return _replace(old, cue=mine.mood.change, single=new.single)
        return None
    if left or slot or mine.mood.coexist:
        return None
    mine_family = mine.dimension.family if mine.dimension else ""
    theirs_family = theirs.dimension.family if theirs.dimension else "-"
    if mine_family == theirs_family and theirs.act == "use" and (old.single or alone):
        return _replace(old, cue=mine.mood.change, single=new.single)
    return None


def _judge_apart(
    new: Side, old: Side, *, similarity: float | None, policy: Policy
) -> Routing | None:
    """No dimension in common: only plain words about the same matter count."""
    mine, theirs = new.words, old.words
    ended = comparing.ends(new, old)
    if ended and (theirs.act != "taste" or (mine.negative and _WISHED.search(mine.said))):
        replaced = mine.dimension and theirs.dimension and (
            mine.dimension.family == theirs.dimension.family and theirs.act == "use"
        )
        if replaced:
            return _replace(old, cue=mine.mood.ended, single=new.single)
        return _retire_same(new, old, policy=policy)
    pattern = _ENDS_OF.get(theirs.attribute)
    if pattern is not None and pattern.search(mine.said) and not theirs.negative:
        return _retire_same(new, old, policy=policy, cue=pattern.search(mine.said))
    corrected = _judge_denied(new, old)
    if corrected is not None:
        return corrected
    if _never_did(new, old):
        return _ask(old, single=new.single)
    return _judge_proposition(new, old, similarity=similarity, policy=policy)


def _judge_proposition(
    new: Side, old: Side, *, similarity: float | None, policy: Policy
) -> Routing | None:
    """The same statement in all but its polarity or its amount."""
    mine, theirs = new.words, old.words
    if not comparing.shares_substance(mine, theirs):
        return None
    shared, union = mine.words & theirs.words, mine.words | theirs.words
    alike = max(len(shared) / len(union), 0.8 * len(shared) / min(len(mine.words), len(theirs.words)))
    if mine.act != theirs.act and "" not in (mine.act, theirs.act):
        return None
    if mine.negative != theirs.negative and mine.words == theirs.words:
        if _UNKNOWING.search(mine.said) or _UNKNOWING.search(theirs.said):
            return None
        return _retire_same(new, old, policy=policy)
    if differ(mine.quantities, theirs.quantities) and _similar(alike, similarity, 0.34):
        explicit = mine.mood.change or mine.mood.now or mine.mood.correction
        if (mine.mood.coexist and not mine.mood.now) or _two_attributes(new, old):
            return None
        return _replace(old, cue=explicit, single=new.single) if explicit else _ask(
            old, single=new.single
        )
    if _is_exchanged(new, old, alike=alike, similarity=similarity, policy=policy):
        explicit = mine.mood.change or mine.mood.correction
        reason = Reason.CORRECTED if mine.mood.correction else Reason.REPLACED
        return _replace(old, cue=explicit, single=new.single, reason=reason)
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
        and alike >= (0.25 if similarity >= policy.similarity_update else 0.4)
        and comparing.exchanges(mine, theirs)
    )


def _judge_denied(new: Side, old: Side) -> Routing | None:
    """ "43, not 34": what is named as wrong is what the old statement says."""
    denied = new.words.denied
    if not denied:
        return None
    wrong = content_words(denied) & old.words.words
    if not wrong and not agree(read_quantities(denied.lower()), old.words.quantities):
        return None
    if not wrong and not old.words.quantities:
        return None
    return _replace(
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
        return _retire_same(new, old, policy=policy) if similarity >= policy.similarity_flip else None
    if similarity >= policy.similarity_update:
        return _replace(old, cue="", single=new.single, relation=Relation.REFINEMENT)
    return None


def _decide(new: Side, old: Side) -> Routing:
    return _replace(old, cue=new.words.mood.decided, single=new.single)


def _never_did(new: Side, old: Side) -> bool:
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
    return len(shared) >= max(2, least / 2) or any(word.isascii() and len(word) > 2 for word in shared)


def _endangers(new: Side, old: Side) -> bool:
    """Whether something casts doubt on a safety fact: what it warns of was eaten or allowed."""
    row = old.row
    theirs, mine = old.words, new.words
    if row is None or theirs.attribute != "allergies" or theirs.negative:
        return False
    about = theirs.dimension.about if theirs.dimension else frozenset()
    # What a doctor or a friend says may well be about the owner.
    if not share_subject(new, old) and (not mine.mood.reported or _ABOUT_OTHERS.search(mine.said)):
        return False
    if not about & mine.words or _BACK.search(mine.said):
        return False
    if (
        _ALLERGY.search(mine.said)
        and not (mine.negative or mine.mood.ended)
        and not _TOLERATED.search(mine.said)
    ):
        return False
    if _AVOIDED.search(mine.said) and not _TOLERATED.search(mine.said):
        return False
    return _TAKEN.search(mine.said) is not None or mine.negative or bool(mine.mood.ended)


def _retire_same(
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
    if mine.mood.hedged or not settled:
        return _ask(old, single=new.single, cue=said)
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
    explicit = mood.change or mood.correction or ended or compared or mood.now
    if not explicit:
        if mood.coexist:
            return beside(CueKind.COEXIST)
        if mood.temporary:
            return beside(CueKind.TEMPORARY)
    elif explicit == mood.now and mood.coexist:
        return beside(CueKind.COEXIST)
    if mine.negative and not old.words.negative and not explicit and not comparing.refines(new, old):
        # "Not in Berlin": denies a value, names none. Only the owner knows what is meant.
        return _ask(old, single=True) if not new.given else _unworded(new, old, policy=policy)
    if not explicit:
        return _unworded(new, old, policy=policy)
    refined = comparing.refines(new, old) and not (mood.change or mood.correction)
    return _replace(
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
        return _update(
            old,
            new,
            relation=Relation.REFINEMENT if refined else Relation.REPLACEMENT,
            policy=policy,
            cue=CueKind.VALIDITY.value if dated and not refined else "",
        )
    return _ask(old, single=True)


_SINCE = re.compile(
    r"从.{1,12}(?:起|开始)|自.{1,12}(?:起|以来)|(?:月|年|号|日|周|天)起|\bsince (?:\w+ )?(?:\d|january|february|march|april|may|june|july|august|september|october|november|december|last|monday)"
    r"|\bas of \w+|\beffective \w+|\bstarting (?:\w+ )?(?:\d|january|february|march|april|may|june|july|august|september|october|november|december|monday|next)"
)


def has_own_date(new: Side, old: Side) -> bool:
    """A date of validity later than the old one: given by the caller, or named in the words."""
    if new.words.mood.ended:
        return False
    return new.dated_later(old) or _SINCE.search(new.words.said) is not None


def _update(
    old: Side, new: Side, *, relation: Relation, policy: Policy, cue: str = ""
) -> Routing:
    """UPDATE without explicit wording, where the policy and the topic allow it."""
    # The old words whole and more beside them take nothing away from a guarded topic.
    spared = old.guarded and not (
        relation is Relation.REFINEMENT and old.words.words <= new.words.words
    )
    if policy.conflict_policy is ConflictPolicy.ASK or spared:
        return _ask(old, single=new.single)
    return _replace(old, cue=cue, single=new.single, relation=relation)


def _replace(
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


def _ask(old: Side, *, single: bool, cue: str = "") -> Routing:
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

