"""What an admin cannot decide stands apart, with a note; what was done can be taken back."""

from __future__ import annotations

import re

from django.test import Client

from accounts.models import User
from memory.border import owner_scope
from memory.models import Conflict
from tests.panel.conftest import make_admin, text_of
from tests.panel.test_queue import act, activity_of, sides

WHY = "I cannot tell the two apart"


def escalate(client: Client, entry: Conflict, why: str = WHY) -> int:
    act(client, entry, "claim")
    return int(act(client, entry, "escalate", why=why).status_code)


def row_of(entry: Conflict) -> str:
    return f'id="entry-{entry.pk}"'


def listed(client: Client, query: str = "") -> str:
    return str(client.get(f"/queue/{query}").content.decode())


def test_it_leaves_the_queue_for_all_admins_to_see(
    admin: Client, alice: User, entry: Conflict
) -> None:
    assert escalate(admin, entry) == 302
    other = Client()
    other.force_login(make_admin("dave@example.com"))
    for client in (admin, other):
        assert row_of(entry) not in listed(client)
        page = listed(client, "?show=escalated")
        assert row_of(entry) in page
        assert WHY in page
        assert "escalated by carol" in text_of(page)
    assert "Nothing waits" in listed(other)
    assert row_of(entry) in listed(other, "?show=all")
    assert sides(alice) == ["conflict", "conflict"]


def test_the_owner_reads_who_could_not_decide_and_why(
    admin: Client, alice: User, entry: Conflict
) -> None:
    escalate(admin, entry)
    text = text_of(activity_of(alice))
    assert "Passed a question of yours on to other administrators" in text
    assert WHY in text


def test_it_needs_a_note_and_a_claim(admin: Client, entry: Conflict) -> None:
    assert act(admin, entry, "escalate", why=WHY).status_code == 409
    act(admin, entry, "claim")
    assert act(admin, entry, "escalate", why=" ").status_code == 422
    assert "Nothing is escalated" in listed(admin, "?show=escalated")
    assert row_of(entry) in listed(admin)


def test_another_admin_decides_it_all_the_same(admin: Client, alice: User, entry: Conflict) -> None:
    escalate(admin, entry)
    other = Client()
    other.force_login(make_admin("dave@example.com"))
    page = other.get(f"/queue/{entry.pk}/").content.decode()
    assert WHY in page
    act(other, entry, "claim")
    assert act(other, entry, "settle", answer="both", note="He told me").status_code == 302
    assert sides(alice) == ["active", "active"]
    assert "Nothing is escalated" in listed(admin, "?show=escalated")


def test_it_is_taken_back_by_the_button_in_the_notice(
    admin: Client, alice: User, entry: Conflict
) -> None:
    escalate(admin, entry)
    back = re.search(r'action="(/queue/[^"]+/take-back/)"', listed(admin))
    assert back
    assert admin.post(back[1]).status_code == 302
    assert row_of(entry) in listed(admin)
    assert "Undone" in text_of(activity_of(alice))
    assert admin.post(back[1]).status_code == 409


def test_nobody_takes_it_back_while_another_is_at_it(admin: Client, entry: Conflict) -> None:
    escalate(admin, entry)
    other = Client()
    other.force_login(make_admin("dave@example.com"))
    act(other, entry, "claim")
    refused = act(admin, entry, "take-back")
    assert refused.status_code == 409
    assert "Taken up by dave until" in text_of(refused.content.decode())
    with owner_scope(entry.owner_id):
        assert Conflict.objects.get().escalated_at is not None


def test_a_claim_is_handed_back_by_the_button_in_the_notice(admin: Client, entry: Conflict) -> None:
    page = admin.post(f"/queue/{entry.pk}/claim/", follow=True).content.decode()
    toast = re.search(r'data-toast>.*?action="([^"]+)".*?Hand back', page, re.S)
    assert toast
    assert toast[1] == f"/queue/{entry.pk}/hand-back/"
    assert admin.post(toast[1]).status_code == 302
    assert "free" in text_of(listed(admin))


def test_a_refusal_says_who_has_it_and_until_when(admin: Client, entry: Conflict) -> None:
    other = Client()
    other.force_login(make_admin("dave@example.com"))
    act(other, entry, "claim")
    refused = text_of(act(admin, entry, "claim").content.decode())
    assert re.search(r"Taken up by dave until \d\d:\d\d\.", refused)


def test_an_address_that_asks_for_something_else_is_404(admin: Client, entry: Conflict) -> None:
    assert admin.get("/queue/?show=mine").status_code == 404
    assert admin.get("/queue/?age=week").status_code == 200
    assert admin.get("/queue/?age=century").status_code == 404
