"""Loading the demo story: once, whole, and as of any time."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

import memory.demo
from accounts.models import User
from memory.border import owner_scope
from memory.demo import OWNER_EMAIL, count_memories, load_demo
from memory.models import Event, Memory, Recall
from memory.services.erase import clear_all
from tests.conftest import NOW


@pytest.fixture
def short_story(database: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first evenings only: what is tested here does not depend on the rest."""
    monkeypatch.setattr(memory.demo, "STORY", memory.demo.STORY[:7])


def load(*arguments: str) -> dict[str, Any]:
    out = StringIO()
    call_command("load_demo", *arguments, stdout=out)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def test_the_command_prints_the_owner_and_how_many(short_story: None) -> None:
    owner = User.objects.filter(email=OWNER_EMAIL)
    assert not owner.exists()
    found = load("--now", NOW.isoformat())
    assert found == {"owner": str(owner.get().pk), "memories": count_memories(owner.get().pk)}
    assert found["memories"] == 9


def test_the_story_ends_at_the_time_given(short_story: None) -> None:
    load("--now", NOW.isoformat())
    owner = User.objects.get(email=OWNER_EMAIL)
    with owner_scope(owner.pk):
        first = Memory.objects.of(owner).order_by("created_at")[0].created_at
    assert first == datetime.fromisoformat("2025-04-02T21:10:00+08:00")
    assert NOW - first < timedelta(days=426)


@pytest.mark.parametrize("wrong", ["yesterday", "2026-06-01T12:00:00", "2026-13-01T12:00:00Z"])
def test_a_time_without_offset_is_refused(short_story: None, wrong: str) -> None:
    with pytest.raises(CommandError, match="offset"):
        load("--now", wrong)
    assert not User.objects.exists()


def test_loading_twice_changes_nothing(short_story: None) -> None:
    first = load("--now", NOW.isoformat())
    owner = User.objects.get(email=OWNER_EMAIL).pk

    def state() -> list[Any]:
        with owner_scope(owner):
            return [
                list(Memory.objects.of(owner).order_by("id").values("id", "version", "status")),
                Event.objects.of(owner).count(),
                Recall.objects.of(owner).count(),
            ]

    before = state()
    assert load("--now", (NOW + timedelta(days=30)).isoformat()) == first
    assert state() == before
    assert User.objects.count() == 1


def test_an_interrupted_loading_is_taken_away_and_told_again(
    short_story: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any, **options: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(memory.demo, "recall", fail)
        with pytest.raises(KeyboardInterrupt):
            load_demo(NOW)
    assert not User.objects.filter(email=OWNER_EMAIL).exists()
    half = User.objects.get()
    assert count_memories(half.pk) > 0

    owner = load_demo(NOW)
    assert User.objects.get().pk == owner != half.pk
    assert count_memories(owner) == 9


def test_an_owner_who_cleared_everything_gets_the_story_anew(short_story: None) -> None:
    owner = load_demo(NOW)
    clear_all(owner=owner, now=NOW)
    assert count_memories(owner) == 0
    assert load_demo(NOW) == owner
    assert count_memories(owner) == 9
