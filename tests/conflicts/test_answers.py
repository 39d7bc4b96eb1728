"""What the user's own words do to an open question: evidence, or its end, listed and undoable."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest

from accounts.models import User
from memory.border import owner_scope
from memory.domain.values import Ruling
from memory.models import Conflict, Event, Memory
from memory.services.settle import settle_conflict
from memory.services.undo import undo_gesture
from tests.acts.looking import read, snapshot
from tests.conftest import NOW, ApiClient, MakeAgent


@pytest.fixture
def asked(agent: ApiClient) -> dict[str, Any]:
    """Java and Go wait for the owner, in one question."""
    java = agent.write("主力语言是 Java")["memory"]["id"]
    result = agent.write("主力语言是 Go")
    assert result["decision"] == "CONFLICT"
    return {"java": java, "go": result["memory"]["id"], "question": result["conflict"]}


def status_of(owner: User, pk: str) -> str:
    return str(read(owner, UUID(pk)).status)


def state_of(owner: User, question: str) -> tuple[str, str]:
    with owner_scope(owner.pk):
        entry = Conflict.objects.of(owner).get(pk=question)
    return entry.state, entry.ruling


def test_agreeing_with_one_side_is_evidence_and_shown(
    agent: ApiClient, alice: User, asked: dict[str, Any]
) -> None:
    result = agent.write("主力语言是 Go！")
    assert (result["decision"], result["conflict"]) == ("NOOP", asked["question"])
    assert (status_of(alice, asked["java"]), status_of(alice, asked["go"])) == (
        "conflict",
        "conflict",
    )
    with owner_scope(alice.pk):
        [again] = Event.objects.of(alice).filter(verb="said_again", conflict=asked["question"])
        assert str(again.memory_id) == asked["go"]
    go = read(alice, UUID(asked["go"]))
    assert go.said_at > go.created_at


@pytest.mark.parametrize("words", ["主力语言已经换成 Go 了", "主力语言其实是 Go，不是 Java"])
def test_explicit_wording_settles_it_by_itself(
    agent: ApiClient, alice: User, asked: dict[str, Any], words: str
) -> None:
    before = snapshot(alice)
    result = agent.write(words)
    assert status_of(alice, asked["java"]) == "superseded"
    assert state_of(alice, asked["question"])[0] == "settled"
    served = [one["memory"]["value"] for one in agent.recall("主力语言")["memories"]]
    assert served == ["Go"]
    with owner_scope(alice.pk):
        [retired] = Event.objects.of(alice).filter(verb="superseded", memory=asked["java"])
    assert retired.actor in ("agent", "program"), "what 'Changed for you' lists"
    undo_gesture(owner=alice.pk, gesture=retired.gesture, now=NOW)
    after = snapshot(alice)
    assert {pk: after[pk] for pk in before} == before, result


def answer(agent: ApiClient, asked: dict[str, Any], quote: str, **fact: Any) -> Any:
    body = {"content": quote, "quote": quote, "resolves": asked["question"], **fact}
    return agent.post("memories", {"facts": [body]})


@pytest.mark.parametrize(
    ("quote", "holds"),
    [
        ("用 Go", "go"),
        ("Go", "go"),
        ("还是 Java", "java"),
        ("不是 Go，是 Java", "java"),
        ("It's Go, not Java", "go"),
    ],
)
def test_quoted_words_that_say_which_side_holds_settle_the_question(
    agent: ApiClient, alice: User, asked: dict[str, Any], quote: str, holds: str
) -> None:
    got = answer(agent, asked, quote)
    assert got.status_code == 201, got.content
    [result] = got.json()["results"]
    assert result["conflict"] == asked["question"]
    lost = "java" if holds == "go" else "go"
    assert (status_of(alice, asked[holds]), status_of(alice, asked[lost])) == (
        "active",
        "superseded",
    )
    assert state_of(alice, asked["question"]) == ("settled", "kept")
    with owner_scope(alice.pk):
        entry = Conflict.objects.of(alice).get(pk=asked["question"])
        assert entry.settled_by_id is None
        settled = Event.objects.of(alice).get(verb="settled")
        assert settled.actor == "program"
        [retired] = Event.objects.of(alice).filter(verb="superseded")
        assert (retired.actor, str(retired.memory_id)) == ("program", asked[lost])
        assert retired.gesture == settled.gesture
    undo_gesture(owner=alice.pk, gesture=settled.gesture, now=NOW)
    assert {status_of(alice, asked[side]) for side in ("java", "go")} == {"conflict"}
    assert state_of(alice, asked["question"]) == ("open", "")


@pytest.mark.parametrize(
    "quote",
    ["可能是 Go", "打算换成 Go", "Java 和 Go 都用", "今天很忙", "Tom says it is Go"],
)
def test_other_words_are_evidence_and_leave_it_open(
    agent: ApiClient, alice: User, asked: dict[str, Any], quote: str
) -> None:
    [result] = answer(agent, asked, quote, content=f"回答：{quote}").json()["results"]
    assert {status_of(alice, asked[side]) for side in ("java", "go")} == {"conflict"}
    assert state_of(alice, asked["question"]) == ("open", "")
    if result["decision"] != "REFUSED":
        assert result["conflict"] == asked["question"]


def test_only_the_users_words_settle(agent: ApiClient, alice: User, asked: dict[str, Any]) -> None:
    answer(agent, asked, "用 Go", source="inferred")
    assert state_of(alice, asked["question"]) == ("open", "")


def test_words_never_settle_against_a_protected_memory(agent: ApiClient, alice: User) -> None:
    fact = agent.write("对花生过敏")["memory"]["id"]
    doubt = agent.write("医生说花生可以少量吃一点")
    answer(agent, {"question": doubt["conflict"]}, "花生可以少量吃一点")
    assert status_of(alice, fact) == "active"
    assert state_of(alice, doubt["conflict"]) == ("open", "")


def test_a_guess_the_user_affirms_is_a_fact(agent: ApiClient, alice: User) -> None:
    guess = agent.write("用户用 Mac", source="inferred")
    answer(agent, {"question": guess["conflict"]}, "我用 Mac")
    row = read(alice, UUID(guess["memory"]["id"]))
    assert (row.status, row.source) == ("active", "user_stated")


def test_a_question_must_be_open_and_seen(
    agent: ApiClient, alice: User, make_agent: MakeAgent, asked: dict[str, Any]
) -> None:
    assert answer(agent, {"question": str(uuid4())}, "用 Go").status_code == 422
    other = make_agent(alice, "chat")
    assert answer(other, asked, "用 Go").status_code == 422
    silent = {"facts": [{"content": "用 Go", "resolves": asked["question"]}]}
    assert agent.post("memories", silent).status_code == 422
    settle_conflict(
        owner=alice.pk, conflict=UUID(asked["question"]), ruling=Ruling.NEITHER, now=NOW
    )
    late = answer(agent, asked, "用 Go")
    assert (late.status_code, late.json()["error"]["code"]) == (409, "already_settled")
    with owner_scope(alice.pk):
        assert Memory.objects.of(alice).count() == 2
