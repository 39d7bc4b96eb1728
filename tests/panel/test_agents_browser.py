"""The agents' pages in a real browser: for everyone, by keyboard, and with the clipboard."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from accounts.models import User
from tests.browsing import fresh_page
from tests.conftest import MakeAgent
from tests.panel.walking import expect_for_everyone, on_every_screen

pytestmark = pytest.mark.browser
PAGES = ("/agents/", "/agents/connect/", "/agents/sharing/", "/agents/{pk}/", "/agents/{pk}/see/")


@on_every_screen((320, "zh-hans", "dark"), (1280, "en", "light"))
def test_everyone_can_use_the_agents_pages(
    browser: Browser,
    served: str,
    alice: User,
    make_agent: MakeAgent,
    sign_in: Callable[[Page, User], None],
    width: int,
    theme: str,
    language: str,
) -> None:
    chat = make_agent(alice, "chat", project="q2")
    make_agent(alice, "cursor")
    chat.write("I drink green tea every morning", key="user.drink.morning")
    options = {
        "viewport": {"width": width, "height": 800}, "color_scheme": theme,
        "locale": {"en": "en-US", "zh-hans": "zh-CN"}[language],
    }  # fmt: skip
    with fresh_page(browser, served, **options) as page:
        sign_in(page, alice)
        for address in PAGES:
            page.goto(address.format(pk=chat.caller.agent))
            expect_for_everyone(page)


def test_an_agent_is_connected_paused_and_resumed_by_keyboard(
    browser_page: Page, alice: User, sign_in: Callable[[Page, User], None]
) -> None:
    page = browser_page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    sign_in(page, alice)
    page.goto("/")
    page.keyboard.press("g")
    page.keyboard.press("a")
    expect(page.locator("h1")).to_have_text("Agents")
    page.locator("main .button-primary").press("Enter")
    page.locator("[name=name]").fill("Cursor")
    page.locator("[name=name]").press("Enter")
    key = page.locator("#copy-key").text_content()
    assert key
    page.locator("[data-copy=copy-key]").press("Enter")
    expect(page.locator("#messages")).to_contain_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == key
    page.goto("/agents/")
    card = page.locator("li.agent-card")
    card.get_by_role("button", name="Pause").press("Enter")
    expect(card).to_contain_text("Paused")
    assert page.evaluate("document.activeElement.id").startswith("agent-")
    page.keyboard.press("z")
    expect(card.get_by_role("button", name="Pause")).to_be_visible()
