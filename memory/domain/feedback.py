"""Feedback that keeps coming back, and the rule of behaviour it amounts to (requirement 108)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory.domain.text import is_unspaced, match_form


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A rule of behaviour that repeated feedback amounts to; it waits for the owner.

    `members`: which of the texts said so.
    """

    theme: str
    content: str
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Theme:
    name: str
    said: re.Pattern[str]
    chinese: str
    english: str
    against: str = ""


_REPLY_ZH = r"(?:回[答复]|解释|说|写|讲|答案|内容|篇幅)"
_REPLY_EN = r"(?:answers?|repl(?:y|ies)|responses?|explanations?|it|that|this|messages?)"
_THEMES = (
    _Theme(
        name="shorter",
        said=re.compile(
            r"太长|太?啰嗦|太?罗嗦|太?冗长|长话短说|简短(?:一?点|些)?|简洁(?:一?点|些)?"
            r"|精简|短一?[点些]|说重点|废话(?:太)?多|太多废话|别写那么长"
            r"|不要(?:写)?(?:这么|那么)长"
            r"|\btoo (?:long|verbose|wordy|much text)\b|\bshorter\b|\b(?:more )?(?:concise"
            r"|brief|succinct)\b|\bless verbose\b|\btl;?dr\b|\bget to the point\b"
            r"|\bwall of text\b|\btoo many words\b|\bkeep it short\b"
        ),
        chinese="回答要简洁",
        english="Keep answers short",
        against="longer",
    ),
    _Theme(
        name="longer",
        said=re.compile(
            r"太短|太简略|太简单了|不够详细|详细(?:一?点|些)|展开(?:讲|说|一下)|多解释"
            r"|说(?:得)?(?:再)?细(?:一?点|些)"
            r"|\btoo (?:short|brief|terse)\b|\bmore detail(?:s|ed)?\b"
            r"|\bnot detailed enough\b|\belaborate\b|\bin more depth\b"
        ),
        chinese="回答要详细",
        english="Give detailed answers",
        against="shorter",
    ),
    _Theme(
        name="chinese",
        said=re.compile(
            r"(?:用|说|讲|改成|换成)(?:简体)?中文|中文回[答复]|别(?:再)?(?:用|说)英文"
            r"|不要(?:用|说)英文|看不懂英文"
            r"|\bin (?:chinese|mandarin)\b(?! (?:history|culture|class))"
        ),
        chinese="用中文回答",
        english="Answer in Chinese",
        against="english",
    ),
    _Theme(
        name="english",
        said=re.compile(
            r"(?:用|说|讲|改成|换成)英[文语]|英[文语]回[答复]|别(?:再)?(?:用|说)中文"
            r"|不要(?:用|说)中文|\bin english\b"
        ),
        chinese="用英文回答",
        english="Answer in English",
        against="chinese",
    ),
    _Theme(
        name="formal",
        said=re.compile(
            r"正式(?:一?点|些)|太随意|太口语|别(?:这么|那么)随便|\bmore (?:formal"
            r"|professional)\b|\btoo (?:casual|informal|chatty)\b"
        ),
        chinese="语气正式一些",
        english="Use a formal tone",
        against="casual",
    ),
    _Theme(
        name="casual",
        said=re.compile(
            r"太正式|太官方|太死板|太严肃|口语(?:化)?(?:一?点|些)|随意(?:一?点|些)|轻松(?:一?点|些)"
            r"|\btoo (?:formal|stiff|robotic)\b|\bmore (?:casual|relaxed|conversational|informal)\b"
        ),
        chinese="语气轻松一些",
        english="Use a casual tone",
        against="formal",
    ),
    _Theme(
        name="no_flattery",
        said=re.compile(
            r"别(?:再)?(?:夸|拍马屁|恭维|道歉)|不(?:要|用)(?:再|总|老)?(?:夸我|道歉|恭维"
            r"|客套)|少(?:点)?客套|不用客气"
            r"|\b(?:stop|don't|no need to|no more) (?:apologi[sz]\w+|flatter\w*|prais\w+"
            r"|complimenting)\b|\bstop saying sorry\b|\bskip the pleasantries\b"
        ),
        chinese="不要客套和道歉",
        english="Skip apologies and compliments",
    ),
    _Theme(
        name="no_emoji",
        said=re.compile(
            r"(?:别|不要|不用|少|去掉)(?:再)?(?:使?用|发|加|放|带)?(?:这么多|那么多"
            r"|些)?(?:表情|emoji|颜文字)|(?:表情|emoji)(?:符号)?(?:太多|去掉)"
            r"|\b(?:no|stop|without|fewer|drop|lose|avoid|don't use"
            r"|too many)(?: \w+){0,3} emojis?\b|\bemojis? (?:are|is) (?:annoying"
            r"|distracting|too much)\b"
        ),
        chinese="不要用表情符号",
        english="Do not use emojis",
    ),
    _Theme(
        name="code_first",
        said=re.compile(
            r"先(?:给|上|看|贴|写)(?:出)?代码|代码(?:放|写)?(?:在)?(?:最)?前面|直接(?:给|上|贴)代码"
            r"|\bcode first\b|\b(?:show|give|send)(?: me)? the code (?:first|before)\b"
            r"|\bjust (?:the|give me(?: the)?|show me(?: the)?) code\b"
            r"|\bstart with the code\b"
        ),
        chinese="先给代码再解释",
        english="Show code first, then explain",
    ),
    _Theme(
        name="tables",
        said=re.compile(
            r"(?:用|做成|换成|列成|整理成|改成)(?:个)?表格|\b(?:in|as|use|into) (?:a )?tables?\b"
        ),
        chinese="用表格回答",
        english="Use tables",
        against="no_lists",
    ),
    _Theme(
        name="lists",
        said=re.compile(
            r"(?:分|列)(?:成)?(?:点|条)(?!钟)|用列表|列个清单|\b(?:use|in|as"
            r"|with) (?:a )?(?:bullet(?:s| points?| list)?|lists?)\b"
        ),
        chinese="分点回答",
        english="Use bullet points",
        against="no_lists",
    ),
    _Theme(
        name="no_lists",
        said=re.compile(
            r"(?:别|不要|少)(?:再)?(?:用|写|列)?(?:这么多|那么多)?(?:列表|分点|表格|markdown|标题)"
            r"|\b(?:no|stop|avoid|fewer|without|too many"
            r"|don't use)(?: \w+){0,3} (?:bullets?|bullet points?|lists?|tables?|markdown"
            r"|headings?|headers)\b"
        ),
        chinese="不要用列表和表格",
        english="Write prose, no lists or tables",
    ),
    _Theme(
        name="plain_words",
        said=re.compile(
            r"(?:太)?(?:专业|术语)(?:太多|了)|听不懂|看不懂(?!英文|中文)|通俗(?:一?点|些"
            r"|易懂)|说人话|简单(?:一?点|些)(?:解释|说|讲)"
            r"|\btoo (?:technical|much jargon|complicated)\b|\bplain (?:english|words"
            r"|language)\b|\bsimpler\b|\bless jargon\b|\bin layman\b|\beli5\b"
        ),
        chinese="用通俗的话解释",
        english="Explain in plain words",
    ),
    _Theme(
        name="examples",
        said=re.compile(
            r"举(?:个|几个|一个)?例|(?:多|给|加)(?:点|些|个|几个)?(?:例子|示例)|没有例子"
            r"|\b(?:give|show|add|include|more|with)(?: me)? (?:an? |some "
            r"|more )?examples?\b|\bfor example\?"
        ),
        chinese="解释时给例子",
        english="Give examples",
    ),
)
_TIMES = 3


