"""Whether a statement casts doubt on a safety fact."""

import re

from memory.domain.conflicts import comparing
from memory.domain.conflicts.reading import Side, share_subject
from memory.domain.dangers import denies_danger, states_danger

_TAKEN = re.compile(
    r"吃|喝|服|用|尝|炒|放点|多放|加点|多加|来一?(?:份|点|碗|个)|点了|没事|没反应|没问题|没关系|可以|不过敏|好了|治愈|痊愈|脱敏|耐受|误诊|不再|已经能"
    r"|\b(?:drinks?|drank|eat|eats|ate|eaten|eating|took|takes?|taken|had|order(?:ed)?|cook(?:ed)?|extra|tolerated?s?|fine|safe|ok|okay|no reaction|outgrew|outgrown|cured"
    r"|without (?:a |any )?(?:reaction|problem|issue)s?|can have|negative|not allergic|no longer|isn't|tested|enjoy|love|snack|bother|anymore)\b"
)


_AVOIDED = re.compile(
    r"(?:不能|不可以|不要|别|避免|禁止|不敢|远离|忌)(?:再)?(?:吃|喝|服|用|碰|接触)?|\b(?:can't|cannot|must not|avoid|avoids|never|don't|doesn't|shouldn't) (?:eat|have|take|give|touch|use|serve)?"
)


_TOLERATED = re.compile(
    r"不(?:再)?(?:会)?过敏|没(?:有)?(?:任何)?(?:过敏)?反应|没事|没问题|没关系|可以|误诊|不再|阴性|脱敏|(?:不用|不必|无需|不需要)(?:再)?(?:忌|避|担心|小心)|好了|痊愈|治愈|治好|康复|消失"
    r"|忘(?:掉|记|了)|删(?:掉|除)|别管|不用管|忽略|当(?:作)?没"
    r"|\b(?:no reaction|not allergic|no longer|without|fine|safe|ok|okay|outgrew|outgrown|cured|negative|cleared up|went away|misdiagnos\w+|isn't allergic|anymore"
    r"|(?:no need|don't (?:need|have)) to (?:avoid|worry)|stop(?:ped)? avoiding|from avoiding|forget|ignore|delete|disregard|remove|drop|scratch|erase|cleared?|back on|no (?:issues?|problems?))\b"
)


_ABOUT_OTHERS = re.compile(r"[他她]|\b(?:he|she|his|her|their|they)\b")


_ALLERGY = re.compile(r"过敏|不耐受?|\ballerg(?!ist|olog)|\bintoleran")


_BACK = re.compile(r"[?？]$|吗$|\bwhether\b|\bif\b|如果|是否|能不能")


def endangers(new: Side, old: Side) -> bool:
    """Whether something casts doubt on a safety fact: what it warns of was eaten or allowed,
    the fact itself denied, ended, or told to be forgotten."""
    row = old.row
    theirs, mine = old.words, new.words
    if row is None or not states_danger(theirs.said) or denies_danger(theirs.said):
        return False
    # What a doctor or a friend says may well be about the owner.
    if not share_subject(new, old) and (not mine.mood.reported or _ABOUT_OTHERS.search(mine.said)):
        return False
    if _BACK.search(mine.said):
        return False
    if theirs.attribute != "allergies" or theirs.negative:
        return _takes_back(new, old)
    about = theirs.dimension.about if theirs.dimension else frozenset()
    if not about & mine.words:
        # "Changed to an allergy to X": whether the known one still holds is not said.
        changed = mine.mood.change or mine.mood.correction
        return mine.attribute == theirs.attribute and not mine.negative and bool(changed)
    if (
        _ALLERGY.search(mine.said)
        and not (mine.negative or mine.mood.ended)
        and not _TOLERATED.search(mine.said)
    ):
        return False
    if _AVOIDED.search(mine.said) and not _TOLERATED.search(mine.said):
        return False
    return (
        _TAKEN.search(mine.said) is not None
        or _TOLERATED.search(mine.said) is not None
        or mine.negative
        or bool(mine.mood.ended)
    )


def _takes_back(new: Side, old: Side) -> bool:
    """A condition, a drug, a ban: named again, and denied, ended, or called harmless."""
    mine, theirs = new.words, old.words
    if not comparing.shares_substance(mine, theirs):
        return False
    if theirs.negative:
        # "不能吃布洛芬": allowed after all.
        return not mine.negative
    return mine.negative or bool(mine.mood.ended) or _TOLERATED.search(mine.said) is not None
