"""Find what a statement speaks about, without a model: everyday dimensions, then the general form."""

import re
import unicodedata
from dataclasses import replace
from functools import lru_cache

from memory.domain.dimensions.general import detect_general
from memory.domain.dimensions.leanings import find_leaning
from memory.domain.dimensions.rules_en import RULES_EN
from memory.domain.dimensions.rules_zh import RULES_ZH, Rule
from memory.domain.dimensions.shapes import Dimension
from memory.domain.dimensions.subjects import OWNER, TEAM, find_subject, slug
from memory.domain.dimensions.tools import family_of, find_tool, has_new_tool
from memory.domain.mood import read_mood
from memory.domain.polarity import content_words
from memory.domain.quantities import read_quantities
from memory.domain.values import Kind

# A longer text is no single fact.
_LONGEST = 400
_RULES = (*RULES_ZH, *RULES_EN)
# Of people, not of teams: "we moved to Berlin" is about the owner.
_TEAMS = frozenset(
    {"team_size", "budget", "deadline", "version", "work_mode", "rent", "working_hours"}
)
# Said of the owner although it begins with the other: "my manager is Alice".
_OF_OWNER = frozenset(
    "partner manager pets doctor dentist lawyer accountant therapist landlord coach".split()
)
# Speak of a date to come without planning anything.
DATED = frozenset({"time", "deadline", "owner", "budget", "version"})
_ASSISTANT = "answers."
_EVENT = r"(?:评审会?|周会|例会|站会|早会|晨会|月会|会议|会面|面试|考试|课程?|航班|约会|聚会|培训|演示|发布会|讲座|手术|体检|复诊|婚礼|年会|家长会|答辩|复盘会?|对齐会|同步会|规划会|会)"
_EVENT_EN = r"(?:meeting|stand-?up|review|interview|class|lesson|appointment|sync|call|flight|exam|retro(?:spective)?|demo|workshop|party|dinner|wedding|session|webinar|training|one-on-one|1:1|check-?in|surgery|presentation|conference)"
_MOVED = r"(?:时间)?(?:现在|已经|已|都|每)?(?:在|是|改到|改成|改为|改在|定在|定于|推迟到|延期到|延后到|提前到|改期到|挪到|移到|调到|调整到|安排在|换到|于|从|为)"
_EVENTS = (
    re.compile(rf"(?P<a>[\u4e00-\u9fffa-z0-9 ]{{0,8}}?{_EVENT})(?:的?时间)?{_MOVED}"),
    re.compile(
        rf"\b(?:the|my|our|a|weekly|daily|this)? ?(?P<a>(?:[\w\-]+ ){{0,3}}?{_EVENT_EN})(?:'s| time)? "
        r"(?:is|was|are|has been|have been|got|moved|starts|takes place|happens|will be|rescheduled|shifted|slipped|pushed|changed|now|on|at)\b"
    ),
)
_OWNED = (
    re.compile(
        r"(?=[^,，。;；]{3,34}?(?:[负管跟维接带主牵处了]|$))(?P<a>[^,，。;；由归]{2,16}?)(?:现在|目前|已经|已|改|改为|都|将)?(?:由|归(?![档还类属纳队零])|(?:移?交|转|交接)给)(?:了)?(?P<v>[^,，。;；]{1,10}?)(?:来)?(?:负责|管|跟进|维护|接手|带|主导|牵头|处理|主持|了|$)"
    ),
    re.compile(
        r"(?P<a>[^,，。;；]{2,16}?)的?负责人(?:现在)?(?:是|为|换成了?|改成了?|变成了?|改为){1,2}(?P<v>[^,，。;；]{1,10})"
    ),
    re.compile(
        r"^(?P<v>[^,，。;；我们]{1,6}?)(?:现在|目前|已经|正在|在)?(?:负责|主管|牵头|接手了?|维护|主导)(?P<a>[^,，。;；]{2,16})"
    ),
    re.compile(
        r"\b(?:the )?(?P<a>[\w\- ]{2,30}?) (?:is|was|has been|are|got)(?: now)? (?:owned|led|handled|managed|maintained|run|assigned to|handed (?:over )?to|reassigned to|taken over)(?: by)? (?P<v>[\w .]{1,24}?)(?=[,;.!?]|$| (?:now|since|from))"
    ),
    re.compile(
        r"^(?P<v>[a-z][\w.\-]{1,20}(?: [a-z][\w.\-]{1,20})?) (?:now )?(?:owns|leads|handles|manages|maintains|runs(?! on| at| in| from| out| for)|is responsible for|is in charge of|took over|is leading|is the owner of|takes care of) (?:the )?(?P<a>[\w\- ]{3,30}?)(?=[,;.!?]|$| (?:now|since|from))"
    ),
    re.compile(
        r"\b(?:owner|lead|assignee|maintainer|point person) (?:of|for) (?:the )?(?P<a>[\w\- ]{2,30}?) (?:is|was|changed to|is now) (?P<v>[\w .]{1,24}?)(?=[,;.!?]|$)"
    ),
)
_TAIL = re.compile(
    r"(?:定居|居住|生活|安家|报到|上班|工作|左右|那边|这边|附近|呢|吧|啊|呀|了|的){1,6}$|^(?:在|是|为|到|了|去|叫|改成|改为)+"
)
_TAIL_EN = re.compile(
    r"(?: (?:now|anymore|instead|currently|these days|again|too|as well|already|yet|actually)){1,6}$|^(?:now|actually|the|a|an) "
)
_AMOUNTS = frozenset(
    "age height weight salary team_size commute_time commute_distance wake_time sleep_time sleep_hours working_hours"
    " children.count deadline version budget rent mortgage birthday".split()
)


