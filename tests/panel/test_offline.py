"""While the network is away a quiet banner says so; nothing that was typed is lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import translation
from django.utils.translation import gettext as _
from playwright.sync_api import Page, expect

from accounts.models import User
from memory.models import Memory
from tests.panel.walking import CHINESE_NARROW, ENGLISH_WIDE, expect_for_everyone, walked

pytestmark = pytest.mark.browser


@walked(ENGLISH_WIDE, CHINESE_NARROW)
def test_a_banner_stands_while_the_network_is_away(
    browser_page: Page, alice: User, make_memory: Callable[..., Memory],
    sign_in: Callable[[Page, User], None], language: str, width: int,
) -> None:  # fmt: skip
    page = browser_page
    User.objects.filter(pk=alice.pk).update(language=language)
    memory = make_memory(alice, "I live in Lisbon", key="user.residence", value="Lisbon")
    sign_in(page, alice)
    page.set_viewport_size({"width": width, "height": 844})
    with translation.override(language):
        away = _("No connection. Nothing is saved until it is back.")
        refused = _("No connection. Nothing was changed; try again.")
        page.goto("/")
        banner, region = page.locator("#offline"), page.locator("#messages")
        expect(banner).to_be_hidden()
        page.context.set_offline(True)
        expect(banner).to_be_visible()
        expect(banner).to_have_text(away)
        expect(region.get_by_text(away)).to_have_count(1)
        expect_for_everyone(page)
        page.locator(f"#memory-{memory.pk}").get_by_role("button", name=_("Delete")).press("Enter")
        expect(region).to_contain_text(refused)
        expect(page.locator(f"#memory-{memory.pk}")).to_contain_text("Lisbon")
        expect(banner).to_be_visible()
        page.context.set_offline(False)
        expect(banner).to_be_hidden()
        expect(region).to_contain_text(_("The connection is back."))
        expect(region.get_by_text(away)).to_have_count(0)

        page.goto("/settings/")
        name = page.get_by_label(_("Name"), exact=True)
        name.fill("Alicia")
        page.context.set_offline(True)
        expect(banner).to_be_visible()
        name.press("Enter")
        expect(region).to_contain_text(refused)
        expect(name).to_have_value("Alicia")
        page.context.set_offline(False)
        expect(banner).to_be_hidden()
        name.press("Enter")
        expect(region).to_contain_text(_("Saved."))


def test_a_server_that_is_away_is_asked_until_it_answers(
    browser_page: Page, alice: User, sign_in: Callable[[Page, User], None],
    make_memory: Callable[..., Memory],
) -> None:  # fmt: skip
    """The browser's own network is there all the time."""
    page = browser_page
    make_memory(alice, "I live in Lisbon", key="user.residence", value="Lisbon")
    sign_in(page, alice)
    page.goto("/")
    page.route("**/*", lambda route: route.abort("connectionrefused"))
    page.locator("li.row").get_by_role("button", name="Out of date").press("Enter")
    expect(page.locator("#offline")).to_be_visible()
    page.unroute_all()
    expect(page.locator("#offline")).to_be_hidden(timeout=15_000)
