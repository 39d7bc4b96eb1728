"""The history of acts, each with its undo."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from memory.border import owner_scope
from memory.domain.values import Tier
from memory.models import Memory
from memory.services import retain
from memory.services.tune import set_policy
from tests.conftest import ApiClient, count_statements
from tests.panel.conftest import htmx, text_of

Make = Callable[..., Memory]


def test_it_says_who_did_what_and_takes_it_back(
    signed_in: Client, alice: User, make_memory: Make
) -> None:
    fact = make_memory(alice, "I live in Lisbon")
    signed_in.post(f"/memories/{fact.pk}/out-of-date/")
    signed_in.get("/")
    page = signed_in.get("/activity/").content.decode()
    assert re.search(
        r"You .{0,20} Marked as out of date I live in Lisbon before: Active", text_of(page)
    )
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


def test_a_forged_cursor_is_refused(signed_in: Client) -> None:
    page = signed_in.get("/activity/?cursor=abc")
    assert page.status_code == 422
    assert "Show everything that happened" in text_of(page.content.decode())
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


def entries(client: Client, query: str = "") -> list[str]:
    """What stands in Activity, one text an entry."""
    page = client.get(f"/activity/{query}").content.decode()
    return [
        text_of(part) for part in re.findall(r'<li class="gesture[ "].*?\n    </li>', page, re.S)
    ]


def test_why_and_what_stood_before_and_stands_now(
    signed_in: Client, alice: User, make_memory: Make, agent: ApiClient
) -> None:
    fact = make_memory(alice, "I live in Lisbon", key="user.residence", value="Lisbon")
    signed_in.post(
        f"/memories/{fact.pk}/edit/",
        {"content": "I live in Porto", "how": "correct", "version": "1", "importance": "",
         "value": "Porto", "key": "user.residence"},
    )  # fmt: skip
    agent.write("may use a Mac", source="inferred")
    agent.write("my password is hunter2 and my card is 4111 1111 1111 1111")
    set_policy(alice.pk, {"strength_rate": 2.0}, timezone.now())
    told = entries(signed_in)
    assert "Changed how memory behaves Fading speed before: 1.5 → now: 2" in told[0]
    assert "Refused It holds a secret. Secrets are not remembered." in told[1]
    assert "An agent concluded it; you never said it." in told[2]
    edit = next(text for text in told if "Corrected" in text)
    assert "I live in removed: Lisbon added: Porto" in edit
    signed_in.post(f"/memories/{fact.pk}/out-of-date/")
    assert "before: Active → now: May be out of date" in entries(signed_in)[0]


def test_it_is_narrowed_by_whom_what_and_when(
    signed_in: Client, alice: User, make_memory: Make, agent: ApiClient
) -> None:
    now = timezone.now()
    old = make_memory(alice, "I live in Lisbon", now=now - timedelta(days=20))
    agent.write("likes jazz")
    signed_in.post(f"/memories/{old.pk}/delete/")
    assert len(entries(signed_in)) == 3
    assert [text for text in entries(signed_in, f"?by={agent.caller.agent}") if "jazz" in text]
    assert len(entries(signed_in, f"?by={agent.caller.agent}")) == 1
    assert len(entries(signed_in, "?by=owner")) == 2
    [deleted] = entries(signed_in, "?what=taken")
    assert "Deleted" in deleted
    assert len(entries(signed_in, "?when=week")) == 2
    assert len(entries(signed_in, "?by=owner&what=written&when=month")) == 1
    nothing = text_of(signed_in.get("/activity/?by=admin").content.decode())
    assert "Nothing that happened fits these filters." in nothing
    assert signed_in.get("/activity/?what=nonsense").status_code == 422
    assert signed_in.get("/activity/?by=019a22b0-8776-701f-bcc3-9d18bd922f2a").status_code == 422


def test_a_filter_shows_whole_gestures_and_puts_them_into_the_address(
    signed_in: Client, alice: User, agent: ApiClient
) -> None:
    agent.write("My stack is Java", key="user.stack", value="Java")
    agent.write("I switched from Java to Go", key="user.stack", value="Go")
    [moved] = entries(signed_in, "?what=changed")
    assert "Remembered" in moved
    assert "Moved to the past" in moved
    part = signed_in.get("/activity/?what=changed&when=", headers=htmx("activity", "/activity/"))
    assert part["HX-Push-Url"] == "/activity/?what=changed"
    assert "<html" not in part.content.decode()


def test_however_much_happened_it_takes_as_many_statements(
    signed_in: Client, alice: User, make_memory: Make
) -> None:
    def edit(fact: Memory, text: str) -> None:
        signed_in.post(
            f"/memories/{fact.pk}/edit/",
            {"content": text, "how": "correct", "version": "1", "importance": ""},
        )

    def count() -> int:
        with count_statements() as statements:
            signed_in.get("/activity/")
        return len(statements)

    edit(make_memory(alice, "fact number 0 is short"), "fact number 0 is long")
    few = count()
    for number in range(1, 12):
        fact = make_memory(alice, f"fact number {number} is short")
        edit(fact, f"fact number {number} is long")
    assert count() == few


def test_a_refused_undo_says_what_changed(
    signed_in: Client, alice: User, make_memory: Make
) -> None:
    fact: Any = make_memory(alice, "I live in Lisbon")
    signed_in.post(f"/memories/{fact.pk}/out-of-date/")
    first = re.search(r'action="(/undo/[^"]+)"', signed_in.get("/activity/").content.decode())
    assert first
    signed_in.post(
        f"/memories/{fact.pk}/edit/",
        {"content": "I live in Porto", "how": "correct", "version": "1", "importance": ""},
    )
    signed_in.post(f"/memories/{fact.pk}/still-true/")
    signed_in.get("/")
    signed_in.post(first[1], {"next": "/activity/"})
    said = text_of(signed_in.get("/activity/").content.decode())
    assert "It was changed since, so undoing would lose that change." in said
    assert re.search(r"Since then: .{5,60}, “I live in Porto” \(You, 20\d\d-\d\d-\d\d\)", said)
