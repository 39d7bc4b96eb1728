"""Dates in English words."""

import calendar
import re
from collections.abc import Callable
from datetime import date, timedelta

from memory.domain.dates.days import (
    Days,
    Grain,
    day_of,
    month_of,
    one,
    season_of,
    shift,
    shift_months,
    week_of,
    weekday_near,
    winter_of,
)

_EN_NUMBERS = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ]
    )
} | {"a": 1, "an": 1, "a couple of": 2, "couple of": 2}

_EN_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

_EN_MONTHS = tuple(name.lower() for name in calendar.month_name[1:])

_EN_SEASONS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "fall": (9, 11)}

_EN_NUMBER = (
    r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a couple of)"
)

_EN_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"

_EN_MONTH = "(?:" + "|".join(_EN_MONTHS) + ")"

PATTERNS = {
    "en_day": r"\b(?P<en_day>the day after tomorrow|the day before yesterday|yesterday|tomorrow"
    r"|today|tonight|last night|this (?:morning|afternoon|evening))\b",
    "en_wday": r"\b(?P<en_which>last|this coming|this|next) (?P<en_wday>" + _EN_DAY + r")\b",
    "en_span": r"\b(?P<en_rel>last|this|next) (?P<en_unit>week|month|year|weekend|spring|summer"
    r"|autumn|fall|winter)\b",
    "en_ago": r"\b(?P<en_n>" + _EN_NUMBER + r") (?P<en_u>day|week|month|year)s? ago\b",
    "en_in": r"\bin (?P<en_in_n>" + _EN_NUMBER + r") (?P<en_in_u>day|week|month|year)s?\b(?! of\b)",
    "en_full": r"\b(?P<en_fd>\d{1,2}) (?P<en_fm>" + _EN_MONTH + r") (?P<en_fy>(?:19|20)\d\d)\b",
    "en_month": r"\b(?P<en_prep>in|since|by|until|till|next|last|this|from|before|after) "
    r"(?P<en_month>" + _EN_MONTH + r")(?: (?P<en_year>(?:19|20)\d\d))?\b(?! \d{1,2}\b)",
    "en_bare": r"(?<!every )(?<!each )(?<!and )(?<!or )(?<!to )\bon (?P<en_bare>"
    + _EN_DAY
    + r")\b",
    "en_since_year": r"\b(?:since|in) (?P<en_only_year>(?:19|20)\d\d)\b",
}


_STEPS_EN = {"last": -1, "this": 0, "next": 1}


def _en_number(words: str) -> int:
    return int(words) if words.isdigit() else _EN_NUMBERS[words.lower()]


def _en_day(match: re.Match[str], today: date, past: bool) -> Days:
    words = match["en_day"].lower()
    steps = {
        "the day after tomorrow": 2,
        "the day before yesterday": -2,
        "yesterday": -1,
        "tomorrow": 1,
        "last night": -1,
    }
    part = "evening" if words in ("tonight", "last night") else ""
    if words.startswith("this "):
        part = words.removeprefix("this ")
    return one(today + timedelta(days=steps.get(words, 0)), part)


def _en_wday(match: re.Match[str], today: date, past: bool) -> Days:
    weekday = _EN_DAYS.index(match["en_wday"].lower())
    which = match["en_which"].lower()
    if which == "last":
        return weekday_near(today, weekday, past=True)
    if which == "this coming":
        return one(today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1))
    return one(week_of(today) + timedelta(weeks=_STEPS_EN[which], days=weekday))


def _en_span(match: re.Match[str], today: date, past: bool) -> Days:
    step = _STEPS_EN[match["en_rel"].lower()]
    unit = match["en_unit"].lower()
    monday = week_of(today) + timedelta(weeks=step)
    if unit == "week":
        return monday, monday + timedelta(days=6), Grain.WEEK, ""
    if unit == "weekend":
        return monday + timedelta(days=5), monday + timedelta(days=6), Grain.SPAN, ""
    if unit == "month":
        first = shift_months(today.replace(day=1), step)
        return month_of(first.year, first.month)
    if unit == "year":
        return date(today.year + step, 1, 1), date(today.year + step, 12, 31), Grain.YEAR, ""
    if unit == "winter":
        return winter_of(today.year + min(step, 0), unit)
    months = _EN_SEASONS[unit]
    year = today.year
    if step == 1 and today.month >= months[0]:
        year += 1
    if step == -1 and today.month <= months[1]:
        year -= 1
    return season_of(year, months, unit)


def _en_ago(match: re.Match[str], today: date, past: bool) -> Days:
    return shift(today, _en_number(match["en_n"]), match["en_u"].lower(), -1)


def _en_in(match: re.Match[str], today: date, past: bool) -> Days:
    # "I learned it in two weeks" tells how long, not when.
    return None if past else shift(today, _en_number(match["en_in_n"]), match["en_in_u"].lower(), 1)


def _en_full(match: re.Match[str], today: date, past: bool) -> Days:
    month = _EN_MONTHS.index(match["en_fm"].lower()) + 1
    return day_of(int(match["en_fy"]), month, int(match["en_fd"]))


def _en_month(match: re.Match[str], today: date, past: bool) -> Days:
    month = _EN_MONTHS.index(match["en_month"].lower()) + 1
    if match["en_year"]:
        return month_of(int(match["en_year"]), month)
    preposition = match["en_prep"].lower()
    if preposition == "last":
        return month_of(today.year - (month >= today.month), month)
    if preposition == "since" or (past and preposition in ("in", "after", "from")):
        return month_of(today.year - (month > today.month), month)
    return month_of(today.year + (month < today.month), month)


def _en_bare(match: re.Match[str], today: date, past: bool) -> Days:
    return weekday_near(today, _EN_DAYS.index(match["en_bare"].lower()), past)


def _en_since_year(match: re.Match[str], today: date, past: bool) -> Days:
    year = int(match["en_only_year"])
    return date(year, 1, 1), date(year, 12, 31), Grain.YEAR, ""


READERS: dict[str, Callable[[re.Match[str], date, bool], Days]] = {
    "en_day": _en_day,
    "en_wday": _en_wday,
    "en_span": _en_span,
    "en_ago": _en_ago,
    "en_in": _en_in,
    "en_full": _en_full,
    "en_month": _en_month,
    "en_bare": _en_bare,
    "en_since_year": _en_since_year,
}
