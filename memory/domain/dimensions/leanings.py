"""What somebody likes, prefers, does as a habit, plays, speaks or has."""

import re
from dataclasses import dataclass

from memory.domain.dimensions.subjects import slug
from memory.domain.polarity import DISLIKE, LIKE, NEGATION, content_words, is_negative
from memory.domain.stemming import stem
from memory.domain.things import find_things


@dataclass(frozen=True, slots=True)
class Leaning:
    attribute: str
    value: str
    single: bool
    act: str
    about: frozenset[str]
    compared: bool = False


_E = r"(?=[,;.!?\n]|$| (?:these days|now|nowadays|lately|anymore|at all|because|since|when|in the morning|so much|a lot|very much|the most)\b)"
_COMPARED = (
    re.compile(
        rf"\b(?:prefers?|likes?|loves?|enjoys?|picks?|chooses?|favou?rs?|rather have)(?: the)? (?P<a>[\w \-+#]{{1,30}}?) (?:over|to|rather than|more than|better than|instead of) (?:the )?(?P<b>[\w \-+#]{{1,30}}?){_E}"
    ),
    re.compile(
        r"(?:比起|相比|与其|跟|和)(?=.{1,26}?[更还不宁])(?P<b>[^,，。;；更]{1,16}?)(?:相比)?(?:[,，]| )?(?:我|他|她)?(?:现在|如今|最近)?(?:更|还是|不如|宁愿|宁可)(?:喜欢|爱|偏好|倾向于?|想|愿意)?(?P<a>[^,，。;；]{1,16})"
    ),
    re.compile(
        r"(?:更|宁愿|宁可)?(?:喜欢|爱|偏好|选)(?P<a>[^,，。;；]{1,16}?)(?:胜过|多过|多于|而不是|而非|[,，]?也?不(?:喜欢|爱|要|选))(?P<b>[^,，。;；]{1,16})"
    ),
)
_PREFER = re.compile(
    rf"\bprefers? (?:to )?(?P<v>[^,;.!?\n]{{1,40}}?){_E}"
    r"|(?:偏好|偏爱|更喜欢|更爱|更偏向|倾向于?|更倾向于?|更习惯)(?:用|于|在)?(?P<v2>[^,，。;；!?]{1,20})"
)
_LIKED = re.compile(
    rf"(?:喜欢|喜爱|热爱|最爱|钟爱|酷爱|爱(?=[吃喝看听玩打])|讨厌|厌恶|反感|受不了|嫌弃|迷上了?)(?P<v>[^,，。;；!?]{{1,24}})"
    rf"|\b(?:likes?|loves?|enjoys?|adores?|hates?|dislikes?|loathes?|detests?|can't stand|cannot stand|can't bear|despises?|fan of|fond of|into|keen on|crazy about|sick of|tired of)(?: eating| drinking| having)? (?:the |a |an )?(?P<v2>[^,;.!?\n]{{1,40}}?){_E}"
)
_PRAISED = re.compile(
    r"^(?P<v>[^,，。;；]{1,20}?)(?:我|他|她)?(?:真的?|很|非常|特别|挺|太|超|最|都|也|还|一点都|完全)*(?:不喜欢|不爱|喜欢|爱吃|爱喝|讨厌|不错|好吃|好喝|难吃|难喝|棒|一绝)"
)
_TASTE = re.compile(
    r"(?:(?:一点|什么|完全|根本)(?P<v>[^,，。;；]{1,8}?)(?:都|也)?(?:吃不了|喝不了|受不了|不能吃|不能喝|吃不下|碰不得|不碰))|(?P<v3>[^,，。;；现在]{1,8}?)(?:都|也)?(?:吃不了|喝不了|吃不下)"
    rf"|\b(?:can't|cannot|can no longer|doesn't|don't|won't) (?:eat|drink|handle|stomach|touch|tolerate)(?: any)? (?P<v2>[^,;.!?\n]{{1,30}}?){_E}"
)
_OFTEN = re.compile(
    r"每(?:天|晚|周|早|日|个?月|次|年|逢)|天天|(?:没有|没)一?[天日次]不|没有哪天不|一天不落|雷打不动|周末|经常|平时|通常|一般|总是|习惯|坚持|定期|常常|不离手|周[一二三四五六日](?=.{0,2}[去跑练打游做])"
    r"|\bevery (?:\w+ )?(?:day|morning|evening|night|week|weekend|month|year|weekday|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b"
    r"|\bdaily\b|\bweekly\b|\balways\b|\busually\b|\boften\b|\b(?:once|twice|three times) a (?:day|week|month)\b|\bregularly\b|\bisn't a day\b|\bnot a day\b|\bnever (?:skips?|miss(?:es)?)\b|\bmost (?:days|mornings|nights)\b|\bevery other day\b"
)
# "Not a day without": said of a habit, not of a dislike.
_EVERY_DAY = re.compile(r"没有?(?:一|哪)天不|\b(?:isn't|not|never|hardly) a (?:single )?day\b")
_DO = re.compile(
    r"喝|吃|跑|游|练|抽|打|玩|看|读|写|做|冥想|健身|散步|遛|骑|爬|学|背|喝酒|吸"
    r"|\b(?:drinks?|eats?|runs?|running|swims?|does|do|plays?|reads?|writes?|smokes?|watch(?:es)?|walks?|practices?|meditates?|goes|go|works? out|exercises?|jogs?|hikes?|cooks?|takes?|has|have|journals?|stretch(?:es)?|cycles?|bikes?|skips?|miss(?:es)?)\b"
)
_HABIT_END = re.compile(
    r"戒掉?了?(?P<v>[^,，。;；了掉]{1,10})(?:了|掉)?|(?P<v3>[^,，。;；]{1,8}?)(?:戒了|戒掉了?|停了|不喝了|不吃了|不抽了)"
    r"|\b(?:quit|stopped|gave up|given up|giving up|swore off|sworn off|cut out)(?: drinking| eating| smoking| taking| having| using| playing| doing| going)? (?:the |my )?(?P<v2>[^,;.!?\n]{1,30}?)(?=[,;.!?\n]|$| (?:completely|entirely|altogether|last|this|in|for|since|because|and|two|three|a)\b)"
    r"|\b(?:quit|stopped|gave up) (?P<v4>smoking|drinking|running|swimming|gaming|jogging)"
)
_PLAYS = re.compile(
    r"弹|拉(?!肚|黑)|吹|敲|学|会|玩|\b(?:plays?|playing|played|learning|practices?|practicing)\b"
)
_SPEAKS = re.compile(
    r"会(?:说|讲)|说|讲|会|母语|流利|\b(?:speaks?|speaking|fluent|fluently|native|knows?|learning)\b"
)
_NATIVE = re.compile(r"母语|\bnative (?:language|speaker)|\bmother tongue\b")
_HAS = re.compile(
    r"(?:有|买了?|拥有|入手了?)(?:一|两|三|几)?(?:辆|台|套|个|把|只|部|架|张|份)(?P<v>[^,，。;；]{1,16})"
    r"|\b(?:has|have|owns?|bought|got) (?:an?|two|three|\d) (?P<v2>[\w\- ]{2,24}?)(?=[,;.!?\n]|$)"
)


