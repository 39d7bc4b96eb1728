"""A ruling on one question leaves alone what another open question still says of a row."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import pytest

from accounts.models import User
from memory.border import owner_scope
from memory.domain.values import Reason, Ruling
from memory.models import Conflict, ConflictMember, Memory
from memory.models.events import Actor
from memory.services import settle, undo
from memory.services.hold import ask_about
from memory.services.record import Trail
from tests.acts.looking import read, snapshot
from tests.conftest import NOW, ApiClient

Make = Callable[..., Memory]


def entry_of(memory: Memory) -> Conflict:
    with owner_scope(memory.owner_id):
        found: Conflict = Conflict.objects.get(members__memory=memory, members__bystander=False)
        return found


@pytest.fixture
def fact(alice: User, make_memory: Make) -> Memory:
    return make_memory(alice, "我住在杭州", key="user.residence", value="杭州")


@pytest.fixture
def doubts(alice: User, fact: Memory, make_memory: Make) -> list[Memory]:
    """Two guesses that contradict the same fact."""
    found = [
        make_memory(alice, f"可能住在{place}", key="user.residence", value=place, source="inferred")
        for place in ("上海", "北京")
    ]
    assert read(alice, fact).contested
    return found


@pytest.fixture
def suggestion(alice: User, fact: Memory, make_memory: Make) -> Memory:
    """A suggestion drawn from the fact, waiting."""
    made = make_memory(alice, "经常提到杭州", source="inferred")
    with owner_scope(alice.pk):
        Memory.objects.filter(pk=made.pk).update(status_reason=Reason.SUGGESTION)
        entry = Conflict.objects.get(members__memory=made)
        Conflict.objects.filter(pk=entry.pk).update(reason=Reason.SUGGESTION)
        ConflictMember.objects.create(owner=alice, conflict=entry, memory=fact, bystander=True)
    return read(alice, made)


@pytest.mark.parametrize("ruling", [Ruling.KEPT, Ruling.NEITHER])
def test_a_suggestion_answered_leaves_the_contested_mark(
    alice: User, fact: Memory, doubts: list[Memory], suggestion: Memory, ruling: Ruling
) -> None:
    settle.settle_conflict(
        owner=alice.pk, conflict=entry_of(suggestion).pk, ruling=ruling, keep=suggestion.pk, now=NOW
    )
    row = read(alice, fact)
    assert (row.status, row.contested) == ("active", True)


def test_confirming_what_a_suggestion_was_drawn_from_does_not_answer_it(
    alice: User, fact: Memory, suggestion: Memory
) -> None:
    settle.confirm_memory(owner=alice.pk, memory=fact.pk, now=NOW)
    assert read(alice, suggestion).status == "conflict"
    assert entry_of(suggestion).state == "open"


def test_of_two_doubts_denied_one_after_the_other_the_last_clears_the_mark(
    alice: User, fact: Memory, doubts: list[Memory]
) -> None:
    for doubt, contested in zip(doubts, (True, False), strict=True):
        settle.settle_conflict(
            owner=alice.pk, conflict=entry_of(doubt).pk, ruling=Ruling.NEITHER, now=NOW
        )
        assert read(alice, fact).contested is contested


def test_keeping_the_fact_in_one_question_leaves_the_other_open(
    alice: User, fact: Memory, doubts: list[Memory]
) -> None:
    before = snapshot(alice)
    gesture = settle.settle_conflict(
        owner=alice.pk, conflict=entry_of(doubts[0]).pk, ruling=Ruling.KEPT, keep=fact.pk, now=NOW
    )
    assert read(alice, fact).contested
    assert read(alice, doubts[0]).status_reason == "denied"
    assert read(alice, doubts[1]).status == "conflict"
    undo.undo_gesture(owner=alice.pk, gesture=gesture, now=NOW)
    after = snapshot(alice)
    assert {pk: after[pk] for pk in before} == before


def test_a_guess_that_lost_is_not_proposed_again(
    alice: User, fact: Memory, doubts: list[Memory], agent: ApiClient
) -> None:
    settle.settle_conflict(
        owner=alice.pk, conflict=entry_of(doubts[0]).pk, ruling=Ruling.KEPT, keep=fact.pk, now=NOW
    )
    again = agent.write("可能住在上海", key="user.residence", value="上海", source="inferred")
    assert again["decision"] == "REFUSED"


def test_the_owner_may_retire_even_a_protected_fact_that_he_saw_beside_the_other(
    alice: User, agent: ApiClient
) -> None:
    fact = agent.write("我对花生过敏", key="user.allergy", value="花生")["memory"]
    new = agent.write("我对花生不过敏", key="user.allergy", value="不过敏")
    assert new["decision"] == "CONFLICT"
    settle.settle_conflict(
        owner=alice.pk, conflict=UUID(new["conflict"]), ruling=Ruling.KEPT,
        keep=UUID(new["memory"]["id"]), now=NOW,
    )  # fmt: skip
    assert read(alice, UUID(fact["id"])).status == "superseded"


def test_undoing_what_asked_a_question_closes_it(alice: User, fact: Memory) -> None:
    with owner_scope(alice.pk):
        trail = Trail(owner=alice.pk, actor=Actor.OWNER, at=NOW, epoch=0)
        entry = ask_about(Reason.REPORTED, [fact], trail)
        gesture = trail.leave()
    undo.undo_gesture(owner=alice.pk, gesture=gesture, now=NOW)
    with owner_scope(alice.pk):
        assert Conflict.objects.get(pk=entry).state == "settled"
