import pytest

from memory.domain.sensitivity import NAMES, find_sensitive
from tests.domain.labelled import both_halves, precision_and_recall, read_rows


def test_the_names_are_the_designs():
    assert NAMES == ("emotion", "health", "money", "work_search", "intimacy", "beliefs")


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("最近很焦虑", "emotion"),
        ("I feel so lonely", "emotion"),
        ("对花生过敏", "health"),
        ("diagnosed with diabetes", "health"),
        ("月薪两万", "money"),
        ("my salary is low", "money"),
        ("owes $500", "money"),
        ("在找工作", "work_search"),
        ("looking for a new job", "work_search"),
        ("和女朋友分手了", "intimacy"),
        ("he is gay", "intimacy"),
        ("我信佛", "beliefs"),
        ("votes for the greens", "beliefs"),
    ],
)
def test_a_sensitive_topic_is_named(content, name):
    assert name in find_sensitive(content)


@pytest.mark.parametrize("content", ["主力语言是 Go", "lives in Berlin", "我喜欢披萨", "stockings"])
def test_ordinary_facts_are_not_sensitive(content):
    assert find_sensitive(content) == ()


def test_the_key_counts_too():
    assert find_sensitive("两万", key="user.salary") == ("money",)


def test_the_labelled_set_is_large_enough_and_half_of_it_is_held_out():
    rows = read_rows("sensitivity")
    assert len(rows) >= 120
    assert 0.4 < len(read_rows("sensitivity", held_out=True)) / len(rows) < 0.6
    assert {topic for row in rows for topic in row["topics"]} == set(NAMES)


@both_halves
def test_what_is_private_is_found_and_the_rest_left_open(held_out, record_property):
    rows = read_rows("sensitivity", held_out=held_out)
    precision, recall = precision_and_recall(
        rows, lambda row: find_sensitive(row["text"]) != (), lambda row: row["topics"] != []
    )
    named = [row for row in rows if row["topics"]]
    right = [row for row in named if set(row["topics"]) <= set(find_sensitive(row["text"]))]
    record_property("precision", precision)
    record_property("recall", recall)
    record_property("topic accuracy", len(right) / len(named))
    assert precision >= 0.93
    assert recall >= 0.95
    assert len(right) / len(named) >= 0.93