def find_leaning(text: str, said: str) -> Leaning | None:
    """The first of: a comparison, a preference, a taste, a skill, a habit, a possession."""
    for pattern in _COMPARED:
        found = pattern.search(said)
        if found:
            a, b = content_words(found["a"]), content_words(found["b"])
            if a and b and a != b:
                names = sorted(slug("_".join(sorted(words))) for words in (a, b))
                return Leaning(
                    f"preference.{'_vs_'.join(names)}",
                    _cut(text, found, "a"),
                    True,
                    "prefer",
                    a,
                    True,
                )
    found = _PREFER.search(said)
    if found:
        value = _cut(text, found, "v", "v2")
        head = _head(value)
        if head:
            return Leaning(f"preference.{head}", value, True, "prefer", content_words(value))
    if _EVERY_DAY.search(said):
        habit = _find_habit(text, said)
        if habit is not None:
            return habit
    return (
        _find_ended_habit(text, said)
        or _find_skill(text, said)
        or _find_taste(text, said)
        or (_find_habit(text, said) or _find_possession(text, said))
    )


def _cut(text: str, found: re.Match[str], *names: str) -> str:
    for name in names:
        if found[name]:
            start, end = found.span(name)
            return text[start:end].strip().strip("的了吧呢啊。. ")
    return ""


