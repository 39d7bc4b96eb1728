import time

import pytest

from memory.domain.numerals import read_number
from memory.domain.quantities import agree, differ, read_quantities
from memory.domain.text import match_form


def read(text):
    return read_quantities(match_form(text))


EQUAL = [
    ("身高一米七五", "身高 175 厘米"),
    ("5 km", "3.1 miles"),
    ("160 斤", "80 公斤"),
    ("9:15 am", "09:15"),
    ("$3,000", "3k USD"),
    ("周三下午三点", "Wednesday 3pm"),
    ("5 月 3 日", "May 3"),
    ("5'9\"", "175 cm"),
    ("九点一刻", "9:15"),
    ("一米八", "1.8 米"),
    ("月薪两万五", "25000 元"),
    ("两万五千元", "25k RMB"),
    ("早上六点半", "half past six"),
    ("一个半小时", "90 minutes"),
    ("an hour and a half", "90 minutes"),
    ("two and a half hours", "150 minutes"),
    ("half an hour", "30 minutes"),
    ("2 TB", "2000 GB"),
    ("三个孩子", "three kids"),
]
DIFFERENT = [
    ("身高 175 厘米", "身高 180 厘米"),
    ("5 km", "5 miles"),
    ("3000 元", "$3,000"),
    ("周三", "周四"),
    ("5 月 3 日", "3 月 5 日"),
    ("下午三点", "上午三点"),
    ("两个孩子", "three kids"),
]


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_the_same_amount_in_other_units_or_words(one, other):
    assert read(one)
    assert agree(read(one), read(other))
    assert not differ(read(one), read(other))


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_amounts_do_not_agree(one, other):
    assert not agree(read(one), read(other))


@pytest.mark.parametrize("text", ["一只狗", "一点辣都吃不了", "十分喜欢", "I have a dog"])
def test_an_article_is_no_amount(text):
    assert read(text) == ()


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("一百二十", 120),
        ("两万五", 25_000),
        ("一百零五", 105),
        ("twenty-five", 25),
        ("1,200", 1200),
    ],
)
def test_numerals(said, number):
    assert read_number(said) == number


@pytest.mark.parametrize("unit", ["1", "一", "1,", "$1 ", "1 米", "9:", "一二三", "5'", "twenty "])
def test_a_long_text_is_read_in_time(unit):
    began = time.perf_counter()
    read_quantities.__wrapped__(unit * (50_000 // len(unit)))
    assert time.perf_counter() - began < 10
