"""Dates in Chinese words."""

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

_ZH_DIGITS = {ch: value for value, ch in enumerate("零一二三四五六七八九十")} | {"两": 2, "〇": 0}

_ZH_SEASONS = {"春": (3, 5), "夏": (6, 8), "秋": (9, 11)}

_ZH_NUMBER = r"(?:\d{1,3}|[一二两三四五六七八九十]{1,3})"

PATTERNS = {
    "zh_day": r"(?P<zh_day>大前天|前天|昨[天日晚夜]|今[天日晚早晨]|明[天日晚早晨]|大后天"
    r"|后天)(?P<zh_part>晚上|早上|上午|下午|中午)?",
    "zh_week": r"(?P<zh_week>上上|上|这|本|下下|下)(?:个)?(?:周|星期"
    r"|礼拜)(?P<zh_wday>[一二三四五六日天末])?",
    "zh_month": r"(?P<zh_month>上上|上|这|本|下下|下)个?月(?:(?P<zh_mday>\d{1,2})[号日])?",
    "zh_year": r"(?P<zh_year>前年|去年|今年|明年|后年)(?:(?P<zh_ymonth>\d{1,2}"
    r"|[一二三四五六七八九十]{1,2})月|(?P<zh_season>[春夏秋冬])[天季])?",
    "zh_ago": r"(?P<zh_n>"
    + _ZH_NUMBER
    + r"|半)(?:个)?(?P<zh_unit>天|周|星期|礼拜|月|年)(?:以|之)?(?P<zh_dir>前|后)",
    "zh_full": r"(?P<zh_y>(?:19|20)\d\d) ?年"
    r"(?: ?(?P<zh_m>\d{1,2}) ?月(?: ?(?P<zh_d>\d{1,2}) ?[日号])?)?",
    "zh_since": r"(?:从|自)(?P<zh_since>\d{1,2}|[一二三四五六七八九十]{1,2})月(?:份)?"
    r"(?=起|开始|以来|就)",
    "zh_bare": r"(?<![每逢个到至])(?:周|星期|礼拜)(?P<zh_bare>[一二三四五六日天])(?![到至、和])",
}


_STEPS_ZH = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}


_DAYS_ZH = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}


_PARTS_ZH = {"晚": "晚上", "夜": "晚上", "早": "早上", "晨": "早上"}


def _zh_number(words: str) -> int:
    if words.isdigit():
        return int(words)
    tens, ten, ones = words.partition("十")
    if not ten:
        return _ZH_DIGITS[words[-1]]
    return (_ZH_DIGITS[tens[-1]] if tens else 1) * 10 + (_ZH_DIGITS[ones[-1]] if ones else 0)


def _zh_day(match: re.Match[str], today: date, past: bool) -> Days:
    word = match["zh_day"]
    day = today + timedelta(days=_DAYS_ZH[word[:-1]])
    return one(day, match["zh_part"] or _PARTS_ZH.get(word[-1], ""))


def _zh_week(match: re.Match[str], today: date, past: bool) -> Days:
    monday = week_of(today) + timedelta(weeks=_STEPS_ZH[match["zh_week"]])
    day = match["zh_wday"]
    if day is None:
        return monday, monday + timedelta(days=6), Grain.WEEK, ""
    if day == "末":
        return monday + timedelta(days=5), monday + timedelta(days=6), Grain.SPAN, ""
    return one(monday + timedelta(days="一二三四五六日天".index(day) if day != "天" else 6))


def _zh_month(match: re.Match[str], today: date, past: bool) -> Days:
    first = shift_months(today.replace(day=1), _STEPS_ZH[match["zh_month"]])
    if match["zh_mday"] is None:
        return month_of(first.year, first.month)
    return day_of(first.year, first.month, int(match["zh_mday"]))


def _zh_year(match: re.Match[str], today: date, past: bool) -> Days:
    year = today.year + ["前年", "去年", "今年", "明年", "后年"].index(match["zh_year"]) - 2
    if match["zh_ymonth"]:
        return month_of(year, _zh_number(match["zh_ymonth"]))
    season = match["zh_season"]
    if season == "冬":
        return winter_of(year, season)
    if season:
        return season_of(year, _ZH_SEASONS[season], season)
    return date(year, 1, 1), date(year, 12, 31), Grain.YEAR, ""


def _zh_ago(match: re.Match[str], today: date, past: bool) -> Days:
    sign = -1 if match["zh_dir"] == "前" else 1
    if match["zh_n"] == "半":
        return shift(today, 6, "月", sign) if match["zh_unit"] == "年" else None
    return shift(today, _zh_number(match["zh_n"]), match["zh_unit"], sign)


def _zh_full(match: re.Match[str], today: date, past: bool) -> Days:
    year = int(match["zh_y"])
    if match["zh_m"] is None:
        return date(year, 1, 1), date(year, 12, 31), Grain.YEAR, ""
    if match["zh_d"] is None:
        return month_of(year, int(match["zh_m"]))
    return day_of(year, int(match["zh_m"]), int(match["zh_d"]))


def _zh_since(match: re.Match[str], today: date, past: bool) -> Days:
    month = _zh_number(match["zh_since"])
    return month_of(today.year - (month > today.month), month)


def _zh_bare(match: re.Match[str], today: date, past: bool) -> Days:
    day = match["zh_bare"]
    return weekday_near(today, 6 if day == "天" else "一二三四五六日".index(day), past)


READERS: dict[str, Callable[[re.Match[str], date, bool], Days]] = {
    "zh_day": _zh_day,
    "zh_week": _zh_week,
    "zh_month": _zh_month,
    "zh_year": _zh_year,
    "zh_ago": _zh_ago,
    "zh_full": _zh_full,
    "zh_since": _zh_since,
    "zh_bare": _zh_bare,
}
