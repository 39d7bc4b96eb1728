"""What the owner took away is not learned again, unless the user says it anew."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from memory.border import owner_scope
from memory.models import Memory, Message, Tombstone
from memory.services import dispatch
from memory.services.bury import allow_again
from memory.services.erase import clear_all, delete_memory, erase_rows, restore_memory
from memory.services.errors import NotFound
from memory.services.settle import deny_memory
from memory.services.undo import undo_gesture
from memory.services.write import add_memory
from tests.conftest import ApiClient, MakeAgent

CAT = "我对猫过敏"
LATER = (timezone.now() + timedelta(days=1)).isoformat()
EARLIER = "2026-01-01T00:00:00Z"


@pytest.fixture
def deleted(agent: ApiClient, alice: User) -> str:
    """A memory the owner has deleted."""
    row = agent.write(CAT)["memory"]["id"]
    delete_memory(owner=alice.pk, memory=row, now=timezone.now())
    return row


def tombstone(owner: User) -> Tombstone:
    with owner_scope(owner.pk):
        return Tombstone.objects.get()


def refused(result: Any, code: str = "deleted_by_owner") -> bool:
    return (result["decision"], result["memory"]) == ("REFUSED", None) and (
        code != "deleted_by_owner" or result["reason"] == code
    )


@pytest.mark.parametrize("words", [CAT, "我对猫过敏。", "对猫过敏", "用户对猫过敏", "我对猫很过敏"])
def test_the_same_words_and_a_paraphrase_are_refused(
    agent: ApiClient, deleted: str, words: str
) -> None:
    assert refused(agent.write(words))
    assert agent.get("memories").json()["total"] == 0


@pytest.mark.parametrize("words", ["我对狗过敏", "我对猫不过敏", "我喜欢猫"])
def test_other_words_are_not(agent: ApiClient, deleted: str, words: str) -> None:
    assert agent.write(words)["decision"] != "REFUSED"


def test_it_binds_every_agent_of_the_owner_and_nobody_elses(
    agent: ApiClient, alice: User, bob: User, make_agent: MakeAgent, deleted: str
) -> None:
    assert refused(make_agent(alice, "other").write(CAT))
    assert make_agent(bob).write(CAT)["decision"] == "ADD"


def test_it_still_holds_when_the_row_is_erased(agent: ApiClient, alice: User, deleted: str) -> None:
    with owner_scope(alice.pk):
        erase_rows(alice.pk, [Memory.objects.get(pk=deleted).pk])
        assert not Memory.objects.exists()
    assert refused(agent.write(CAT))


def test_it_keeps_no_word_and_no_digest_that_a_guess_confirms(alice: User, deleted: str) -> None:
    from memory.domain.text import fingerprint

    row = tombstone(alice)
    assert CAT not in repr(vars(row))
    assert fingerprint(CAT) not in (row.strict, row.loose)


@pytest.mark.parametrize(
    ("fact", "allowed"),
    [
        ({"occurred_at": LATER}, True),
        ({"occurred_at": EARLIER}, False),
        ({}, False),
        ({"occurred_at": LATER, "source": "inferred"}, False),
        ({"valid_from": LATER}, False),
    ],
)
def test_the_user_may_say_it_anew_with_a_date_after(
    agent: ApiClient, deleted: str, fact: Any, allowed: bool
) -> None:
    result = agent.write(CAT, **fact)
    assert (result["decision"] == "ADD") is allowed
    assert refused(result) is not allowed


@pytest.mark.parametrize(
    ("at", "allowed"),
    [(LATER, True), (EARLIER, False), (None, False)],
    ids=["after", "before", "undated"],
)
def test_so_may_a_message_by_its_own_date(
    agent: ApiClient, alice: User, deleted: str, at: str | None, allowed: bool
) -> None:
    message = {"role": "user", "content": CAT} | ({"at": at} if at else {})
    agent.post("conversations", {"messages": [message]})
    with owner_scope(alice.pk):
        pk = str(Message.objects.get().pk)
    result = agent.write(CAT, message=pk, quote=CAT)
    assert (result["decision"] == "ADD") is allowed


def test_replaying_the_transcript_does_not_bring_it_back(agent: ApiClient, alice: User) -> None:
    talk = {"messages": [{"role": "user", "content": f"{CAT}。我住在杭州。"}]}

    def replay() -> Any:
        job = agent.post("conversations", talk).json()["job"]["id"]
        dispatch.run_due_jobs()
        return agent.get(f"jobs/{job}").json()["results"]

    first = replay()
    row = next(r["memory"]["id"] for r in first if "猫" in r["memory"]["content"])
    delete_memory(owner=alice.pk, memory=row, now=timezone.now())
    assert [r["decision"] for r in replay()] == ["REFUSED", "NOOP"]
    assert agent.get("memories").json()["total"] == 1


def test_allowing_it_again_lifts_it_once(agent: ApiClient, alice: User, deleted: str) -> None:
    mark = tombstone(alice).pk
    now = timezone.now()
    allow_again(owner=alice.pk, tombstone=mark, now=now)
    with pytest.raises(NotFound):
        allow_again(owner=alice.pk, tombstone=mark, now=now)
    assert agent.write(CAT)["decision"] == "ADD"


def test_nobody_lifts_anothers(alice: User, bob: User, deleted: str) -> None:
    with pytest.raises(NotFound):
        allow_again(owner=bob.pk, tombstone=tombstone(alice).pk, now=timezone.now())


def test_the_owners_own_hand_is_not_bound(agent: ApiClient, alice: User, deleted: str) -> None:
    outcome = add_memory(owner=alice.pk, content=CAT, now=timezone.now())
    assert outcome.decision == "ADD"


def test_restoring_lifts_it(agent: ApiClient, alice: User, deleted: str) -> None:
    restore_memory(owner=alice.pk, memory=deleted, now=timezone.now())
    assert agent.write(CAT)["decision"] == "NOOP"


def test_so_does_undoing_the_deletion(agent: ApiClient, alice: User) -> None:
    row = agent.write(CAT)["memory"]["id"]
    gesture = delete_memory(owner=alice.pk, memory=row, now=timezone.now())
    undo_gesture(owner=alice.pk, gesture=gesture, now=timezone.now())
    assert agent.write(CAT)["decision"] == "NOOP"
    delete_memory(owner=alice.pk, memory=row, now=timezone.now())
    assert refused(agent.write(CAT))


def test_what_was_denied_is_not_proposed_again(agent: ApiClient, alice: User) -> None:
    guess = agent.write("可能用 Mac", source="inferred")["memory"]["id"]
    gesture = deny_memory(owner=alice.pk, memory=guess, now=timezone.now())
    assert refused(agent.write("可能用 Mac", source="inferred"), "denied_by_owner")
    undo_gesture(owner=alice.pk, gesture=gesture, now=timezone.now())
    assert agent.write("可能用 Mac", source="inferred")["decision"] == "NOOP"


def test_an_agents_withdrawal_leaves_none(agent: ApiClient, alice: User) -> None:
    row = agent.write("likes green tea")["memory"]["id"]
    assert agent.delete(f"memories/{row}").status_code == 204
    assert agent.write("likes green tea")["decision"] == "ADD"


def test_a_change_cannot_bring_it_in(agent: ApiClient, alice: User, deleted: str) -> None:
    row = agent.write("我喜欢猫")["memory"]
    answer = agent.patch(f"memories/{row['id']}", {"content": CAT, "version": row["version"]})
    assert answer.status_code == 422
    assert list(answer.json()["error"]["details"]["fields"]) == ["content"]
    secret = {"content": "密码是 hunter2", "version": row["version"]}
    answer = agent.patch(f"memories/{row['id']}", secret)
    assert (answer.status_code, b"hunter2" in answer.content) == (422, False)


def test_clear_all_leaves_those_of_single_deletions(
    agent: ApiClient, alice: User, deleted: str
) -> None:
    agent.write("likes green tea")
    clear_all(owner=alice.pk, now=timezone.now())
    dispatch.run_due_jobs()
    assert refused(agent.write(CAT))
    assert agent.write("likes green tea")["decision"] == "ADD"


def test_a_changed_secret_key_still_finds_it(agent: ApiClient, deleted: str, settings: Any) -> None:
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another-secret-key-of-fifty-characters-and-then-some"
    assert refused(agent.write(CAT))


def test_dates_are_compared_as_instants(
    agent: ApiClient, alice: User, make_memory: Callable[..., Memory]
) -> None:
    row = agent.write(CAT)["memory"]["id"]
    delete_memory(owner=alice.pk, memory=row, now=datetime(2026, 6, 1, 12, tzinfo=UTC))
    assert refused(agent.write(CAT, occurred_at="2026-06-01T19:59:59+08:00"))
    assert agent.write(CAT, occurred_at="2026-06-01T20:00:01+08:00")["decision"] == "ADD"
