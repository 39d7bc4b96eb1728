from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.conflicts import Known, Statement, is_negative, replacement_cue, resolve, route
from memory.domain.policy import Policy
from memory.domain.values import ConflictPolicy, Decision, Reason, Relation, Source, Status

THEN = datetime(2026, 1, 1, tzinfo=UTC)
LATER = THEN + timedelta(days=30)
ASK = Policy(conflict_policy=ConflictPolicy.ASK)
ASSERTIVE = Policy(conflict_policy=ConflictPolicy.ASSERTIVE)
LANG = "user.lang"


def known(content, value="", *, key=LANG, **parts):
    return Known(
        **{
            "id": "old",
            "content": content,
            "value": value,
            "key": key,
            "created_at": THEN,
            **parts,
        }
    )


def said(content, value="", *, key=LANG, **parts):
    return Statement(content=content, value=value, key=key, **parts)


JAVA = known("主力语言是 Java", "Java")
PIZZA = known("我喜欢披萨", key="user.food.pizza")
STYLE = known("偏好强类型语言", "强类型", key="user.style")

# Old, new, decision, relation under `balanced`.
ROUTES = [
    (JAVA, said("主力语言是 Java。", "Java"), "NOOP", "duplicate"),
    (JAVA, said("平时主要写 Java", "java"), "NOOP", "duplicate"),
    (JAVA, said("我们迁到 Go 了", "Go"), "UPDATE", "replacement"),
    (JAVA, said("已从 Java 转向 Go", "Go"), "UPDATE", "replacement"),
    (JAVA, said("已从 Java 转向 Go，不再用 Java", "Go"), "UPDATE", "replacement"),
    (JAVA, said("Java 停了，现在用 Go", "Go"), "UPDATE", "replacement"),
    (JAVA, said("Switched to Go last month", "Go"), "UPDATE", "replacement"),
    (JAVA, said("We migrated our services to Go", "Go"), "UPDATE", "replacement"),
    (JAVA, said("I now write Go instead", "Go"), "UPDATE", "replacement"),
    (JAVA, said("主力语言其实是 Go", "Go"), "UPDATE", "replacement"),
    (
        JAVA,
        said("主力语言是 Java 21 + Spring Boot 3", "Java 21 + Spring Boot 3"),
        "UPDATE",
        "refinement",
    ),
    (JAVA, said("主力语言是 JavaScript", "JavaScript"), "CONFLICT", "contradiction"),
    (JAVA, said("主力语言是 Go", "Go"), "CONFLICT", "contradiction"),
    (JAVA, said("没有换成 Go", "Go"), "CONFLICT", "contradiction"),
    (JAVA, said("I have not switched to Go", "Go"), "CONFLICT", "contradiction"),
    (JAVA, said("我用 Java 也用 Go", "Go"), "ADD", "coexist"),
    (JAVA, said("I also use Go", "Go"), "ADD", "coexist"),
    (JAVA, said("打算换成 Go", "Go"), "ADD", "coexist"),
    (JAVA, said("如果换成 Go 会怎样", "Go"), "ADD", "coexist"),
    (JAVA, said("同事说换成 Go 了", "Go"), "ADD", "coexist"),
    (JAVA, said("要不要换成 Go？", "Go"), "ADD", "coexist"),
    (JAVA, said("最近在用 Go", "Go"), "ADD", "coexist"),
    (JAVA, said("these days it is Go", "Go"), "ADD", "coexist"),
    (JAVA, said("最近换成 Go 了", "Go"), "UPDATE", "replacement"),
    (JAVA, said("不用 Java 了"), "DELETE", "polarity"),
    (JAVA, said("I no longer use Java", "Java"), "DELETE", "polarity"),
    (JAVA, said("不再犹豫，就用 Java", "Java"), "NOOP", "duplicate"),
    (JAVA, said("框架是 Spring", "Spring", key="user.framework"), "ADD", "new"),
    (JAVA, said("用 Go", "Go", key="user.lang2"), "ADD", "new"),
    (JAVA, said("今天喝了咖啡", key=""), "ADD", "new"),
    (PIZZA, said("我讨厌披萨", key="user.food.pizza"), "DELETE", "polarity"),
    (PIZZA, said("我不喜欢披萨", key="user.food.pizza"), "DELETE", "polarity"),
    (PIZZA, said("我不是不喜欢披萨", key="user.food.pizza"), "NOOP", "duplicate"),
    (PIZZA, said("我很喜欢披萨", key="user.food.pizza"), "NOOP", "duplicate"),
    (PIZZA, said("我可能讨厌披萨", key="user.food.pizza"), "CONFLICT", "contradiction"),
    (PIZZA, said("最近在吃素", key="user.diet"), "ADD", "new"),
    (STYLE, said("偏好动态类型语言", "动态类型", key="user.style"), "CONFLICT", "contradiction"),
    (
        known("职位是后端工程师", "后端工程师", key="user.job", guarded=True),
        said("职位改成架构师", "架构师", key="user.job"),
        "UPDATE",
        "replacement",
    ),
    (
        known("职位是后端工程师", "后端工程师", key="user.job", guarded=True),
        said("职位是架构师", "架构师", key="user.job", valid_from=LATER),
        "CONFLICT",
        "contradiction",
    ),
    (
        known("项目用 PostgreSQL", "PostgreSQL", key="project.database"),
        said("项目切换到 MySQL", "MySQL", key="project.database"),
        "UPDATE",
        "replacement",
    ),
    (
        known("张三在做凤凰项目", "凤凰", key="zhangsan.project"),
        said("张三已经调到麒麟项目", "麒麟", key="zhangsan.project"),
        "UPDATE",
        "replacement",
    ),
    (
        known("早上喝咖啡", "咖啡", key="user.drink.morning"),
        said("咖啡戒了，换成茶", "茶", key="user.drink.morning"),
        "UPDATE",
        "replacement",
    ),
    (
        known("会说英语", "英语", key="user.languages"),
        said("会说日语", "日语", key="user.languages"),
        "ADD",
        "coexist",
    ),
]


