"""The demo story shows what it promises. It is told once for all tests here, and only read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connection

from accounts.models import User
from memory.border import owner_scope
from memory.demo import OWNER_EMAIL, load_demo, moment, story
from memory.domain.policy import DEFAULT_POLICY
from memory.models import Agent, AgentKey, Conflict, Event, Memory, Project, Recall
from memory.querysets.callers import Caller
from memory.services.recall import Answer, Question, recall
from tests.conftest import NOW, empty_database

CHINESE = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture(scope="module")
def told(django_db_setup: None, django_db_blocker: Any) -> Iterator[UUID]:
    """The owner of the story, told up to NOW."""
    with django_db_blocker.unblock():
        yield load_demo(NOW)
        connection.close()
        empty_database()


@pytest.fixture
def owner(told: UUID, database: None) -> Iterator[UUID]:
    """In the owner's scope, so that tests read as claims about rows."""
    with owner_scope(told):
        yield told


@pytest.fixture
def memories(owner: UUID) -> list[Memory]:
    return list(
        Memory.objects.of(owner).select_related("use", "agent", "project").order_by("created_at")
    )


@pytest.fixture
def find(memories: list[Memory]) -> Callable[..., Memory]:
    """The one memory with these words, or with this key and value."""

    def find(content: str = "", **fields: Any) -> Memory:
        [row] = [
            row
            for row in memories
            if content in row.content
            and all(getattr(row, name) == wanted for name, wanted in fields.items())
        ]
        return row

    return find


@pytest.fixture
def ask(owner: UUID) -> Callable[[str | None, str], Answer]:
    """A recall by one of the agents, or by the owner, that changes nothing."""

    def ask(agent: str | None, query: str) -> Answer:
        caller = Caller(owner=owner)
        if agent is not None:
            row = Agent.objects.of(owner).get(name=agent)
            places = {project.slug: project.pk for project in row.projects.all()}
            caller = Caller(
                owner=owner, agent=row.pk, projects=places, places=frozenset(places.values())
            )
        return recall(caller, Question(query=query, reinforce=False), now=NOW)

    return ask


def contents(answer: Answer) -> list[str]:
    return [served.memory.content for served in answer.served]


def everything_told(answer: Answer) -> list[str]:
    return [
        *(memory.content for memory, _ in answer.standing),
        *contents(answer),
        *(memory.content for asked in answer.asked for memory in asked.memories),
        *(step.value for history in answer.history for step in history.steps),
    ]


# -- The whole -------------------------------------------------------------------------------------


def test_steps_are_in_the_order_they_happened() -> None:
    moments = [moment(NOW, step.days, step.clock) for step in story.STORY]
    assert moments == sorted(moments)
    assert moments[-1] < NOW


def test_about_sixty_memories_over_fourteen_months(memories: list[Memory]) -> None:
    assert 55 <= len(memories) <= 70
    span = memories[-1].created_at - memories[0].created_at
    assert timedelta(days=13 * 30.4) < span < timedelta(days=15 * 30.4)
    assert all(row.created_at < NOW for row in memories)


def test_half_is_chinese_and_half_english(memories: list[Memory]) -> None:
    chinese = [row for row in memories if CHINESE.search(row.content)]
    assert len(chinese) >= 24
    assert len(memories) - len(chinese) >= 24


def test_every_memory_is_short_and_says_what_it_was_made_from(memories: list[Memory]) -> None:
    for row in memories:
        assert row.quote, row.content
        assert 5 <= len(row.content) <= 90, row.content
        assert len(row.value) <= 30, row.value
        assert row.embedding is not None


def test_the_owner_can_be_shown(owner: UUID) -> None:
    person = User.objects.get(pk=owner)
    assert (person.email, person.name, person.zone) == (
        OWNER_EMAIL,
        "林悦 Lin Yue",
        "Asia/Shanghai",
    )
    assert not person.has_usable_password()
    assert set(Project.objects.of(owner).values_list("slug", flat=True)) == {"q2-launch", "home"}
    keys = AgentKey.objects.of(owner)
    assert {key.agent.name for key in keys.select_related("agent")} == set(story.AGENTS)
    assert all(key.last_used_at and key.last_used_at < NOW for key in keys)


# -- How facts changed -----------------------------------------------------------------------------


