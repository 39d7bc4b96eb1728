"""Review by keyboard alone: five cards answered, two taken back; in both languages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from playwright.sync_api import Page, expect

from accounts.models import User
from memory.border import owner_scope
from memory.models import Memory, SpotCheck
from tests.conftest import ApiClient
from tests.panel.walking import CHINESE_NARROW, ENGLISH_WIDE, settled, walked

pytestmark = pytest.mark.browser
Make = Callable[..., Memory]


@walked(ENGLISH_WIDE, CHINESE_NARROW)
def test_five_cards_answered_and_two_undone_by_keyboard_alone(
    browser_page: Page, alice: User, agent: ApiClient, make_memory: Make,
    sign_in: Callable[[Page, User], None], language: str, width: int,
) -> None:  # fmt: skip
    page = browser_page
    theme = "light" if width == 1280 else "dark"
    User.objects.filter(pk=alice.pk).update(language=language, theme=theme)
    mac = make_memory(alice, "may use a Mac", key="user.device", value="Mac", source="inferred")
    job = make_memory(alice, "may like jazz", key="user.music", value="jazz", source="inferred")
    tint = [
        make_memory(alice, f"My editor theme is {v}", key="user.editor.theme", value=v)
        for v in ("dark", "light")
    ]
    style = [
        make_memory(alice, f"My answer style is {v}", key="user.answer.style", value=v)
        for v in ("short", "long")
    ]
    agent.write("may own a boat", source="inferred")
    sign_in(page, alice)
    page.set_viewport_size({"width": width, "height": 900})

    def on(number: int, total: int) -> None:
        where = _("%(number)s of %(total)s") % {"number": number, "total": total}
        expect(page.locator(".review-number")).to_have_text(where)
        settled(page)
        focused = page.evaluate("document.activeElement !== document.body")
        assert focused or number == 1

    with translation.override(language):
        page.goto("/")
        page.keyboard.press("g")
        page.keyboard.press("v")
        expect(page.locator("[data-card]")).to_contain_text("may use a Mac")
        on(1, 5)
        page.keyboard.press("y")
        expect(page.locator("[data-card]")).to_contain_text("may like jazz")
        on(1, 4)
        page.keyboard.press("n")
        expect(page.locator("[data-card]")).to_contain_text("editor theme")
        page.keyboard.press("2")
        expect(page.locator("[data-card]")).to_contain_text("answer style")
        settled(page)
        page.keyboard.press("4")
        box = page.locator("#write textarea")
        expect(box).to_be_focused()
        page.keyboard.type("Short at work, 3 pages at home")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.locator("[data-card]")).to_contain_text("may own a boat")
        on(1, 1)
        page.keyboard.press("s")
        expect(page.locator("#later button").first).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#empty")).to_be_focused()
        expect(page.locator("#review-badge")).to_be_hidden()

        page.keyboard.press("z")
        expect(page.locator("[data-card]")).to_contain_text("may own a boat")
        on(1, 1)
        page.keyboard.press("e")
        expect(page.locator("#edit textarea")).to_be_focused()
        page.keyboard.press("Control+A")
        page.keyboard.type("I own a canoe")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.locator("#empty")).to_be_focused()
        page.keyboard.press("z")
        expect(page.locator("[data-card]")).to_contain_text("may own a boat")
        on(1, 1)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with owner_scope(alice.pk):
        states = {m.pk: m.status for m in Memory.objects.of(alice)}
        merged = Memory.objects.of(alice).get(content__startswith="Short at work")
    assert [states[m.pk] for m in (mac, job)] == ["active", "superseded"]
    assert [states[m.pk] for m in tint] == ["superseded", "active"]
    assert [states[m.pk] for m in style] == ["superseded", "superseded"]
    assert merged.status == "active"


def test_a_spot_check_is_put_off_by_key_and_comes_back_by_undo(
    browser_page: Page, alice: User, make_memory: Make, sign_in: Callable[[Page, User], None]
) -> None:
    page = browser_page
    piano = make_memory(alice, "I play the piano")
    with owner_scope(alice.pk):
        now = timezone.now()
        SpotCheck.objects.create(owner=alice, memory=piano, week=now.date(), drawn_at=now)
    sign_in(page, alice)
    page.goto("/review/")
    expect(page.locator("[data-card]")).to_contain_text("I play the piano")
    page.keyboard.press("s")
    expect(page.locator("#later button").first).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#empty")).to_be_focused()
    expect(page.locator("#messages")).to_contain_text("Asked again in a week.")
    page.keyboard.press("z")
    expect(page.locator("[data-card]")).to_contain_text("I play the piano")


@pytest.mark.parametrize("key", ["y", "n"])
def test_on_a_pair_in_the_list_no_key_decides_it_opens_the_card(
    browser_page: Page, alice: User, make_memory: Make, sign_in: Callable[[Page, User], None],
    key: str,
) -> None:  # fmt: skip
    page = browser_page
    for tint in ("dark", "light"):
        make_memory(alice, f"My editor theme is {tint}", key="user.editor.theme", value=tint)
    sign_in(page, alice)
    posts: list[str] = []
    page.on("request", lambda sent: posts.append(sent.url) if sent.method == "POST" else None)
    for part in ("li.row-conflict", "li.row-conflict .side a"):
        page.goto("/")
        page.locator(part).first.focus()
        page.keyboard.press(key)
        expect(page.locator("[data-card]")).to_contain_text("These do not go together")
        page.keyboard.press(key)
    assert posts == []
    with owner_scope(alice.pk):
        assert set(Memory.objects.of(alice).values_list("status", flat=True)) == {"conflict"}
