"""The first room from end to end by keyboard alone: both languages, both widths, both themes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import translation
from django.utils.translation import gettext as _
from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from memory.border import owner_scope
from memory.models import Memory
from tests.browsing import give_password
from tests.conftest import ApiClient

pytestmark = pytest.mark.browser
Make = Callable[..., Memory]


def press_on(control: Locator) -> None:
    """Where Tab would lead, then Enter: no pointer is ever used."""
    control.first.focus()
    control.first.press("Enter")


@pytest.mark.parametrize(
    ("width", "language", "theme"),
    [
        (1280, "en", "light"),
        (390, "zh-hans", "dark"),
        pytest.param(1280, "en", "dark", marks=pytest.mark.long),
        pytest.param(1280, "zh-hans", "light", marks=pytest.mark.long),
        pytest.param(390, "en", "light", marks=pytest.mark.long),
        pytest.param(1280, "zh-hans", "dark", marks=pytest.mark.long),
        pytest.param(390, "en", "dark", marks=pytest.mark.long),
        pytest.param(390, "zh-hans", "light", marks=pytest.mark.long),
    ],
)
def test_every_act_of_the_first_room(
    browser_page: Page, alice: User, agent: ApiClient, make_memory: Make,
    sign_in: Callable[[Page, User], None], width: int, language: str, theme: str,
) -> None:  # fmt: skip
    page = browser_page
    User.objects.filter(pk=alice.pk).update(language=language, theme=theme)
    mac = make_memory(alice, "may use a Mac", key="user.device", value="Mac", source="inferred")
    job = make_memory(alice, "may look for a job", key="user.plan", value="job", source="inferred")
    editor = make_memory(alice, "My editor is VS Code", key="user.editor", value="VS Code")
    home = make_memory(alice, "I live in Lisbon", key="user.residence", value="Lisbon")
    tea = make_memory(alice, "drinks tea in the afternoon")
    give_password(alice, "correct horse battery")
    sign_in(page, alice)
    page.set_viewport_size({"width": width, "height": 900})

    def row(memory: Memory) -> Locator:
        return page.locator(f"#memory-{memory.pk}")

    with translation.override(language):
        page.goto("/")
        row(mac).focus()
        page.keyboard.press("y")
        expect(row(mac)).not_to_contain_text(_("Waiting for you"))
        row(job).focus()
        page.keyboard.press("n")
        expect(page.locator("#messages")).to_contain_text("may look for a job")
        press_on(row(editor).get_by_role("button", name=_("Out of date")))
        expect(row(editor)).to_contain_text(_("May be out of date"))

        row(home).focus()
        page.keyboard.press("e")
        words = row(home).locator("textarea")
        expect(words).to_be_focused()
        page.keyboard.press("Control+A")
        page.keyboard.type("I live in Porto")
        press_on(row(home).get_by_role("button", name=_("Correct a mistake")))
        expect(row(home)).to_contain_text("Porto")
        page.keyboard.press("/")
        page.keyboard.type("Porto")
        page.keyboard.press("Enter")
        expect(page.locator("li.row")).to_have_count(1)

        page.goto("/")
        row(tea).focus()
        page.keyboard.press("#")
        expect(row(tea)).not_to_contain_text("drinks tea in the afternoon", use_inner_text=True)
        # A toast stays until the next action: nobody has to be quick.
        page.wait_for_timeout(9000 if (width, language, theme) == (1280, "en", "light") else 200)
        page.keyboard.press("z")
        expect(row(tea)).to_contain_text("drinks tea")
        row(tea).focus()
        page.keyboard.press("#")
        expect(page.locator("#messages")).to_contain_text("drinks tea")
        page.reload()
        expect(row(tea)).to_have_count(0)
        press_on(page.get_by_role("link", name=_("Activity")))
        page.wait_for_url("**/activity/")
        press_on(page.get_by_role("button", name=_("Undo")))
        expect(page.locator("#messages")).to_contain_text(_("Undone."))
        page.wait_for_load_state()
        page.keyboard.press("g")
        page.keyboard.press("m")
        expect(row(tea)).to_contain_text("drinks tea")

        press_on(page.get_by_role("link", name=_("Clear all")))
        page.wait_for_url("**/clear/")
        press_on(page.get_by_role("link", name=_("Sign in again")))
        page.locator("input[type=password]").focus()
        page.keyboard.type("correct horse battery")
        page.keyboard.press("Enter")
        page.wait_for_url("**/clear/")
        page.get_by_role("textbox").focus()
        page.keyboard.type(_("clear all"))
        page.keyboard.press("Enter")
        expect(page.locator("#empty")).to_be_visible()
    assert agent.recall("where do I live, tea, editor")["memories"] == []
    with owner_scope(alice.pk):
        assert Memory.objects.of(alice).count() == 0