def test_the_language_is_a_chain_of_three_without_fork(memories: list[Memory]) -> None:
    java, python, go = [row for row in memories if row.key == "user.language.primary"]
    assert [row.value for row in (java, python, go)] == ["Java", "Python", "Go"]
    assert [row.status for row in (java, python, go)] == ["superseded", "superseded", "active"]
    assert (java.replaces_id, python.replaces_id, go.replaces_id) == (None, java.pk, python.pk)
    assert (java.superseded_by_id, python.superseded_by_id) == (python.pk, go.pk)
    assert java.invalidated_at == python.valid_from
    assert python.invalidated_at == go.valid_from
    replaced = [row.replaces_id for row in memories if row.replaces_id]
    assert len(replaced) == len(set(replaced))


def test_home_job_and_employer_changed_in_plain_words(find: Callable[..., Memory]) -> None:
    for key, old, new in (
        ("user.residence", "上海", "杭州"),
        ("user.job", "后端工程师", "技术负责人"),
        ("user.company", "电商公司", "物流科技公司"),
        ("user.database", "PostgreSQL", "PostgreSQL 17 + pgvector"),
    ):
        assert find(key=key, value=new).replaces_id == find(key=key, value=old).pk


def test_what_ended_is_forgotten_and_can_be_restored(find: Callable[..., Memory]) -> None:
    for value in ("Bouldering", "FastAPI"):
        ended = find(value=value)
        assert (ended.status, ended.status_reason) == ("superseded", "ended")
        assert ended.should_forget


# -- What waits for the owner ----------------------------------------------------------------------


def test_two_contradictions_wait_with_both_sides(owner: UUID) -> None:
    entries = Conflict.objects.of(owner).waiting().filter(reason="contradiction")
    sides = {
        frozenset(place.memory.value for place in entry.members.select_related("memory"))
        for entry in entries
    }
    assert sides == {
        frozenset({"龙井茶", "Pour-over coffee"}),
        frozenset({"周四晚上", "Tuesday morning"}),
    }


def test_a_guess_and_a_word_from_outside_wait(find: Callable[..., Memory]) -> None:
    for content, reason in (
        ("可能用 Mac", "inferred"),
        ("Seems to think best", "inferred"),
        ("Airline account shows Silver status", "external"),
    ):
        row = find(content)
        assert (row.status, row.status_reason) == ("conflict", reason)


def test_the_allergy_is_contested_and_stands_all_the_same(find: Callable[..., Memory]) -> None:
    allergy, guess = find("对花生过敏", source="user_stated"), find("不对花生过敏")
    assert allergy.status == "active"
    assert allergy.contested
    assert allergy.is_protected(DEFAULT_POLICY)
    assert allergy.importance >= 0.9
    assert guess.status == "conflict"
    assert guess.safety == 0


# -- What the owner did ----------------------------------------------------------------------------


def test_the_owner_ruled_on_guesses_and_facts(find: Callable[..., Memory]) -> None:
    denied = find("换工作")
    assert (denied.status, denied.status_reason) == ("superseded", "denied")
    theme = find(key="user.theme")
    assert (theme.status, theme.source) == ("active", "user_stated")
    for value in ("Dark", "林悦", "Concise", "麻薯", "杭州", "Go"):
        assert find(value=value, status="active").confirmed_at, value


def test_the_cats_name_was_put_right(find: Callable[..., Memory]) -> None:
    cat = find(key="user.pet")
    assert cat.content == "养了一只橘猫，叫麻薯"
    assert [revision.value for revision in cat.revisions.all()] == ["麻糬"]


def test_the_editor_may_be_out_of_date(find: Callable[..., Memory]) -> None:
    editor = find(key="user.editor")
    assert (editor.status, editor.status_reason) == ("stale", "outdated")
    # Not so faded that a sweep puts it away before anybody has seen it.
    assert editor.retention(DEFAULT_POLICY, NOW) > DEFAULT_POLICY.archive_line


def test_one_is_archived_one_pinned_one_recently_deleted(find: Callable[..., Memory]) -> None:
    assert find("Takes the 19:30 train").archived_at
    assert find("半马，2 小时").pinned
    deleted = find("Weighs 61 kg").deleted_at
    assert deleted is not None
    assert deleted > NOW - timedelta(days=DEFAULT_POLICY.days_recently_deleted)


