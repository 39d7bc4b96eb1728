"""Topics renamed and merged, how many values one holds, and what is written afterwards."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.models import User
from memory.border import owner_scope
from memory.models import Conflict, Memory, TopicRule
from memory.services import rename, undo
from memory.services.errors import InvalidInput, NotFound
from tests.acts.looking import read, snapshot, words_of
from tests.conftest import NOW, ApiClient

Make = Callable[..., Memory]


def move(owner: User, old: str, new: str) -> rename.Renamed:
    return rename.rename_topic(owner=owner.pk, from_key=old, to_key=new, now=NOW)


def test_a_renamed_topic_takes_its_memories_and_what_comes_later(
    alice: User, agent: ApiClient
) -> None:
    row = agent.write("drinks oolong", key="user.beverage", value="oolong")["memory"]
    done = move(alice, "user.beverage", "user.drink")
    assert (done.moved, done.asked) == (1, 0)
    assert agent.get(f"memories/{row['id']}").json()["key"] == "user.drink"
    with owner_scope(alice.pk):
        assert "drink" in words_of(alice, Memory.objects.get(pk=row["id"]))
    later = agent.write("I switched to sencha", key="user.beverage", value="sencha")
    assert (later["decision"], later["memory"]["key"]) == ("UPDATE", "user.drink")


def test_undo_gives_the_old_name_back_and_the_router_forgets(alice: User, agent: ApiClient) -> None:
    agent.write("drinks oolong", key="user.beverage", value="oolong")
    before = snapshot(alice)
    done = move(alice, "user.beverage", "user.drink")
    undo.undo_gesture(owner=alice.pk, gesture=done.gesture, now=NOW)
    assert snapshot(alice) == before
    with owner_scope(alice.pk):
        assert not TopicRule.objects.exists()
    assert agent.write("drinks milk", key="user.beverage")["memory"]["key"] == "user.beverage"


def test_detected_topics_follow_as_well(alice: User, agent: ApiClient) -> None:
    row = agent.write("我住在杭州")["memory"]
    assert row["key"] == "user.residence"
    move(alice, "user.residence", "user.base")
    later = agent.write("我搬到上海了")
    assert later["memory"]["key"] == "user.base"
    assert later["decision"] == "UPDATE"


def test_two_values_that_exclude_each_other_are_asked_about(alice: User, agent: ApiClient) -> None:
    java = agent.write("主力语言是 Java", key="user.lang", value="Java")["memory"]
    go = agent.write("我写 Go", key="user.language.primary", value="Go")["memory"]
    before = snapshot(alice)
    done = move(alice, "user.lang", "user.language.primary")
    assert (done.moved, done.asked) == (1, 1)
    with owner_scope(alice.pk):
        [entry] = Conflict.objects.of(alice).waiting()
        members = {str(pk) for pk in entry.members.values_list("memory", flat=True)}
        assert members == {java["id"], go["id"]}
    undo.undo_gesture(owner=alice.pk, gesture=done.gesture, now=NOW)
    after = snapshot(alice)
    assert {pk: after[pk] for pk in before} == before
    assert agent.get("conflicts").json()["total"] == 0


def test_many_values_stand_beside_each_other_from_then_on(alice: User, agent: ApiClient) -> None:
    first = agent.write("uses a ThinkPad", key="user.computer", value="ThinkPad")["memory"]
    gesture = rename.set_topic_values(owner=alice.pk, key="user.computer", single=False, now=NOW)
    assert agent.write("uses a Mac", key="user.computer", value="Mac")["decision"] == "ADD"
    assert agent.get(f"memories/{first['id']}").json()["status"] == "active"
    undo.undo_gesture(owner=alice.pk, gesture=gesture, now=NOW)
    with owner_scope(alice.pk):
        assert not TopicRule.objects.exists()


def test_one_value_is_asked_about_where_the_key_alone_would_allow_many(
    alice: User, agent: ApiClient
) -> None:
    agent.write("my pet is Rex", key="user.pets", value="Rex")
    rename.set_topic_values(owner=alice.pk, key="user.pets", single=True, now=NOW)
    assert agent.write("my pet is Tom", key="user.pets", value="Tom")["decision"] == "CONFLICT"


def test_a_name_taken_back_leads_nowhere(alice: User, agent: ApiClient) -> None:
    agent.write("drinks oolong", key="user.a", value="oolong")
    rename.rename_topic(owner=alice.pk, from_key="user.a", to_key="user.b", now=NOW)
    later = NOW.replace(hour=13)
    rename.rename_topic(owner=alice.pk, from_key="user.b", to_key="user.a", now=later)
    for key in ("user.a", "user.b"):
        answer = agent.write(f"I switched to tea of {key}", key=key, value=f"tea of {key}")
        assert answer["memory"]["key"] == "user.a"


def test_strangers_and_nonsense_are_refused(alice: User, bob: User, agent: ApiClient) -> None:
    row = agent.write("drinks oolong", key="user.beverage", value="oolong")["memory"]
    with pytest.raises(NotFound):
        move(bob, "user.beverage", "user.drink")
    for name in ("", "user.beverage"):
        with pytest.raises(InvalidInput):
            move(alice, "user.beverage", name)
    with owner_scope(alice.pk):
        memory = Memory.objects.get(pk=row["id"])
    assert read(alice, memory).key == "user.beverage"
