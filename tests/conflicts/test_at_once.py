"""Many at once, or broken off in the middle: one value, one chain, all or nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from accounts.models import User
from memory.border import owner_scope
from memory.domain.values import Ruling, Status
from memory.models import Conflict, Memory
from memory.services import settle
from memory.services.record import Trail
from memory.services.write import Fact, write_facts
from tests.acts.looking import snapshot
from tests.conftest import NOW, ApiClient

LANGUAGES = ("Go", "Rust", "Kotlin", "Swift", "Scala", "Elixir", "Haskell", "Zig")
KEY = "user.language.primary"


def test_eight_superseding_writes_at_once_make_one_unforked_chain(
    committed: None, alice: User, agent: ApiClient
) -> None:
    write_facts(agent.caller, [Fact(content="主力语言是 Java", key=KEY, value="Java")], now=NOW)
    together = threading.Barrier(len(LANGUAGES))
    failed: list[BaseException] = []

    def write(language: str) -> None:
        try:
            together.wait()
            fact = Fact(content=f"主力语言换成 {language} 了", key=KEY, value=language)
            [outcome] = write_facts(agent.caller, [fact], now=NOW)
            assert outcome.decision == "UPDATE"
        except BaseException as error:
            failed.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=write, args=(language,)) for language in LANGUAGES]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    with owner_scope(alice.pk):
        rows = {row.pk: row for row in Memory.objects.of(alice)}
    assert len(rows) == 1 + len(LANGUAGES)
    [row] = [row for row in rows.values() if row.status == Status.ACTIVE]
    walked = [row.pk]
    while row.replaces_id is not None:
        assert rows[row.replaces_id].superseded_by_id == row.pk
        row = rows[row.replaces_id]
        walked.append(row.pk)
    assert (len(walked), set(walked)) == (len(rows), set(rows))


Pair = tuple[Memory, Memory]
RULINGS: dict[Ruling, Callable[[Pair], dict[str, Any]]] = {
    Ruling.KEPT: lambda pair: {"keep": pair[0].pk},
    Ruling.BOTH: lambda pair: {"contexts": {pair[0].pk: "上班时"}},
    Ruling.MERGED: lambda pair: {"text": "看情况"},
    Ruling.NEITHER: lambda pair: {},
}


@pytest.fixture
def pair(agent: ApiClient) -> Pair:
    first, second = (
        write_facts(agent.caller, [Fact(content=content)], now=NOW)[0].memory
        for content in ("偏好强类型语言", "偏好动态类型语言")
    )
    assert first is not None
    assert second is not None
    return first, second


@pytest.mark.parametrize("step", range(6))
@pytest.mark.parametrize("ruling", RULINGS)
def test_a_ruling_that_breaks_off_anywhere_changes_nothing(
    alice: User, pair: Pair, monkeypatch: pytest.MonkeyPatch, ruling: Ruling, step: int
) -> None:
    """Fails at the nth thing that is noted, the last time at the writing of the events."""
    with owner_scope(alice.pk):
        entry = Conflict.objects.of(alice).get()
    before = snapshot(alice)
    noted = Trail.note
    left = iter(range(step))

    def note(self: Trail, *args: Any, **data: Any) -> None:
        if next(left, None) is None:
            raise RuntimeError("planted")
        noted(self, *args, **data)

    def leave(self: Trail) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr(Trail, "note", note)
    monkeypatch.setattr(Trail, "leave", leave)
    with pytest.raises(RuntimeError, match="planted"):
        settle.settle_conflict(
            owner=alice.pk, conflict=entry.pk, ruling=ruling, now=NOW, **RULINGS[ruling](pair)
        )
    assert snapshot(alice) == before
