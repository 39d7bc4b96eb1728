"""Each screen's main journey, by keyboard alone, in both languages, wide and narrow.

Nothing is clicked and no script acts: only keys are pressed. Review is walked in
`test_review_journey`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.utils import timezone, translation
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from playwright.sync_api import Page, expect

from accounts.models import User
from memory.border import owner_scope
from memory.domain.values import Status, Tier
from memory.models import Conflict, Memory, Policy
from memory.services.settle import confirm_memory
from tests.browsing import give_password
from tests.conftest import ApiClient
from tests.exchange.conftest import number, picture
from tests.exchange.test_lists import TOPICS, fifty, known
from tests.panel.walking import (
    CHINESE_NARROW,
    CHINESE_WIDE,
    ENGLISH_NARROW,
    ENGLISH_WIDE,
    press_on,
    settled,
    step_to,
    tab_to,
    walked,
    write_over,
)

pytestmark = pytest.mark.browser
Make = Callable[..., Memory]
PASSWORD = "correct horse battery"
# The worker looks every ten seconds where no nudge reached it.
PATIENCE = 30_000


@pytest.fixture
def page(
    browser_page: Page,
    alice: User,
    sign_in: Callable[[Page, User], None],
    language: str,
    width: int,
) -> Page:
    """Alice's browser, so wide, in this language; the words of the test are of that language."""
    User.objects.filter(pk=alice.pk).update(language=language)
    sign_in(browser_page, alice)
    browser_page.set_viewport_size({"width": width, "height": 844})
    translation.activate(language)
    return browser_page


@pytest.fixture(autouse=True)
def _english_afterwards() -> Iterator[None]:
    yield
    translation.activate("en")


def said(page: Page, words: str) -> None:
    expect(page.locator("#messages")).to_contain_text(words)


def go_to_data(page: Page, width: int) -> None:
    """In the rail, or by way of Settings where a bar takes its place."""
    if width < 800:
        press_on(page, page.get_by_role("link", name=_("Settings"), exact=True))
        page.wait_for_url("**/settings/")
    press_on(page, page.get_by_role("link", name=_("Your data")).first)
    page.wait_for_url("**/data/")


@walked(CHINESE_WIDE)
def test_edit_and_find_the_edit_by_search(
    page: Page, alice: User, make_memory: Make, language: str, width: int
) -> None:
    old, new = ("里斯本", "波尔图") if language == "zh-hans" else ("Lisbon", "Porto")
    sentence = "我住在{}" if language == "zh-hans" else "I live in {}"
    make_memory(alice, "drinks tea in the afternoon")
    make_memory(alice, "My editor is Vim", key="user.editor", value="Vim")
    home = make_memory(alice, sentence.format(old), key="user.residence", value=old)
    row = page.locator(f"#memory-{home.pk}")
    page.goto("/")
    step_to(page, row)
    page.keyboard.press("e")
    expect(row.get_by_role("textbox").first).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type(sentence.format(new))
    write_over(page, row.get_by_role("textbox").nth(1), new)
    press_on(page, row.get_by_role("button", name=_("Correct a mistake")))
    expect(row.locator(".row-value")).to_contain_text(new)
    said(page, sentence.format(new))
    page.keyboard.press("/")
    page.keyboard.type(new)
    page.keyboard.press("Enter")
    expect(page.locator("li.row")).to_have_count(1)
    expect(row).to_contain_text(new)
    page.keyboard.press("Control+A")
    page.keyboard.type(old)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=_("Nothing matches"))).to_be_visible()


@walked(CHINESE_NARROW)
def test_confirm_all_that_a_filter_leaves(
    page: Page, alice: User, make_memory: Make, language: str, width: int
) -> None:
    stated = [make_memory(alice, f"likes tea number {n}") for n in range(2)]
    guesses = [make_memory(alice, f"may like jazz {n}", source="inferred") for n in range(7)]
    page.goto("/")
    press_on(page, page.locator("#facets summary"))
    box = page.get_by_role("group", name=_("Status"), exact=True).get_by_role(
        "checkbox", name=_("Waiting for you")
    )
    tab_to(page, box)
    page.keyboard.press("Space")
    page.wait_for_url("**status=conflict**")
    expect(page.locator("#rows")).to_have_count(0)
    expect(box).to_be_focused()
    tab_to(page, page.get_by_role("checkbox", name=_("Choose all on this page")))
    page.keyboard.press("Space")
    press_on(page, page.get_by_role("button", name=_("Confirm %(count)s") % {"count": 7}))
    told = ngettext("Confirmed %(n)s memory.", "Confirmed %(n)s memories.", 7) % {"n": 7}
    said(page, told)
    expect(page.get_by_role("heading", name=_("Nothing matches"))).to_be_visible()
    with owner_scope(alice.pk):
        states = dict(Memory.objects.of(alice).values_list("pk", "status"))
        looked_at = Memory.objects.of(alice).exclude(confirmed_at=None).count()
    assert {states[memory.pk] for memory in (*stated, *guesses)} == {Status.ACTIVE}
    assert looked_at == 7
    page.keyboard.press("z")
    said(page, _("Undone."))