def repeated_feedback(texts: Sequence[str], *, times: int = _TIMES) -> Suggestion | None:
    """The rule that feedback said at least `times` times amounts to, in the language it was said
    in; None where none was, or where as much was said against it since.

    The most frequent theme wins, of equals the one said last.
    """
    members: dict[str, list[int]] = {theme.name: [] for theme in _THEMES}
    for index, text in enumerate(texts):
        said = match_form(text)
        heard = {theme.name for theme in _THEMES if theme.said.search(said)}
        if "no_lists" in heard:
            # "no tables" names what it does not want.
            heard -= {"tables", "lists"}
        for name in heard:
            members[name].append(index)
    best: _Theme | None = None
    for theme in _THEMES:
        mine, other = members[theme.name], members.get(theme.against, [])
        if len(mine) < times or (other and (len(other) >= len(mine) or other[-1] > mine[-1])):
            continue
        if best is None or (len(mine), mine[-1]) > (
            len(members[best.name]),
            members[best.name][-1],
        ):
            best = theme
    if best is None:
        return None
    told = [texts[index] for index in members[best.name]]
    chinese = sum(any(is_unspaced(ch) for ch in text) for text in told) * 2 >= len(told)
    return Suggestion(
        theme=best.name,
        content=best.chinese if chinese else best.english,
        members=tuple(members[best.name]),
    )
