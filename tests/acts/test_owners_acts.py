"""What the owner does in the panel, and that it can be taken back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from accounts.models import User
from memory.border import owner_scope
from memory.models import Conflict, Event, Job, Memory, MemoryRevision, Posting
from memory.services import archive, erase, mark, pin, revise, settle, share, undo
from memory.services.dispatch import run_due_jobs
from memory.services.errors import (
    AlreadySettled,
    CannotUndo,
    InvalidInput,
    NotFound,
    OldEpoch,
    VersionConflict,
)
from memory.services.write import Fact, write_facts
from tests.acts.looking import read, snapshot, words_of
from tests.conftest import NOW, ApiClient

MakeMemory = Callable[..., Memory]


def test_confirming_a_guess_makes_it_the_owners_word(alice: User, guess: Memory) -> None:
    settle.confirm_memory(owner=alice.pk, memory=guess.pk, version=1, now=NOW)
    row = read(alice, guess)
    assert (row.status, row.source, row.tier) == ("active", "user_stated", "long_term")
    assert row.confirmed_at == NOW
    assert row.use.anchor >= NOW


def test_confirming_what_happened_vouches_for_its_truth_not_its_permanence(
    alice: User, make_memory: MakeMemory
) -> None:
    row = make_memory(alice, "昨天去了京都", kind="episodic")
    settle.confirm_memory(owner=alice.pk, memory=row.pk, version=None, now=NOW)
    assert read(alice, row).tier == row.tier != "long_term"


def test_confirming_with_other_words_keeps_the_old_ones_in_history(
    alice: User, guess: Memory
) -> None:
    settle.confirm_memory(
        owner=alice.pk, memory=guess.pk, version=1, content="用 MacBook Pro", now=NOW
    )
    row = read(alice, guess)
    assert (row.content, row.status) == ("用 MacBook Pro", "active")
    with owner_scope(alice.pk):
        assert MemoryRevision.objects.get(memory=row).content == "可能用 Mac"


def test_denying_a_guess_supersedes_it_and_closes_its_entry(alice: User, guess: Memory) -> None:
    settle.deny_memory(owner=alice.pk, memory=guess.pk, now=NOW)
    row = read(alice, guess)
    assert (row.status, row.status_reason) == ("superseded", "denied")
    with owner_scope(alice.pk):
        assert not Conflict.objects.of(alice).waiting().exists()
    with pytest.raises(AlreadySettled):
        settle.deny_memory(owner=alice.pk, memory=guess.pk, now=NOW)


def test_confirming_one_side_makes_the_other_its_past(
    alice: User, pair: tuple[Memory, Memory]
) -> None:
    kept, lost = pair
    settle.confirm_memory(owner=alice.pk, memory=kept.pk, version=None, now=NOW)
    assert read(alice, kept).status == "active"
    other = read(alice, lost)
    assert (other.status, other.superseded_by_id) == ("superseded", kept.pk)
    with owner_scope(alice.pk):
        assert not Conflict.objects.of(alice).waiting().exists()


def test_denying_one_side_lets_the_other_stand(alice: User, pair: tuple[Memory, Memory]) -> None:
    kept, lost = pair
    settle.deny_memory(owner=alice.pk, memory=lost.pk, now=NOW)
    assert (read(alice, kept).status, read(alice, lost).status) == ("active", "superseded")


def test_deleting_one_side_lets_the_other_stand(alice: User, pair: tuple[Memory, Memory]) -> None:
    kept, lost = pair
    erase.delete_memory(owner=alice.pk, memory=lost.pk, now=NOW)
    assert read(alice, kept).status == "active"


def test_a_correction_keeps_the_memory_and_everything_else_of_it(
    alice: User, make_memory: MakeMemory
) -> None:
    row = make_memory(alice, "在 Acme 工作", metadata={"via": "chat"}, pinned=True)
    revise.edit_memory(
        owner=alice.pk, memory=row.pk, version=1, how="correct", content="在贝塔公司工作", now=NOW
    )
    after = read(alice, row)
    assert (after.content, after.version, after.pinned) == ("在贝塔公司工作", 2, True)
    assert after.metadata == {"via": "chat"}
    assert "贝塔" in words_of(alice, after)
    assert "acm" not in words_of(alice, after)
    assert "acme" not in words_of(alice, after)
    assert after.embedding != row.embedding


def test_it_changed_makes_a_new_memory_and_the_old_one_its_past(
    alice: User, make_memory: MakeMemory
) -> None:
    row = make_memory(alice, "住在上海", key="user.residence", value="上海", times_served=3)
    revise.edit_memory(
        owner=alice.pk, memory=row.pk, version=1, how="changed", content="住在杭州",
        value="杭州", now=NOW,
    )  # fmt: skip
    old = read(alice, row)
    new = read(alice, old.superseded_by_id)
    assert (old.status, old.content, old.invalidated_at) == ("superseded", "住在上海", NOW)
    assert (new.status, new.value, new.replaces_id) == ("active", "杭州", old.pk)
    assert new.use.times_served == 3


def test_two_tabs_the_second_save_is_refused_with_the_current_words(
    alice: User, make_memory: MakeMemory
) -> None:
    row = make_memory(alice, "likes tea")
    edit = {"owner": alice.pk, "memory": row.pk, "version": 1, "how": "correct", "now": NOW}
    revise.edit_memory(**edit, content="likes green tea")
    with pytest.raises(VersionConflict) as refused:
        revise.edit_memory(**edit, content="likes black tea")
    assert refused.value.current.content == "likes green tea"
    assert read(alice, row).content == "likes green tea"


def test_an_edit_that_would_make_a_twin_merges(alice: User, make_memory: MakeMemory) -> None:
    kept = make_memory(alice, "likes green tea")
    row = make_memory(alice, "likes grene tea")
    revise.edit_memory(
        owner=alice.pk, memory=row.pk, version=1, how="correct", content="likes green tea", now=NOW
    )
    merged = read(alice, row)
    assert (merged.status, merged.superseded_by_id) == ("superseded", kept.pk)
    with owner_scope(alice.pk):
        assert Event.objects.filter(memory=row, reason="merged").exists()


def test_an_edit_cannot_put_a_second_value_on_one_topic(
    alice: User, make_memory: MakeMemory
) -> None:
    make_memory(alice, "住在杭州", key="user.residence", value="杭州")
    row = make_memory(alice, "常去上海")
    with pytest.raises(InvalidInput):
        revise.edit_memory(
            owner=alice.pk, memory=row.pk, version=1, how="correct", content="住在上海",
            key="user.residence", value="上海", now=NOW,
        )  # fmt: skip
    assert read(alice, row).content == "常去上海"


def test_with_the_embedder_down_an_edit_is_saved_and_found_by_its_words(
    alice: User, make_memory: MakeMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = make_memory(alice, "在 Acme 工作")

    class Down:
        name = "down"

        def embed(self, texts: Any) -> Any:
            from memory.adapters.embedders import EmbedderDown

            raise EmbedderDown("planted")

    with monkeypatch.context() as patch:
        patch.setattr("memory.services.index.get_embedder", Down)
        revise.edit_memory(
            owner=alice.pk, memory=row.pk, version=1, how="correct", content="在贝塔公司工作",
            now=NOW,
        )  # fmt: skip
    after = read(alice, row)
    assert (after.content, after.embedding) == ("在贝塔公司工作", None)
    assert "贝塔" in words_of(alice, after)
    assert run_due_jobs() == 1
    assert read(alice, row).embedder == "use-multilingual-v3"


def test_out_of_date_and_still_true(alice: User, make_memory: MakeMemory) -> None:
    row = make_memory(alice, "用 vim", key="user.editor", value="vim")
    mark.mark_outdated(owner=alice.pk, memory=row.pk, now=NOW)
    assert read(alice, row).status == "stale"
    mark.mark_still_true(owner=alice.pk, memory=row.pk, now=NOW + timedelta(days=1))
    after = read(alice, row)
    assert (after.status, after.said_at) == ("active", NOW + timedelta(days=1))
    assert after.use.anchor == NOW + timedelta(days=1)


def test_delete_and_restore(alice: User, make_memory: MakeMemory) -> None:
    row = make_memory(alice, "likes green tea")
    before = words_of(alice, row)
    erase.delete_memory(owner=alice.pk, memory=row.pk, now=NOW)
    assert (read(alice, row).deleted_at, words_of(alice, row)) == (NOW, set())
    erase.restore_memory(owner=alice.pk, memory=row.pk, now=NOW)
    assert (read(alice, row).deleted_at, words_of(alice, row)) == (None, before)


def test_what_comes_back_after_its_twin_comes_back_as_its_past(
    alice: User, make_memory: MakeMemory
) -> None:
    row = make_memory(alice, "likes green tea")
    erase.delete_memory(owner=alice.pk, memory=row.pk, now=NOW)
    twin = make_memory(alice, "likes green tea")
    assert twin.pk != row.pk
    erase.restore_memory(owner=alice.pk, memory=row.pk, now=NOW)
    after = read(alice, row)
    assert (after.status, after.superseded_by_id) == ("superseded", twin.pk)


def acts(owner: User, row: Memory) -> dict[str, Callable[[datetime], UUID]]:
    who: dict[str, Any] = {"owner": owner.pk, "memory": row.pk}
    return {
        "confirm": lambda at: settle.confirm_memory(**who, version=None, now=at),
        "deny": lambda at: settle.deny_memory(**who, now=at),
        "outdated": lambda at: mark.mark_outdated(**who, now=at),
        "correct": lambda at: revise.edit_memory(
            **who, version=None, how="correct", content="住在宁波", value="宁波", now=at
        ),
        "changed": lambda at: revise.edit_memory(
            **who, version=None, how="changed", content="住在宁波", value="宁波", now=at
        ),
        "delete": lambda at: erase.delete_memory(**who, now=at),
        "archive": lambda at: archive.archive_memory(**who, now=at),
        "pin": lambda at: pin.pin_memory(**who, pinned=True, now=at),
        "share": lambda at: share.share_memory(**who, visibility="user", now=at),
    }


ACTS = ("confirm", "deny", "outdated", "correct", "changed", "delete", "archive", "pin", "share")


@pytest.mark.parametrize("act", ACTS)
def test_undo_restores_exactly_what_was(alice: User, make_memory: MakeMemory, act: str) -> None:
    row = make_memory(alice, "住在杭州", key="user.residence", value="杭州")
    before, words = snapshot(alice), words_of(alice, row)
    gesture = acts(alice, row)[act](NOW)
    assert snapshot(alice) != before or act == "share"
    undo.undo_gesture(owner=alice.pk, gesture=gesture, now=NOW + timedelta(days=400))
    after = snapshot(alice)
    assert {pk: after[pk] for pk in before} == before
    assert words_of(alice, row) == words
    for pk in set(after) - set(before):
        assert after[pk]["deleted_at"] is not None, "a row the gesture made is put away"


@pytest.mark.parametrize("act", ["confirm", "deny", "delete"])
@pytest.mark.parametrize("side", [0, 1])
def test_undo_of_a_ruling_opens_the_contradiction_again(
    alice: User, pair: tuple[Memory, Memory], act: str, side: int
) -> None:
    before = snapshot(alice)
    gesture = acts(alice, pair[side])[act](NOW)
    undo.undo_gesture(owner=alice.pk, gesture=gesture, now=NOW)
    assert snapshot(alice) == before


def test_undo_is_refused_with_the_reason(alice: User, make_memory: MakeMemory) -> None:
    row = make_memory(alice, "住在杭州", key="user.residence", value="杭州")
    outdated = acts(alice, row)["outdated"](NOW)
    acts(alice, row)["confirm"](NOW)
    with pytest.raises(CannotUndo, match="changed"):
        undo.undo_gesture(owner=alice.pk, gesture=outdated, now=NOW)
    deny = acts(alice, row)["deny"](NOW)
    undo.undo_gesture(owner=alice.pk, gesture=deny, now=NOW)
    with pytest.raises(CannotUndo, match="undone"):
        undo.undo_gesture(owner=alice.pk, gesture=deny, now=NOW)


def test_a_restoring_undone_is_a_deletion_and_can_be_restored_again(
    alice: User, agent: ApiClient, make_memory: MakeMemory
) -> None:
    row = make_memory(alice, "likes green tea")
    acts(alice, row)["delete"](NOW)
    restored = erase.restore_memory(owner=alice.pk, memory=row.pk, now=NOW)
    undo.undo_gesture(owner=alice.pk, gesture=restored, now=NOW)
    with owner_scope(alice.pk):
        assert not Posting.objects.filter(memory=row).exists()
    assert agent.write("likes green tea")["decision"] == "REFUSED"
    erase.restore_memory(owner=alice.pk, memory=row.pk, now=NOW)
    assert read(alice, row).deleted_at is None


def test_an_edit_is_not_undone_on_what_was_deleted_since(
    alice: User, make_memory: MakeMemory
) -> None:
    row = make_memory(alice, "likes green tea")
    edited = revise.edit_memory(
        owner=alice.pk, memory=row.pk, version=1, how="correct", content="likes black tea", now=NOW
    )
    acts(alice, row)["delete"](NOW)
    with pytest.raises(CannotUndo, match="changed"):
        undo.undo_gesture(owner=alice.pk, gesture=edited, now=NOW)


def test_what_changed_into_the_words_of_another_memory_is_refused(
    alice: User, make_memory: MakeMemory
) -> None:
    row = make_memory(alice, "likes green tea")
    make_memory(alice, "likes black tea")
    before = snapshot(alice)
    with pytest.raises(InvalidInput, match="content"):
        revise.edit_memory(
            owner=alice.pk, memory=row.pk, version=1, how="changed", content="likes black tea",
            now=NOW,
        )  # fmt: skip
    assert snapshot(alice) == before


def test_nobody_undoes_another_owners_gesture(
    alice: User, bob: User, make_memory: MakeMemory
) -> None:
    row = make_memory(alice, "likes tea")
    gesture = acts(alice, row)["delete"](NOW)
    with pytest.raises(NotFound):
        undo.undo_gesture(owner=bob.pk, gesture=gesture, now=NOW)
    assert read(alice, row).deleted_at is not None


def test_every_act_on_a_strangers_memory_is_not_found(
    alice: User, bob: User, make_memory: MakeMemory
) -> None:
    row = make_memory(alice, "likes tea")
    before = snapshot(alice)
    for act in acts(bob, row).values():
        with pytest.raises(NotFound):
            act(NOW)
    assert snapshot(alice) == before


def test_clear_all_empties_every_read_path_at_once_and_erases_by_a_job(
    alice: User, bob: User, agent: ApiClient, make_memory: MakeMemory
) -> None:
    facts = [{"content": f"likes tea number {n}"} for n in range(50)]
    for _ in range(2):
        agent.post("memories", {"facts": facts})
    for row in agent.get("memories", {"limit": 5}).json()["results"]:
        agent.delete(f"memories/{row['id']}")
    agent.write("喜欢咖啡", key="user.drink", value="咖啡")
    agent.write("喜欢茶", key="user.drink", value="茶")
    agent.recall("tea")
    make_memory(bob, "likes tea")
    assert erase.clear_all(owner=alice.pk, now=NOW).total == 52
    assert agent.get("memories").json()["total"] == 0
    answer = agent.recall("tea 喜欢喝什么")
    assert (answer["memories"], answer["needs_confirmation"], answer["standing"]) == ([], [], [])
    assert run_due_jobs() == 1
    with owner_scope(alice.pk):
        assert Memory.objects.count() == 0
        assert Posting.objects.count() == 0
        assert [event.verb for event in Event.objects.all()] == ["cleared"]
    with owner_scope(bob.pk):
        assert Memory.objects.count() == 1
    assert agent.write("likes tea number 1")["decision"] == "ADD"


def test_a_write_begun_before_clear_all_is_refused(alice: User, agent: ApiClient) -> None:
    erase.clear_all(owner=alice.pk, now=NOW)
    with pytest.raises(OldEpoch):
        write_facts(agent.caller, [Fact(content="likes tea")], now=NOW)
    with owner_scope(alice.pk):
        assert Memory.objects.count() == 0


def test_a_failure_in_the_middle_of_an_act_changes_nothing(
    alice: User, pair: tuple[Memory, Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = snapshot(alice)

    def fail(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr("memory.services.settle.confirm_row", fail)
    with pytest.raises(RuntimeError, match="planted"):
        settle.confirm_memory(owner=alice.pk, memory=pair[0].pk, version=None, now=NOW)
    assert snapshot(alice) == before
    with owner_scope(alice.pk):
        assert Job.objects.count() == 0