@walked(ENGLISH_WIDE)
def test_import_fifty_and_settle_the_five_that_contradict(
    page: Page, alice: User, make_memory: Make, language: str, width: int
) -> None:
    known(alice, make_memory)
    page.goto("/")
    go_to_data(page, width)
    tab_to(page, page.get_by_label(_("Or paste a list")))
    page.keyboard.insert_text(fifty().decode())
    tab_to(page, page.get_by_label(_("From outside: each waits for your yes")))
    page.keyboard.press("ArrowDown")
    expect(page.get_by_label(_("I said all of it myself"))).to_be_checked()
    press_on(page, page.get_by_role("button", name=_("Read it")))
    shown = page.get_by_role("link", name=_("See what would be imported"))
    expect(shown).to_be_visible(timeout=PATIENCE)
    press_on(page, shown)
    told = page.locator(".decisions")
    expect(told).to_contain_text(f"45 {_('New')}")
    expect(told).to_contain_text(f"5 {_('Contradicts what is known')}")
    assert number(alice) == len(TOPICS)
    button = ngettext("Import %(count)s row", "Import %(count)s rows", 50) % {"count": 50}
    press_on(page, page.get_by_role("button", name=button))
    expect(page.get_by_role("link", name=_("See what was imported"))).to_be_visible(
        timeout=PATIENCE
    )
    page.keyboard.press("g")
    page.keyboard.press("v")
    page.wait_for_url("**/review/")
    for left, key in zip((5, 4, 3, 2, 1), ("1", "2", "2", "5", "3"), strict=True):
        where = _("%(number)s of %(total)s") % {"number": 1, "total": left}
        expect(page.locator(".review-number")).to_have_text(where)
        settled(page)
        page.keyboard.press(key)
        if key == "3":
            press_on(page, page.locator("#both").get_by_role("button", name=_("Both are true")))
    expect(page.get_by_role("heading", name=_("Nothing needs you"))).to_be_focused()
    with owner_scope(alice.pk):
        assert not Conflict.objects.of(alice.pk).waiting().exists()
        of_topics = Memory.objects.of(alice).filter(key__in=[f"user.{topic}" for topic in TOPICS])
        assert of_topics.filter(status=Status.ACTIVE).count() == 5
        assert of_topics.filter(status=Status.SUPERSEDED).count() == 5
        assert Memory.objects.of(alice).filter(status=Status.ACTIVE).count() == 50


