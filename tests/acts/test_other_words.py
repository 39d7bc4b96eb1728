"""Other words move a memory to what they speak about; a caller's own key stays."""

from __future__ import annotations

from uuid import UUID

import pytest

from accounts.models import User
from memory.services import pin, revise, settle
from memory.services.errors import InvalidInput
from tests.acts.conftest import MakeMemory
from tests.acts.looking import read
from tests.conftest import NOW, ApiClient


@pytest.mark.parametrize(
    ("was", "now", "key", "value", "single"),
    [
        ("住在北京", "住在上海", "user.residence", "上海", True),
        ("住在北京", "喜欢披萨", "user.tastes", "披萨", False),
        ("I live in Berlin", "I work at Acme", "user.employer", "Acme", True),
        ("I live in Berlin", "The tram was late", "", "", False),
        ("The tram was late", "I live in Berlin", "user.residence", "Berlin", True),
    ],
)
def test_a_key_that_was_found_in_the_words_moves_with_them(
    alice: User, make_memory: MakeMemory, was: str, now: str, key: str, value: str, single: bool
) -> None:
    row = make_memory(alice, was)
    revise.edit_memory(
        owner=alice.pk, memory=row.pk, version=row.version, how="correct", content=now, now=NOW
    )
    row = read(alice, row)
    assert (row.key, row.value, row.single_valued) == (key, value, single)


def test_a_key_its_caller_gave_stays(alice: User, make_memory: MakeMemory) -> None:
    row = make_memory(alice, "住在北京", key="user.place", value="北京")
    revise.edit_memory(
        owner=alice.pk, memory=row.pk, version=row.version, how="correct", content="住在上海",
        now=NOW,
    )  # fmt: skip
    row = read(alice, row)
    assert (row.key, row.value) == ("user.place", "")


def test_an_edit_into_a_topic_that_has_its_value_is_refused(
    alice: User, make_memory: MakeMemory
) -> None:
    make_memory(alice, "住在北京")
    row = make_memory(alice, "喜欢披萨")
    with pytest.raises(InvalidInput):
        revise.edit_memory(
            owner=alice.pk, memory=row.pk, version=row.version, how="correct", content="住在上海",
            now=NOW,
        )  # fmt: skip
    assert read(alice, row).content == "喜欢披萨"


def test_an_agents_correction_is_compared_under_its_new_topic(
    agent: ApiClient, alice: User
) -> None:
    known = agent.write("住在北京")["memory"]
    mine = agent.write("喜欢披萨")["memory"]
    answer = agent.patch(f"memories/{mine['id']}", {"content": "住在上海", "version": 1})
    assert answer.status_code == 200
    assert answer.json()["status"] == "conflict"
    assert answer.json()["key"] == "user.residence"
    assert read(alice, UUID(known["id"])).status == "conflict"


def test_confirming_with_the_words_of_another_memory_confirms_that_one(
    alice: User, make_memory: MakeMemory
) -> None:
    twin = make_memory(alice, "喜欢披萨")
    guess = make_memory(alice, "用户可能喜欢面食", source="inferred")
    settle.confirm_memory(owner=alice.pk, memory=guess.pk, content="喜欢披萨", now=NOW)
    assert read(alice, twin).confirmed_at == NOW
    merged = read(alice, guess)
    assert (merged.status, merged.superseded_by_id) == ("superseded", twin.pk)


def test_what_is_confirmed_against_a_pinned_value_stands_beside_it(
    alice: User, make_memory: MakeMemory
) -> None:
    pinned = make_memory(alice, "住在北京")
    pin.pin_memory(owner=alice.pk, memory=pinned.pk, pinned=True, now=NOW)
    guess = make_memory(alice, "住在上海", source="inferred")
    settle.confirm_memory(owner=alice.pk, memory=guess.pk, now=NOW)
    assert [read(alice, row).status for row in (pinned, guess)] == ["active", "active"]
    assert read(alice, guess).single_valued is False
