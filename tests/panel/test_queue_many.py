"""Several entries decided alike: seen first, then done, each owner with an undo of his own."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from memory.border import owner_scope
from memory.models import Conflict, Memory
from tests.conftest import NOW, count_statements
from tests.panel.conftest import make_admin, text_of
from tests.panel.test_queue import act, activity_of, set_admins_see

Make = Callable[..., Memory]


@pytest.fixture
def pairs(alice: User, bob: User, make_memory: Make) -> list[Conflict]:
    """Alice's and Bob's, in which magenta was said last."""
    for owner in (alice, bob):
        for days, value in ((0, "turquoise"), (1, "magenta")):
            make_memory(
                owner,
                f"My editor theme is {value}",
                key="user.editor.theme",
                value=value,
                now=NOW + timedelta(days=days),
            )
    return [open_of(alice), open_of(bob)]


def open_of(owner: User) -> Conflict:
    with owner_scope(owner.pk):
        found: Conflict = Conflict.objects.of(owner).waiting().latest("id")
    return found


def values(owner: User) -> dict[str, str]:
    with owner_scope(owner.pk):
        return dict(Memory.objects.of(owner).values_list("value", "status"))


def preview(client: Client, entries: list[Conflict], decision: str = "") -> str:
    answer = client.get("/queue/many/", {"entry": [one.pk for one in entries], "act": decision})
    assert answer.status_code == 200
    return str(answer.content.decode())


def decide(client: Client, page: str, **more: Any) -> Any:
    """Send the form of a preview as it stands there."""
    fields = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page)
    sent: dict[str, Any] = {"note": "As they told me", "entry": []}
    for name, value in fields:
        if name == "entry":
            sent["entry"].append(value)
        else:
            sent[name] = value
    return client.post("/queue/many/", {**sent, **more}, follow=True)


def test_the_preview_says_what_becomes_of_each_and_does_nothing(
    admin: Client, alice: User, pairs: list[Conflict]
) -> None:
    page = preview(admin, pairs, "newer")
    text = text_of(page)
    assert "2 entries would be decided" in text
    assert "It goes into the Activity of 2 owners." in text
    assert "Settle 2" in text
    assert text.count("is kept as true") >= 2
    assert text.count("moves to the past") >= 2
    assert "magenta" not in page
    assert set(values(alice).values()) == {"conflict"}


def test_each_owner_has_it_in_his_activity_with_the_note_and_an_undo(
    admin: Client, alice: User, bob: User, pairs: list[Conflict]
) -> None:
    done = decide(admin, preview(admin, pairs, "newer"))
    assert "Settled 2 entries." in text_of(done.content.decode())
    for owner in (alice, bob):
        assert values(owner) == {"turquoise": "superseded", "magenta": "active"}
        page = activity_of(owner)
        assert "As they told me" in page
        undo = re.search(r'action="(/undo/[^"]+)"', page)
        assert undo
        client = Client()
        client.force_login(owner)
        client.post(undo[1], {"next": "/activity/"})
        assert set(values(owner).values()) == {"conflict"}


@pytest.mark.parametrize(
    ("decision", "statuses"),
    [
        ("older", {"turquoise": "active", "magenta": "superseded"}),
        ("both", {"turquoise": "active", "magenta": "active"}),
        ("neither", {"turquoise": "superseded", "magenta": "superseded"}),
    ],
)
def test_every_decision_does_what_its_name_says(
    admin: Client, alice: User, pairs: list[Conflict], decision: str, statuses: dict[str, str]
) -> None:
    decide(admin, preview(admin, pairs, decision))
    assert values(alice) == statuses


def test_many_are_escalated_together(admin: Client, alice: User, pairs: list[Conflict]) -> None:
    done = decide(admin, preview(admin, pairs, "escalate"))
    assert "Escalated 2 entries." in text_of(done.content.decode())
    page = admin.get("/queue/?show=escalated").content.decode()
    assert page.count("As they told me") == 2
    assert set(values(alice).values()) == {"conflict"}


def test_only_what_answers_all_kinds_is_offered_for_all(
    admin: Client, alice: User, pairs: list[Conflict], put_guess: Any
) -> None:
    put_guess(alice, "may own a boat")
    chosen = [*pairs, open_of(alice)]
    offered = dict(re.findall(r'act=(\w+)"[^>]*><b>(\d+)</b>', preview(admin, chosen)))
    assert offered == {
        "newer": "2", "older": "2", "both": "2", "true": "1", "neither": "3", "escalate": "3",
    }  # fmt: skip
    text = text_of(preview(admin, chosen, "true"))
    assert "1 entry would be decided" in text
    assert text.count("this decision does not answer it") == 2
    decide(admin, preview(admin, chosen, "true"))
    with owner_scope(alice.pk):
        assert Memory.objects.get(content="may own a boat").status == "active"
    assert set(values(alice).values()) >= {"conflict"}


def test_who_is_claimed_settled_or_changed_meanwhile_is_left_and_named(
    admin: Client, alice: User, bob: User, pairs: list[Conflict], put_guess: Any
) -> None:
    put_guess(alice, "may own a boat")
    boat = open_of(alice)
    put_guess(bob, "may own a kite")
    kite = open_of(bob)
    page = preview(admin, [*pairs, boat, kite], "neither")
    other = Client()
    other.force_login(make_admin("dave@example.com"))
    act(other, pairs[0], "claim")
    owner = Client()
    owner.force_login(bob)
    owner.post(f"/review/{pairs[1].pk}/answer/", {"answer": "both"})
    with owner_scope(bob.pk):
        Memory.objects.filter(content="may own a kite").update(version=2)
    text = text_of(decide(admin, page).content.decode())
    assert "Settled 1 entry." in text
    assert "Contradiction · Editor theme · Alice (somebody else has it)" in text
    assert "Contradiction · Editor theme · Bob (settled meanwhile)" in text
    assert "Guess · Another topic · Bob (changed meanwhile)" in text or (
        "Guess · Bob (changed meanwhile)" in text
    )
    assert set(values(alice).values()) >= {"conflict"}
    claimed = text_of(preview(admin, pairs, "neither"))
    assert "Taken up by dave until" in claimed
    assert "1 of them no longer waits" in claimed


def test_without_a_note_or_a_decision_nothing_is_done(
    admin: Client, alice: User, pairs: list[Conflict]
) -> None:
    page = preview(admin, pairs, "newer")
    assert decide(admin, page, note=" ").status_code == 422
    assert decide(admin, page, act="").status_code == 422
    assert decide(admin, page, act="forget").status_code == 404
    none = admin.get("/queue/many/", follow=True).content.decode()
    assert "Choose between 1 and 50 entries first." in none
    assert set(values(alice).values()) == {"conflict"}


def test_what_was_not_shown_is_not_decided(
    admin: Client, alice: User, pairs: list[Conflict]
) -> None:
    """An id without what was seen of it, or one of an owner who shows nothing."""
    admin.post("/queue/many/", {"entry": [pairs[0].pk], "act": "neither", "note": "so it is"})
    assert set(values(alice).values()) == {"conflict"}
    page = preview(admin, pairs, "neither")
    set_admins_see(alice, "none")
    assert "Alice" not in preview(admin, pairs, "neither")
    text = text_of(decide(admin, page).content.decode())
    assert "Settled 1 entry." in text
    assert "1 more was left as it is." in text
    assert "Alice" not in text
    assert set(values(alice).values()) == {"conflict"}


def test_without_the_permission_it_is_403(client: Client, bob: User, pairs: Any) -> None:
    client.force_login(bob)
    query = {"entry": [pairs[0].pk], "act": "neither", "note": "no"}
    assert client.get("/queue/many/", query).status_code == 403
    assert client.post("/queue/many/", query).status_code == 403


def test_the_preview_takes_as_many_statements_for_two_as_for_twenty(
    admin: Client, alice: User, bob: User, put_guess: Any
) -> None:
    for n in range(10):
        for owner in (alice, bob):
            put_guess(owner, f"may like thing {n}")
    found = []
    for owner in (alice, bob):
        with owner_scope(owner.pk):
            found += list(Conflict.objects.of(owner).order_by("id"))
    preview(admin, found, "neither")
    counts = []
    for chosen in (found[:2], found):
        with count_statements() as counted:
            preview(admin, chosen, "neither")
        counts.append(len(counted))
    assert counts[0] == counts[1] <= 20
