from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from memory.domain.dates import absolute, resolve
from memory.domain.errors import NaiveTime

SHANGHAI = ZoneInfo("Asia/Shanghai")
# A Wednesday, half past eleven at night in Shanghai; still the afternoon in UTC.
AT = datetime(2026, 3, 4, 15, 30, tzinfo=UTC)

DAYS = [
    ("明天去体检", "2026-03-05", "2026-03-05"),
    ("后天", "2026-03-06", "2026-03-06"),
    ("大后天", "2026-03-07", "2026-03-07"),
    ("昨天", "2026-03-03", "2026-03-03"),
    ("前天", "2026-03-02", "2026-03-02"),
    ("下周五", "2026-03-13", "2026-03-13"),
    ("下个星期一", "2026-03-09", "2026-03-09"),
    ("这周日", "2026-03-08", "2026-03-08"),
    ("上周三", "2026-02-25", "2026-02-25"),
    ("下周", "2026-03-09", "2026-03-15"),
    ("下周末", "2026-03-14", "2026-03-15"),
    ("下个月", "2026-04-01", "2026-04-30"),
    ("下个月5号", "2026-04-05", "2026-04-05"),
    ("明年", "2027-01-01", "2027-12-31"),
    ("明年春天", "2027-03-01", "2027-05-31"),
    ("去年十二月", "2025-12-01", "2025-12-31"),
    ("三天前", "2026-03-01", "2026-03-01"),
    ("两周后", "2026-03-18", "2026-03-18"),
    ("半年前", "2025-09-04", "2025-09-04"),
    ("十五天后", "2026-03-19", "2026-03-19"),
    ("周五要交报告", "2026-03-06", "2026-03-06"),
    ("周五交了报告", "2026-02-27", "2026-02-27"),
    ("从三月起", "2026-03-01", "2026-03-31"),
    ("从十一月起", "2025-11-01", "2025-11-30"),
    ("2024年5月搬来", "2024-05-01", "2024-05-31"),
    ("tomorrow", "2026-03-05", "2026-03-05"),
    ("the day after tomorrow", "2026-03-06", "2026-03-06"),
    ("yesterday", "2026-03-03", "2026-03-03"),
    ("last night", "2026-03-03", "2026-03-03"),
    ("last Friday", "2026-02-27", "2026-02-27"),
    ("last Wednesday", "2026-02-25", "2026-02-25"),
    ("this Friday", "2026-03-06", "2026-03-06"),
    ("next Friday", "2026-03-13", "2026-03-13"),
    ("next week", "2026-03-09", "2026-03-15"),
    ("next month", "2026-04-01", "2026-04-30"),
    ("last year", "2025-01-01", "2025-12-31"),
    ("in two weeks", "2026-03-18", "2026-03-18"),
    ("in a month", "2026-04-04", "2026-04-04"),
    ("3 days ago", "2026-03-01", "2026-03-01"),
    ("two years ago", "2024-03-04", "2024-03-04"),
    ("in November", "2026-11-01", "2026-11-30"),
    ("I moved in November", "2025-11-01", "2025-11-30"),
    ("since March 2024", "2024-03-01", "2024-03-31"),
    ("I fly on Friday", "2026-03-06", "2026-03-06"),
    ("I flew home and left on Friday", "2026-02-27", "2026-02-27"),
    ("7 June 1991", "1991-06-07", "1991-06-07"),
]


@pytest.mark.parametrize(("text", "first", "last"), DAYS)
def test_a_date_in_words_is_the_owners(text, first, last):
    [found] = resolve(text, AT, SHANGHAI)
    assert (found.first.isoformat(), found.last.isoformat()) == (first, last)
    assert text[found.at : found.end] == found.words


@pytest.mark.parametrize(
    "text",
    [
        "每周五跑步",
        "every Friday",
        "on Fridays",
        "周一到周五上班",
        "几天前",
        "a few days ago",
        "I may go",
        "march on",
        "2月30号",
        "I learned it in two weeks and passed",
        "",
    ],
)
def test_habits_and_vague_spans_name_no_date(text):
    assert resolve(text, AT, SHANGHAI) == ()


def test_tomorrow_is_the_owners_tomorrow():
    at = datetime(2026, 3, 4, 23, 30, tzinfo=SHANGHAI)
    [found] = resolve("明天去体检", at, SHANGHAI)
    assert found.first == date(2026, 3, 5)
    assert found.starts(SHANGHAI).isoformat() == "2026-03-05T00:00:00+08:00"
    assert found.ends(SHANGHAI).isoformat() == "2026-03-06T00:00:00+08:00"
    [abroad] = resolve("明天", at, ZoneInfo("America/Los_Angeles"))
    assert abroad.first == date(2026, 3, 5)
    [morning] = resolve("明天", datetime(2026, 3, 5, 1, 0, tzinfo=SHANGHAI), SHANGHAI)
    assert morning.first == date(2026, 3, 6)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("明天去体检", "2026年3月5日去体检"),
        ("明晚聚餐", "2026年3月5日晚上聚餐"),
        ("下周去上海", "2026年3月9日那周去上海"),
        ("下个月搬家", "2026年4月搬家"),
        ("从三月起吃素", "从2026年3月起吃素"),
        ("I fly tomorrow", "I fly on 2026-03-05"),
        ("Tomorrow I fly", "On 2026-03-05 I fly"),
        ("due by next week", "due by the week of 2026-03-09"),
        ("since March I run", "since March 2026 I run"),
        ("the passport expires next month", "the passport expires in April 2026"),
        ("I moved two years ago", "I moved in 2024"),
        ("born 7 June 1991", "born 7 June 1991"),
        ("2024年5月搬来", "2024年5月搬来"),
        ("every Friday I run", "every Friday I run"),
    ],
)
def test_relative_dates_are_written_out(text, written):
    assert absolute(text, AT, SHANGHAI) == written


def test_a_time_without_an_offset_is_an_error():
    with pytest.raises(NaiveTime):
        resolve("明天", datetime(2026, 3, 4), SHANGHAI)  # noqa: DTZ001 (naive on purpose)


@pytest.mark.parametrize("year", [1, 9999])
def test_the_ends_of_the_calendar_are_survived(year):
    at = datetime(year, 6, 1, tzinfo=UTC)
    for text, _first, _last in DAYS:
        absolute(text, at, UTC)
    absolute("120 years ago, 999天前, in 900 months, 99年后", at, UTC)