_NO_GERUNDS = frozenset({"morning", "evening", "spring", "string", "king", "wedding"})


def _head(value: str) -> str:
    """What two preferences are alternatives of: dark mode and light mode are modes."""
    things = find_things(value)
    if things and len(things) == 1 and things[0].end - things[0].start >= len(value) - 1:
        return things[0].kind
    if "的" in value:
        return slug(value.rpartition("的")[2])
    if value.isascii():
        words = value.lower().split()
        if not words:
            return ""
        if words[0].endswith("ing") and words[0] not in _NO_GERUNDS:
            return stem(words[0])
        return stem(words[-1])
    return slug(value[-1]) if len(value) > 2 else slug(value)


def _find_taste(text: str, said: str) -> Leaning | None:
    found = _TASTE.search(said)
    value = _cut(text, found, "v", "v3", "v2") if found else ""
    if not value:
        found = _LIKED.search(said) or _PRAISED.search(said)
        value = (
            _cut(text, found, *[n for n in ("v", "v2") if n in found.groupdict()]) if found else ""
        )
    words = content_words(value) if value else frozenset()
    if not words:
        return None
    shown = value if not is_negative(said) else _shown_negative(text)
    return Leaning("tastes", shown, False, "taste", words)


def _shown_negative(text: str) -> str:
    found = (
        DISLIKE.search(text.lower()) or NEGATION.search(text.lower()) or LIKE.search(text.lower())
    )
    return text[found.start() :].strip("。. ") if found else text


def _find_skill(text: str, said: str) -> Leaning | None:
    things = find_things(text)
    instruments = [thing for thing in things if thing.kind == "instrument"]
    if instruments and _PLAYS.search(said):
        thing = instruments[0]
        return Leaning(
            "instruments", text[thing.start : thing.end], False, "use", frozenset({thing.name})
        )
    spoken = [thing for thing in things if thing.kind == "spoken"]
    if spoken and _SPEAKS.search(said):
        thing = spoken[0]
        if _NATIVE.search(said):
            return Leaning(
                "language.native", text[thing.start : thing.end], True, "", frozenset({thing.name})
            )
        return Leaning(
            "languages", text[thing.start : thing.end], False, "use", frozenset({thing.name})
        )
    return None


def _find_ended_habit(text: str, said: str) -> Leaning | None:
    found = _HABIT_END.search(said)
    value = _cut(text, found, "v", "v3", "v2", "v4") if found else ""
    words = content_words(value) if value else frozenset()
    return Leaning("habits", value, False, "habit", words) if words else None


_WHEN = re.compile(
    r"每(?:天|晚|周|早|日|个?月|次|年|逢)?|天天|早上|晚上|中午|下午|睡前|饭后|周末|平时|通常|一般|习惯|坚持|定期|没有?一?天|哪天|雷打不动|早晨|上午"
    r"|\b(?:every|daily|weekly|morning|evening|night|day|week|weekend|weekdays?|month|year|always|usually|often|regularly|there|isn't|don't|once|twice|before|after|bed|breakfast|most|days|mornings|nights)\b"
)


def _find_habit(text: str, said: str) -> Leaning | None:
    if not _OFTEN.search(said) or not _DO.search(said):
        return None
    words = content_words(_WHEN.sub(" ", said))
    return Leaning("habits", text.strip("。. "), False, "habit", words) if words else None


def _find_possession(text: str, said: str) -> Leaning | None:
    found = _HAS.search(said)
    value = _cut(text, found, "v", "v2") if found else ""
    words = content_words(value) if value else frozenset()
    return Leaning("possessions", value, False, "have", words) if words else None
