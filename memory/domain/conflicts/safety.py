"""Whether a statement casts doubt on a safety fact."""

import re

from memory.domain.conflicts.reading import Side, share_subject

_TAKEN = re.compile(
    r"吃|喝|服|用|没事|没反应|没问题|可以|不过敏|好了|治愈|痊愈|脱敏|耐受|误诊|不再|已经能"
    r"|\b(?:drinks?|drank|eat|eats|ate|eaten|took|takes?|taken|had|tolerated?s?|fine|safe|ok|okay|no reaction|outgrew|outgrown|cured|without (?:a |any )?(?:reaction|problem|issue)s?"
    r"|can have|negative|not allergic|no longer|isn't|tested|enjoy|love|snack)\b"
)


_AVOIDED = re.compile(
    r"(?:不能|不可以|不要|别|避免|禁止|不敢|远离|忌)(?:再)?(?:吃|喝|服|用|碰|接触)?|\b(?:can't|cannot|must not|avoid|avoids|never|don't|doesn't|shouldn't) (?:eat|have|take|give|touch|use|serve)?"
)


_TOLERATED = re.compile(
    r"不(?:再)?过敏|没(?:有)?(?:任何)?(?:过敏)?反应|没事|没问题|可以|误诊|不再|\b(?:no reaction|not allergic|no longer|without|fine|outgrew|isn't allergic|anymore)\b"
)


_ABOUT_OTHERS = re.compile(r"[他她]|\b(?:he|she|his|her|their|they)\b")


_ALLERGY = re.compile(r"过敏|\ballerg|\bintoleran")


_BACK = re.compile(r"[?？]$|吗$|\bwhether\b|\bif\b|如果|是否|能不能")


def endangers(new: Side, old: Side) -> bool:
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
