"""Relative dates in words, made absolute in the owner's time zone.

明天, 下周五, "last Friday", "in two weeks". Habits (每周五, "every Friday") and vague spans
(几天前, "a few days ago") name no date. Weeks begin on Monday; "next Friday" is next week's.
"""

import calendar
import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo

from memory.domain.dates import chinese, english
from memory.domain.dates.days import Grain
from memory.domain.errors import NaiveTime

__all__ = ["Grain", "Resolved", "absolute", "local_day", "resolve"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """A date in words: where it stands, and the days it covers, both included.

    `part` is what the words add to the date (晚上, "spring").
    """

    words: str
    at: int
    first: date
    last: date
    grain: Grain
    chinese: bool
    part: str = ""

    @property
    def end(self) -> int:
        return self.at + len(self.words)

    def starts(self, zone: tzinfo) -> datetime:
        """The first moment."""
        return datetime.combine(self.first, time.min, tzinfo=zone)

    def ends(self, zone: tzinfo) -> datetime:
        """The first moment after it."""
        return datetime.combine(self.last + timedelta(days=1), time.min, tzinfo=zone)


_READERS = chinese.READERS | english.READERS
_ANY = re.compile(
    "|".join(
        f"(?P<_{name}>{body})" for name, body in (chinese.PATTERNS | english.PATTERNS).items()
    ),
    re.IGNORECASE,
)
_HABIT = re.compile(r"(?:每|逢|每个|\bevery |\beach )$", re.IGNORECASE)
_PAST = re.compile(
    r"了|过(?=[,，。]|$)|\b(?:was|were|did|had|went|got|came|saw|met|bought|started"
    r"|finished|moved|left"
    r"|joined|\w{3,}ed)\b",
    re.IGNORECASE,
)
_EN_PREPOSITION = re.compile(
    r"\b(?:on|in|by|until|till|since|before|after|for|from|during|of|and|through) $", re.IGNORECASE
)
_KEPT_PREPOSITIONS = frozenset({"since", "by", "until", "till", "from", "before", "after"})


def resolve(text: str, at: datetime, zone: tzinfo) -> tuple[Resolved, ...]:
    """The dates a text names, in order, as seen from `at` in the owner's zone.

    Raises NaiveTime for a time without an offset.
    """
    today = local_day(at, zone)
    past = _PAST.search(text) is not None
    found: list[Resolved] = []
    for match in _ANY.finditer(text):
        if _HABIT.search(text[max(0, match.start() - 6) : match.start()]):
            continue
        name = (match.lastgroup or "").removeprefix("_")
        try:
            days = _READERS[name](match, today, past)
        except (ValueError, OverflowError):  # beyond the calendar
            continue
        if days is not None:
            first, last, grain, part = days
            found.append(
                Resolved(
                    words=match.group(),
                    at=match.start(),
                    first=first,
                    last=last,
                    grain=grain,
                    chinese=name.startswith("zh"),
                    part=part,
                )
            )
    return tuple(found)


def absolute(text: str, at: datetime, zone: tzinfo) -> str:
    """The text with its relative dates written out; what was absolute stays as it is."""
    parts: list[str] = []
    done = 0
    for date_ in resolve(text, at, zone):
        if re.search(r"(?:19|20)\d\d", date_.words):
            continue
        said = _in_chinese(date_) if date_.chinese else _in_english(date_, text[: date_.at])
        parts += [text[done : date_.at], said]
        done = date_.end
    return "".join([*parts, text[done:]])


def local_day(at: datetime, zone: tzinfo) -> date:
    """The owner's calendar day. Raises NaiveTime."""
    if at.tzinfo is None or at.utcoffset() is None:
        raise NaiveTime("at")
    return at.astimezone(zone).date()


def _in_chinese(date_: Resolved) -> str:
    first, last = date_.first, date_.last
    day = f"{first.year}年{first.month}月{first.day}日"
    since = "从" if date_.words.startswith(("从", "自")) else ""
    match date_.grain:
        case Grain.DAY:
            return day + date_.part
        case Grain.SPAN:
            return f"{day}至{last.month}月{last.day}日"
        case Grain.WEEK:
            return f"{day}那周"
        case Grain.MONTH:
            return f"{since}{first.year}年{first.month}月"
        case Grain.SEASON:
            return f"{first.year}年{date_.part}天"
    return f"{first.year}年"


def _in_english(date_: Resolved, before: str) -> str:
    first = date_.first
    words = date_.words
    preposition = words.split()[0].lower() if date_.grain is Grain.MONTH else ""
    month = f"{calendar.month_name[first.month]} {first.year}"
    match date_.grain:
        case Grain.DAY if date_.part:
            said = f"on the {date_.part} of {first.isoformat()}"
        case Grain.DAY:
            said = f"on {first.isoformat()}"
        case Grain.SPAN:
            said = f"on {first.isoformat()} and {date_.last.isoformat()}"
        case Grain.WEEK:
            said = f"in the week of {first.isoformat()}"
        case Grain.MONTH:
            kept = preposition if preposition in _KEPT_PREPOSITIONS else "in"
            said = f"{kept} {month}"
        case Grain.SEASON:
            said = f"in {date_.part} {first.year}"
        case _:
            said = f"in {first.year}"
    if _EN_PREPOSITION.search(before):
        said = said.split(" ", 1)[1]
    return said[0].upper() + said[1:] if words[0].isupper() else said
