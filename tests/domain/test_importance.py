import pytest

from memory.domain.errors import BadNumber
from memory.domain.importance import Dimensions, combine, is_passing, is_safety_critical, score
from memory.domain.tiers import classify
from memory.domain.values import Kind, Tier
from tests.domain.labelled import both_halves, read_rows

DANGERS = [
    "对花生过敏",
    "用户对花生过敏！",
    "用户禁用青霉素",
    "不能吃海鲜",
    "不是对虾过敏，但对花生过敏",
    "有糖尿病，每天打胰岛素",
    "I am allergic to penicillin",
    "allergic to peanuts and carries an EpiPen",
    "carries an EpiPen",
    "has a severe nut allergy",
    "must not take aspirin",
    "can't eat gluten",
]
HARMLESS = [
    "我对花生不过敏",
    "没有药物过敏史",
    "无过敏史",
    "对开会过敏",
    "禁用缓存功能",
    "no known allergies",
    "I don't have any allergies",
    "I'm not allergic to peanuts",
    "he is allergic to meetings",
    "I went to the drug store",
]
LASTING = [
    "在阿里云做后端工程师",
    "我住在杭州",
    "主力语言是 Go",
    "最喜欢的球星是梅西",
    "今天入职阿里",
    "I live in Berlin",
    "I work at Google as an engineer",
    "prefers concise answers",
]
ONGOING = ["正在学 Rust", "I am learning Rust", "working on the Phoenix project", "我喜欢披萨"]
PASSING = [
    "今天喝了咖啡",
    "今天很热",
    "上周在调一个 Python 服务",
    "had a latte",
    "it is so hot today",
    "I was debugging a Python service last week",
]


@pytest.mark.parametrize("content", DANGERS)
def test_a_danger_is_long_term_and_safety_critical(content):
    scored = score(content)
    assert scored.importance >= 0.8
    assert scored.safety >= 0.8
    assert classify(scored.importance) is Tier.LONG_TERM
    assert scored.path == "rules"


@pytest.mark.parametrize("content", HARMLESS)
def test_what_only_sounds_like_a_danger_is_none(content):
    assert not is_safety_critical(content)
    assert score(content).safety < 0.8


@pytest.mark.parametrize("content", LASTING)
def test_identity_and_core_preferences_are_long_term(content):
    assert score(content).importance >= 0.8


@pytest.mark.parametrize("content", ONGOING)
def test_what_is_going_on_is_short_term(content):
    assert 0.6 <= score(content).importance < 0.8


@pytest.mark.parametrize("content", PASSING)
def test_passing_states_are_working(content):
    assert score(content).importance < 0.6


def test_a_key_can_say_what_the_words_do_not():
    assert score("花生", key="user.allergies").safety >= 0.8
    assert score("杭州", key="user.residence").importance >= 0.8
    assert score("没有过敏", key="user.allergies").safety < 0.8


def test_a_rule_of_behaviour_is_long_term():
    assert score("回答要简洁", kind=Kind.PROCEDURAL).importance >= 0.8


def test_an_opinion_counts_half_and_never_lowers_a_danger():
    assert score("今天很热", opinion=1.0).importance < 0.6
    assert score("对花生过敏", opinion=0.0).importance >= 0.9
    assert score("在看一本小说", opinion=0.89).importance > score("在看一本小说").importance


@pytest.mark.parametrize("bad", [-0.1, 1.5, float("nan")])
def test_an_opinion_outside_its_range_is_refused(bad):
    with pytest.raises(BadNumber):
        score("x", opinion=bad)


def test_safety_lifts_on_its_own():
    parts = {"relevance": 0, "factuality": 0, "actionability": 0, "personal": 0, "time": 0}
    assert combine(Dimensions(**parts, safety=0.8)) == 0.9
    assert combine(Dimensions(**parts, safety=0.79)) < 0.1
    with pytest.raises(BadNumber):
        Dimensions(**parts, safety=1.1)


def test_the_labelled_set_is_large_enough_and_half_of_it_is_held_out():
    rows = read_rows("importance")
    assert len(rows) >= 120
    assert 0.4 < len(read_rows("importance", held_out=True)) / len(rows) < 0.6
    for tier in Tier:
        assert sum(row["tier"] == tier for row in rows) >= 40


@both_halves
def test_the_rules_find_the_tier_of_most_facts(held_out, record_property):
    rows = read_rows("importance", held_out=held_out)
    right = [row for row in rows if classify(score(row["text"]).importance) == row["tier"]]
    accuracy = len(right) / len(rows)
    record_property("tier accuracy", accuracy)
    assert accuracy >= 0.93, [row["text"] for row in rows if row not in right and not held_out]


@both_halves
def test_no_danger_is_missed_and_none_is_made_up(held_out):
    for row in read_rows("importance", held_out=held_out):
        assert is_safety_critical(row["text"]) is row["safety"]


@pytest.mark.parametrize(
    "content",
    [
        "做糖尿病预测模型的课题",
        "our allergy tracker app has a bug",
        "抗过敏药在第二个抽屉",
        "a suicide burn lands the rocket",
        "I work on an insulin pump startup's website backend for a pump app",
    ],
)
def test_a_danger_as_the_matter_of_work_is_none(content):
    # The last names an insulin pump: words alone cannot tell its wearer from its maker.
    assert is_safety_critical(content) is ("insulin pump" in content)


def test_what_is_of_the_day_passes():
    assert all(is_passing(content) for content in PASSING)
    assert not any(is_passing(content) for content in [*DANGERS, *LASTING])
    assert not is_passing("今天很热", kind=Kind.PROCEDURAL)
    assert not is_passing("今天的地址", key="user.residence")
