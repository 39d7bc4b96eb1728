"""Long work and the sliders in a real browser, with a real worker."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from memory.adapters.formats.reading import read_file
from memory.border import owner_scope
from memory.domain.values import Source, Tier
from memory.models import Job, Memory
from memory.services.dispatch import run_due_jobs
from memory.services.exchange import start_export, start_import
from tests.exchange.test_lists import fifty, known
from tests.panel.walking import expect_for_everyone, on_every_screen

pytestmark = pytest.mark.browser
Make = Callable[..., Memory]


@pytest.fixture
def page(browser_page: Page, alice: User, sign_in: Callable[[Page, User], None]) -> Page:
    sign_in(browser_page, alice)
    return browser_page


def test_out_and_in_again_without_a_reload(
    page: Page, alice: User, make_memory: Make, tmp_path: Path
) -> None:
    make_memory(alice, "I live in Lisbon", key="user.residence", value="Lisbon")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/data/")
    page.get_by_role("button", name="Export").click()
    # The worker looks every ten seconds where no nudge reached it.
    expect(page.locator("#job")).to_contain_text("Done.", timeout=30_000)
    expect_for_everyone(page)
    with page.expect_download() as got:
        page.get_by_role("link", name="Download").click()
    file = tmp_path / "memoir.json"
    got.value.save_as(file)
    assert json.loads(file.read_text())["memories"][0]["content"] == "I live in Lisbon"
    page.goto("/data/")
    page.locator("#id_text").fill("plays the cello\nI live in Lisbon")
    page.get_by_label("I said all of it myself").check()
    page.get_by_role("button", name="Read it").click()
    page.get_by_role("link", name="See what would be imported").click(timeout=30_000)
    expect(page.locator(".decisions")).to_contain_text("1 Known already")
    expect_for_everyone(page)
    page.get_by_role("button", name="Import 1 row").click()
    page.get_by_role("link", name="See what was imported").click(timeout=30_000)
    page.get_by_role("button", name="Undo the whole import").click()
    expect(page.locator("#messages")).to_contain_text("Undone.")


def test_focus_stays_where_it_is_while_the_page_looks(page: Page, alice: User) -> None:
    job = start_export(owner=alice.pk, form="json", now=timezone.now())
    # Not to be begun by the worker beside.
    with owner_scope(alice.pk):
        Job.objects.update(due_at=timezone.now() + timedelta(days=1))
    page.goto(f"/jobs/{job.pk}/")
    page.get_by_role("button", name="Stop").focus()
    for _ in range(2):
        with page.expect_response("**/jobs/**"):
            pass
        page.wait_for_timeout(100)
        assert page.evaluate("document.activeElement.id") == "job-stop"
    with owner_scope(alice.pk):
        Job.objects.update(due_at=timezone.now())
    run_due_jobs()
    expect(page.locator("#messages")).to_contain_text("Export: Done.", timeout=30_000)
    assert page.evaluate("document.activeElement.id") == "heading"


@on_every_screen((768, "en", "dark"), (1280, "zh-hans", "dark"))
def test_files_and_imports_are_for_everyone(
    page: Page, alice: User, make_memory: Make, width: int, language: str, theme: str
) -> None:
    """The page of data with all it can hold, and those it leads to; the settings beside them."""
    User.objects.filter(pk=alice.pk).update(language=language, theme=theme)
    page.set_viewport_size({"width": width, "height": 900})
    known(alice, make_memory)
    now = timezone.now()
    job = start_export(owner=alice.pk, form="json", now=now)
    upload = read_file(fifty())
    parcel = start_import(owner=alice.pk, upload=upload, source=Source.USER_STATED, now=now)
    run_due_jobs()
    page.goto(f"/data/import/{parcel.pk}/")
    # Where the worker was quicker, it is at work still.
    expect(page.locator(".decisions")).to_be_visible(timeout=30_000)
    expect_for_everyone(page)
    for address in ("/data/", f"/jobs/{job.pk}/", f"/data/import/{parcel.pk}/?show=CONFLICT"):
        page.goto(address)
        expect_for_everyone(page)
    page.goto("/settings/")
    expect(page.locator("#effect")).to_be_visible()
    expect_for_everyone(page)


def test_the_slider_moves_count_and_curve(page: Page, alice: User, make_memory: Make) -> None:
    make_memory(
        alice, "learning Rust", now=timezone.now() - timedelta(days=20), tier=Tier.SHORT_TERM
    )
    page.goto("/settings/")
    effect = page.locator("#effect")
    expect(effect).to_contain_text("1 of your memories would be forgotten")
    before = page.locator(".curve-short_term").first.get_attribute("d")
    slider = page.locator('[data-mirror="id_strength_rate"]')
    slider.fill("6")
    expect(effect).to_contain_text("0 of your memories would be forgotten")
    assert page.locator("#id_strength_rate").input_value() == "6"
    assert page.locator(".curve-short_term").first.get_attribute("d") != before
    page.get_by_label("Lively: entertainment, chat; forgets soon").check()
    expect(page.locator("#id_strength_rate")).to_have_value("1")
    expect(page.locator("#id_archive_line")).to_have_value("0.4")
    assert slider.input_value() == "1"
