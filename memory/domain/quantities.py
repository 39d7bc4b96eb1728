"""Amounts, dates and clock times in a text, in base units, so that 一米七五 equals 175 cm."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

from memory.domain.numerals import EN_NUMBERS, ORDINALS, read_number

# The last digits of rounded conversions differ: 5 km are 3.107 miles.
_TOLERANCE = 0.011
# A statement is short; of a longer text the beginning is read.
MOST_READ = 2000
_DAY = 86400
# Of these, one is an amount and no article.
_ONE_OF = frozenset({"child", "kid", "daughter", "son", "brother", "sister"})
# From here on a numeral without a unit is an amount: 两万.
_NAMED = 100


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount of a kind (`length` in metres, `clock` in minutes after midnight, …)."""

    kind: str
    amount: float
    start: int = 0
    end: int = 0


_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
            "august aug", "september sept sep", "october oct", "november nov", "december dec",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_DAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday mon", "tuesday tue tues", "wednesday wed", "thursday thu thur thurs",
            "friday fri", "saturday sat", "sunday sun",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_ZH_DAYS = {c: n for n, c in enumerate("一二三四五六", 1)} | {"日": 7, "天": 7, "末": 6}

# Unit -> kind and factor to the base unit.
_UNITS: dict[str, tuple[str, float]] = {}
for _kind, _rows in {
    "length": "mm|毫米:.001 cm|厘米|公分|centimeters|centimeter|centimetres:.01 m|米|meters|meter|metres|metre:1"
    " km|公里|千米|kilometers|kilometer|kilometres|kms:1000 mile|miles|mi|英里:1609.344"
    " ft|foot|feet|英尺:.3048 inch|inches|英寸:.0254 里:500 yards|yard:.9144",
    "mass": "g|克|grams:.001 kg|kgs|公斤|千克|kilo|kilos|kilograms:1 斤:.5 lb|lbs|pounds|pound|磅:.45359237"
    " 吨|tons|tonnes:1000 oz|ounces:.02835",
    "time": "ms|毫秒|milliseconds:.001 s|秒|秒钟|sec|seconds|second:1 min|mins|分钟|minutes|minute:60"
    " h|hr|hrs|小时|个小时|钟头|个钟头|个半小时|hours|hour:3600 天|days|day:86400 周|星期|个星期|weeks|week:604800"
    " 个月|months|month:2629800 年|years|year:31557600",
    "age": "岁|周岁|years old|year old|yo:1",
    "usd": "usd|美元|美金|dollars|bucks|刀:1",
    "cny": "cny|rmb|元|块|块钱|人民币|yuan:1",
    "eur": "eur|欧元|欧|euros|euro:1",
    "gbp": "gbp|英镑:1",
    "jpy": "jpy|日元:1",
    "data": "kb:1e3 mb:1e6 gb|g内存:1e9 tb:1e12",
    "share": "%|percent|个百分点:1",
    "volume": "ml|毫升:.001 l|升|liters|litres|liter:1",
    "celsius": "°c|℃|度|摄氏度:1",
    "pixels": "px|像素:1",
    "spaces": "spaces|space|个空格:1",
    "count": "个|只|条|位|口|名|台|辆|本|次|杯|份|门|支|套|人|家|部|间|项|种|胎|孩|娃|times|cups|people|kids"
    "|children|child|members|cats|dogs|cars|engineers|users|employees|sons|daughters|siblings"
    "|brothers|sisters|daughter|son|kid|brother|sister|servers|replicas|nodes|pets|copies|seats|floors|rounds|reps|kg?:1",
}.items():
    for _row in _rows.split(" ") if _kind not in ("age",) else [_rows]:
        _names, _, _factor = _row.rpartition(":")
        for _name in _names.split("|"):
            _UNITS.setdefault(_name, (_kind, float(_factor)))
