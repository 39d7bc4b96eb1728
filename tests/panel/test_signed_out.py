"""A sign-in that has run out: back to the page one saw, with what one had typed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.test import Client
from playwright.sync_api import Page, expect

from accounts.models import User
from memory.border import owner_scope
from memory.models import Memory
from tests.browsing import give_password
from tests.panel.conftest import htmx, text_of

Make = Callable[..., Memory]
LOGIN = "/accounts/login/?next="


def test_a_plain_form_leads_back_to_its_page_and_says_that_nothing_was_done(
    client: Client, alice: User, make_memory: Make
) -> None:
    fact = make_memory(alice, "I live in Lisbon")
    act = f"/memories/{fact.pk}/delete/"
    assert client.post(act, {"next": "/?sort=newest"})["Location"] == f"{LOGIN}/%3Fsort%3Dnewest"
    here = {"Referer": f"http://testserver/memories/{fact.pk}/?q=1"}
    assert client.post(act, headers=here)["Location"] == f"{LOGIN}/memories/{fact.pk}/%3Fq%3D1"
    for elsewhere in ("https://evil.example/", "http://testserver.evil.example/", "javascript:x"):
        assert client.post(act, headers={"Referer": elsewhere})["Location"] == f"{LOGIN}/"
    assert client.post(act, {"next": "//evil.example"})["Location"] == f"{LOGIN}/"
    edit = f"/memories/{fact.pk}/edit/"
    assert client.post(edit, {"next": "/"})["Location"] == f"{LOGIN}{edit}"
    in_place = client.post(edit, {"next": "/"}, headers=htmx(f"memory-{fact.pk}"))
    assert in_place["HX-Redirect"] == f"{LOGIN}{edit}"
    said = text_of(client.get(f"{LOGIN}/").content.decode())
    assert "You had been signed out, so nothing was changed." in said
    with owner_scope(alice.pk):
        assert Memory.objects.get(pk=fact.pk).deleted_at is None


def test_whoever_only_reads_is_told_nothing(client: Client) -> None:
    assert client.get("/review/")["Location"] == f"{LOGIN}/review/"
    part = client.get("/recalls/?cursor=x", headers=htmx("more", "/recalls/?when=week"))
    assert part["HX-Redirect"] == f"{LOGIN}/recalls/%3Fwhen%3Dweek"
    assert "signed out, so" not in text_of(client.get(f"{LOGIN}/").content.decode())


@pytest.mark.browser
@pytest.mark.parametrize("way", ["in its row", "on its own page"])
def test_what_was_typed_is_back_after_signing_in(
    browser_page: Page, alice: User, make_memory: Make, sign_in: Callable[[Page, User], None],
    way: str,
) -> None:  # fmt: skip
    page = browser_page
    fact = make_memory(alice, "I live in Lisbon")
    give_password(alice, "correct horse battery")
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    sign_in(page, alice)
    if way == "in its row":
        page.goto("/")
        page.locator(f"#memory-{fact.pk}").get_by_role("link", name="Edit").click()
    else:
        page.goto(f"/memories/{fact.pk}/edit/")
    page.locator("textarea").fill("I live in Porto, near the river")
    Session.objects.all().delete()
    page.get_by_role("button", name="Correct a mistake").click()
    expect(page.locator("#messages")).to_contain_text("You had been signed out")
    page.get_by_label("Email").fill("alice@example.com")
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.locator("textarea")).to_have_value("I live in Porto, near the river")
    expect(page.locator("textarea")).to_be_focused()
    page.get_by_role("button", name="Correct a mistake").click()
    expect(page.locator("article.one")).to_contain_text("near the river")
    # Once: a page that happens to have the same box is left alone.
    page.goto(f"/memories/{fact.pk}/edit/")
    page.locator("textarea").fill("half a thought")
    page.goto("/")
    page.goto(f"/memories/{fact.pk}/edit/")
    expect(page.locator("textarea")).to_have_value("I live in Porto, near the river")
