"""Keys: those no journey presses, and none at all where their owner has switched them off."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from memory.border import owner_scope
from memory.models import Event, Memory
from tests.panel.conftest import Put

pytestmark = pytest.mark.browser
ALL = ("j", "k", "x", "e", "y", "n", "#", "z", "/", "?", "1", "2", "3", "4", "5", "s", "Enter")
PLACES = ("g m", "g v", "g r", "g a")


@pytest.fixture
def rows(alice: User, put: Put, make_memory: Put) -> list[Memory]:
    for tint in ("dark", "light"):
        make_memory(alice, f"My editor theme is {tint}", key="user.editor.theme", value=tint)
    return [put(alice, f"drinks tea number {number}") for number in range(3)]


def test_k_goes_up_again_and_the_question_mark_to_help(
    browser_page: Page, alice: User, rows: list[Memory], sign_in: Callable[[Page, User], None]
) -> None:
    page = browser_page
    sign_in(page, alice)
    page.goto("/")
    places = page.locator("[data-row]")
    for key, at in (("j", 0), ("j", 1), ("j", 2), ("k", 1), ("k", 0)):
        page.keyboard.press(key)
        expect(places.nth(at)).to_be_focused()
    page.keyboard.press("?")
    page.wait_for_url("**/help/")


def test_switched_off_no_key_does_anything(
    browser_page: Page, alice: User, rows: list[Memory], sign_in: Callable[[Page, User], None]
) -> None:
    User.objects.filter(pk=alice.pk).update(shortcuts=False)
    page = browser_page
    sign_in(page, alice)
    for address, focus in (("/", f"#memory-{rows[0].pk}"), ("/review/", "#heading, h1")):
        page.goto(address)
        page.locator(focus).first.focus()
        with owner_scope(alice.pk):
            before = Event.objects.count()
        sent: list[str] = []
        page.on("request", lambda request, sent=sent: sent.append(request.url))
        focused = page.evaluate("document.activeElement.outerHTML")
        for key in (*ALL, *(key for place in PLACES for key in place.split())):
            page.keyboard.press(key)
        page.wait_for_timeout(300)
        assert page.evaluate("document.activeElement.outerHTML") == focused
        assert sent == []
        assert page.locator("[data-pick]:checked, details[open]").count() == 0
        with owner_scope(alice.pk):
            assert Event.objects.count() == before
