"""The admins' queue in a real browser: deciding together, and for everyone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from memory.border import owner_scope
from memory.models import Conflict, Job, Memory, Recall
from tests.panel.conftest import Put
from tests.panel.walking import expect_for_everyone, on_every_screen

pytestmark = pytest.mark.browser
Make = Callable[..., Memory]


@pytest.fixture
def page(browser_page: Page, carol: User, sign_in: Callable[[Page, User], None]) -> Page:
    sign_in(browser_page, carol)
    return browser_page


@pytest.fixture
def story(alice: User, bob: User, carol: User, make_memory: Make, put_guess: Put) -> list[Conflict]:
    """Weeks of a queue: contradictions, guesses, one escalated, one settled, recalls and a job."""
    now = timezone.now()
    for owner, days in ((alice, 40), (bob, 12)):
        for value in ("turquoise", "magenta"):
            make_memory(
                owner,
                f"My editor theme is {value}",
                key="user.editor.theme",
                value=value,
                now=now - timedelta(days=days),
            )
    for number in range(9):
        put_guess(alice, f"可能用 Mac {number}", now=now - timedelta(days=number * 8))
    admin = Client()
    admin.force_login(carol)
    with owner_scope(alice.pk):
        guesses = list(Conflict.objects.filter(reason="inferred").order_by("id"))
    for entry, act, said in (
        (guesses[0], "escalate", {"why": "I cannot tell which machine is meant."}),
        (guesses[1], "settle", {"answer": "neither", "note": "He told me on the phone."}),
    ):
        admin.post(f"/queue/{entry.pk}/claim/")
        admin.post(f"/queue/{entry.pk}/{act}/", said)
    for days in range(12):
        _ask(alice, now - timedelta(days=days), 70 if days == 0 else 3 + days % 4)
    with owner_scope(alice.pk):
        due = now - timedelta(hours=2)
        Job.objects.create(owner_id=alice.pk, kind="embed", due_at=due, created_at=due)
    return guesses[2:4]


def _ask(owner: User, at: datetime, dropped: int) -> None:
    with owner_scope(owner.pk):
        Recall.objects.create(
            owner_id=owner.pk, query="?", strategy="tempered", asked_at=at, as_of=at,
            reinforced=True, top_k=8, stages={"dropped_by_decay": dropped}, milliseconds=12.5,
        )  # fmt: skip


def test_entries_are_chosen_seen_and_decided(page: Page, story: list[Conflict]) -> None:
    page.goto("/queue/")
    bar = page.locator("#many")
    expect(bar.get_by_role("button")).to_have_count(0)
    for entry in story:
        page.locator(f"#pick-{entry.pk}").check()
    expect(bar).to_contain_text("2 selected")
    bar.get_by_role("button", name="Decide them together").click()
    page.get_by_role("link", name="2 It is true").click()
    expect(page.locator("main")).to_contain_text("is kept as true")
    page.get_by_label("A note to the owners").fill("They told me so")
    page.get_by_role("button", name="Settle 2").click()
    expect(page.locator("#messages")).to_contain_text("Settled 2 entries.")


@on_every_screen((320, "zh-hans", "dark"), (1280, "en", "light"))
def test_for_everyone(
    page: Page, carol: User, story: list[Conflict], width: int, language: str, theme: str
) -> None:
    """axe finds nothing, nothing scrolls sideways, whatever the screen, language and theme."""
    User.objects.filter(pk=carol.pk).update(language=language, theme=theme)
    page.set_viewport_size({"width": width, "height": 900})
    chosen = "&".join(f"entry={entry.pk}" for entry in story)
    mine = f"/queue/{story[0].pk}/"
    page.goto(mine)
    page.locator(f'form[action="{mine}claim/"] button').click()
    page.locator("#pass-on summary").click()
    expect_for_everyone(page)
    for address in (
        "/queue/",
        "/queue/?show=escalated",
        "/queue/?age=day&show=escalated",
        "/queue/overview/",
        f"/queue/many/?{chosen}",
        f"/queue/many/?{chosen}&act=neither",
    ):
        page.goto(address)
        expect_for_everyone(page)
    page.goto("/queue/overview/")
    page.locator(".overview-numbers summary").click()
    expect_for_everyone(page)