@walked(CHINESE_NARROW)
def test_export_clear_all_import_and_have_the_same(
    page: Page, alice: User, agent: ApiClient, make_memory: Make, language: str, width: int,
    sign_in: Callable[[Page, User], None], tmp_path: Path,
) -> None:  # fmt: skip
    agent.write("I use Java at work", key="user.language", value="Java")
    agent.write("I switched from Java to Go", key="user.language", value="Go")
    agent.write("may use a Mac", key="user.device", value="Mac", source="inferred")
    for tint in ("dark", "light"):
        make_memory(alice, f"My editor theme is {tint}", key="user.editor.theme", value=tint)
    allergy = make_memory(alice, "对花生过敏")
    confirm_memory(owner=alice.pk, memory=allergy.pk, now=timezone.now())
    agent.recall("which language do I use?")
    give_password(alice, PASSWORD)
    sign_in(page, alice)
    before = picture(alice)
    assert len(before[0]) == 6
    # Whatever opens the system's dialog gets this file; listened for from the beginning, as the
    # browser takes a moment to begin.
    file = tmp_path / "memoir.json"
    page.on("filechooser", lambda dialog: dialog.set_files(file))
    page.goto("/")
    go_to_data(page, width)
    press_on(page, page.get_by_role("button", name=_("Export")))
    link = page.get_by_role("link", name=_("Download"))
    expect(link).to_be_visible(timeout=PATIENCE)
    tab_to(page, link)
    with page.expect_download() as got:
        page.keyboard.press("Enter")
    got.value.save_as(file)
    assert len(json.loads(file.read_text())["memories"]) == 6

    go_to_data(page, width)
    press_on(page, page.get_by_role("link", name=_("Clear all")))
    page.wait_for_url("**/clear/")
    press_on(page, page.get_by_role("link", name=_("Sign in again")))
    write_over(page, page.locator("input[type=password]"), PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/clear/")
    write_over(page, page.get_by_role("textbox"), _("clear all"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=_("Nothing is remembered yet"))).to_be_visible()
    assert number(alice) == 0
    assert agent.recall("which language do I use?")["memories"] == []

    go_to_data(page, width)
    field = page.get_by_label(_("File"), exact=True)
    press_on(page, field)
    expect(field).to_have_value(re.compile(r"memoir\.json$"))
    press_on(page, page.get_by_role("button", name=_("Read it")))
    shown = page.get_by_role("link", name=_("See what would be imported"))
    expect(shown).to_be_visible(timeout=PATIENCE)
    press_on(page, shown)
    button = ngettext("Import %(count)s row", "Import %(count)s rows", 6) % {"count": 6}
    press_on(page, page.get_by_role("button", name=button))
    expect(page.get_by_role("link", name=_("See what was imported"))).to_be_visible(
        timeout=PATIENCE
    )
    assert picture(alice) == before
    page.keyboard.press("g")
    page.keyboard.press("m")
    expect(page.locator("li.row", has_text="花生")).to_be_visible()


@walked(ENGLISH_NARROW, CHINESE_WIDE)
def test_pause_and_see_that_nothing_is_written(
    page: Page, alice: User, agent: ApiClient, language: str, width: int
) -> None:
    fact = {"facts": [{"content": "I live in Lisbon"}]}
    page.goto("/")
    page.keyboard.press("g")
    page.keyboard.press("a")
    page.wait_for_url("**/agents/")
    press_on(page, page.get_by_role("button", name=_("Pause everything")))
    banner = page.get_by_role("region", name=_("Paused"))
    expect(banner).to_contain_text(_("Your agents keep nothing and are told nothing."))
    answer = agent.post("memories", fact)
    assert answer.status_code == 202
    assert answer.json()["results"][0]["decision"] == "IGNORED"
    page.keyboard.press("g")
    page.keyboard.press("m")
    expect(page.get_by_role("heading", name=_("Nothing is remembered yet"))).to_be_visible()
    assert number(alice) == 0
    press_on(page, banner.get_by_role("button", name=_("Resume")))
    expect(banner).to_have_count(0)
    assert agent.post("memories", fact).status_code == 201
    page.keyboard.press("g")
    page.keyboard.press("m")
    expect(page.locator("li.row", has_text="Lisbon")).to_be_visible()


@walked(ENGLISH_NARROW)
def test_set_how_fast_things_fade_and_see_the_counts_change(
    page: Page, alice: User, make_memory: Make, language: str, width: int
) -> None:
    long_ago = timezone.now() - timedelta(days=20)
    for word in ("Rust", "Zig", "Go"):
        make_memory(alice, f"learning {word}", now=long_ago, tier=Tier.SHORT_TERM)
    page.goto("/")
    press_on(page, page.get_by_role("link", name=_("Settings"), exact=True))
    page.wait_for_url("**/settings/")
    effect = page.locator("#effect")
    expect(effect.locator("b").first).to_have_text("3")
    slider = page.get_by_role("slider").first
    tab_to(page, slider)
    page.keyboard.press("End")
    expect(effect.locator("b").first).to_have_text("0")
    expect(page.locator("#id_strength_rate")).to_have_value("6")
    expect(effect).to_contain_text(
        _("By the numbers in force: %(count)s, %(important)s of them important.")
        % {"count": 3, "important": 0}
    )
    press_on(page, page.locator("#memory").get_by_role("button", name=_("Save"), exact=True))
    said(page, _("Saved. The next sweep goes by these numbers."))
    expect(effect.locator("b").first).to_have_text("0")
    with owner_scope(alice.pk):
        assert Policy.objects.get(owner=alice).numbers["strength_rate"] == 6


@walked(ENGLISH_WIDE)
def test_change_language_and_time_zone(
    page: Page, alice: User, make_memory: Make, language: str, width: int
) -> None:
    evening = datetime(2026, 6, 1, 17, 30, tzinfo=UTC)
    memory = make_memory(alice, "I live in Lisbon", now=evening)
    page.goto(f"/memories/{memory.pk}/")
    expect(page.locator("main")).to_contain_text("2026-06-01")
    press_on(page, page.get_by_role("link", name=_("Settings"), exact=True))
    page.wait_for_url("**/settings/")
    other = "en" if language == "zh-hans" else "zh-hans"
    tab_to(page, page.get_by_label(capfirst(_("language"))))
    page.keyboard.press("ArrowDown" if other == "zh-hans" else "ArrowUp")
    tab_to(page, page.get_by_label(_("Time zone")))
    page.keyboard.type("Asia/Shang")
    form = page.locator("form", has=page.get_by_label(_("Time zone")))
    press_on(page, form.get_by_role("button", name=_("Save")))
    with translation.override(other):
        said(page, _("Saved."))
        expect(page.get_by_role("heading", name=_("Settings"), exact=True)).to_be_visible()
    page.goto(f"/memories/{memory.pk}/")
    expect(page.locator("main")).to_contain_text("2026-06-02")
    alice.refresh_from_db()
    assert (alice.language, alice.zone) == (other, "Asia/Shanghai")
