"""Who sees what within one owner: nothing more than the owner granted, and no longer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from accounts.ids import uuid7
from accounts.models import User
from memory.border import owner_scope
from memory.models import Agent, Event, Grant, Memory
from memory.models.events import Actor, Verb
from memory.querysets.callers import Granted
from memory.services.admit import admit_key, read_caller
from memory.services.connect import place_agent
from memory.services.errors import CannotUndo, InvalidInput, NotFound
from memory.services.grant import Wish, grant, preview, revoke
from memory.services.undo import undo_gesture
from tests.conftest import NOW, ApiClient, MakeAgent

HEALTH = "I have diabetes and take insulin"
BOTH = "My diabetes costs half of my salary"
TEA = "I drink green tea every morning"


class Two:
    """Chat knows; Cursor asks."""

    def __init__(self, alice: User, make_agent: MakeAgent) -> None:
        self.owner = alice.pk
        self.chat = make_agent(alice, "chat")
        self.cursor = make_agent(alice, "cursor", project="q2")
        self.health = self.chat.write(HEALTH, key="user.health")["memory"]
        self.both = self.chat.write(BOTH)["memory"]
        self.tea = self.chat.write(TEA, key="user.drink.morning")["memory"]
        assert self.health["sensitivity"] == ["health"]
        assert self.both["sensitivity"] == ["health", "money"]
        assert self.tea["sensitivity"] == []

    def wish(self, **changes: Any) -> Wish:
        chat, cursor = self.chat.caller.agent, self.cursor.caller.agent
        return Wish(**{"from_agent": chat, "to_agent": cursor, "sensitivity": "health", **changes})

    def seen(self, agent: ApiClient | None = None) -> set[str]:
        """What the agent gets by every read path, which must all say the same."""
        agent = agent or self.cursor
        listed = {row["id"] for row in agent.get("memories").json()["results"]}
        recalled = {
            item["memory"]["id"]
            for query in (HEALTH, BOTH, TEA)
            for item in agent.recall(query, standing=False)["memories"]
        }
        read = {
            row["id"]
            for row in (self.health, self.both, self.tea)
            if agent.get(f"memories/{row['id']}").status_code == 200
        }
        history = {
            row["id"]
            for row in (self.health, self.both, self.tea)
            if agent.get(f"memories/{row['id']}/history").status_code == 200
        }
        assert listed == recalled == read == history
        return listed


@pytest.fixture
def two(alice: User, make_agent: MakeAgent) -> Two:
    return Two(alice, make_agent)


def test_without_a_grant_an_agents_memories_are_its_own(two: Two) -> None:
    assert two.seen() == set()
    assert two.seen(two.chat) == {two.health["id"], two.both["id"], two.tea["id"]}


def test_what_is_granted_is_seen_by_every_way_and_gone_with_the_very_next_question(
    two: Two,
) -> None:
    grant(owner=two.owner, wish=two.wish(), now=NOW)
    assert two.seen() == {two.health["id"]}
    with owner_scope(two.owner):
        [row] = Grant.objects.all()
    revoke(owner=two.owner, grant=row.pk, now=NOW)
    assert two.cursor.recall(HEALTH)["memories"] == []
    assert two.seen() == set()


def test_a_memory_of_two_sensitive_topics_needs_both(two: Two) -> None:
    grant(owner=two.owner, wish=two.wish(), now=NOW)
    grant(owner=two.owner, wish=two.wish(sensitivity="money", from_agent=None), now=NOW)
    assert two.seen() == {two.health["id"], two.both["id"]}


@pytest.mark.parametrize("topic", ["", "user.drink", "user.drink.morning"])
def test_an_ordinary_topic_reaches_all_below_it_and_nothing_sensitive(two: Two, topic: str) -> None:
    grant(owner=two.owner, wish=two.wish(sensitivity="", topic=topic), now=NOW)
    assert two.seen() == {two.tea["id"]}


@pytest.mark.parametrize(
    "topic", ["user.dri", "user.drink.morning.more", "drink", "%", "user_drink"]
)
def test_an_unknown_topic_widens_nothing(two: Two, topic: str) -> None:
    grant(owner=two.owner, wish=two.wish(sensitivity="", topic=topic), now=NOW)
    assert two.seen() == set()


def test_a_topic_granted_outright_gives_no_sensitive_memory_of_it(two: Two) -> None:
    grant(owner=two.owner, wish=two.wish(sensitivity="", topic="user.health"), now=NOW)
    assert two.seen() == set()


def test_a_grant_to_a_project_ends_with_the_place_in_it(two: Two, make_agent: MakeAgent) -> None:
    project = two.cursor.caller.projects["q2"]
    grant(owner=two.owner, wish=two.wish(to_agent=None, to_project=project), now=NOW)
    outside = make_agent(User.objects.get(pk=two.owner), "outside")
    assert (two.seen(), two.seen(outside)) == ({two.health["id"]}, set())
    place_agent(
        owner=two.owner, agent=two.cursor.caller.agent, project=project, inside=False, now=NOW
    )
    assert two.seen() == set()


def test_what_an_agent_is_lent_it_cannot_change_delete_or_pass_on(two: Two) -> None:
    grant(owner=two.owner, wish=two.wish(), now=NOW)
    path = f"memories/{two.health['id']}"
    changes = {"content": "I am healthy", "version": 1}
    widened = {"visibility": "user", "version": 1}
    answers = [
        two.cursor.patch(path, changes),
        two.cursor.patch(path, widened),
        two.cursor.delete(path),
    ]
    assert [a.json()["error"]["code"] for a in answers] == ["owner_only"] * 3
    # Not even the one who wrote it may let more agents see it.
    own = two.chat.patch(f"memories/{two.tea['id']}", widened)
    assert own.json()["error"]["details"]["fields"].keys() == {"visibility"}
    with owner_scope(two.owner):
        assert Memory.objects.get(pk=two.health["id"]).visibility == "private"


def test_the_key_and_the_row_say_the_same_of_what_is_granted(two: Two) -> None:
    grant(owner=two.owner, wish=two.wish(), now=NOW)
    grant(owner=two.owner, wish=two.wish(sensitivity="", topic="user.drink"), now=NOW)
    admitted = admit_key(two.cursor.key, now=NOW)
    with owner_scope(two.owner):
        read = read_caller(two.owner, two.cursor.caller.agent)
    chat = two.chat.caller.agent
    assert admitted.grants == (Granted(chat, "health", ""), Granted(chat, "", "user.drink"))
    assert replace(read, key=admitted.key, scopes=admitted.scopes) == admitted


def test_the_preview_is_what_the_grant_then_shows(two: Two) -> None:
    wish = two.wish(sensitivity="", topic="")
    with owner_scope(two.owner):
        [more] = preview(two.owner, wish)
    before = two.cursor.get("memories").json()["total"]
    grant(owner=two.owner, wish=wish, now=NOW)
    assert more.count == two.cursor.get("memories").json()["total"] - before == 1
    assert [str(row.pk) for row in more.rows] == [two.tea["id"]]


def test_a_grant_and_its_end_are_events_and_can_be_taken_back(two: Two) -> None:
    granted = grant(owner=two.owner, wish=two.wish(), now=NOW)
    with owner_scope(two.owner):
        row = Grant.objects.get()
    revoked = revoke(owner=two.owner, grant=row.pk, now=NOW)
    with owner_scope(two.owner):
        lines = Event.objects.filter(verb__in=[Verb.GRANTED, Verb.REVOKED]).order_by("id")
        assert [(e.verb, e.actor, e.data["id"]) for e in lines] == [
            (Verb.GRANTED, Actor.OWNER, str(row.pk)),
            (Verb.REVOKED, Actor.OWNER, str(row.pk)),
        ]
    undo_gesture(owner=two.owner, gesture=revoked, now=NOW)
    assert two.seen() == {two.health["id"]}
    with pytest.raises(CannotUndo):
        undo_gesture(owner=two.owner, gesture=revoked, now=NOW)
    undo_gesture(owner=two.owner, gesture=granted, now=NOW)
    assert two.seen() == set()


def test_granting_twice_makes_one_grant(two: Two) -> None:
    for _ in range(2):
        grant(owner=two.owner, wish=two.wish(), now=NOW)
    with owner_scope(two.owner):
        row = Grant.objects.get()
    revoke(owner=two.owner, grant=row.pk, now=NOW)
    assert two.seen() == set()


def test_undoing_a_revocation_does_not_grant_twice(two: Two) -> None:
    grant(owner=two.owner, wish=two.wish(), now=NOW)
    with owner_scope(two.owner):
        row = Grant.objects.get()
    revoked = revoke(owner=two.owner, grant=row.pk, now=NOW)
    grant(owner=two.owner, wish=two.wish(), now=NOW)
    grant(owner=two.owner, wish=two.wish(), now=NOW)
    with owner_scope(two.owner):
        assert Grant.objects.in_force().count() == 1
    with pytest.raises(CannotUndo):
        undo_gesture(owner=two.owner, gesture=revoked, now=NOW)


@pytest.mark.parametrize(
    "changes",
    [{"to_agent": None}, {"sensitivity": "weather"}, {"sensitivity": "health", "topic": "x"},
     {"to_project": "q2"}, {"to_agent": "chat"}],
)  # fmt: skip
def test_a_wish_that_says_nothing_or_too_much_is_refused(two: Two, changes: dict[str, Any]) -> None:
    known = {"q2": two.cursor.caller.projects["q2"], "chat": two.chat.caller.agent}
    changes = {name: known.get(value, value) for name, value in changes.items()}
    with pytest.raises(InvalidInput):
        grant(owner=two.owner, wish=two.wish(**changes), now=NOW)
    grant(owner=two.owner, wish=two.wish(), now=NOW)


def test_nobody_grants_what_is_not_his(two: Two, bob: User, make_agent: MakeAgent) -> None:
    stranger = make_agent(bob, "stranger").caller.agent
    for wish in (two.wish(to_agent=stranger), two.wish(from_agent=stranger)):
        with pytest.raises(NotFound):
            grant(owner=two.owner, wish=wish, now=NOW)
        with pytest.raises(NotFound):
            grant(owner=bob.pk, wish=wish, now=NOW)
    grant(owner=two.owner, wish=two.wish(), now=NOW)
    with owner_scope(two.owner):
        pk = Grant.objects.get().pk
    with pytest.raises(NotFound):
        revoke(owner=bob.pk, grant=pk, now=NOW)
    assert two.seen() == {two.health["id"]}


def test_the_database_itself_refuses_a_grant_to_nobody_or_to_everybody(two: Two) -> None:
    chat, cursor = two.chat.caller.agent, two.cursor.caller.agent
    wrong: list[dict[str, Any]] = [
        {"from_agent_id": chat},
        {"to_agent_id": cursor, "to_project_id": two.cursor.caller.projects["q2"]},
        {"to_agent_id": cursor, "sensitivity": "weather"},
        {"to_agent_id": cursor, "sensitivity": "health", "topic": "x"},
        {"to_agent_id": cursor, "from_agent_id": cursor},
    ]
    for fields in wrong:
        with pytest.raises(IntegrityError), transaction.atomic(), owner_scope(two.owner):
            Grant.objects.create(owner_id=two.owner, created_at=NOW, **fields)


def test_sharing_with_a_project_one_is_not_in_becomes_private_and_says_so(two: Two) -> None:
    result = two.chat.write("We ship on Tuesday", project="q2", visibility="group")
    assert result["memory"]["visibility"] == "private"
    assert "not in that project" in result["reason"]
    inside = two.cursor.write("We ship on Wednesday mornings", project="q2", visibility="group")
    assert inside["memory"]["visibility"] == "group"
    assert "not in that project" not in inside["reason"]
    kept = two.chat.write("My therapist is kind", visibility="user")
    assert kept["memory"]["visibility"] == "private"
    assert "sensitive" in kept["reason"]


def test_an_unknown_project_is_refused_not_ignored(two: Two) -> None:
    fact = {"content": "We ship on Tuesday", "project": "nowhere", "visibility": "group"}
    refused = [
        two.chat.post("memories", {"facts": [fact]}),
        two.chat.post("recall", {"query": "x", "project": "nowhere"}),
        two.chat.get("memories", {"project": "nowhere"}),
        two.chat.post(
            "conversations",
            {"messages": [{"role": "user", "content": "hello"}], "project": "nowhere"},
        ),
    ]
    assert [a.status_code for a in refused] == [422] * 4


def test_an_agent_of_nobody_has_no_caller(two: Two) -> None:
    with owner_scope(two.owner), pytest.raises(Agent.DoesNotExist):
        read_caller(two.owner, uuid7())
