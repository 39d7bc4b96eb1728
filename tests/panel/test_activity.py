"""The history of acts, each with its undo."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from memory.border import owner_scope
from memory.domain.values import Tier
from memory.models import Memory
from memory.services import retain
from tests.panel.conftest import text_of

Make = Callable[..., Memory]


def test_it_says_who_did_what_and_takes_it_back(
    signed_in: Client, alice: User, make_memory: Make
) -> None:
    fact = make_memory(alice, "I live in Lisbon")
    signed_in.post(f"/memories/{fact.pk}/out-of-date/")
    signed_in.get("/")
    page = signed_in.get("/activity/").content.decode()
    assert re.search(r"You .{0,20} Marked as out of date I live in Lisbon Undo", text_of(page))
    undo = re.search(r'action="(/undo/[^"]+)"', page)
    assert undo
    assert signed_in.post(undo[1], {"next": "/activity/"})["Location"] == "/activity/"
    with owner_scope(alice.pk):
        assert Memory.objects.get(pk=fact.pk).status == fact.status
    after = signed_in.get("/activity/").content.decode()
    assert undo[1] not in after
    assert "Undone" in text_of(after)


def test_it_goes_on_by_pages_without_losing_a_gesture(
    signed_in: Client, alice: User, make_memory: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("panel.reads.activity.PAGE", 10)
    for number in range(26):
        make_memory(alice, f"fact number {number}.")
    seen: list[str] = []
    address: str | None = "/activity/"
    while address:
        page = signed_in.get(address).content.decode()
        seen += re.findall(r'id="gesture-([0-9a-f-]+)"', page)
        more = re.search(r'id="more"><a class="button" href="([^"]+)"', page)
        address = more[1] if more else None
    assert len(seen) == len(set(seen)) == 26


def test_a_forged_cursor_is_404(signed_in: Client) -> None:
    assert signed_in.get("/activity/?cursor=abc").status_code == 404
    assert signed_in.get("/recently-deleted/?cursor=abc").status_code == 404


def test_others_see_nothing_of_it(
    client: Client, alice: User, bob: User, make_memory: Make
) -> None:
    make_memory(alice, "I live in Lisbon")
    client.force_login(bob)
    page = text_of(client.get("/activity/").content.decode())
    assert "Nothing has happened yet" in page
    assert "Lisbon" not in page


def test_a_sweep_stands_there_once_and_each_row_comes_back_by_itself(
    signed_in: Client, alice: User, put: Make
) -> None:
    old = timezone.now() - timedelta(days=300)
    rows = [put(alice, f"passing {number}", now=old, tier=Tier.WORKING) for number in range(230)]
    retain.sweep(now=timezone.now(), only=["archive"])
    page = signed_in.get("/activity/").content.decode()
    assert page.count("gesture-swept") == 1
    assert re.search(r"Memoir .{0,20} 230 memories", text_of(page).replace("Archived ", ""))
    undo = re.search(r'action="(/undo/[^"]+)"', page)
    assert undo
    signed_in.post(undo[1])
    with owner_scope(alice.pk):
        back = Memory.objects.of(alice.pk).filter(archived_at__isnull=True)
        assert back.filter(pk__in=[row.pk for row in rows]).count() == 1
    cursor = re.search(r'href="(/activity/\?cursor=[^"]+)"', page)
    if cursor:
        assert (
            "gesture-swept" not in signed_in.get(cursor[1].replace("&amp;", "&")).content.decode()
        )