@pytest.mark.parametrize(("old", "new", "decision", "relation"), ROUTES)
def test_route_under_the_balanced_policy(old, new, decision, relation):
    routing = route(new, [old])
    assert (routing.decision, routing.relation) == (decision, relation)
    assert routing.target_id == (None if decision == "ADD" else "old")


def test_nothing_known_is_an_addition():
    routing = route(said("主力语言是 Go", "Go"), [])
    assert (routing.decision, routing.relation) == (Decision.ADD, Relation.NEW)
    assert routing.single_valued is True


@pytest.mark.parametrize(
    ("policy", "decision"),
    [(ASK, Decision.CONFLICT), (Policy(), Decision.CONFLICT), (ASSERTIVE, Decision.UPDATE)],
)
def test_another_value_without_wording_by_policy(policy, decision):
    assert route(said("主力语言是 Go", "Go"), [JAVA], policy=policy).decision is decision


@pytest.mark.parametrize(
    ("policy", "decision"),
    [(ASK, Decision.CONFLICT), (Policy(), Decision.DELETE), (ASSERTIVE, Decision.DELETE)],
)
def test_a_flip_by_policy(policy, decision):
    new = said("我讨厌披萨", key="user.food.pizza")
    assert route(new, [PIZZA], policy=policy).decision is decision


@pytest.mark.parametrize("policy", [ASK, Policy(), ASSERTIVE])
def test_explicit_wording_updates_under_every_policy(policy):
    routing = route(said("换成 Go 了", "Go"), [JAVA], policy=policy)
    assert routing.decision is Decision.UPDATE
    assert (routing.reason, routing.cue) == (Reason.REPLACED, "换成")


@pytest.mark.parametrize("policy", [ASK, Policy(), ASSERTIVE])
def test_own_work_without_wording_is_asked_about_under_every_policy(policy):
    old = known("在 A 公司", "A", key="user.employer", guarded=True)
    new = said("在 B 公司", "B", key="user.employer", valid_from=LATER)
    assert route(new, [old], policy=policy).decision is Decision.CONFLICT


def test_a_later_date_of_validity_updates_without_wording():
    new = said("主力语言是 Go", "Go", valid_from=LATER)
    assert route(new, [JAVA]).decision is Decision.UPDATE
    assert route(new, [JAVA], policy=ASK).decision is Decision.CONFLICT
    spoken = said("主力语言是 Go", "Go", said_at=LATER, occurred_at=LATER)
    assert route(spoken, [JAVA]).decision is Decision.CONFLICT


@pytest.mark.parametrize("dated", ["valid_from", "occurred_at", "said_at"])
def test_an_older_fact_that_arrives_late_joins_the_chain_as_history(dated):
    new = said("主力语言换成 C 了", "C", **{dated: THEN - timedelta(days=400)})
    routing = route(new, [JAVA])
    assert (routing.decision, routing.relation) == (Decision.ADD, Relation.HISTORICAL)
    assert routing.history is True


@pytest.mark.parametrize(
    "new",
    [
        said("换成 Go 了", "Go"),
        said("主力语言是 Go", "Go"),
        said("不用 Java 了"),
        said("主力语言是 Java 21", "Java 21"),
    ],
)
def test_against_a_protected_memory_only_the_new_statement_waits(new):
    old = known("主力语言是 Java", "Java", protected=True)
    routing = route(new, [old])
    assert (routing.decision, routing.contested) == (Decision.CONFLICT, True)
    assert (routing.reason, routing.target_id) == (Reason.CONTRADICTION, "old")


