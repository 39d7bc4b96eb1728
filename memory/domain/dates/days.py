"""Days, weeks and months counted from a day."""

import calendar
from datetime import date, timedelta
from enum import StrEnum


class Grain(StrEnum):
    """How exact a date in words is."""

    DAY = "day"
    SPAN = "span"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"
    SEASON = "season"


# First day, last day, how exact, and what the words add. None: no date after all.
Days = tuple[date, date, Grain, str] | None


def one(day: date, part: str = "") -> Days:
    return day, day, Grain.DAY, part


def week_of(day: date) -> date:
    return day - timedelta(days=day.weekday())


def month_of(year: int, month: int) -> Days:
    if not 1 <= month <= 12:
        return None
    last = calendar.monthrange(year, month)[1]
    return date(year, month, 1), date(year, month, last), Grain.MONTH, ""


def shift_months(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def day_of(year: int, month: int, day: int) -> Days:
    try:
        return one(date(year, month, day))
    except ValueError:
        return None


def season_of(year: int, months: tuple[int, int], name: str) -> Days:
    first, last = months
    return (
        date(year, first, 1),
        date(year, last, calendar.monthrange(year, last)[1]),
        Grain.SEASON,
        name,
    )


def winter_of(year: int, name: str) -> Days:
    last = date(year + 1, 3, 1) - timedelta(days=1)
    return date(year, 12, 1), last, Grain.SEASON, name


def shift(today: date, number: int, unit: str, sign: int) -> Days:
    if unit in ("day", "天"):
        return one(today + timedelta(days=sign * number))
    if unit in ("week", "周", "星期", "礼拜"):
        return one(today + timedelta(weeks=sign * number))
    if unit in ("month", "月"):
        return (
            shift_months(today, sign * number),
            shift_months(today, sign * number),
            Grain.MONTH,
            "",
        )
    if number > 120:
        return None
    day = shift_months(today, sign * number * 12)
    return day, day, Grain.YEAR, ""


def weekday_near(today: date, weekday: int, past: bool) -> Days:
    if past:
        return one(today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1))
    return one(today + timedelta(days=(weekday - today.weekday()) % 7))
