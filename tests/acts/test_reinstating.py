"""What is past is made true again, and what took its place goes; undone it is as it was."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from accounts.models import User
from memory.border import owner_scope
from memory.domain.values import Ruling
from memory.models import Conflict, Event, Memory
from memory.models.events import Verb
from memory.services import mark, reinstate, revise, settle, undo
from memory.services.errors import AlreadySettled, CannotUndo, InvalidInput, NotFound
from tests.acts.looking import read, snapshot
from tests.conftest import NOW, ApiClient

Make = Callable[..., Memory]
LATER = NOW + timedelta(days=30)


@pytest.fixture
def line(alice: User, make_memory: Make) -> list[Memory]:
    """Shanghai, then Hangzhou, then Beijing, which holds."""
    return [
        make_memory(
            alice, f"我搬到{city}了", key="user.residence", value=city, now=NOW + timedelta(days=n)
        )
        for n, city in enumerate(("上海", "杭州", "北京"))
    ]


def again(owner: User, memory: Memory) -> None:
    """Restore, look that undo gives back everything, and restore for good."""
    before = snapshot(owner)
    gesture = reinstate.reinstate_memory(owner=owner.pk, memory=memory.pk, now=LATER)
    undo.undo_gesture(owner=owner.pk, gesture=gesture, now=LATER)
    after = snapshot(owner)
    assert {pk: after[pk] for pk in before} == before
    reinstate.reinstate_memory(owner=owner.pk, memory=memory.pk, now=LATER)


def test_an_old_value_holds_again_and_the_one_that_held_is_its_past(
    alice: User, line: list[Memory]
) -> None:
    first, middle, last = line
    again(alice, first)
    row = read(alice, first)
    assert (row.status, row.status_reason, row.superseded_by_id) == ("active", "", None)
    assert (row.said_at, row.use.anchor, row.invalidated_at) == (LATER, LATER, None)
    assert (read(alice, last).status, read(alice, last).superseded_by_id) == (
        "superseded", first.pk,
    )  # fmt: skip
    assert read(alice, middle).status == "superseded"


def test_the_chain_does_not_fork_where_it_goes_on(alice: User, line: list[Memory]) -> None:
    again(alice, line[0])
    revise.edit_memory(
        owner=alice.pk, memory=line[0].pk, version=None, how="changed", content="我搬到成都了",
        value="成都", now=LATER,
    )  # fmt: skip
    with owner_scope(alice.pk):
        assert Memory.objects.of(alice).filter(status="active").get().value == "成都"
    again(alice, line[1])


def test_what_is_said_afterwards_takes_its_place_at_the_end_of_the_line(
    alice: User, line: list[Memory], make_memory: Make
) -> None:
    first, middle, last = line
    again(alice, first)
    newest = make_memory(
        alice, "我搬到深圳了", key="user.residence", value="深圳", now=LATER + timedelta(days=1)
    )
    with owner_scope(alice.pk):
        before = dict(Memory.objects.of(alice).values_list("pk", "replaces_id"))
    order, at = [], newest.pk
    while at is not None:
        order.append(at)
        at = before[at]
    assert order == [newest.pk, first.pk, last.pk, middle.pk]
    assert read(alice, first).superseded_by_id == newest.pk


def test_what_a_changed_fact_without_a_topic_became_goes_too(
    alice: User, make_memory: Make
) -> None:
    row = make_memory(alice, "the green bicycle is in the cellar")
    revise.edit_memory(
        owner=alice.pk, memory=row.pk, version=1, how="changed",
        content="the green bicycle is in the garden", now=NOW,
    )  # fmt: skip
    successor = read(alice, row).superseded_by_id
    assert successor
    again(alice, row)
    assert read(alice, row).status == "active"
    assert read(alice, successor).superseded_by_id == row.pk


def test_a_denied_guess_is_the_owners_word_and_may_be_learned_again(
    alice: User, agent: ApiClient
) -> None:
    guess = agent.write("可能用 Mac", key="user.device", value="Mac", source="inferred")["memory"]
    with owner_scope(alice.pk):
        row = Memory.objects.get(pk=guess["id"])
    settle.deny_memory(owner=alice.pk, memory=row.pk, now=NOW)
    again(alice, row)
    assert read(alice, row).source == "user_stated"
    said = agent.write("可能用 Mac", key="user.device", value="Mac", source="inferred")
    assert said["decision"] == "NOOP"


def test_a_restoring_that_is_undone_leaves_it_denied(alice: User, agent: ApiClient) -> None:
    guess = agent.write("可能用 Mac", key="user.device", value="Mac", source="inferred")["memory"]
    with owner_scope(alice.pk):
        row = Memory.objects.get(pk=guess["id"])
    settle.deny_memory(owner=alice.pk, memory=row.pk, now=NOW)
    gesture = reinstate.reinstate_memory(owner=alice.pk, memory=row.pk, now=LATER)
    undo.undo_gesture(owner=alice.pk, gesture=gesture, now=LATER)
    said = agent.write("可能用 Mac", key="user.device", value="Mac", source="inferred")
    assert said["decision"] == "REFUSED"


def test_what_contradicted_the_one_that_held_contradicts_it(
    alice: User, line: list[Memory], make_memory: Make
) -> None:
    first, _, last = line
    doubt = make_memory(
        alice, "可能住在天津", key="user.residence", value="天津", source="inferred", now=LATER
    )
    assert read(alice, last).contested
    again(alice, first)
    assert read(alice, first).contested
    assert not read(alice, last).contested
    with owner_scope(alice.pk):
        entry = Conflict.objects.get(members__memory=doubt)
    settle.settle_conflict(
        owner=alice.pk, conflict=entry.pk, ruling=Ruling.KEPT, keep=doubt.pk, now=LATER
    )
    assert (read(alice, doubt).status, read(alice, first).status) == ("active", "superseded")


def test_while_two_values_wait_for_the_owner_none_comes_back(
    alice: User, make_memory: Make
) -> None:
    old = make_memory(alice, "我喜欢强类型语言", key="user.style", value="强类型")
    revise.edit_memory(
        owner=alice.pk, memory=old.pk, version=1, how="changed", content="我喜欢弱类型语言",
        value="弱类型", now=NOW,
    )  # fmt: skip
    make_memory(alice, "我喜欢动态类型语言", key="user.style", value="动态类型", now=LATER)
    before = snapshot(alice)
    with pytest.raises(InvalidInput) as refused:
        reinstate.reinstate_memory(owner=alice.pk, memory=old.pk, now=LATER)
    assert "waits" in refused.value.fields
    assert snapshot(alice) == before


def test_words_that_another_memory_says_stay_past(alice: User, make_memory: Make) -> None:
    old = make_memory(alice, "the bicycle is green")
    revise.edit_memory(
        owner=alice.pk, memory=old.pk, version=1, how="changed", content="the bicycle is red",
        now=NOW,
    )  # fmt: skip
    make_memory(alice, "the bicycle is green", now=LATER)
    with pytest.raises(InvalidInput):
        reinstate.reinstate_memory(owner=alice.pk, memory=old.pk, now=LATER)
    assert read(alice, old).status == "superseded"


def test_an_end_that_has_passed_is_forgotten(alice: User, line: list[Memory]) -> None:
    with owner_scope(alice.pk):
        Memory.objects.filter(pk=line[0].pk).update(valid_to=NOW)
    again(alice, line[0])
    assert read(alice, line[0]).valid_to is None


def test_only_what_is_past_comes_back_and_only_to_its_owner(
    alice: User, bob: User, line: list[Memory]
) -> None:
    with pytest.raises(AlreadySettled):
        reinstate.reinstate_memory(owner=alice.pk, memory=line[2].pk, now=LATER)
    with pytest.raises(NotFound):
        reinstate.reinstate_memory(owner=bob.pk, memory=line[0].pk, now=LATER)


def test_what_was_built_on_it_since_keeps_the_undo_away(alice: User, line: list[Memory]) -> None:
    gesture = reinstate.reinstate_memory(owner=alice.pk, memory=line[0].pk, now=LATER)
    mark.mark_outdated(owner=alice.pk, memory=line[0].pk, now=LATER)
    with pytest.raises(CannotUndo):
        undo.undo_gesture(owner=alice.pk, gesture=gesture, now=LATER)
    with owner_scope(alice.pk):
        assert Event.objects.filter(gesture=gesture, verb=Verb.RESTORED).count() == 1
