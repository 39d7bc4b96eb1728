"""No network, a double click, reload, Back, a second tab: whatever happens, an act ends well."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from memory.border import owner_scope
from memory.models import Event, Memory
from memory.models.events import Verb
from tests.conftest import ApiClient
from tests.panel.walking import settled

pytestmark = pytest.mark.browser
Make = Callable[..., Memory]


@dataclass(frozen=True)
class Act:
    """Where it is done, by which control, and the line it leaves."""

    address: str
    control: Callable[[Page, dict[str, str]], Locator]
    verb: Verb
    # What is filled in first.
    before: Callable[[Page], None] = lambda page: None


def _edit(page: Page) -> None:
    page.locator("textarea").fill("I live in Porto")


ACTS = {
    "deny in the list": Act(
        "/", lambda page, it: page.locator(f"#memory-{it['mac']} [data-act=deny]"), Verb.DENIED
    ),
    "delete on its page": Act(
        "/memories/{lisbon}/", lambda page, it: page.locator("[data-act=delete]"), Verb.DELETED
    ),
    "correct": Act(
        "/memories/{lisbon}/edit/",
        lambda page, it: page.get_by_role("button", name="Correct a mistake"),
        Verb.EDITED,
        _edit,
    ),
    "answer a card": Act(
        "/review/{card}/", lambda page, it: page.locator("[data-act=confirm]"), Verb.CONFIRMED
    ),
    "pause an agent": Act(
        "/agents/{agent}/", lambda page, it: page.locator("main button[value='1'][name=on]").first,
        Verb.PAUSED,
    ),
    "save how memory behaves": Act(
        "/settings/", lambda page, it: page.locator("#memory .editor-foot button").first,
        Verb.TUNED,
        lambda page: page.locator("#id_strength_rate").fill("3"),
    ),
    "add by hand": Act(
        "/memories/add/", lambda page, it: page.locator("main form button[type=submit]"),
        Verb.WRITTEN,
        lambda page: page.locator("textarea").fill("I play the cello"),
    ),
}  # fmt: skip


@pytest.fixture
def places(alice: User, make_memory: Make, agent: ApiClient) -> dict[str, str]:
    """What the addresses and controls above name."""
    lisbon = make_memory(alice, "I live in Lisbon", key="user.residence", value="Lisbon")
    mac = make_memory(alice, "may use a Mac", key="user.device", value="Mac", source="inferred")
    with owner_scope(alice.pk):
        card = mac.conflict_places.get().conflict_id
    return {
        "lisbon": str(lisbon.pk),
        "mac": str(mac.pk),
        "card": str(card),
        "agent": str(agent.caller.agent),
    }


def gestures_of(owner: User, verb: Verb) -> int:
    with owner_scope(owner.pk):
        return Event.objects.of(owner).filter(verb=verb).values("gesture").distinct().count()


def stands_whole(page: Page) -> None:
    """One page of ours, with its heading and nothing of an error's."""
    expect(page.locator("main")).to_have_count(1)
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator("body")).not_to_contain_text("Method Not Allowed")


# Each of these goes another way: htmx in a row, a page's own form, words, a card, no memory.
ORDINARY = ("deny in the list", "correct", "answer a card", "pause an agent")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in ORDINARY else pytest.mark.long) for name in ACTS],
)
def test_whatever_happens_around_an_act_it_is_done_once(
    browser_page: Page, alice: User, places: dict[str, str],
    sign_in: Callable[[Page, User], None], name: str,
) -> None:  # fmt: skip
    act = ACTS[name]
    address = act.address.format(**places)
    sign_in(browser_page, alice)
    page, other = browser_page, browser_page.context.new_page()
    before = gestures_of(alice, act.verb)

    def control(tab: Page) -> Locator:
        return act.control(tab, places)

    for tab in (page, other):
        tab.goto("/help/")
        tab.goto(address)
        act.before(tab)

    # The network is away: it says so, and what was typed stays.
    page.context.set_offline(True)
    control(page).click()
    expect(page.locator("#messages")).to_contain_text("No connection")
    page.context.set_offline(False)
    page.wait_for_function("navigator.onLine")
    assert gestures_of(alice, act.verb) == before

    # Then a double click.
    settled(page)
    control(page).dblclick()
    expect(page.locator("#messages [data-toast]:not(.toast-error)")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert gestures_of(alice, act.verb) == before + 1

    # Reload and Back send nothing again.
    page.reload()
    stands_whole(page)
    page.go_back()
    stands_whole(page)
    page.go_forward()
    stands_whole(page)
    assert gestures_of(alice, act.verb) == before + 1

    # The second tab still shows how it was.
    control(other).click()
    other.wait_for_load_state("networkidle")
    stands_whole(other)
    answers = "[data-toast], .clash, .review, h1:has-text('There is nothing here')"
    expect(other.locator(answers).first).to_be_visible()
    assert gestures_of(alice, act.verb) == before + 1
