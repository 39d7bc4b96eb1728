"""The panel in a real browser: by keyboard, without JavaScript, and for everyone."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from memory.domain.values import Reason, Status
from memory.models import Memory
from memory.services.settle import confirm_memory
from tests.panel.walking import expect_for_everyone, on_every_screen, settled

pytestmark = pytest.mark.browser
Make = Callable[..., Memory]
MARCH = datetime(2026, 3, 5, tzinfo=UTC)


@pytest.fixture
def lisbon(alice: User, make_memory: Make) -> Memory:
    return make_memory(alice, "I live in Lisbon", key="user.residence", value="Lisbon")


@pytest.fixture
def story(alice: User, make_memory: Make, lisbon: Memory) -> dict[str, Memory]:
    """A little of everything, so that every kind of row is on the page."""
    java = make_memory(alice, "My stack is Java", key="user.stack", value="Java", now=MARCH)
    confirm_memory(owner=alice.pk, memory=java.pk, now=datetime(2026, 5, 1, tzinfo=UTC))
    for tint in ("dark", "light"):
        make_memory(alice, f"My editor theme is {tint}", key="user.editor.theme", value=tint)
    return {
        "java": java,
        "lisbon": lisbon,
        "editor": make_memory(
            alice, "My editor is VS Code", key="user.editor", value="VS Code", now=MARCH,
            status=Status.STALE, status_reason=Reason.OUTDATED,
        ),
        "mac": make_memory(
            alice, "may use a Mac", key="user.device", value="Mac", source="inferred"
        ),
        "tea": make_memory(alice, "drinks tea in the afternoon"),
    }  # fmt: skip


@pytest.fixture
def page(browser_page: Page, alice: User, sign_in: Callable[[Page, User], None]) -> Page:
    sign_in(browser_page, alice)
    return browser_page


def focused(page: Page) -> str:
    return page.evaluate("document.activeElement.id || document.activeElement.tagName")


def expect_focus(page: Page) -> None:
    """Once the swap has settled, focus is on something a person can see."""
    settled(page)
    for _ in range(60):
        if focused(page) not in ("BODY", "HTML"):
            return
        page.wait_for_timeout(50)
    raise AssertionError("focus was lost")


def test_the_main_journeys_by_keyboard_alone(page: Page, story: dict[str, Memory]) -> None:
    page.goto("/")
    mac = page.locator(f"#memory-{story['mac'].pk}")
    page.keyboard.press("j")
    assert focused(page) == f"memory-{story['mac'].pk}"
    page.keyboard.press("y")
    expect(mac).to_contain_text("confirmed")
    expect(page.locator("#messages")).to_contain_text("Confirmed: may use a Mac")
    expect_focus(page)
    page.keyboard.press("z")
    expect(mac).to_contain_text("is that what you meant?")
    expect(page.locator("#messages")).to_contain_text("Undone.")
    expect_focus(page)

    tea = page.locator(f"#memory-{story['tea'].pk}")
    tea.focus()
    page.keyboard.press("#")
    expect(tea).to_contain_text("Deleted.")
    expect_focus(page)
    page.keyboard.press("z")
    expect(tea).to_contain_text("drinks tea")

    lisbon = page.locator(f"#memory-{story['lisbon'].pk}")
    lisbon.focus()
    page.keyboard.press("e")
    expect(lisbon.locator("textarea")).to_be_focused()
    # htmx takes a moment to make the new Cancel its own; before that it is a plain link.
    page.wait_for_timeout(200)
    page.keyboard.press("Escape")
    expect(lisbon.locator("textarea")).to_have_count(0)
    expect_focus(page)
    lisbon.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/memories/{story['lisbon'].pk}/")
    page.keyboard.press("g")
    page.keyboard.press("m")
    page.wait_for_url(re.compile(r"^[a-z]+://[^/]+/$"))
    page.keyboard.press("/")
    expect(page.locator("#id_q")).to_be_focused()


def test_keys_rest_while_one_types_or_composes(page: Page, story: dict[str, Memory]) -> None:
    page.goto("/")
    page.locator("#id_q").focus()
    page.keyboard.type("jey#z?")
    assert page.locator("#id_q").input_value() == "jey#z?"
    assert page.url.endswith("/")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    page.locator("#id_q").evaluate(
        """box => box.dispatchEvent(new KeyboardEvent("keydown",
        {key: "Enter", keyCode: 229, isComposing: true, bubbles: true, cancelable: true}))"""
    )
    page.locator(f"#memory-{story['tea'].pk}").focus()
    page.keyboard.press("Control+e")
    assert not sent


def test_editing_in_place_keeps_what_was_typed_and_says_what_is_wrong(
    page: Page, lisbon: Memory
) -> None:
    page.goto("/")
    place = page.locator(f"#memory-{lisbon.pk}")
    place.get_by_role("link", name="Edit").click()
    place.locator("textarea").fill("")
    place.locator("form").evaluate("form => { form.noValidate = true }")
    place.get_by_role("button", name="Correct a mistake").click()
    expect(place.locator(".errors")).to_be_focused()
    place.locator("textarea").fill("I live in Porto")
    place.locator("[name=value]").fill("Porto")
    place.get_by_role("button", name="It changed").click()
    changed = page.locator("li.row", has_text="Porto")
    expect(changed).to_contain_text("1 earlier version")
    assert page.url.endswith("/")
    expect_focus(page)


def test_a_double_click_is_one_act(page: Page, lisbon: Memory) -> None:
    page.goto("/")
    posts: list[str] = []
    page.on("request", lambda sent: posts.append(sent.url) if sent.method == "POST" else None)
    page.locator(f"#memory-{lisbon.pk}").get_by_role("button", name="Out of date").dblclick()
    expect(page.locator(f"#memory-{lisbon.pk}")).to_contain_text("May be out of date")
    assert len(posts) == 1


def test_back_after_a_filter_is_a_whole_page(page: Page, story: dict[str, Memory]) -> None:
    page.goto("/")
    page.locator("#id_q").fill("Lisbon")
    page.locator("#id_q").press("Enter")
    expect(page).to_have_url(re.compile(r"/\?q=Lisbon$"))
    expect(page.locator("li.row")).to_have_count(1)
    expect(page.locator("#id_q")).to_be_focused()
    expect(page).to_have_title(re.compile("^Lisbon"))
    page.go_back()
    expect(page.locator(f"#memory-{story['tea'].pk}")).to_be_visible()
    expect(page.locator("main")).to_have_count(1)
    page.reload()
    expect(page.locator("main")).to_have_count(1)
    assert "Lisbon" not in page.evaluate("JSON.stringify({...sessionStorage, ...localStorage})")


def test_a_lost_network_says_so_and_changes_nothing(page: Page, lisbon: Memory) -> None:
    page.goto("/")
    page.context.set_offline(True)
    place = page.locator(f"#memory-{lisbon.pk}")
    place.get_by_role("button", name="Delete").click()
    expect(page.locator("#messages")).to_contain_text("No connection. Nothing was changed")
    expect(place).to_contain_text("Lisbon")
    page.context.set_offline(False)


def test_many_are_chosen_by_key_and_by_the_head_box(page: Page, story: dict[str, Memory]) -> None:
    page.goto("/")
    bar = page.locator("#many")
    expect(bar.get_by_role("button")).to_have_count(0)
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(bar).to_contain_text("1 selected")
    bar.locator("[data-pick-all]").check()
    chosen = page.locator("[data-pick]:checked").count()
    assert chosen >= 4
    expect(bar.get_by_role("button", name=f"Archive {chosen}")).to_be_visible()
    page.locator("#id_sort").select_option("newest")
    expect(bar.get_by_role("button")).to_have_count(0)
    for name in ("tea", "lisbon"):
        page.locator(f"#pick-{story[name].pk}").check()
    bar.get_by_role("button", name="Delete 2").click()
    expect(page.locator("#messages")).to_contain_text("Deleted 2 memories.")
    page.locator("#messages").get_by_role("button", name="Undo").click()
    expect(page.locator(f"#memory-{story['tea'].pk}")).to_be_visible()


@on_every_screen(
    (320, "zh-hans", "light"), (768, "en", "light"), (1280, "en", "dark"),
)  # fmt: skip
def test_for_everyone(
    page: Page, alice: User, story: dict[str, Memory], width: int, language: str, theme: str
) -> None:
    """axe finds nothing, nothing scrolls sideways, whatever the screen, language and theme."""
    User.objects.filter(pk=alice.pk).update(language=language, theme=theme)
    page.set_viewport_size({"width": width, "height": 900})
    pages = [
        "/",
        "/?pick=page",
        "/?status=any&archived=with",
        "/?q=xyzzy",
        "/activity/",
        "/recently-deleted/",
    ]
    pages += ["/review/", "/review/?later", "/topics/"]
    pages += ["/clear/", "/settings/", "/help/", "/memories/add/", "/data/", "/data/not-again/"]
    pages += [f"/memories/{story[name].pk}/" for name in ("java", "editor", "mac")]
    pages += [f"/memories/{story['lisbon'].pk}/edit/"]
    for address in pages:
        page.goto(address)
        expect_for_everyone(page)


@pytest.mark.parametrize("width", [320, 1280])
def test_coming_in_is_for_everyone_too(browser_page: Page, width: int) -> None:
    browser_page.set_viewport_size({"width": width, "height": 900})
    for address in ("/", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"):
        browser_page.goto(address)
        expect_for_everyone(browser_page)


def test_long_and_strange_words_break_no_screen(page: Page, alice: User, make_memory: Make) -> None:
    make_memory(alice, "x" * 2_000)
    make_memory(alice, "𝕏" * 900, key="user." + "k" * 180, value="一" * 900)
    page.set_viewport_size({"width": 320, "height": 800})
    for address in ("/", "/activity/"):
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