def detect(content: str, *, kind: Kind = Kind.SEMANTIC) -> Dimension | None:
    """The dimension a statement speaks about and its value; None where no rule fits.

    What happened once (`episodic`) has no dimension of its own. A plan, a question, hearsay and
    what was true once do not speak of today: they have a many-valued key of their own
    (`user.plans.editor`, `user.past.residence`).
    """
    found = None if kind is Kind.EPISODIC else detect_raw(content)
    if found is None:
        return None
    mood = read_mood(content)
    dated = found.attribute in DATED
    if not mood.is_about_now(dated=dated):
        apart = "reported" if mood.reported else "plans"
    elif mood.is_past():
        apart = "past"
    elif mood.is_passing():
        apart = "lately"
    else:
        return found
    key = f"{found.subject}.{apart}.{found.attribute}"
    return replace(found, key=key, attribute=f"{apart}.{found.attribute}", single_valued=False)


@lru_cache(maxsize=4096)
def detect_raw(content: str) -> Dimension | None:
    """Like `detect`, whatever the mood: what a plan or a question is about."""
    if len(content) > _LONGEST:
        return None
    text = " ".join(unicodedata.normalize("NFKC", content).split())
    said = text.lower()
    if len(said) != len(text):
        text = said
    if has_new_tool(text, said):
        return _find_tool(text, said)
    for rule in _RULES:
        made = _try(rule, text, said)
        if made is not None:
            return made
    return (
        _find_event(text, said)
        or _find_owned(text, said)
        or _find_tool(text, said)
        or detect_general(text)
        or _find_leaning(text, said)
    )


def _try(rule: Rule, text: str, said: str) -> Dimension | None:
    found = rule.pattern.search(said)
    if found is None or (rule.unless is not None and rule.unless.search(said)):
        return None
    quantities = read_quantities(said)
    if rule.attribute in _AMOUNTS and not quantities and not _says_none(said):
        return None
    groups = found.groupdict()
    span = next((found.span(name) for name in groups if name[0] == "v" and groups[name]), None)
    if rule.attribute in _AMOUNTS:
        # The amount nearest after the words that name the dimension.
        after = [q for q in quantities if q.end > found.start()] or list(quantities)
        span = (after[0].start, after[-1].end) if after else found.span()
    if span is None:
        span = found.span()
    value = _trim(text[slice(*span)])
    if not value:
        return None
    attribute = rule.attribute
    if attribute == "favorite":
        thing = next((groups[n] for n in ("a", "a2") if groups.get(n)), "") or ""
        attribute = f"favorite.{slug('_'.join(sorted(content_words(thing))) or thing)}"
    subject = _subject_for(attribute, text, said)
    if subject is None:
        return None
    return Dimension(
        key=f"{subject}.{attribute}"
        if not attribute.startswith(_ASSISTANT)
        else f"user.{attribute}",
        value=value,
        subject=subject,
        attribute=attribute,
        single_valued=rule.single,
        family=attribute.split(".")[0] if attribute.startswith("favorite") is False else attribute,
        act=rule.act,
        about=content_words(value),
    )


def _says_none(said: str) -> bool:
    return re.search(r"没有|没|\bno\b|\bwithout\b|\bcancel", said) is not None


def _trim(value: str) -> str:
    value = value.strip(" 。.,，:：'\"“”「」")
    return _TAIL_EN.sub("", _TAIL.sub("", value)).strip(" 。.,，") or value


def _subject_for(attribute: str, text: str, said: str) -> str | None:
    subject = find_subject(text).name
    if attribute in _OF_OWNER or attribute == "children.count":
        return OWNER
    if attribute in ("deadline", "budget", "version", "rent"):
        # Whose deadline: "the report deadline", "Q2 预算". The owner's and the team's are one.
        return _qualifier(attribute, said) or (
            "project" if attribute in ("deadline", "version") else OWNER
        )
    if subject == TEAM and attribute not in _TEAMS:
        return OWNER
    return subject