def test_words_from_outside_were_refused_where_they_may_not_wait(owner: UUID) -> None:
    assert not Memory.objects.of(owner).filter(content__contains="tracking snippet").exists()
    assert Event.objects.of(owner).filter(verb="refused", reason="external_refused").count() == 1


# -- How it fades ----------------------------------------------------------------------------------


def test_chatter_has_faded(find: Callable[..., Memory]) -> None:
    for words in ("今天喝了三杯咖啡", "It was raining hard", "Had a latte"):
        row = find(words)
        assert row.tier == "working"
        assert row.importance < 0.6
        assert row.retention(DEFAULT_POLICY, NOW) < 0.01


def test_a_good_part_of_it_is_alive(memories: list[Memory]) -> None:
    alive = [
        row
        for row in memories
        if row.status == "active"
        and row.archived_at is None
        and row.retention(DEFAULT_POLICY, NOW) >= DEFAULT_POLICY.archive_line
    ]
    assert len(alive) >= 25


def test_recalls_are_logged_and_moved_anchors(owner: UUID, memories: list[Memory]) -> None:
    recalls = list(Recall.objects.of(owner))
    assert len(recalls) >= 25
    assert {row.agent.name for row in recalls if row.agent} == set(story.AGENTS)
    served = [row for row in memories if row.use.times_served]
    assert len(served) >= 20
    assert all(row.use.anchor > row.created_at for row in served)


# -- Who sees what ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "writer", "query"),
    [
        ("血压偏高，医生说必须少吃盐", story.CHAT, "血压偏高要少吃盐吗"),
        ("Always takes the window seat", story.TRAVEL, "window seat"),
        ("代码评审先看测试，再看实现", story.CODE, "代码评审"),
    ],
)
def test_what_is_private_only_its_agent_is_told(
    ask: Callable[[str | None, str], Answer], words: str, writer: str, query: str
) -> None:
    assert words in everything_told(ask(writer, query))
    assert words in everything_told(ask(None, query))
    for other in set(story.AGENTS) - {writer}:
        assert words not in everything_told(ask(other, query))


def test_health_and_money_are_private(find: Callable[..., Memory]) -> None:
    for key in ("user.health", "user.mortgage", "user.travel.budget", "user.partner"):
        assert find(key=key).visibility == "private"


def test_what_is_said_in_a_project_is_stored_for_it(memories: list[Memory]) -> None:
    meant = {
        line.content: line.project
        for step in story.STORY
        if isinstance(step, story.Wrote)
        for line in step.lines
        if line.project
    }
    stored = {row.content: row.project.slug for row in memories if row.visibility == "group"}
    assert stored == meant


@pytest.mark.parametrize(
    ("words", "query", "stranger"),
    [
        ("q2-launch 项目要用 Go 重写结算服务", "q2-launch 结算服务", story.TRAVEL),
        ("客厅的路由器每周三凌晨重启", "路由器什么时候重启", story.CODE),
    ],
)
def test_a_project_is_shared_by_two_agents_and_hidden_from_the_third(
    ask: Callable[[str | None, str], Answer], words: str, query: str, stranger: str
) -> None:
    for agent in story.AGENTS:
        assert (words in everything_told(ask(agent, query))) is (agent != stranger)


# -- What agents are told --------------------------------------------------------------------------


@pytest.mark.parametrize("agent", story.AGENTS)
def test_every_agent_hears_of_the_allergy_when_asked_for_a_restaurant(
    ask: Callable[[str | None, str], Answer], agent: str
) -> None:
    answer = ask(agent, "推荐一个餐厅")
    assert ("对花生过敏", "safety") in [(memory.content, why) for memory, why in answer.standing]
    assert "不对花生过敏" not in answer.context


def test_a_backend_framework_is_recommended_for_go_not_java(
    ask: Callable[[str | None, str], Answer],
) -> None:
    answer = ask(story.CODE, "推荐一个后端框架")
    languages = [s.memory.value for s in answer.served if s.memory.key == "user.language.primary"]
    assert languages == ["Go"]
    assert "Java" not in answer.context


def test_the_languages_of_the_past_come_as_a_timeline(
    ask: Callable[[str | None, str], Answer],
) -> None:
    [history] = [
        told
        for told in ask(story.CODE, "之前用什么语言？").history
        if told.topic == "user.language.primary"
    ]
    assert [step.value for step in history.steps] == ["Java", "Python", "Go"]