_SIGNS = {"$": "usd", "us$": "usd", "¥": "cny", "€": "eur", "£": "gbp"}
_MULTIPLES = {"k": 1e3, "m": 1e6, "万": 1e4, "千": 1e3, "亿": 1e8, "million": 1e6, "thousand": 1e3,
              "hundred": 100.0, "百万": 1e6, "w": 1e4}  # fmt: skip

_EN_NUMBER = "|".join(sorted(EN_NUMBERS, key=len, reverse=True))
_NUMBER = (
    r"(?:\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,6})?|\d{1,12}(?:\.\d{1,6})?"
    r"|[〇零一二三四五六七八九十两俩百千][〇零一二三四五六七八九十两百千万亿]{0,9}"
    rf"|\b(?:{_EN_NUMBER})\b(?:[- ](?:one|two|three|four|five|six|seven|eight|nine)\b)?)"
)
_UNIT = "|".join(re.escape(u) for u in sorted(_UNITS, key=len, reverse=True))
_AMOUNT = re.compile(
    rf"(?P<sign>us\$|[$¥€£])? ?(?P<number>{_NUMBER}) ?(?P<multiple>(?:k|m|w)(?![a-z])|百万|[万千亿]"
    rf"|million\b|thousand\b|hundred\b)? ?(?P<half>半)?(?:多|来)?(?P<unit>(?:{_UNIT})(?![a-z]))?"
    r"(?P<half2>半)?"
)
# "An hour and a half", "two and a half hours", "half an hour".
_HALVES = re.compile(
    rf"\b(?P<n>an?|{_NUMBER}) (?:(?P<u>{_UNIT}) and a half|and a half (?P<u2>{_UNIT})(?![a-z]))"
    rf"|\bhalf (?:an? )?(?P<u3>{_UNIT})(?![a-z])"
)
_METRES = re.compile(
    r"(?P<m>[1-2一两二]) ?米 ?(?P<cm>[0-9]{1,2}|[〇零一二三四五六七八九]{1,2})(?![0-9厘])"
)
_FEET = re.compile(
    r"(?P<ft>[3-8]) ?(?:'|′|foot|feet|ft) ?(?P<inch>1[01]|\d)(?: ?(?:\"|″|''|inch(?:es)?|in)|\b)"
)
_CLOCK = re.compile(
    r"(?P<part>上午|下午|早上|晚上|中午|凌晨|清晨|傍晚|早|晚)?(?: )?(?P<h>\d{1,2}|[一二两三四五六七八九十]{1,2})"
    r"(?:点(?:钟)?(?P<zh>半|一刻|三刻|[0-5]?\d分?|[一二三四五]?十[一二三四五六七八九]?分?)?|[:：](?P<m>[0-5]\d))"
    r" ?(?P<ap>[ap]\.?m\.?(?![a-z]))?"
)
_CLOCK_EN = re.compile(
    r"\b(?P<h>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    r" ?(?P<ap>[ap]\.?m\b\.?|o'clock)|\b(?P<word>noon|midnight)\b"
    r"|\b(?P<half>half past|quarter past|quarter to) (?P<hh>\d{1,2}|[a-z]{3,6})\b"
)
_DATE = re.compile(
    rf"(?P<y>\d{{4}})[-/.年](?P<m>\d{{1,2}})[-/.月](?P<d>\d{{1,2}})日?(?!\d)"
    rf"|(?P<zm>\d{{1,2}}|[一二三四五六七八九十]{{1,2}}) ?月 ?(?P<zd>\d{{1,2}}|[一二三四五六七八九十]{{1,3}}) ?[日号]?"
    rf"|\b(?P<em>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\.? (?P<ed>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d|:)"
    rf"|\b(?P<fd>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<fm>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\b"
)
_DAY_OF_WEEK = re.compile(
    rf"(?:周|星期|礼拜)(?P<zh>[一二三四五六日天末])|\b(?P<en>{'|'.join(sorted(_DAYS, key=len, reverse=True))})s?\b"
)
_DAY_OF_MONTH = re.compile(
    r"(?<![月\d])(?P<zd>\d{1,2}|[一二三四五六七八九十]{1,3})[号日](?![线楼院机店])|\bthe (?P<ed>\d{1,2})(?:st|nd|rd|th)\b"
)
_QUARTER = re.compile(r"\bq(?P<q>[1-4])\b|第(?P<zh>[一二三四])季度")
_ORDINAL = re.compile(
    rf"\b(?P<n>{'|'.join(ORDINALS)}) (?:child|kid|baby|son|daughter|cat|dog)\b|老(?P<zh>[二三四五])(?=出生|生|来|刚|也)"
)
_PM = ("下午", "晚上", "傍晚", "晚")


@lru_cache(maxsize=4096)
def read_quantities(said: str) -> tuple[Quantity, ...]:
    """The quantities of a text in matching form, in order.

    A lone "one" or 一 with a counter is an article, not an amount.
    """
    taken: list[Quantity] = []
    said = said[:MOST_READ]
    for pattern, read in (
        (_ORDINAL, _read_ordinal),
        (_QUARTER, _read_quarter),
        (_DATE, _read_date),
        (_METRES, _read_metres),
        (_FEET, _read_feet),
        (_CLOCK, _read_clock),
        (_CLOCK_EN, _read_english_clock),
        (_DAY_OF_WEEK, _read_day),
        (_DAY_OF_MONTH, _read_day_of_month),
        (_HALVES, _read_halves),
        (_AMOUNT, _read_amount),
    ):
        for match in pattern.finditer(said):
            if any(q.start < match.end() and match.start() < q.end for q in taken):
                continue
            quantity = read(match)
            if quantity is not None:
                taken.append(Quantity(*quantity, match.start(), match.end()))
    return tuple(sorted(taken, key=lambda q: q.start))


def agree(one: tuple[Quantity, ...], other: tuple[Quantity, ...]) -> bool:
    """Whether two texts give the same amounts: each of one has its equal in the other."""
    if len(one) != len(other) or len(one) > 6:
        return len(one) == len(other) == 0
    return any(
        all(_equal(a, b) for a, b in zip(one, order, strict=True)) for order in permutations(other)
    )


def differ(one: tuple[Quantity, ...], other: tuple[Quantity, ...]) -> bool:
    """Whether both give an amount of one kind, and none of these is shared."""
    kinds = {q.kind for q in one} & {q.kind for q in other}
    return bool(kinds) and not any(
        _equal(a, b) for a in one for b in other if a.kind in kinds and b.kind in kinds
    )


def _equal(a: Quantity, b: Quantity) -> bool:
    if a.kind != b.kind:
        return {a.kind, b.kind} in ({"number", "cny"}, {"number", "count"}, {"number", "age"}) and (
            a.amount == b.amount
        )
    if a.kind in ("clock", "date", "quarter", "weekday", "day", "count", "number"):
        return a.amount == b.amount
    return abs(a.amount - b.amount) <= _TOLERANCE * max(abs(a.amount), abs(b.amount))


def _read_quarter(match: re.Match[str]) -> tuple[str, float] | None:
    number = read_number(match["q"] or match["zh"])
    return ("quarter", number) if number is not None else None


def _read_ordinal(match: re.Match[str]) -> tuple[str, float] | None:
    number = read_number(match["n"] or match["zh"])
    return ("count", number) if number is not None else None


def _read_date(match: re.Match[str]) -> tuple[str, float] | None:
    if match["y"]:
        return "date", int(match["m"]) * 100 + int(match["d"])
    if match["zm"]:
        month, day = read_number(match["zm"]), read_number(match["zd"])
    elif match["em"]:
        month, day = float(_MONTHS[match["em"]]), float(match["ed"])
    else:
        month, day = float(_MONTHS[match["fm"]]), float(match["fd"])
    if month is None or day is None or not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    return "date", month * 100 + day


def _read_metres(match: re.Match[str]) -> tuple[str, float] | None:
    metres, rest = read_number(match["m"]), read_number(match["cm"])
    if metres is None or rest is None:
        return None
    return "length", metres + (rest / 100 if len(match["cm"]) == 2 else rest / 10)


def _read_halves(match: re.Match[str]) -> tuple[str, float] | None:
    unit = _UNITS.get(match["u"] or match["u2"] or match["u3"])
    whole = 0.0 if match["n"] is None else 1.0 if match["n"] in ("a", "an") else None
    whole = read_number(match["n"]) if whole is None else whole
    if unit is None or whole is None:
        return None
    kind, factor = unit
    return kind, (whole + 0.5) * factor


def _read_feet(match: re.Match[str]) -> tuple[str, float] | None:
    return "length", int(match["ft"]) * 0.3048 + int(match["inch"]) * 0.0254


def _read_clock(match: re.Match[str]) -> tuple[str, float] | None:
    hour = read_number(match["h"])
    if hour is None or hour > 24:
        return None
    if match["h"] == "一" and not (match["part"] or match["zh"] or "钟" in match.group()):
        # 一点 alone is "a little".
        return None
    minutes = 0.0
    said = match["zh"] or match["m"] or ""
    if said in ("半", "一刻", "三刻"):
        minutes = {"半": 30.0, "一刻": 15.0, "三刻": 45.0}[said]
    elif said:
        minutes = read_number(said.removesuffix("分")) or 0.0
    late = (match["part"] in _PM or (match["ap"] or "").startswith("p")) and hour < 12
    if (match["ap"] or "").startswith("a") and hour == 12:
        hour = 0.0
    return "clock", (hour + (12 if late else 0)) * 60 + minutes


def _read_english_clock(match: re.Match[str]) -> tuple[str, float] | None:
    if match["word"]:
        return "clock", 720.0 if match["word"] == "noon" else 0.0
    if match["half"]:
        hour = read_number(match["hh"])
        if hour is None:
            return None
        shift = {"half past": 30, "quarter past": 15, "quarter to": -15}[match["half"]]
        return "clock", hour * 60 + shift
    hour = read_number(match["h"])
    if hour is None or hour > 24:
        return None
    part = match["ap"]
    if part.startswith("p") and hour < 12:
        hour += 12
    if part.startswith("a") and hour == 12:
        hour = 0.0
    return "clock", hour * 60


def _read_day(match: re.Match[str]) -> tuple[str, float] | None:
    if match["zh"]:
        return "weekday", float(_ZH_DAYS[match["zh"]])
    # "mon", "sat" and "sun" alone are more often other words.
    return ("weekday", float(_DAYS[match["en"]])) if len(match["en"]) > 3 else None


def _read_day_of_month(match: re.Match[str]) -> tuple[str, float] | None:
    day = read_number(match["zd"] or match["ed"])
    return ("day", day) if day is not None and 1 <= day <= 31 else None


def _read_amount(match: re.Match[str]) -> tuple[str, float] | None:
    number = read_number(match["number"])
    if number is None:
        return None
    unit = match["unit"] or ""
    if match["multiple"]:
        number *= _MULTIPLES[match["multiple"]]
    if match["half"] or match["half2"]:
        number += 0.5
    digits = match["number"][0].isdigit()
    if match["sign"]:
        return _SIGNS[match["sign"]], number
    if unit:
        kind, factor = _UNITS[unit]
        if unit.startswith("个半"):
            return kind, (number + 0.5) * factor
        if (
            number == 1
            and not digits
            and (
                (kind in ("count", "celsius", "length") and unit not in _ONE_OF)
                or (kind == "time" and factor >= _DAY)
            )
        ):
            return None
        return kind, number * factor
    # 一些, 十分, "one of": a numeral alone is seldom an amount.
    if digits or (number >= _NAMED and set(match["number"]) & set("百千万亿")):
        return "number", number
    return None
