"""Every screen by plain forms, in a browser that runs no script."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from accounts.models import User
from memory.border import owner_scope
from memory.models import Conflict, Grant, Memory
from tests.browsing import fresh_page, give_password
from tests.conftest import ApiClient, MakeAgent
from tests.panel.conftest import make_admin
from tests.panel.test_browser import lisbon, story

pytestmark = pytest.mark.browser
Make = Callable[..., Memory]
__all__ = ["lisbon", "story"]


@pytest.fixture
def without_script(
    browser: Browser, served: str, alice: User, sign_in: Callable[[Page, User], None]
) -> Iterator[Page]:
    with fresh_page(browser, served, java_script_enabled=False) as plain:
        sign_in(plain, alice)
        yield plain


def say(page: Page, words: str) -> None:
    expect(page.locator("#messages")).to_contain_text(words)


def press(page: Page, name: str | re.Pattern[str], **inside: Any) -> None:
    within = page.locator(inside.pop("inside")) if "inside" in inside else page
    within.get_by_role("button", name=name, **inside).first.click()


def test_memories_are_confirmed_edited_deleted_found_and_cleared(
    without_script: Page,
    story: dict[str, Memory],
    alice: User,
    sign_in: Callable[[Page, User], None],
) -> None:
    page = without_script
    give_password(alice, "correct horse battery")
    sign_in(page, alice)
    page.goto("/")
    page.locator(f"#memory-{story['mac'].pk}").get_by_role("button", name="Confirm").click()
    expect(page.locator("#messages")).to_contain_text("Confirmed")
    page.locator("#messages").get_by_role("button", name="Undo").click()
    expect(page.locator("#messages")).to_contain_text("Undone")
    page.locator("#messages").get_by_role("link", name="Dismiss").click()
    page.locator(f"#memory-{story['lisbon'].pk}").get_by_role("link", name="Edit").click()
    page.locator("textarea").fill("I live in Porto")
    page.get_by_role("button", name="Correct a mistake").click()
    expect(page.locator("article")).to_contain_text("Porto")
    page.goto("/")
    page.locator(f"#memory-{story['tea'].pk}").get_by_role("button", name="Delete").click()
    page.get_by_role("link", name="Recently deleted").click()
    page.get_by_role("button", name="Restore").click()
    expect(page.locator("#messages")).to_contain_text("Restored")
    page.goto("/")
    page.locator("#id_q").fill("Porto")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator("li.row")).to_have_count(1)
    page.goto("/clear/")
    page.get_by_role("link", name="Sign in again").click()
    page.locator("input[type=password]").fill("correct horse battery")
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("textbox").fill("clear all")
    page.get_by_role("button", name=re.compile("^Clear")).click()
    expect(page.locator("#messages")).to_contain_text("were cleared")
    expect(page.locator("#empty")).to_be_visible()


def test_what_waits_is_answered_put_off_and_taken_back(
    without_script: Page, story: dict[str, Memory], agent: ApiClient
) -> None:
    page = without_script
    agent.write("may own a boat", source="inferred")
    card = page.locator("[data-card]")
    page.goto("/review/")
    expect(card).to_contain_text("editor theme")
    press(page, "This is true", exact=False)
    expect(card).to_contain_text("may use a Mac")
    press(page, "Undo", inside="#messages")
    expect(card).to_contain_text("editor theme")
    page.locator("#write summary").click()
    page.locator("#write textarea").fill("My editor theme follows the sun")
    press(page, "That is how it is")
    expect(card).to_contain_text("may use a Mac")
    press(page, "Confirm", inside=".answers > .answer-row", exact=False)
    expect(card).to_contain_text("may own a boat")
    page.locator("#later summary").click()
    press(page, "In a day")
    expect(page.locator("#empty")).to_be_visible()
    page.get_by_role("link", name="1 put off").click()
    expect(card).to_contain_text("may own a boat")
    page.locator("#edit summary").click()
    page.locator("#edit textarea").fill("I own a canoe")
    press(page, "Confirm", inside="#edit", exact=False)
    expect(page.locator("#empty")).to_be_visible()
    page.goto("/")
    expect(page.locator("main")).to_contain_text("I own a canoe")


def test_agents_are_connected_paused_given_keys_and_projects(
    without_script: Page, alice: User
) -> None:
    page = without_script
    page.goto("/agents/")
    page.get_by_role("link", name="Connect an agent").click()
    page.locator("#id_name").fill("Cursor")
    press(page, "Make its key")
    expect(page.locator("#copy-key")).to_contain_text("mk_")
    page.get_by_role("link", name="I have copied it").click()
    press(page, "Pause", exact=True)
    expect(page.locator("main")).to_contain_text("Paused: what it writes is ignored")
    press(page, "Resume", exact=True)
    page.locator("#keys summary", has_text="Rotate").click()
    press(page, "Make the new key")
    expect(page.locator("#copy-key")).to_contain_text("mk_")
    page.get_by_role("link", name="I have copied it").click()
    press(page, "Revoke", exact=False)
    expect(page.locator("#keys")).to_contain_text("revoked")
    page.locator("#projects input[type=text]").fill("Q2 launch")
    press(page, "Make it, with this agent in it")
    expect(page.locator("#projects")).to_contain_text("q2-launch")
    press(page, "in it", inside="#projects", exact=False)
    expect(page.locator("#projects .switch")).to_have_attribute("aria-pressed", "false")
    press(page, "Text from outside is refused")
    expect(page.locator("#outside")).to_contain_text("Text from outside waits for you")
    page.get_by_role("link", name="See as").click()
    expect(page.locator("h1")).to_contain_text("Cursor")
    page.goto("/agents/")
    press(page, "Pause everything")
    expect(page.locator("main")).to_contain_text("paused")


def test_sharing_is_seen_before_it_is_granted_and_taken_back(
    without_script: Page, alice: User, make_agent: MakeAgent
) -> None:
    page = without_script
    make_agent(alice, "Chat").write("I drink green tea", key="user.drink", value="green tea")
    make_agent(alice, "Cursor")
    page.goto("/agents/sharing/")
    page.locator("#topics").get_by_role("link", name="Cursor").last.click()
    expect(page.locator("main")).to_contain_text("Cursor would see 1 more")
    press(page, "Share this")
    with owner_scope(alice.pk):
        assert Grant.objects.in_force().count() == 1
    page.locator("#granted").get_by_role("button").first.click()
    with owner_scope(alice.pk):
        assert Grant.objects.in_force().count() == 0


def test_recalls_are_read_tried_again_and_reported(
    without_script: Page, agent: ApiClient, story: dict[str, Memory]
) -> None:
    page = without_script
    agent.write("I drink green tea")
    agent.recall("What do I drink?")
    page.goto("/recalls/")
    page.locator("#id_q").fill("drink")
    press(page, "Show", exact=True)
    page.get_by_role("link", name="What do I drink?").click()
    press(page, "This is wrong", exact=False)
    say(page, "You will be asked what is true")
    press(page, "Undo", inside="#messages")
    say(page, "Undone")
    page.goto("/recalls/")
    page.get_by_role("link", name="What do I drink?").click()
    page.get_by_role("link", name="Try it again today").click()
    page.locator("#id_q").fill("Which tea?")
    page.locator("#id_beside").select_option("multiplicative")
    press(page, "Ask", exact=True)
    expect(page.locator(".trials-2")).to_contain_text("green tea")


def test_data_go_out_come_in_and_are_allowed_again(
    without_script: Page, lisbon: Memory, tmp_path: Any
) -> None:
    page = without_script
    page.goto("/data/")
    press(page, "Export")

    def wait_for(link: str) -> None:
        for _again in range(60):
            if page.get_by_role("link", name=link).count():
                return
            page.wait_for_timeout(500)
            page.get_by_role("link", name="Look again").click()
        raise AssertionError(f"the job does not come to {link}")

    wait_for("Download")
    with page.expect_download() as got:
        page.get_by_role("link", name="Download").click()
    got.value.save_as(tmp_path / "memoir.json")
    assert "I live in Lisbon" in (tmp_path / "memoir.json").read_text()
    page.goto("/data/")
    press(page, "Throw away", exact=False)
    page.locator("#id_text").fill("plays the cello\nI live in Lisbon")
    page.get_by_label("I said all of it myself").check()
    press(page, "Read it")
    wait_for("See what would be imported")
    page.get_by_role("link", name="See what would be imported").click()
    press(page, "Import 1 row")
    wait_for("See what was imported")
    page.get_by_role("link", name="See what was imported").click()
    press(page, "Undo the whole import")
    say(page, "Undone.")
    page.goto("/")
    press(page, "Delete", inside=f"#memory-{lisbon.pk}", exact=False)
    page.goto("/data/not-again/")
    page.locator("#id_sentence").fill("I live in Lisbon")
    press(page, "Look it up")
    expect(page.locator("main")).to_contain_text("Yes. You deleted it")
    press(page, "Allow again", exact=False)
    expect(page.locator("#empty")).to_be_visible()


def test_settings_topics_and_many_at_once(
    without_script: Page, alice: User, story: dict[str, Memory]
) -> None:
    page = without_script
    page.goto("/settings/")
    page.get_by_label("Name").fill("Alice L.")
    page.get_by_label("Time zone").select_option("Asia/Shanghai")
    page.locator("form[action='/settings/'] button[type=submit]").click()
    say(page, "Saved")
    page.locator("#id_strength_rate").fill("3")
    page.locator("#memory button[name=preview]").click()
    expect(page.locator("#id_strength_rate")).to_have_value("3")
    page.locator("#memory button[type=submit]").first.click()
    say(page, "The next sweep goes by these numbers")
    press(page, "Undo", inside="#messages")
    page.goto("/topics/")
    page.locator("details summary").first.click()
    page.locator("details[open] input[type=text]").first.fill("user.home")
    press(page, "Rename", inside="details[open]")
    expect(page.locator("#messages")).not_to_be_empty()
    page.goto("/?pick=page&sort=newest")
    for box in page.locator("[data-pick]").all():
        box.uncheck()
    for name in ("tea", "lisbon"):
        page.locator(f"#pick-{story[name].pk}").check()
    press(page, re.compile("^Archive"), inside="#many")
    say(page, "Archived 2 memories.")
    for address in ("/?view=month", "/?view=chains", "/help/", "/activity/?what=taken"):
        page.goto(address)
        expect(page.locator("h1")).to_be_visible()
    press(page, "Undo", inside=".gesture >> nth=0", exact=False)
    say(page, "Undone")


def test_an_admin_takes_up_reads_settles_and_escalates(
    browser: Browser, served: str, alice: User, make_memory: Make,
    sign_in: Callable[[Page, User], None],
) -> None:  # fmt: skip
    for name, values in (("theme", ("dark", "light")), ("font", ("serif", "mono"))):
        for value in values:
            make_memory(
                alice, f"My editor {name} is {value}", key=f"user.editor.{name}", value=value
            )
    with owner_scope(alice.pk):
        first, second = Conflict.objects.order_by("opened_at", "id")
    with fresh_page(browser, served, java_script_enabled=False) as page:
        sign_in(page, make_admin("carol@example.com"))
        page.goto("/queue/")
        page.locator(f"#entry-{first.pk} .row-value a").click()
        press(page, "Take it up")
        page.get_by_label("Why do you need to read it?").fill("The owner asked me to.")
        press(page, "Show the words")
        expect(page.locator(".queue-told")).to_contain_text("My editor theme is dark")
        page.get_by_label("A note to the owner").fill("As you wished.")
        press(page, "Both are true")
        say(page, "Settled")
        page.goto(f"/queue/{second.pk}/")
        press(page, "Take it up")
        page.locator("#pass-on summary").click()
        page.locator("#pass-on textarea").fill("I do not know the owner.")
        press(page, "Escalate it")
        page.goto("/queue/?show=escalated")
        expect(page.locator(f"#entry-{second.pk}")).to_contain_text("I do not know the owner.")
        page.goto("/queue/overview/")
        expect(page.locator("h1")).to_be_visible()
