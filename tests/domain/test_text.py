import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain import text
from memory.domain.errors import BadText

stored = st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))

CLEANED = [
    ("plain", "plain"),
    ("我住在杭州西湖区", "我住在杭州西湖区"),
    ("", ""),
    ("  kept as written \n", "  kept as written \n"),
    ("a\r\nb", "a\nb"),
    ("a\rb", "a\nb"),
    ("tab\tstays", "tab\tstays"),
    ("bell\x07gone", "bellgone"),
    ("esc\x1b[31m", "esc[31m"),
    ("c1\x85gone", "c1gone"),
    ("del\x7fgone", "delgone"),
    ("zero\u200bwidth", "zerowidth"),
    ("word\u2060joiner", "wordjoiner"),
    ("\ufeffbom", "bom"),
    ("over\u202eride", "override"),
    ("embed\u202aded\u202c", "embedded"),
    ("iso\u2066late\u2069", "isolate"),
    ("mi\u200cخواهم", "mi\u200cخواهم"),
    ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
    ("❤\ufe0f", "❤\ufe0f"),
    ("e\u0301", "é"),
    ("e\u200b\u0301", "é"),
    ("ＣＮ－Ａ１", "ＣＮ－Ａ１"),
    ("ABC", "ABC"),
    ("<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"),
]

MATCHING = [
    ("ＣＮ－Ａ１０２９３", "cn-a10293"),
    ("Straße", "strasse"),
    ("ＡＢＣ　ｄｅｆ", "abc def"),
    ("a \n\t b", "a b"),
    ("！？", "!?"),
    ("ﾊﾝｶｸ", "ハンカク"),
    ("mi\u200cx", "mix"),
    ("❤\ufe0f", "❤"),
    ("soft\u00adhyphen", "softhyphen"),
    ("①", "1"),
    ("ﬁne", "fine"),
    ("\u3164x", "x"),
]

TOKENS = [
    ("西湖", ["西", "湖", "西湖"]),
    ("湖", ["湖"]),
    ("running", ["run"]),
    ("allergies", ["allergi"]),
    ("the and of", []),
    ("3.14", ["3.14", "3", "14"]),
    ("c++ c# go", ["c++", "c#", "go"]),
    ("user's", ["user"]),
    ("don't", ["dont"]),
    ("Java21", ["java21", "java"]),
    ("用Go写", ["用", "go", "写"]),
    ("咖啡☕", ["咖", "啡", "咖啡", "☕"]),
    ("ภาษา", ["ภ", "า", "ษ", "า", "ภา", "าษ", "ษา"]),
    ("हिन्दी", ["हिन्दी"]),
    ("", []),
    ("……", []),
]

# Row, question, whether the question's words are in the row (field lesson 25).
SEARCHES = [
    ("我住在杭州西湖区", "西湖", True),
    ("我住在杭州西湖区", "湖", True),
    ("我住在杭州西湖区", "烤鸭", False),
    ("Alice喜欢北京烤鸭employees", "烤鸭", True),
    ("Alice喜欢北京烤鸭employees", "employee", True),
    ("Alice喜欢北京烤鸭employees", "alice", True),
    ("编号ＣＮ－Ａ１０２９３", "CN-A10293", True),
    ("编号ＣＮ－Ａ１０２９３", "a10293", True),
    ("编号ＣＮ－Ａ１０２９３", "10293", True),
    ("编号ＣＮ－Ａ１０２９３", "编号", True),
    ("He is learning Rust", "learned", True),
    ("Spring Boot 3", "SPRING", True),
    ("Cafe\u0301 in Paris", "café", True),
    ("ramen ラーメン", "ラーメン", True),
    ("서울에 살아요", "서울", True),
    ("mail a@b.example", "a@b.example", True),
]


@pytest.mark.parametrize(("raw", "expected"), CLEANED)
def test_clean_keeps_words_as_written_and_removes_what_hides_them(raw, expected):
    assert text.clean(raw, field="content") == expected


@pytest.mark.parametrize(("raw", "expected"), MATCHING)
def test_match_form_folds_width_case_and_invisible_characters(raw, expected):
    assert text.match_form(raw) == expected


@pytest.mark.parametrize(("raw", "expected"), TOKENS)
def test_tokens_of(raw, expected):
    assert text.tokens(raw) == expected


