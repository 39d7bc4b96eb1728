import pytest

from memory.domain.sensitivity import NAMES, find_sensitive


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
