"""What takes its time says so, but not before 300 ms; what failed can be sent again."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from accounts.models import User
from memory.border import owner_scope
from memory.models import Memory
from tests.conftest import ApiClient
from tests.panel.conftest import Put
from tests.panel.walking import expect_for_everyone

pytestmark = pytest.mark.browser

# Looks at the indicator in every frame; the clock starts with the request.
WATCH = """() => {
    window.seen = [];
    const look = () => {
        const shown = getComputedStyle(document.querySelector(".working")).opacity > 0;
        if (shown && window.asked) window.seen.push(performance.now() - window.asked);
        requestAnimationFrame(look);
    };
    document.addEventListener("htmx:beforeRequest", () => { window.asked = performance.now(); });
    look();
}"""


@pytest.fixture
def tea(alice: User, put: Put) -> Memory:
    return put(alice, "I drink green tea")


@pytest.fixture
def page(
    browser_page: Page, alice: User, tea: Memory, sign_in: Callable[[Page, User], None]
) -> Page:
    sign_in(browser_page, alice)
    browser_page.goto("/")
    return browser_page


def hold(page: Page, pattern: str) -> list[Route]:
    """Requests that are not answered until the test lets them go on."""
    held: list[Route] = []
    page.route(re.compile(pattern), lambda route: held.append(route))
    return held


def seen(page: Page) -> list[float]:
    found: list[float] = page.evaluate("window.seen")
    return found


def test_an_answer_within_200_ms_shows_no_spinner(page: Page, tea: Memory) -> None:
    held = hold(page, r"/edit/$")
    page.evaluate(WATCH)
    page.locator(f"#edit-{tea.pk}").click()
    page.wait_for_timeout(150)
    held[0].continue_()
    expect(page.locator(".editor textarea")).to_be_visible()
    assert all(after > 280 for after in seen(page))


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_slow_answer_shows_one_after_300_ms_and_greys_the_row(
    page: Page, tea: Memory, motion: Any
) -> None:
    page.emulate_media(reduced_motion=motion)
    held = hold(page, r"/edit/$")
    page.evaluate(WATCH)
    page.locator(f"#edit-{tea.pk}").click()
    spinner = page.locator(".working")
    expect(page.locator(f"#memory-{tea.pk}")).to_have_css("opacity", "0.55")
    expect(spinner).to_have_css("opacity", "1")
    turns = spinner.evaluate("it => getComputedStyle(it).animationDuration")
    assert turns == ("0s" if motion == "reduce" else "1s")
    held[0].continue_()
    expect(page.locator(".editor textarea")).to_be_visible()
    expect(spinner).to_have_css("opacity", "0")
    # The clock of a frame may be a little before that of the request.
    assert min(seen(page)) > 280


@pytest.mark.parametrize("place", ["agents", "review"])
def test_cards_of_agents_and_of_review_are_grey_until_their_markup_arrives(
    page: Page, alice: User, agent: ApiClient, put_guess: Put, place: str
) -> None:
    put_guess(alice, "may use a Mac")
    address, card, button, path = {
        "agents": ("/agents/", ".agent-card", "Pause", r"/pause/$"),
        "review": ("/review/", ".card", "Confirm", r"/answer/$"),
    }[place]
    page.goto(address)
    held = hold(page, path)
    page.locator(card).get_by_role("button", name=button).first.click()
    expect(page.locator(card).first).to_have_css("opacity", "0.55")
    held[0].continue_()
    expect(page.locator("#messages .toast")).to_be_visible()
    expect(page.locator(".htmx-request")).to_have_count(0)


def test_what_failed_says_its_number_and_is_sent_again(
    page: Page, alice: User, tea: Memory
) -> None:
    failing = {"on": True}

    def fail_first(route: Route) -> None:
        if failing["on"]:
            sentence = "<p>Something went wrong on our side. <small>0123abc</small></p>"
            route.fulfill(status=500, content_type="text/html", body=sentence)
        else:
            route.continue_()

    page.route(re.compile(r"/(delete|edit)/$"), fail_first)
    region = page.locator("#messages")
    row = page.locator(f"#memory-{tea.pk}")

    def fails_and_is_sent_again(control: Locator) -> None:
        failing["on"] = True
        control.click()
        expect(region).to_contain_text("0123abc")
        expect(row).to_contain_text("green tea")
        expect_for_everyone(page)
        failing["on"] = False
        region.get_by_role("button", name="Retry").press("Enter")

    fails_and_is_sent_again(page.locator(f"#edit-{tea.pk}"))
    expect(row.locator("textarea")).to_be_visible()
    expect(region.locator(".toast-error")).to_have_count(0)
    page.goto("/")
    fails_and_is_sent_again(page.locator(f"#delete-{tea.pk}"))
    expect(region).to_contain_text("Deleted")
    with owner_scope(alice.pk):
        assert Memory.objects.get(pk=tea.pk).deleted_at is not None


def test_a_failed_answer_is_sent_again_with_the_button_that_was_pressed(
    page: Page, alice: User, put_guess: Put
) -> None:
    guess = put_guess(alice, "may use a Mac")
    page.goto("/review/")
    page.route(re.compile(r"/answer/$"), lambda route: route.abort())
    page.locator("[data-card]").get_by_role("button", name="Deny").click()
    region = page.locator("#messages")
    expect(region).to_contain_text("No connection. Nothing was changed")
    page.unroute(re.compile(r"/answer/$"))
    region.get_by_role("button", name="Retry").click()
    expect(region).to_contain_text("Denied: may use a Mac")
    with owner_scope(alice.pk):
        assert Memory.objects.get(pk=guess.pk).status == "superseded"


def test_what_no_second_try_would_change_is_not_offered_again(page: Page, tea: Memory) -> None:
    with owner_scope(tea.owner_id):
        Memory.objects.filter(pk=tea.pk).delete()
    page.locator(f"#delete-{tea.pk}").click()
    toast = page.locator("#messages .toast-error")
    expect(toast).to_contain_text("There is nothing here")
    expect(toast.get_by_role("button", name="Retry")).to_have_count(0)
    toast.get_by_role("button", name="Dismiss").click()
    expect(toast).to_have_count(0)
