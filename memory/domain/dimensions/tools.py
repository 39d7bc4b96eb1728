"""What somebody works with: languages, databases, editors, clouds. And what replaces what."""

import re
from dataclasses import dataclass
from functools import lru_cache

from memory.domain.things import Thing, find_things

# Class of thing -> attribute, and whether one uses one at a time.
TOOLS: dict[str, tuple[str, bool]] = {
    "language": ("programming.languages", False),
    "frontend": ("frontend", True),
    "framework": ("frameworks", False),
    "database": ("database", True),
    "cloud": ("cloud", True),
    "editor": ("editor", True),
    "notes": ("notes", True),
    "chat": ("chat", True),
    "browser": ("browser", True),
    "system": ("os", True),
    "tracker": ("tracker", True),
    "ci": ("ci", True),
    "container": ("containers", True),
    "broker": ("queue", True),
    "phone_model": ("phone_model", True),
    "computer": ("computer", True),
}
# Classes whose values take each other's place.
_FAMILIES = {"system": "computer", "frontend": "framework"}
_USE = re.compile(
    r"用(?!户|力|心|餐|完)|使用|采用|写(?!信|了?封)|跑在|基于|部署在|托管在|搭在|主力|开发语言|技术栈|数据库|编辑器|浏览器|操作系统|系统|前端|后端|电脑|手机|笔记本|装了?|存在|存到|工具|会(?=[a-z ])"
    r"|\b(?:us(?:e|es|ed|ing)|writes?|writing|cod(?:e|es|ing) in|programs? in|program(?:ming)? in|runs?|running on|(?:takes?|keeps?|taking|keeping) (?:my |all )?notes|notes? (?:are |is )?in|built (?:with|on|in)"
    r"|hosted on|hosts? (?:\w+ )?on|deploy(?:s|ed)? (?:\w+ )?(?:on|to)|stack|works? (?:in|with)|knows?|language|database|editor|ide|browser|os|laptop|phone"
    r"|backend|frontend|store[sd]? (?:\w+ )?in|develops? (?:in|with))\b"
)
_MAIN = re.compile(
    r"主力|主要(?:用|写|语言|编程|使用|开发)|首选|(?:编程|开发)语言(?:是|为|改|换)|日常(?:用|写)"
    r"|\b(?:main|primary|go-to|daily|default|first|preferred) (?:programming |coding )?(?:language|lang)\b|\b(?:mainly|mostly|primarily) (?:uses?|writes?|codes?|programs?)"
)
_ROLES = {
    "backend": re.compile(r"后端|服务端|服务器端|\bback-?end\b|\bserver[- ]side\b|\bapi layer\b"),
    "frontend": re.compile(r"前端|\bfront-?end\b|\bclient[- ]side\b"),
    "mobile": re.compile(r"移动端|客户端|\bmobile(?: app)?\b"),
    "scripts": re.compile(r"脚本|\bscripts?\b"),
    "data": re.compile(r"数据分析|数据科学|\bdata (?:science|analysis|work)\b"),
    "cache": re.compile(r"缓存|\bcach(?:e|ing)\b"),
    "test": re.compile(r"测试环境|\btest(?:ing)? environment\b|\bstaging\b"),
    "work": re.compile(r"公司电脑|工作电脑|\bat work\b|\bwork laptop\b"),
    "home": re.compile(r"家里(?:用|的电脑)|\bat home\b"),
}
# Verbs that put one thing in the place of another. Between them stands what is left behind.
_SHIFT_ZH = re.compile(
    r"^(?P<old2>[^,，。;；从由把将]{1,12}?)(?:已经|已|都|全部|全)*(?:换成|改成|换为|替换成|切换到|切到)(?:了)?(?P<new2>[^,，。;；]{1,24})"
    r"|"
    r"(?:从|由|把|将|不用|放弃|弃用|告别)(?=[^,，。;；]{1,34}?[转迁换改切替升搬跳调重移投])(?P<old>[^,，。;；]{1,24}?)(?:全面|全部|完全|彻底|正式|慢慢|逐步|逐渐|陆续|已经|已|都){0,2}"
    r"(?:转向|转到|转为|转成|转投|迁移到|迁移至|迁到|迁至|迁往|换成|换到|换为|改成|改用|改为|切换到|切换成|切到|切成|替换成|替换为|升级到|搬到|搬去|跳槽到|跳到|调到|重写成|移植到|投奔)(?:了)?(?P<new>[^,，。;；]{1,24})"
)
_SHIFT_EN = re.compile(
    r"\b(?:switch(?:ed|ing)?|mov(?:ed|ing)|migrat(?:ed|ing)|chang(?:ed|ing)|transition(?:ed|ing)|convert(?:ed|ing)|went|ported|relocated|transferred)"
    r"(?: [\w']+){0,4}? from (?P<old>[^,;.]{1,40}?) (?:over )?to (?P<new>[^,;.]{1,40})"
    r"|\b(?:replac(?:ed|ing)|swapp(?:ed|ing)|trad(?:ed|ing)|ditch(?:ed|ing)|dropp(?:ed|ing)|left|abandoned) (?P<old2>[^,;.]{1,40}?) (?:with|for|in favor of|in favour of) (?P<new2>[^,;.]{1,40})"
    r"|\b(?P<new3>[\w.+#' ]{1,30}?) (?:instead of|in place of|rather than) (?P<old3>[\w.+#' ]{1,30})"
)
_SHIFT_TO = re.compile(
    r"(?:换回|切回|改回|用回|回到|搬到|迁入|转向|转到|转用|转投|迁移到|迁到|迁至|换成|换到|换用|改用|改成|改为|切换到|切到|切成|升级到|重写成|移植到|都跑在|跑在|全用)(?:了)?(?P<new>[^,，。;；]{1,24})"
    r"|\b(?:switch(?:ed|ing)?|mov(?:ed|ing)|migrat(?:ed|ing)|chang(?:ed|ing)|transition(?:ed|ing)|convert(?:ed|ing)|ported|went|rewrote|rewritten|upgraded)"
    r"(?: [\w']+){0,4}? ?(?:over |back )?(?:to|in|into) (?P<new2>[^,;.]{1,40})"
)


