"""The list by month and as versions in a real browser: by keyboard, and for everyone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from memory.border import owner_scope
from memory.models import Job, Memory
from tests.conftest import NOW
from tests.panel.conftest import Put
from tests.panel.test_list_views import succeed
from tests.panel.walking import expect_for_everyone

pytestmark = pytest.mark.browser


@pytest.fixture
def stack(alice: User, put: Put) -> list[Memory]:
    """Java, then Go, which is now out of date; and something that never changed."""
    java = put(alice, "My stack is Java", key="user.stack", value="Java", now=NOW)
    go = put(
        alice, "My stack is Go " + "and more " * 20, key="user.stack", status="stale",
        now=NOW + timedelta(days=40),
    )  # fmt: skip
    succeed(alice, [java], go)
    return [java, go, put(alice, "drinks tea", now=NOW)]


@pytest.fixture
def page(browser_page: Page, alice: User, sign_in: Callable[[Page, User], None]) -> Page:
    sign_in(browser_page, alice)
    return browser_page


def test_months_and_versions_go_by_keyboard(page: Page, stack: list[Memory]) -> None:
    java, go, tea = stack
    page.goto("/?q=")
    page.locator("#view-month").press("Enter")
    expect(page.get_by_role("heading", name="June 2026")).to_be_visible()
    assert page.url.endswith("/?view=month")
    assert page.evaluate("document.activeElement.id") == "view-month"
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.locator("#many")).to_contain_text("1 selected")
    expect(page.locator(f"#pick-{tea.pk}")).to_be_checked()
    page.keyboard.press("#")
    expect(page.locator(f"#memory-{tea.pk}")).to_contain_text("Deleted")
    page.keyboard.press("z")
    expect(page.locator("#messages")).to_contain_text("Undone")
    page.locator("#view-chains").press("Enter")
    expect(page.locator(".evolved")).to_have_count(1)
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/memories/{go.pk}/")
    page.go_back()
    page.get_by_role("link", name="Java").click()
    page.wait_for_url(f"**/memories/{java.pk}/")


@pytest.mark.parametrize(
    ("width", "language", "theme"), [(320, "zh-hans", "dark"), (1280, "en", "light")]
)
def test_months_and_versions_are_for_everyone(
    page: Page, alice: User, stack: list[Memory], width: int, language: str, theme: str
) -> None:
    User.objects.filter(pk=alice.pk).update(language=language, theme=theme)
    page.set_viewport_size({"width": width, "height": 900})
    for address in ("/?view=month", "/?view=month&pick=page", "/?view=chains", "/?view=chains&q=x"):
        page.goto(address)
        expect_for_everyone(page)


@pytest.mark.parametrize(
    ("width", "language", "theme"), [(320, "zh-hans", "dark"), (1280, "en", "light")]
)
def test_an_empty_account_and_the_story_are_for_everyone(
    page: Page, alice: User, width: int, language: str, theme: str
) -> None:
    User.objects.filter(pk=alice.pk).update(language=language, theme=theme)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto("/")
    expect_for_everyone(page)
    page.locator(".empty-story button").dblclick()
    page.wait_for_url("**/jobs/*/")
    expect(page.locator(".job-bar")).to_be_visible()
    expect_for_everyone(page)
    with owner_scope(alice.pk):
        assert Job.objects.of(alice).count() == 1