@pytest.mark.parametrize(
    ("source", "reason"),
    [(Source.INFERRED, Reason.INFERRED), (Source.EXTERNAL, Reason.EXTERNAL)],
)
def test_an_inference_waits_alone_and_names_what_it_contradicts(source, reason):
    against = route(said("已经换成 Go 了", "Go", source=source), [JAVA])
    assert (against.decision, against.reason) == (Decision.CONFLICT, reason)
    assert (against.target_id, against.contested) == ("old", True)
    alone = route(said("用户可能用 Mac", "Mac", key="user.computer", source=source), [JAVA])
    assert (alone.decision, alone.reason) == (Decision.CONFLICT, reason)
    assert (alone.target_id, alone.contested) == (None, False)


def test_a_coexisting_value_is_stored_as_one_of_many():
    assert route(said("我用 Java 也用 Go", "Go"), [JAVA]).single_valued is False


def test_an_end_without_a_value_retires_one_of_many_only_by_its_own_words():
    skills = [
        known("I use Java", key="user.skills", id="java"),
        known("I use Go", key="user.skills", id="go"),
    ]
    routing = route(said("I don't use Java anymore", key="user.skills"), skills)
    assert (routing.decision, routing.target_id) == (Decision.DELETE, "java")
    other = route(said("I don't use Rust anymore", key="user.skills"), skills)
    assert other.decision is Decision.ADD


def test_the_served_row_is_compared_before_a_waiting_one():
    waiting = known("用 Rust", "Rust", id="waiting", status=Status.CONFLICT, created_at=LATER)
    assert route(said("用 Go", "Go"), [waiting, JAVA]).target_id == "old"


def test_a_waiting_twin_gets_the_evidence():
    waiting = known("用 Rust", "Rust", id="waiting", status=Status.CONFLICT)
    routing = route(said("用 rust!", "Rust"), [waiting])
    assert (routing.decision, routing.target_id) == (Decision.NOOP, "waiting")


@given(st.permutations([JAVA, PIZZA, STYLE, known("用 Rust", "Rust", id="r", created_at=LATER)]))
def test_routing_does_not_depend_on_the_order_of_the_known(rows):
    assert route(said("用 Go", "Go"), rows).target_id == "r"


@pytest.mark.parametrize(
    ("new", "old", "answer"),
    [
        (said("我用 Java", "Java"), JAVA, "noop"),
        (said("我们迁到 Go 了", "Go"), JAVA, "update"),
        (said("用 Go", "Go", key="user.lang2"), JAVA, "add"),
        (said("用 Spring", "Spring", key="user.framework"), JAVA, "add"),
        (said("偏好动态类型", "动态类型", key="user.style"), STYLE, "conflict"),
        (
            said("职位改成架构师", "架构师", key="user.job"),
            known("后端工程师", "后端工程师", key="user.job"),
            "update",
        ),
    ],
)
def test_s1s_own_resolve(new, old, answer):
    assert resolve(new, old) == answer


NEGATIVE = [
    "我不喜欢披萨",
    "我讨厌披萨",
    "从不喝酒",
    "没有车",
    "不再用 Java",
    "I don't like pizza",
    "I hate pizza",
    "never drinks",
    "no longer uses Java",
]
POSITIVE = [
    "我喜欢披萨",
    "披萨真不错",
    "不仅喜欢披萨",
    "我不但用 Java",
    "不久前开始用 Go",
    "不过我喜欢披萨",
    "口味不同",
    "差不多天天喝",
    "对不起我迟到了",
    "不得不每天挤地铁",
    "我不是不喜欢披萨",
    "没有一天不喝咖啡",
    "不能不吃辣",
    "我不讨厌披萨",
    "not only likes pizza",
    "the pizza is not bad",
    "can't wait to use Go",
    "I don't dislike pizza",
]


@pytest.mark.parametrize("text", NEGATIVE)
def test_a_denial_is_read_by_words(text):
    assert is_negative(text)


@pytest.mark.parametrize("text", POSITIVE)
def test_a_character_is_no_denial(text):
    assert not is_negative(text)


@pytest.mark.parametrize(
    "text",
    ["还没换成 Go", "不会改成 Go", "haven't switched to Go", "用 Go", "never moved to Berlin"],
)
def test_wording_that_is_taken_back_is_no_change(text):
    assert replacement_cue(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "不用了",
        "改成 Go",
        "换成 Go",
        "迁到 Go",
        "转向 Go",
        "切换到 Go",
        "搬到上海了",
        "入职阿里",
        "升任架构师",
        "switched to Go",
        "moved to Berlin",
        "migrated to Go",
        "started at Google",
        "got promoted to lead",
    ],
)
def test_change_wording_is_recognised(text):
    assert replacement_cue(text)