_QUALIFIERS = {
    "deadline": re.compile(
        r"(?P<q>[\u4e00-\u9fffa-z0-9]{1,8}?)的?(?:截止|deadline|ddl|交付|上线|发布|交稿|最后期限)|\b(?P<q2>[\w\-]{2,20}) (?:deadline|due date|release date|launch date|is due)|\bdeadline for (?:the )?(?P<q3>[\w\- ]{2,24}?) (?:is|was|moved|slipped|has)"
    ),
    "budget": re.compile(
        r"(?P<q>[\u4e00-\u9fffa-z0-9]{1,8}?)的?预算|\b(?P<q2>[\w\-]{2,20}) budget|\bbudget for (?:the )?(?P<q3>[\w\- ]{2,24}?) (?:is|was|went|has)"
    ),
    "version": re.compile(
        r"\b(?P<q2>[a-z][\w.\-]{1,20})(?: to)?(?: version)? v?\d|(?P<q>[\u4e00-\u9fffa-z0-9.]{2,10}?) ?(?:的)?(?:版本|升级)|upgraded (?P<q3>[\w\- ]{2,20}?) (?:from|to)"
    ),
    "rent": re.compile(r"(?P<q>无)"),
}
_NO_QUALIFIER = frozenset(
    "the my our a an this that new monthly weekly annual yearly total 月 年 每月 我的 我们 我们的 我 新 总 今年 这个月 本月 最终 项目 项目的 现在 实际 now is was"
    " version to on from currently runs project updated final upgraded monthly daily 每个月 个月".split()
)


def _qualifier(attribute: str, said: str) -> str:
    found = _QUALIFIERS[attribute].search(said)
    if found is None:
        return ""
    word = next((w for w in found.groupdict().values() if w), "")
    word = re.sub(r"^(?:我们?的?|用户的?|这个|现在)", "", word.strip())
    return "" if word in _NO_QUALIFIER or not word else slug(word)


def _find_event(text: str, said: str) -> Dimension | None:
    quantities = [q for q in read_quantities(said) if q.kind in ("date", "clock", "weekday", "day")]
    if not quantities:
        return None
    for pattern in _EVENTS:
        found = pattern.search(said)
        if found is None:
            continue
        after = [q for q in quantities if q.start >= found.start()]
        if not after:
            continue
        name = slug("_".join(sorted(content_words(found["a"])))) or slug(found["a"])
        return Dimension(
            key=f"{name}.time",
            value=text[after[0].start : after[-1].end],
            subject=name,
            attribute="time",
            single_valued=True,
            family="time",
        )
    return None


def _find_owned(text: str, said: str) -> Dimension | None:
    for pattern in _OWNED:
        found = pattern.search(said)
        if found is None:
            continue
        who = find_subject(text[found.start("v") : found.end("v")] + " is").name
        name = slug(re.sub(r"^(?:the|our|my|以后|现在|后来) ?|的$", "", found["a"].strip()))
        if not name or name in ("it", "this", "i", "我", "which", "this_is", "he", "she"):
            continue
        return Dimension(
            key=f"{name}.owner",
            value=_trim(text[found.start("v") : found.end("v")]),
            subject=name,
            attribute="owner",
            single_valued=True,
            family="owner",
            about=frozenset({who}),
        )
    return None


def _find_tool(text: str, said: str) -> Dimension | None:
    found = find_tool(text, said)
    if found is None:
        return None
    attribute, thing, single = found
    subject = find_subject(text).name
    return Dimension(
        key=f"{subject}.{attribute}",
        value=_with_more(text, thing.start, thing.end),
        subject=subject,
        attribute=attribute,
        single_valued=single,
        family=family_of(thing),
        act="use",
        about=frozenset({thing.name}),
    )


def _with_more(text: str, start: int, end: int) -> str:
    """A tool's name with its version, "Java 21", as written."""
    more = re.match(r" ?v?\d{1,3}(?:\.\d{1,3}){0,2}", text[end:])
    return text[start : end + (more.end() if more else 0)]


def _find_leaning(text: str, said: str) -> Dimension | None:
    leaning = find_leaning(text, said)
    if leaning is None:
        return None
    subject = find_subject(text).name
    return Dimension(
        key=f"{subject}.{leaning.attribute}",
        value=_trim(leaning.value),
        subject=subject,
        attribute=leaning.attribute,
        single_valued=leaning.single,
        family=leaning.attribute,
        act=leaning.act,
        about=leaning.about,
        compared=leaning.compared,
    )
