"""`Idempotency-Key`: done once, answered with the same bytes, each caller by itself."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from memory.border import owner_scope
from memory.models import Conversation, Idempotency, Job, Memory
from memory.services import replay
from memory.services.erase import clear_all, delete_memory
from memory.services.expire import expire
from tests.conftest import ApiClient, MakeAgent

FACTS = {"facts": [{"content": "likes green tea"}, {"content": "住在杭州"}]}
TALK = {"messages": [{"role": "user", "content": "我住在杭州"}]}


def post(agent: ApiClient, body: Any = FACTS, key: str = "k1", path: str = "memories") -> Any:
    return agent.post(path, body, headers={"Idempotency-Key": key})


def test_the_same_key_and_body_get_the_same_bytes(agent: ApiClient) -> None:
    first = post(agent)
    assert first.status_code == 201
    assert [r["decision"] for r in first.json()["results"]] == ["ADD", "ADD"]
    again = post(agent)
    assert (again.status_code, again.content) == (201, first.content)
    assert again["Content-Type"] == first["Content-Type"] == agent.get("me")["Content-Type"]
    assert agent.get("memories").json()["total"] == 2


def test_without_a_key_the_second_time_is_a_repetition(agent: ApiClient) -> None:
    agent.post("memories", FACTS)
    again = agent.post("memories", FACTS).json()
    assert [r["decision"] for r in again["results"]] == ["NOOP", "NOOP"]


def test_another_body_under_the_same_key_is_refused(agent: ApiClient) -> None:
    post(agent)
    answer = post(agent, {"facts": [{"content": "likes coffee"}]})
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "idempotency_mismatch"
    assert post(agent, TALK, path="conversations").status_code == 409


def test_two_callers_keys_are_independent(
    agent: ApiClient, alice: User, bob: User, make_agent: MakeAgent
) -> None:
    first = post(agent)
    for other in (make_agent(alice, "other"), make_agent(bob)):
        answer = post(other, {"facts": [{"content": "something else"}]})
        assert answer.status_code == 201
        assert answer.content != first.content


@pytest.mark.parametrize("key", ["", " ", "a b", "k" * 256, "schlüssel"])
def test_a_key_that_is_none_is_refused(agent: ApiClient, key: str) -> None:
    answer = post(agent, key=key)
    assert answer.status_code == 422
    assert list(answer.json()["error"]["details"]["fields"]) == ["Idempotency-Key"]


@pytest.mark.parametrize(
    "body",
    [{"facts": []}, {"facts": [{"content": "likes tea", "project": "nowhere"}]}],
)
def test_a_refused_request_may_be_mended_under_its_key(agent: ApiClient, body: Any) -> None:
    assert post(agent, body).status_code == 422
    assert post(agent).status_code == 201


def test_how_long_a_caller_waits_is_no_part_of_the_request(agent: ApiClient) -> None:
    first = post(agent, TALK, path="conversations")
    assert post(agent, TALK, path="conversations?wait=1").content == first.content


def test_conversations_too(agent: ApiClient, alice: User) -> None:
    first = post(agent, TALK, path="conversations")
    again = post(agent, TALK, path="conversations")
    assert (again.status_code, again.content) == (202, first.content)
    with owner_scope(alice.pk):
        assert Conversation.objects.count() == Job.objects.count() == 1


def test_killed_between_commit_and_answer_the_repetition_gives_the_answer(
    agent: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as dying:
        dying.setattr("memory.api.repeats.keep_answer", die)
        with pytest.raises(KeyboardInterrupt):
            post(agent)
    first = post(agent)
    assert [r["decision"] for r in first.json()["results"]] == ["ADD", "ADD"]
    assert post(agent).content == first.content
    assert agent.get("memories").json()["total"] == 2


def test_killed_halfway_the_repetition_goes_on_where_it_stopped(
    agent: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, calls = replay.Ledger.note, []

    def die_after_one(self: Any, entry: Any, **more: Any) -> None:
        if calls:
            raise KeyboardInterrupt
        calls.append(entry)
        real(self, entry, **more)

    with monkeypatch.context() as dying:
        dying.setattr(replay.Ledger, "note", die_after_one)
        with pytest.raises(KeyboardInterrupt):
            post(agent)
    assert agent.get("memories").json()["total"] == 1
    answer = post(agent).json()
    assert [r["decision"] for r in answer["results"]] == ["ADD", "ADD"]
    assert agent.get("memories").json()["total"] == 2


def test_thirty_at_once_are_one_act_and_one_answer(committed: None, agent: ApiClient) -> None:
    answers: list[tuple[int, bytes]] = []

    def write() -> None:
        answer = post(agent)
        answers.append((answer.status_code, answer.content))
        connection.close()

    agent.get("me")
    threads = [threading.Thread(target=write) for _ in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 30
    assert {status for status, _ in answers} == {201}
    assert len({content for _, content in answers}) == 1
    assert agent.get("memories").json()["total"] == 2


def test_a_deleted_memory_is_shown_by_no_stored_answer(agent: ApiClient, alice: User) -> None:
    first = post(agent).json()
    tea = first["results"][0]["memory"]["id"]
    delete_memory(owner=alice.pk, memory=tea, now=timezone.now())
    with owner_scope(alice.pk):
        assert Idempotency.objects.get().answer is None
    again = post(agent)
    assert again.status_code == 201
    assert [r["decision"] for r in again.json()["results"]] == ["ADD", "ADD"]
    assert [bool(r["memory"]) for r in again.json()["results"]] == [False, True]
    assert "green tea" not in again.content.decode()
    assert agent.get("memories").json()["total"] == 1


def test_after_a_day_the_answer_is_gone_and_the_key_is_new(agent: ApiClient, alice: User) -> None:
    post(agent)
    now = timezone.now()
    assert expire(alice.pk, now + timedelta(hours=23)) == 0
    with owner_scope(alice.pk):
        Idempotency.objects.update(created_at=now - timedelta(hours=25))
    again = post(agent).json()
    assert [r["decision"] for r in again["results"]] == ["NOOP", "NOOP"]
    assert expire(alice.pk, now + timedelta(hours=25)) == 1
    with owner_scope(alice.pk):
        assert not Idempotency.objects.exists()


def test_after_clear_all_the_key_is_new(agent: ApiClient, alice: User) -> None:
    post(agent)
    clear_all(owner=alice.pk, now=timezone.now())
    again = post(agent).json()
    assert [r["decision"] for r in again["results"]] == ["ADD", "ADD"]
    with owner_scope(alice.pk):
        assert Memory.objects.of(alice).count() == 2


def test_its_hashes_tell_nothing_of_a_body_to_who_can_guess_it(
    agent: ApiClient, alice: User
) -> None:
    import hashlib

    post(agent)
    with owner_scope(alice.pk):
        row = Idempotency.objects.get()
    assert row.key_hash != hashlib.sha256(b"k1").hexdigest()
    assert len(row.body_hash) == 64
