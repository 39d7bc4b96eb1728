"""Weeks of weak memories become one suggestion, which waits for the owner."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from accounts.models import User
from memory.border import owner_scope
from memory.models import Conflict, ConflictMember, Memory
from memory.services.erase import delete_memory
from memory.services.reflect import reflect, reflect_for
from memory.services.retain import sweep
from memory.services.settle import confirm_memory, deny_memory
from tests.conftest import NOW, ApiClient

RUST = ["问了 Rust 的所有权怎么理解", "在查 Rust 生命周期的报错", "想知道 Rust 的异步怎么写"]
CHATTER = ["今天中午下雨了", "", "刚开完周会", "买了双新鞋"]
MakeMemory = Callable[..., Memory]


@pytest.fixture
def three_weeks(alice: User, agent: ApiClient, make_memory: MakeMemory) -> list[Memory]:
    """Three weeks of Rust questions to her coding assistant, and other chatter."""
    from memory.models import Agent

    with owner_scope(alice.pk):
        coder = Agent.objects.get(pk=agent.caller.agent)
    rows = []
    for weeks, content in zip((3, 2, 0), RUST, strict=True):
        at = NOW - timedelta(weeks=weeks, days=1)
        rows.append(make_memory(alice, content, now=at, agent=coder, tier="working"))
        make_memory(alice, CHATTER[weeks], now=at, agent=coder)
    return rows


def the_suggestion(owner: User) -> Memory:
    with owner_scope(owner.pk):
        return Memory.objects.get(status_reason="suggestion")


def test_a_theme_becomes_one_suggestion_citing_its_members(
    alice: User, three_weeks: list[Memory]
) -> None:
    assert reflect(now=NOW) == 1
    made = the_suggestion(alice)
    assert (made.content, made.status, made.source) == ("经常提到Rust", "conflict", "inferred")
    with owner_scope(alice.pk):
        [entry] = Conflict.objects.of(alice).waiting()
        members = {
            member.memory_id: member.bystander
            for member in ConflictMember.objects.filter(conflict=entry)
        }
    assert entry.reason == "suggestion"
    assert members == {made.pk: False, **{row.pk: True for row in three_weeks}}
    with owner_scope(alice.pk):
        assert all(row.status == "active" and not row.contested for row in three_weeks)


def test_it_is_found_among_what_was_archived(alice: User, three_weeks: list[Memory]) -> None:
    sweep(now=NOW)
    assert reflect(now=NOW) == 1


def test_it_speaks_the_owners_language(alice: User, three_weeks: list[Memory]) -> None:
    alice.language = "en"
    alice.save(update_fields=["language"])
    reflect(now=NOW)
    assert the_suggestion(alice).content == "Often comes back to Rust"


def test_twice_is_once(alice: User, three_weeks: list[Memory]) -> None:
    assert [reflect(now=NOW), reflect(now=NOW + timedelta(days=1))] == [1, 0]


def test_it_is_never_served_before_it_is_confirmed(
    alice: User, three_weeks: list[Memory], agent: ApiClient
) -> None:
    reflect(now=NOW)
    made = the_suggestion(alice)
    before = agent.recall("经常提到 Rust 吗", reinforce=False)
    served = [item["memory"]["id"] for item in (*before["memories"], *before["standing"])]
    assert str(made.pk) not in served
    assert made.content not in before["context"]
    confirm_memory(owner=alice.pk, memory=made.pk, now=NOW)
    after = agent.recall("经常提到 Rust 吗", reinforce=False)
    assert str(made.pk) in [item["memory"]["id"] for item in after["memories"]]


def test_denied_it_does_not_come_back(alice: User, three_weeks: list[Memory]) -> None:
    reflect(now=NOW)
    deny_memory(owner=alice.pk, memory=the_suggestion(alice).pk, now=NOW)
    assert reflect(now=NOW + timedelta(days=1)) == 0
    alice.language = "en"
    alice.save(update_fields=["language"])
    assert reflect(now=NOW + timedelta(days=1)) == 0


def test_deleted_and_erased_it_does_not_come_back(alice: User, three_weeks: list[Memory]) -> None:
    reflect(now=NOW)
    delete_memory(owner=alice.pk, memory=the_suggestion(alice).pk, now=NOW)
    sweep(now=NOW + timedelta(days=8))
    assert reflect(now=NOW + timedelta(days=9)) == 0


def test_what_is_known_for_long_is_not_suggested(
    alice: User, three_weeks: list[Memory], make_memory: MakeMemory
) -> None:
    make_memory(alice, "主力语言是 Rust", now=NOW, tier="long_term", importance=0.8)
    assert reflect(now=NOW) == 0


def test_members_deleted_meanwhile_are_not_cited(alice: User, three_weeks: list[Memory]) -> None:
    delete_memory(owner=alice.pk, memory=three_weeks[0].pk, now=NOW)
    assert reflect(now=NOW) == 0


def test_private_rows_of_two_agents_are_told_to_neither(
    alice: User, three_weeks: list[Memory], make_agent: Callable[..., ApiClient]
) -> None:
    other = make_agent(alice, "chat")
    with owner_scope(alice.pk):
        Memory.objects.filter(pk=three_weeks[0].pk).update(agent=other.caller.agent)
        Memory.objects.filter(pk__in=[row.pk for row in three_weeks]).update(visibility="private")
    [made] = reflect_for(alice.pk, now=NOW)
    with owner_scope(alice.pk):
        row = Memory.objects.get(pk=made)
    assert (row.agent_id, row.visibility) == (None, "private")


def test_one_owners_weeks_are_not_anothers(
    alice: User, bob: User, three_weeks: list[Memory]
) -> None:
    assert reflect_for(bob.pk, now=NOW) == []
    assert len(reflect_for(alice.pk, now=NOW)) == 1
