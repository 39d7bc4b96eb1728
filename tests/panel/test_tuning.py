"""How memory behaves: seen before it is saved, refused with its range, and taken back."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from memory.border import owner_scope
from memory.domain.values import Tier
from memory.models import Memory, Policy
from memory.models.policies import rules_of
from tests.conftest import count_statements
from tests.panel.conftest import htmx, text_of

GIVEN = {
    "scenario": "general", "strength_rate": "1.5", "archive_line": "0.3",
    "conflict_policy": "balanced", "tempered_a": "0.2", "tempered_b": "0.1",
    "days_recently_deleted": "7", "recall_days": "90", "message_days": "30",
    "purge_archived_days": "30", "admins_see": "masked",
}  # fmt: skip


def rules(owner: User) -> Any:
    with owner_scope(owner.pk):
        policy = Policy.objects.of(owner.pk).first()
        return rules_of(policy.numbers if policy else {})


@pytest.fixture
def fading(alice: User, put: Callable[..., Memory]) -> None:
    """Five that fade: 20 days old and short-term, two of them important."""
    now = timezone.now() - timedelta(days=20)
    for number in range(5):
        put(
            alice, f"fading {number}", now=now, tier=Tier.SHORT_TERM,
            importance=0.85 if number < 2 else 0.6,
        )  # fmt: skip


def test_the_page_says_what_would_be_forgotten(signed_in: Client, fading: None) -> None:
    page = text_of(signed_in.get("/settings/").content.decode())
    assert "5 of your memories would be forgotten, 2 of them important." in page
    assert "λ = 0.000463" in page
    assert "λ = 0.0278" in page


def test_moving_the_slider_changes_the_count_and_the_curve(
    signed_in: Client, alice: User, fading: None
) -> None:
    fast, slow = (
        signed_in.get(
            "/settings/preview/", {**GIVEN, "strength_rate": rate}, headers=htmx("effect")
        )
        for rate in ("1.5", "6")
    )
    assert "5 of your memories" in text_of(fast.content.decode())
    page = slow.content.decode()
    assert "0 of your memories would be forgotten" in text_of(page)
    assert "By the numbers in force: 5, 2 of them important." in text_of(page)
    assert (
        page.split('curve-short_term" d="')[1]
        != fast.content.decode().split('curve-short_term" d="')[1]
    )
    assert "<html" not in page
    assert rules(alice).strength_rate == 1.5


def test_a_scenario_moves_the_fields_along(signed_in: Client) -> None:
    answer = signed_in.get(
        "/settings/preview/", {**GIVEN, "scenario": "safety", "strength_rate": "6"},
        headers={**htmx("effect"), "HX-Trigger-Name": "scenario"},
    )  # fmt: skip
    page = answer.content.decode()
    assert 'value="3"' in page
    assert 'value="0.2"' in page


def test_preview_without_a_script_shows_and_stores_nothing(
    signed_in: Client, alice: User, fading: None
) -> None:
    answer = signed_in.post("/settings/memory/", {**GIVEN, "strength_rate": "6", "preview": "1"})
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "0 of your memories would be forgotten" in text_of(page)
    assert 'value="6"' in page
    assert rules(alice).strength_rate == 1.5


def test_saving_takes_hold_and_can_be_undone(signed_in: Client, alice: User) -> None:
    answer = signed_in.post(
        "/settings/memory/",
        {**GIVEN, "strength_rate": "2.5", "purge_enabled": "on", "recall_days": "10"},
    )
    assert answer.status_code == 302
    kept = rules(alice)
    assert (kept.strength_rate, kept.purge_enabled, kept.recall_days) == (2.5, True, 10)
    page = signed_in.get("/settings/").content.decode()
    gesture = page.split('action="/undo/')[1].split("/")[0]
    signed_in.post(f"/undo/{gesture}/")
    assert rules(alice) == rules_of({})


def test_what_admins_see_is_the_owners_to_say_and_to_take_back(
    signed_in: Client, alice: User
) -> None:
    def seen() -> str:
        with owner_scope(alice.pk):
            return str(Policy.objects.of(alice.pk).get().admins_see)

    signed_in.post("/settings/memory/", {**GIVEN, "admins_see": "none"})
    assert seen() == "none"
    page = signed_in.get("/settings/").content.decode()
    assert 'value="none" id="id_admins_see_1" required checked' in re.sub(r"\s+", " ", page)
    gesture = page.split('action="/undo/')[1].split("/")[0]
    signed_in.post(f"/undo/{gesture}/")
    assert seen() == "masked"
    assert signed_in.post("/settings/memory/", {**GIVEN, "admins_see": "x"}).status_code == 422


def test_a_scenario_brings_its_own_rate_and_line(signed_in: Client, alice: User) -> None:
    signed_in.post("/settings/memory/", {**GIVEN, "scenario": "safety"})
    kept = rules(alice)
    assert (kept.scenario, kept.strength_rate, kept.archive_line) == ("safety", 3.0, 0.2)


@pytest.mark.parametrize(
    ("name", "typed", "said"),
    [
        ("strength_rate", "0", "Enter a number from 0.1 to 20."),
        ("strength_rate", "NaN", "Enter a number from 0.1 to 20."),
        ("strength_rate", "<b>", "Enter a number from 0.1 to 20."),
        ("archive_line", "0.5", "Enter a number from 0.05 to 0.49."),
        ("days_recently_deleted", "1.5", "Enter a whole number from 0 to 365."),
        ("days_recently_deleted", "9e99", "Enter a whole number from 0 to 365."),
    ],
)
def test_a_number_out_of_range_names_its_range_and_keeps_what_was_typed(
    signed_in: Client, alice: User, name: str, typed: str, said: str
) -> None:
    answer = signed_in.post("/settings/memory/", {**GIVEN, name: typed})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert said in text_of(page)
    assert f'value="{typed.replace("<", "&lt;").replace(">", "&gt;")}"' in page
    assert rules(alice) == rules_of({})
    live = signed_in.get("/settings/preview/", {**GIVEN, name: typed}, headers=htmx("effect"))
    assert live.status_code == 422
    assert said in text_of(live.content.decode())


def test_the_page_takes_as_many_statements_for_more_memories(
    signed_in: Client, alice: User, put: Callable[..., Memory]
) -> None:
    counts = []
    for _ in range(2):
        for number in range(12):
            put(alice, f"{_} fact {number}")
        with count_statements() as counted:
            assert signed_in.get("/settings/").status_code == 200
        counts.append(len(counted))
    assert counts[0] == counts[1]


def test_the_health_of_the_store_is_said_in_words(
    signed_in: Client, alice: User, put: Callable[..., Memory]
) -> None:
    old = timezone.now() - timedelta(days=400)
    put(alice, "said in passing", now=old, tier=Tier.WORKING)
    put(alice, "fresh", now=timezone.now())
    page = text_of(signed_in.get("/settings/").content.decode())
    assert "1 of 2 (50.0%) has faded so far" in page
    assert "Nothing that is protected was forgotten." in page