@pytest.mark.parametrize(("row", "question", "found"), SEARCHES)
def test_a_question_finds_a_row_by_its_words(row, question, found):
    asked = text.query_tokens(question)
    assert asked
    assert (set(asked) <= set(text.tokens(row))) is found


@pytest.mark.parametrize(
    ("raw", "reason"),
    [("a\x00b", "nul"), ("a\ud800", "surrogate"), ("\udfffx", "surrogate"), (7, "not_text")],
)
def test_clean_refuses_with_the_name_of_the_field(raw, reason):
    with pytest.raises(BadText) as refused:
        text.clean(raw, field="value")
    assert (refused.value.field, refused.value.reason) == ("value", reason)


def test_length_is_counted_after_normalising():
    assert text.clean("e\u0301" * 5 + "\u200b" * 9, field="content", limit=5) == "é" * 5
    with pytest.raises(BadText, match="longer than 5"):
        text.clean("x" * 6, field="content", limit=5)


@pytest.mark.parametrize("raw", ["", "  \n", "\u200c\u200d", "\u200b"])
def test_the_minimum_counts_what_can_be_seen(raw):
    with pytest.raises(BadText) as refused:
        text.clean(raw, field="content", minimum=1)
    assert refused.value.reason == "too_short"


def test_a_single_line_has_no_breaks_and_no_outer_space():
    assert text.clean(" a\r\nb\tc\u2028d ", field="title", multiline=False) == "a b c d"


@given(stored)
def test_clean_is_idempotent(raw):
    once = text.clean(raw, field="content")
    assert text.clean(once, field="content") == once
    line = text.clean(raw, field="content", multiline=False)
    assert text.clean(line, field="content", multiline=False) == line


@given(stored)
def test_match_form_is_idempotent(raw):
    assert text.match_form(text.match_form(raw)) == text.match_form(raw)


@given(stored)
def test_fingerprint_does_not_depend_on_the_unicode_form(raw):
    forms = {text.fingerprint(unicodedata.normalize(form, raw)) for form in ("NFC", "NFD")}
    assert len(forms) == 1


@given(st.text(alphabet="abcdefgXYZ 喜欢披萨0123-"))
def test_fingerprint_does_not_depend_on_width_or_case(raw):
    wide = "".join(chr(ord(ch) + 0xFEE0) if "!" <= ch <= "~" else ch for ch in raw)
    assert text.fingerprint(wide) == text.fingerprint(raw) == text.fingerprint(raw.upper())


def test_fingerprint_folds_the_end_of_a_sentence_but_not_a_question():
    assert text.fingerprint("我喜欢披萨。") == text.fingerprint("我喜欢披萨!")
    assert text.fingerprint("我喜欢披萨？") != text.fingerprint("我喜欢披萨")
    assert text.fingerprint("...") != text.fingerprint("")
    assert text.fingerprint("C++") != text.fingerprint("C")


@given(stored)
def test_what_a_question_searches_for_is_in_the_index_of_the_same_words(raw):
    assert set(text.query_tokens(raw)) <= set(text.tokens(raw))


def test_a_question_in_chinese_searches_pairs_unless_a_character_stands_alone():
    assert text.query_tokens("北京烤鸭") == ["北京", "京烤", "烤鸭"]
    assert text.query_tokens("鸭") == ["鸭"]


def test_search_text_joins_the_fact_its_key_value_subject_and_the_turn_before():
    joined = text.search_text(
        "主力语言是 Go",
        key="user.language.primary",
        value="Go",
        subject="用户",
        before="你用什么？",
    )
    assert joined == "主力语言是 Go\nuser language primary Go\n用户\n你用什么？"
    assert text.search_text("fact") == "fact"


@pytest.mark.parametrize(
    ("raw", "expected"), [("", 0), ("对花生过敏", 5), ("a" * 100, 27), ("用 Go", 2)]
)
def test_estimate_tokens(raw, expected):
    assert text.estimate_tokens(raw) == expected


@pytest.mark.parametrize(
    ("said", "slight"),
    [
        ("一个", True), ("什么", True), ("我的", True), ("有没", True), ("时候", True),
        ("餐厅", False), ("半马", False), ("过敏", False), ("go", False), ("我", True),
        ("西湖", False), ("不吃", False), ("🙂", False),
    ],
)  # fmt: skip
def test_some_pairs_say_nothing_by_themselves(said: str, slight: bool) -> None:
    assert text.is_slight(said) is slight
