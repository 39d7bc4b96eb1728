"""The examples the sources print, through the real write path: S0's under `assertive`, S1's under
`ask` and `balanced` (requirements 40, 49, 68 to 71, 79, 80)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from accounts.models import User
from memory.border import owner_scope
from memory.domain.policy import Policy
from memory.domain.values import ConflictPolicy, Reason
from memory.models import Conflict, Memory
from memory.querysets.callers import Caller
from memory.services.recall import Answer, Question, recall
from memory.services.write import Fact, Outcome, write_facts
from tests.conftest import NOW, ApiClient

LATER = NOW + timedelta(hours=1)


def under(agent: ApiClient, policy: ConflictPolicy) -> Caller:
    return replace(agent.caller, policy=Policy(conflict_policy=policy))


def write(caller: Caller, content: str, *, now: datetime = NOW, **fact: Any) -> Outcome:
    [outcome] = write_facts(caller, [Fact(content=content, **fact)], now=now)
    return outcome


def read(owner: User, memory: Memory | None) -> Memory:
    assert memory is not None
    with owner_scope(owner.pk):
        return Memory.objects.of(owner.pk).get(pk=memory.pk)


def ask(caller: Caller, query: str, **more: Any) -> Answer:
    return recall(caller, Question(query=query, reinforce=False, **more), now=LATER)


def told(answer: Answer) -> set[str]:
    return {one.memory.content for one in answer.served}


# -- S0, literally ---------------------------------------------------------------------------------


@pytest.fixture
def s0(agent: ApiClient) -> Caller:
    return under(agent, ConflictPolicy.ASSERTIVE)


S0 = [
    ("主力编程语言是 Java", "已从 Java 全面转向 Go", "UPDATE"),
    ("我喜欢披萨", "最近在吃素", "ADD"),
    ("喜欢意大利菜", "最近在吃素", "ADD"),
    ("云服务用 AWS", "云服务从 AWS 迁移到阿里云", "UPDATE"),
    ("我喜欢披萨", "我讨厌披萨", "DELETE"),
    ("正在做电商项目", "正在做一个卖家具的电商项目", "UPDATE"),
    ("学了 Rust", "学了 Rust，并用 Axum 实践", "UPDATE"),
]


@pytest.mark.parametrize(("old", "new", "decision"), S0)
def test_s0s_cases(s0: Caller, alice: User, old: str, new: str, decision: str) -> None:
    first = write(s0, old)
    assert first.decision == "ADD"
    second = write(s0, new, now=LATER)
    assert second.decision == decision
    assert second.reason
    was, now = read(alice, first.memory), read(alice, second.memory)
    if decision == "ADD":
        assert (was.status, now.status, second.target) == ("active", "active", None)
        return
    assert second.target is not None
    assert second.target.pk == was.pk
    assert (was.status, now.status) == ("superseded", "active")
    assert (was.superseded_by_id, now.replaces_id) == (now.pk, was.pk)
    assert was.should_forget is (decision == "DELETE")


def test_s0s_queries(s0: Caller, alice: User) -> None:
    for content in (
        "主力编程语言是 Java", "已从 Java 全面转向 Go", "我喜欢吃披萨", "最近在吃素，不吃肉类食物",
        "云服务用 AWS", "云服务从 AWS 迁移到阿里云",
    ):  # fmt: skip
        write(s0, content)
    language = told(ask(s0, "主力编程语言是什么"))
    assert "已从 Java 全面转向 Go" in language
    assert "主力编程语言是 Java" not in language
    cloud = told(ask(s0, "云服务用哪家"))
    assert "云服务从 AWS 迁移到阿里云" in cloud
    assert "云服务用 AWS" not in cloud
    food = told(ask(s0, "喜欢吃什么食物"))
    assert {"我喜欢吃披萨", "最近在吃素，不吃肉类食物"} <= food
    past = ask(s0, "以前的主力编程语言是什么")
    assert any("Java" in step.value for chain in past.history for step in chain.steps)
    again = ask(s0, "主力编程语言是什么")
    assert told(again) == language
    assert again.tokens_after < again.tokens_before


# -- S1 --------------------------------------------------------------------------------------------


@pytest.fixture(params=[ConflictPolicy.ASK, ConflictPolicy.BALANCED])
def s1(agent: ApiClient, request: pytest.FixtureRequest) -> Caller:
    return under(agent, request.param)


def test_s1s_replacement_keeps_the_timeline(s1: Caller, alice: User) -> None:
    java = write(s1, "我们用 Java", key="user.lang", value="Java")
    go = write(s1, "我们迁到 Go 了", key="user.lang", value="Go", now=LATER)
    assert go.decision == "UPDATE"
    assert (read(alice, java.memory).status, read(alice, go.memory).status) == (
        "superseded",
        "active",
    )
    assert told(ask(s1, "我们用 Java 还是 Go")) == {"我们迁到 Go 了"}
    [chain] = ask(s1, "以前我们用 Java 还是 Go").history
    assert [step.value for step in chain.steps] == ["Java", "Go"]


def test_s1s_coexistence_keeps_both(s1: Caller, alice: User) -> None:
    rows = [
        write(s1, "主力语言 Java", key="user.lang", value="Java"),
        write(s1, "框架 Spring", key="user.framework", value="Spring"),
        write(s1, "也写 Go", key="user.lang2", value="Go"),
    ]
    assert [row.decision for row in rows] == ["ADD", "ADD", "ADD"]
    assert {read(alice, row.memory).status for row in rows} == {"active"}


def test_s1s_conflict_keeps_both_lowers_both_and_asks(s1: Caller, alice: User) -> None:
    static = write(s1, "偏好强类型", key="user.style", value="强类型")
    before = [one.memory.content for one in ask(s1, "类型偏好").served]
    dynamic = write(s1, "偏好动态类型", key="user.style", value="动态类型", now=LATER)
    assert dynamic.decision == "CONFLICT"
    assert {read(alice, one.memory).status for one in (static, dynamic)} == {"conflict"}
    answer = ask(s1, "类型偏好")
    assert before == ["偏好强类型"]
    assert told(answer) == set()
    [question] = answer.asked
    assert question.conflict == dynamic.conflict
    assert {memory.value for memory in question.memories} == {"强类型", "动态类型"}
    assert question.weight < 1
    with owner_scope(alice.pk):
        assert Conflict.objects.of(alice.pk).get().reason == Reason.CONTRADICTION


def test_s1s_same_value_writes_nothing(s1: Caller, alice: User) -> None:
    first = write(s1, "用 Java", key="user.lang", value="Java")
    again = write(s1, "平时写 Java", key="user.lang", value="Java", now=LATER)
    assert (again.decision, again.memory and again.memory.pk) == (
        "NOOP",
        first.memory and first.memory.pk,
    )
    assert read(alice, first.memory).said_at == LATER


def test_s1s_job_is_changed_by_its_wording_alone(s1: Caller, alice: User) -> None:
    was = write(s1, "职位是后端工程师", key="user.job", value="后端工程师")
    now = write(s1, "职位改成架构师", key="user.job", value="架构师", now=LATER)
    assert now.decision == "UPDATE"
    assert read(alice, was.memory).status == "superseded"
    [chain] = ask(s1, "以前是什么职位").history
    assert [step.value for step in chain.steps] == ["后端工程师", "架构师"]


@pytest.mark.parametrize("words", ["不用了，换 Go", "改成 Go", "换成 Go", "迁到 Go"])
def test_s1s_wording_replaces(s1: Caller, words: str) -> None:
    write(s1, "用 Java", key="user.lang", value="Java")
    assert write(s1, words, key="user.lang", value="Go", now=LATER).decision == "UPDATE"


def test_using_both_is_no_replacement(s1: Caller, alice: User) -> None:
    java = write(s1, "我用 Java", key="user.lang", value="Java")
    both = write(s1, "我用 Java 也用 Go", key="user.lang", value="Go", now=LATER)
    assert both.decision == "ADD"
    assert read(alice, java.memory).status == "active"
