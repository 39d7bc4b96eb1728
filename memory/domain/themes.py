"""What several weak memories have in common over weeks: a theme to suggest, named by its word.

A theme is a word that at least three memories of three days share, over two weeks or more
("three weeks of Rust questions"). It needs no judge: the word names it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from memory.domain.lexicon import words_in
from memory.domain.text import is_unspaced, match_form, query_tokens

LEAST_MEMBERS = 3
LEAST_DAYS = 3
LEAST_SPAN = timedelta(days=14)
# From this many memories on, a word of more than a third of them is how somebody talks.
_ENOUGH_TO_COUNT = 30
_TOO_COMMON = 1 / 3
_LONGEST_NAME = 12

# What memories of all kinds say, so it names no theme. Stemmed, as tokens are.
_GENERIC_EN = words_in(
    "ask question question help want need use try tri today yesterday tomorrow week weekend month"
    " dai day morn morning even evening night time thing lot user look work read learn studi study"
    " talk talki think thought know like love get got go went make made start new good bad nice"
    " again still also recent recently last next first see saw find found problem issu issue way"
    " one two three come came back more much some someth something about had been were would"
)
_GENERIC_ZH = words_in(
    "今天 昨天 明天 前天 上午 下午 晚上 早上 中午 周末 最近 这周 上周 本周"
    " 下周 星期 月份 今年 去年 问题 怎么 如何 为什 什么 哪个 哪些 哪里 为何"
    " 用户 正在 已经 开始 继续 学习 想要 需要 使用 喜欢 觉得 知道 可以 可能"
    " 应该 事情 东西 时候 时间 一下 一个 一些 一起 几个 很多 非常 比较 因为"
    " 所以 但是 如果 或者 还是 自己 我们 他们 大家 朋友 询问 咨询 请教 讨论"
    " 关于 研究 看看 试试 准备 打算 帮忙 资料 文章 写法 用法 教程"
)
# A pair with one of these characters joins two words or is half of one.
_FUNCTION_ZH = frozenset(
    "的了在是我你他她它们有和与就都也很不吗呢吧啊呀过着去来到给把被这那哪一二三两几个上下里中对从向为之"
    "又再才只会能要想说问做看让叫用写读查找得地没还请最更每前后"
)
_LATIN_WORD = re.compile(r"[^\W\d_][\w+#.\-]*", re.UNICODE)


class Mention(NamedTuple):
    """One weak memory: which, what it says, on which day of its owner."""

    id: str
    content: str
    day: date


@dataclass(frozen=True, slots=True)
class Theme:
    """`key` tells the theme apart from others; `name` is how its members write it."""

    key: str
    name: str
    members: tuple[Mention, ...]


def find_themes(mentions: Sequence[Mention]) -> list[Theme]:
    """The themes, largest first, each memory in one of them at most (but for a third).

    Deterministic: the same memories give the same themes in the same order.
    """
    by_term: dict[str, list[Mention]] = defaultdict(list)
    for mention in sorted(mentions, key=lambda m: (m.day, m.id)):
        for term in _terms(mention.content):
            by_term[term].append(mention)
    found: list[Theme] = []
    taken: list[frozenset[str]] = []
    for term, members in sorted(by_term.items(), key=lambda item: (-len(item[1]), item[0])):
        ids = frozenset(m.id for m in members)
        if not _spans_weeks(members) or _is_common(len(members), len(mentions)):
            continue
        if any(len(ids & others) * 3 > len(ids) for others in taken):
            continue
        name = _name(term, members)
        if name:
            taken.append(ids)
            found.append(Theme(match_form(name), name, tuple(members)))
    return found


def say_theme(name: str, *, chinese: bool) -> str:
    """The suggestion, a sentence in the owner's language."""
    if chinese:
        return f"经常提到{name}"
    return f"Often comes back to {name}"


def is_mostly_unspaced(contents: Iterable[str]) -> bool:
    """Whether most of these texts are Chinese (or Japanese, Thai…)."""
    votes = [any(is_unspaced(ch) for ch in content) for content in contents]
    return sum(votes) * 2 > len(votes)


def _terms(content: str) -> set[str]:
    return {
        term
        for term in query_tokens(content)
        if len(term) > 1
        and not term.isdigit()
        and term not in _GENERIC_EN
        and term not in _GENERIC_ZH
        and not (is_unspaced(term[0]) and any(ch in _FUNCTION_ZH for ch in term))
    }


def _spans_weeks(members: Sequence[Mention]) -> bool:
    days = {m.day for m in members}
    return (
        len(members) >= LEAST_MEMBERS
        and len(days) >= LEAST_DAYS
        and max(days) - min(days) >= LEAST_SPAN
    )


def _is_common(members: int, mentions: int) -> bool:
    return mentions >= _ENOUGH_TO_COUNT and members > mentions * _TOO_COMMON


def _name(term: str, members: Sequence[Mention]) -> str:
    """How the members write it: the commonest spelling, or the longest run all of them share."""
    if is_unspaced(term[0]):
        return _longest_shared(term, [match_form(m.content) for m in members])
    spellings = Counter(
        word
        for m in members
        for word in _LATIN_WORD.findall(m.content)
        if term in query_tokens(word)
    )
    best = sorted(spellings.items(), key=lambda item: (-item[1], item[0]))
    return best[0][0] if best else term


def _longest_shared(term: str, forms: Sequence[str]) -> str:
    """A pair of characters, widened as far as all texts go along and words allow."""
    name = term
    while len(name) < _LONGEST_NAME:
        wider = {
            form[start - 1 : start + len(name)] for form in forms if (start := form.find(name)) > 0
        } | {
            form[start : start + len(name) + 1]
            for form in forms
            if (start := form.find(name)) >= 0 and start + len(name) < len(form)
        }
        shared = sorted(
            run
            for run in wider
            if all(run in form for form in forms)
            and all(is_unspaced(ch) and ch not in _FUNCTION_ZH for ch in run)
        )
        if not shared:
            break
        name = shared[0]
    return name
