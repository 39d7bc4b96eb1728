"""Changing what a memory says: a mistake corrected, a change with a history, and two tabs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from memory.border import owner_scope
from memory.domain.values import Source, Status
from memory.models import Memory, MemoryRevision
from tests.panel.conftest import htmx, text_of

Make = Callable[..., Memory]


@pytest.fixture
def fact(signed_in: Client, alice: User, make_memory: Make) -> Memory:
    return make_memory(alice, "I work at Acme", key="user.employer", value="Acme")


def form_for(memory: Memory, **changes: str) -> dict[str, str]:
    return {
        "content": memory.content, "value": memory.value, "key": memory.key,
        "valid_from": "", "valid_to": "", "importance": "", "how": "correct",
        "version": str(memory.version), **changes,
    }  # fmt: skip


def now_of(memory: Memory) -> Memory:
    with owner_scope(memory.owner_id):
        return Memory.objects.get(pk=memory.pk)


def test_correcting_keeps_the_memory_and_its_old_words(signed_in: Client, fact: Memory) -> None:
    given = form_for(fact, content="I work at Beta", value="Beta", next="/")
    assert signed_in.post(f"/memories/{fact.pk}/edit/", given)["Location"] == "/"
    row = now_of(fact)
    assert (row.content, row.value, row.version) == ("I work at Beta", "Beta", fact.version + 1)
    with owner_scope(fact.owner_id):
        assert MemoryRevision.objects.get(memory=fact.pk).content == "I work at Acme"
    page = text_of(signed_in.get(f"/memories/{fact.pk}/").content.decode())
    assert "removed: Acme added: Beta" in page


def test_a_change_makes_a_new_memory_and_leaves_the_old_as_its_past(
    signed_in: Client, fact: Memory
) -> None:
    given = form_for(fact, content="I work at Beta", value="Beta", how="changed")
    response = signed_in.post(
        f"/memories/{fact.pk}/edit/", given, headers=htmx(f"memory-{fact.pk}")
    )
    part = text_of(response.content.decode())
    assert "Beta" in part
    assert "1 earlier version Acme" in part
    assert now_of(fact).status == Status.SUPERSEDED


def test_until_when_it_was_true_may_be_said(signed_in: Client, alice: User, fact: Memory) -> None:
    with owner_scope(alice.pk):
        Memory.objects.filter(pk=fact.pk).update(valid_from=datetime(2020, 3, 1, tzinfo=UTC))
    given = form_for(
        fact, content="I work at Beta", value="Beta", how="changed", valid_from="2020-03-01"
    )
    where = f"/memories/{fact.pk}/edit/"
    for until, told in (
        ("2020-02-01", "ends before it begins"),
        ("2190-01-01", "has passed"),
    ):
        refused = signed_in.post(where, {**given, "until": until})
        assert refused.status_code == 422
        assert told in text_of(refused.content.decode())
    signed_in.post(where, {**given, "until": "2024-02-29"})
    with owner_scope(alice.pk):
        old = Memory.objects.select_related("superseded_by").get(pk=fact.pk)
    ended = datetime(2024, 2, 29, tzinfo=UTC)
    assert (old.status, old.invalidated_at) == (Status.SUPERSEDED, ended)
    assert old.superseded_by is not None
    assert old.superseded_by.valid_from == ended


def test_without_a_day_it_was_true_until_now(signed_in: Client, alice: User, fact: Memory) -> None:
    """Also where the old one says since when it was: that is not when it ended."""
    with owner_scope(alice.pk):
        Memory.objects.filter(pk=fact.pk).update(valid_from=datetime(2020, 3, 1, tzinfo=UTC))
    given = form_for(fact, content="I work at Beta", how="changed", valid_from="2020-03-01")
    before = timezone.now()
    signed_in.post(f"/memories/{fact.pk}/edit/", {**given, "until": f"{timezone.localdate()}"})
    ended = now_of(fact).invalidated_at
    assert ended is not None
    assert before <= ended <= timezone.now()


@pytest.mark.parametrize(
    ("words", "value"), [("I work at Beta", "Beta"), ("Nobody can say where I work", "")]
)
def test_a_value_its_words_no_longer_hold_is_not_shown_on(
    signed_in: Client, fact: Memory, words: str, value: str
) -> None:
    signed_in.post(f"/memories/{fact.pk}/edit/", form_for(fact, content=words))
    assert now_of(fact).value == value


@pytest.mark.parametrize("headers", ["plain", "htmx"])
@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"content": ""}, "required"),
        ({"content": "\u200b\u202e"}, "visible character"),
        ({"content": "a\x00b"}, "NUL"),
        ({"content": "x" * 2_001}, "2000 characters"),
        ({"valid_from": "2026-05-02", "valid_to": "2026-05-01"}, "ends before it begins"),
        ({"valid_from": "0001-01-01"}, "1900"),
        ({"how": ""}, "which of the two"),
        ({"how": "nonsense"}, "valid choice"),
        ({"importance": "0.99"}, "valid choice"),
    ],
)
def test_what_does_not_fit_is_422_and_stays_in_the_box(
    signed_in: Client, fact: Memory, changes: dict[str, str], told: str, headers: str
) -> None:
    sent = htmx(f"memory-{fact.pk}") if headers == "htmx" else {}
    response = signed_in.post(f"/memories/{fact.pk}/edit/", form_for(fact, **changes), headers=sent)
    page = response.content.decode()
    assert response.status_code == 422
    assert ("<html" in page) is (headers == "plain")
    assert told in text_of(page)
    assert "autofocus" in page
    assert now_of(fact).version == fact.version


@pytest.mark.parametrize("headers", ["plain", "htmx"])
def test_two_tabs_lose_no_words(signed_in: Client, fact: Memory, headers: str) -> None:
    sent = htmx(f"memory-{fact.pk}") if headers == "htmx" else {}
    signed_in.post(f"/memories/{fact.pk}/edit/", form_for(fact, content="I work at Beta"))
    mine = form_for(fact, content="I work at Gamma")
    response = signed_in.post(f"/memories/{fact.pk}/edit/", mine, headers=sent)
    page = response.content.decode()
    assert response.status_code == 409
    assert ("<html" in page) is (headers == "plain")
    shown = text_of(page)
    assert "It says now I work at Beta" in shown
    assert "You wrote I work at Gamma" in shown
    assert "<textarea" in page
    assert "I work at Gamma</textarea>" in page
    assert f'name="version" value="{fact.version + 1}"' in page
    again = {**mine, "version": str(fact.version + 1)}
    assert signed_in.post(f"/memories/{fact.pk}/edit/", again).status_code == 302
    assert now_of(fact).content == "I work at Gamma"


def test_an_edit_makes_it_the_owners_own_word(
    signed_in: Client, alice: User, make_memory: Make
) -> None:
    fact = make_memory(alice, "works at Acme", source="inferred")
    signed_in.post(
        f"/memories/{fact.pk}/edit/", {"content": "I work at Beta", "version": fact.version}
    )
    row = now_of(fact)
    assert (row.content, row.status, row.source) == (
        "I work at Beta", Status.ACTIVE, Source.USER_STATED,
    )  # fmt: skip


def test_the_past_is_not_rewritten(signed_in: Client, alice: User, make_memory: Make) -> None:
    fact = make_memory(alice, "worked at Acme", status=Status.SUPERSEDED)
    response = signed_in.get(f"/memories/{fact.pk}/edit/")
    assert response["Location"] == f"/memories/{fact.pk}/"


def test_importance_in_words(signed_in: Client, fact: Memory) -> None:
    signed_in.post(f"/memories/{fact.pk}/edit/", form_for(fact, importance="0.9"))
    assert now_of(fact).importance == 0.9


def test_a_day_is_the_owners_own(in_chinese: User, signed_in: Client, make_memory: Make) -> None:
    fact = make_memory(in_chinese, "在贝塔公司工作")
    signed_in.post(f"/memories/{fact.pk}/edit/", form_for(fact, valid_from="2026-05-01"))
    began = now_of(fact).valid_from
    assert began is not None
    assert began.isoformat() == "2026-04-30T16:00:00+00:00"


def test_the_owner_writes_one_himself(signed_in: Client, alice: User) -> None:
    response = signed_in.post("/memories/add/", {"content": "I am left-handed"})
    assert response.status_code == 302
    page = text_of(signed_in.get("/").content.decode())
    assert "I am left-handed" in page
    assert "all your agents see it" in page
    assert signed_in.post("/memories/add/", {"content": ""}).status_code == 422
