import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.tombstones import loose_fingerprint, same_statement

SAME = [
    ("对猫过敏", "我对猫过敏。"),
    ("用户对猫过敏", "我对猫过敏了！"),
    ("我对猫过敏的", "请记住我对猫过敏"),
    ("我住在杭州", "住在杭州呢"),
    ("我很喜欢猫", "我喜欢猫"),
    ("用 Go", "用go"),
    ("ＣＮ－Ａ１", "cn a1"),
    ("I am allergic to cats", "I'm allergic to cats!"),
    ("The user is allergic to cats", "I’m allergic to cats"),
    ("user carries an EpiPen", "I carry an EpiPen"),
    ("I don't like tea", "I do not like tea"),
    ("I can't eat nuts", "i cannot eat nuts."),
    ("My cat is called Mo", "The user's cat is called Mo"),
    ("Remember that I live in Rome", "I live in Rome"),
    ("My name's Lin", "my name is Lin"),
]
OTHER = [
    ("我喜欢猫", "我不喜欢猫"),
    ("I like tea", "I don't like tea"),
    ("I can eat nuts", "I can't eat nuts"),
    ("我喜欢猫", "我喜欢猫吗？"),
    ("我有2只猫", "我有3只猫"),
    ("我用 C++", "我用 C"),
    ("我用 C#", "我用 C"),
    ("我们住杭州", "我住杭州"),
    ("我爸对猫过敏", "我对猫过敏"),
    ("my sister lives in Rome", "I live in Rome"),
    ("she is allergic to cats", "I am allergic to cats"),
    ("I like 🐶", "I like 🐱"),
    ("...", "!!!"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_small_rewordings_are_the_same_statement(one, other):
    assert same_statement(one, other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_polarity_numbers_names_and_people_are_not_lost(one, other):
    assert not same_statement(one, other)


@given(st.text(max_size=60))
def test_the_form_does_not_depend_on_space_around_the_text(text):
    assert loose_fingerprint(text) == loose_fingerprint(f" {text}\n")


@given(st.text(alphabet="我不喜欢披萨abcXYZ0123 ", max_size=30))
def test_the_form_does_not_depend_on_width_case_or_the_end(text):
    said = f"pizza {text}"
    wide = "".join(chr(ord(ch) + 0xFEE0) if "!" <= ch <= "~" else ch for ch in said)
    assert same_statement(said, wide)
    assert same_statement(said, said.upper() + "。")
