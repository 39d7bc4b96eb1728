"""The pages of recalls in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from tests.conftest import ApiClient
from tests.panel.walking import expect_for_everyone

pytestmark = pytest.mark.browser


@pytest.fixture
def page(
    browser_page: Page, alice: User, sign_in: Callable[[Page, User], None], told: dict[str, Any]
) -> Page:
    sign_in(browser_page, alice)
    return browser_page


def test_from_the_list_to_the_reasons_by_keyboard(page: Page, told: dict[str, Any]) -> None:
    page.goto("/")
    page.keyboard.press("g")
    page.keyboard.press("r")
    page.wait_for_url("**/recalls/")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/recalls/{told['answer']['id']}/")
    page.locator("#id_missing").fill("harbour")
    page.keyboard.press("Enter")
    expect(page.locator("#missing")).to_contain_text("It waits for you.")
    first = told["answer"]["memories"][0]["memory"]["id"]
    page.locator(f"#told-{first}").get_by_role("button", name="This is wrong").click()
    expect(page.locator("#messages")).to_contain_text("You will be asked what is true.")
    expect(page.locator(f"#told-{first}")).to_contain_text("Reported as wrong.")


@pytest.mark.parametrize(
    ("width", "language", "theme"),
    [(320, "zh-hans", "dark"), (768, "en", "light"), (1280, "en", "dark")],
)
def test_for_everyone(
    page: Page, alice: User, agent: ApiClient, told: dict[str, Any], width: int, language: str,
    theme: str,
) -> None:  # fmt: skip
    """axe finds nothing, and nothing scrolls sideways."""
    agent.recall("x" * 1_500)
    User.objects.filter(pk=alice.pk).update(language=language, theme=theme)
    page.set_viewport_size({"width": width, "height": 900})
    asked = f"q={quote('Lisbon')}&agent={agent.caller.agent}&beside=weighted:standard"
    for address in (
        "/recalls/",
        "/recalls/?q=xyzzy",
        f"/recalls/{told['answer']['id']}/?missing=Berlin",
        "/recalls/try/",
        f"/recalls/try/?{asked}",
    ):
        page.goto(address)
        expect_for_everyone(page)