@dataclass(frozen=True, slots=True)
class Shift:
    """One thing put in the place of another: the spans of both, (0, 0) where not said."""

    old: tuple[int, int]
    new: tuple[int, int]


@lru_cache(maxsize=4096)
def find_shift(said: str) -> Shift | None:
    """What a statement says was left behind and what took its place. `said` in lower case."""
    for pattern, olds, news in (
        (_SHIFT_ZH, ("old", "old2"), ("new", "new2")),
        (_SHIFT_EN, ("old", "old2", "old3"), ("new", "new2", "new3")),
        (_SHIFT_TO, (), ("new", "new2")),
    ):
        found = pattern.search(said)
        if found:
            before = next((found.span(name) for name in olds if found[name]), (0, 0))
            after = next((found.span(name) for name in news if found[name]), (0, 0))
            return Shift(before, after)
    return None


def family_of(thing: Thing) -> str:
    """The class of a tool, by which one can replace another."""
    return _FAMILIES.get(thing.kind, thing.kind)


def kindred_keys(key: str) -> tuple[str, ...]:
    """The keys under which the same, or what takes its place, may be stored.

    The owner's and his team's are hard to tell apart; a main language, the languages used and the
    language of the back end replace each other.
    """
    subject, _, attribute = key.partition(".")
    if subject not in ("user", "team"):
        return (key,)
    kinds = [kind for kind, (name, _) in TOOLS.items() if name == attribute]
    if attribute.endswith(("language", "language.primary")) and attribute != "answers.language":
        kinds = ["language"]
    attributes = {attribute}
    for kind in kinds:
        family = _FAMILIES.get(kind, kind)
        attributes |= {
            name for other, (name, _) in TOOLS.items() if _FAMILIES.get(other, other) == family
        }
        if kind == "language":
            attributes |= {"language.primary", *(f"{role}.language" for role in _ROLES)}
        attributes |= {f"{role}.{TOOLS[kind][0]}" for role in ("backend", "test", "work", "home")}
    return tuple(sorted(f"{who}.{name}" for who in ("user", "team") for name in attributes))


def has_new_tool(text: str, said: str) -> bool:
    """Whether something was replaced by a tool: "notes have moved to Obsidian"."""
    shift = find_shift(said)
    return shift is not None and any(
        thing.kind in TOOLS and shift.new[0] <= thing.start < shift.new[1]
        for thing in find_things(text)
    )


def find_tool(text: str, said: str) -> tuple[str, Thing, bool] | None:
    """The attribute, the thing and whether it is single, of a statement about using a tool."""
    tools = [thing for thing in find_things(text) if thing.kind in TOOLS]
    if not tools:
        return None
    shift = find_shift(said)
    thing = tools[0]
    if shift is not None and shift.new != (0, 0):
        arrived = [t for t in tools if shift.new[0] <= t.start < shift.new[1]]
        if not arrived:
            return None
        thing = arrived[0]
    elif not _USE.search(said):
        return None
    attribute, single = TOOLS[thing.kind]
    if thing.kind == "language" and _MAIN.search(said):
        return "language.primary", thing, True
    role = next((name for name, pattern in _ROLES.items() if pattern.search(said)), "")
    if role and thing.kind in ("language", "framework", "database", "computer", "system", "editor"):
        last = {"language": "language", "framework": "framework"}.get(thing.kind, attribute)
        return f"{role}.{last}", thing, True
    return attribute, thing, single
