"""Out, everything cleared, in again: the same memories."""

from __future__ import annotations

import json
from uuid import UUID

import pytest
from django.utils import timezone

from accounts.models import User
from memory.border import owner_scope
from memory.domain.tiers import classify
from memory.domain.values import Source, Tier
from memory.models import Memory
from memory.services import dispatch, exchange
from memory.services.erase import clear_all, delete_memory
from memory.services.errors import AlreadySettled, NotFound, OldEpoch
from memory.services.undo import undo_gesture
from memory.services.write import add_memory
from tests.conftest import ApiClient
from tests.exchange.conftest import decisions, export, number, picture, preview, take


def test_the_same_comes_back(store: User) -> None:
    before = picture(store)
    assert len(before[0]) >= 16
    assert len(before[1]) >= 4
    data = export(store)
    clear_all(owner=store.pk, now=timezone.now())
    assert number(store) == 0
    dispatch.run_due_jobs()
    parcel = preview(store, data)
    assert number(store) == 0
    expected = decisions(store, parcel)
    assert {one.split()[0] for one in expected} == {"ADD"}
    done = take(store, parcel)
    after = picture(store)
    for here, there in zip(after[0], before[0], strict=True):
        assert here == there
    assert after[1] == before[1]
    assert decisions(store, done, done=True) == expected
    # And once more: everything is known already.
    again = preview(store, data)
    assert {one.split()[0] for one in decisions(store, again)} == {"NOOP"}
    take(store, again)
    assert picture(store) == before


def test_every_way_in_has_the_same_line_between_tiers(store: User) -> None:
    """Written, edited, confirmed, or taken in from a list: one function classifies them all."""
    words = "- allergic to penicillin\n- works as a nurse\n- had a latte\n- 用户禁用青霉素"
    parcel = preview(store, words.encode(), Source.USER_STATED)
    take(store, parcel)
    with owner_scope(store.pk):
        rows = list(Memory.objects.of(store.pk))
    assert {Tier(row.tier) for row in rows} == set(Tier)
    for row in rows:
        assert row.tier == classify(row.importance), (row.content, row.importance)


def test_what_came_back_is_found_by_words_and_by_meaning(store: User, make_agent: object) -> None:
    data = export(store)
    clear_all(owner=store.pk, now=timezone.now())
    take(store, preview(store, data))
    with owner_scope(store.pk):
        found = Memory.objects.of(store.pk).kept()
        assert not found.filter(embedding=None).exists()
        assert found.filter(content="I switched from Java to Go", word_count__gt=0).exists()


def test_an_import_is_undone_as_a_whole(store: User) -> None:
    data = export(store)
    clear_all(owner=store.pk, now=timezone.now())
    done = take(store, preview(store, data))
    assert number(store) == len(json.loads(data)["memories"])
    assert done.gesture is not None
    undo_gesture(owner=store.pk, gesture=done.gesture, now=timezone.now())
    assert picture(store) == ([], [])
    # Taken back is not "not to be learned again".
    assert {one.split()[0] for one in decisions(store, preview(store, data))} == {"ADD"}


def test_what_the_owner_deleted_since_is_not_brought_back(store: User) -> None:
    data = export(store)
    with owner_scope(store.pk):
        dark = Memory.objects.of(store.pk).get(content="prefers a dark theme")
    delete_memory(owner=store.pk, memory=dark.pk, now=timezone.now())
    parcel = preview(store, data)
    assert "REFUSED deleted_by_owner" in decisions(store, parcel)
    assert parcel.expected["REFUSED"] == 1
    take(store, parcel)
    with owner_scope(store.pk):
        kept = Memory.objects.of(store.pk).kept()
        assert not kept.filter(content="prefers a dark theme").exists()


def test_another_value_of_the_topic_since_then_is_asked_about(alice: User) -> None:
    topic = "user.editor"
    now = timezone.now()
    add_memory(owner=alice.pk, content="My editor is Vim", key=topic, value="Vim", now=now)
    data = export(alice)
    clear_all(owner=alice.pk, now=timezone.now())
    add_memory(owner=alice.pk, content="My editor is Emacs", key=topic, value="Emacs", now=now)
    parcel = preview(alice, data)
    assert decisions(alice, parcel) == ["CONFLICT contradiction"]
    take(alice, parcel)
    rows, asked = picture(alice)
    assert {row["status"] for row in rows} == {"conflict"}
    assert [len(entry[4]) for entry in asked] == [2]


def test_an_import_is_begun_once_and_never_after_clearing(alice: User, bob: User) -> None:
    parcel = preview(alice, b"I like tea")
    with pytest.raises(NotFound):
        exchange.run_parcel(owner=bob.pk, parcel=parcel.pk, now=timezone.now())
    exchange.run_parcel(owner=alice.pk, parcel=parcel.pk, now=timezone.now())
    with pytest.raises(AlreadySettled):
        exchange.run_parcel(owner=alice.pk, parcel=parcel.pk, now=timezone.now())
    other = preview(alice, b"I like coffee")
    clear_all(owner=alice.pk, now=timezone.now())
    with pytest.raises(OldEpoch):
        exchange.run_parcel(owner=alice.pk, parcel=other.pk, now=timezone.now())


def test_chosen_memories_alone_are_exported(store: User) -> None:
    with owner_scope(store.pk):
        dark = Memory.objects.of(store.pk).get(content="prefers a dark theme")
    data = json.loads(export(store, memories=[dark.pk]))
    assert [row["content"] for row in data["memories"]] == ["prefers a dark theme"]
    assert UUID(data["memories"][0]["id"]) == dark.pk


def test_a_deleted_memory_is_in_no_export(store: User, agent: ApiClient) -> None:
    for form in ("json", "csv", "markdown"):
        assert b"secret crush" not in export(store, form)
