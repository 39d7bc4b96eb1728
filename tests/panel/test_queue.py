"""The admins' queue: who may see it, what of it, and that owners are told."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import User
from memory.border import operations, owner_scope
from memory.models import Conflict, Memory, Operation, Policy
from tests.conftest import count_statements
from tests.panel.conftest import make_admin, text_of

Make = Callable[..., Memory]


def set_admins_see(owner: User, what: str) -> None:
    with owner_scope(owner.pk):
        Policy.objects.update_or_create(owner=owner, defaults={"admins_see": what})


def sides(owner: User) -> list[str]:
    with owner_scope(owner.pk):
        return list(Memory.objects.of(owner).order_by("id").values_list("status", flat=True))


def act(client: Client, entry: Conflict, name: str, **data: Any) -> Any:
    return client.post(f"/queue/{entry.pk}/{name}/", data)


def activity_of(owner: User) -> str:
    client = Client()
    client.force_login(owner)
    return str(client.get("/activity/").content.decode())


def test_without_the_permission_it_is_403(
    client: Client, bob: User, entry: Conflict, admin: Client
) -> None:
    client.force_login(bob)
    assert client.get("/queue/").status_code == 403
    assert client.get(f"/queue/{entry.pk}/").status_code == 403
    for name in ("claim", "hand-back", "look", "settle"):
        assert act(client, entry, name).status_code == 403
    assert admin.get("/queue/").status_code == 200


def test_words_are_masked_everywhere_in_the_page(admin: Client, entry: Conflict) -> None:
    act(admin, entry, "claim")
    for address in ("/queue/", f"/queue/{entry.pk}/"):
        page = admin.get(address).content.decode()
        for word in ("turquoise", "magenta"):
            assert word not in page, address
        assert "••• ••• •••" in page
        text = text_of(page)
        assert "Contradiction" in text
        assert "Editor theme" in text
        assert "Alice" in text


def test_a_topic_in_the_owners_own_words_is_not_told(
    admin: Client, alice: User, make_memory: Make
) -> None:
    make_memory(alice, "may own gadget", key="project-zanzibar.gadget", source="inferred")
    page = admin.get("/queue/").content.decode()
    assert "zanzibar" not in page.lower()
    assert "Another topic" in page


def test_owners_who_show_nothing_are_not_there(admin: Client, alice: User, entry: Conflict) -> None:
    set_admins_see(alice, "none")
    assert str(entry.pk) not in admin.get("/queue/").content.decode()
    assert admin.get(f"/queue/{entry.pk}/").status_code == 404
    for name in ("claim", "hand-back"):
        assert act(admin, entry, name).status_code == 404
    assert act(admin, entry, "look", reason="a good reason").status_code == 404
    assert act(admin, entry, "settle", answer="neither", note="no").status_code == 404
    assert sides(alice) == ["conflict", "conflict"]
    set_admins_see(alice, "all")
    assert "turquoise" in admin.get("/queue/").content.decode()


def test_a_look_needs_a_reason_which_the_owner_reads(
    admin: Client, alice: User, entry: Conflict
) -> None:
    act(admin, entry, "claim")
    refused = act(admin, entry, "look", reason=" ")
    assert refused.status_code == 422
    assert "turquoise" not in refused.content.decode()
    shown = act(admin, entry, "look", reason="Alice asked me by mail")
    assert "turquoise" in shown.content.decode()
    assert "turquoise" not in admin.get(f"/queue/{entry.pk}/").content.decode()
    text = text_of(activity_of(alice))
    assert "An administrator" in text
    assert "Looked at your words" in text
    assert "Alice asked me by mail" in text
    with operations("review_queue"):
        looks = Operation.objects.filter(reason="review_look", owner=alice)
        assert [look.by.name for look in looks] == ["carol"]


def test_of_two_admins_one_has_it_for_five_minutes(admin: Client, entry: Conflict) -> None:
    other = Client()
    other.force_login(make_admin("dave@example.com"))
    assert act(admin, entry, "claim").status_code == 302
    assert act(other, entry, "claim").status_code == 409
    assert act(other, entry, "look", reason="a good reason").status_code == 409
    assert act(other, entry, "settle", answer="neither", note="mine").status_code == 409
    assert "Taken up by carol" in text_of(other.get(f"/queue/{entry.pk}/").content.decode())
    with time_machine.travel(timezone.now() + timedelta(minutes=6)):
        other.force_login(User.objects.get(name="dave"))
        assert act(other, entry, "claim").status_code == 302
        admin.force_login(User.objects.get(name="carol"))
        assert act(admin, entry, "settle", answer="neither", note="late").status_code == 409
        assert act(other, entry, "hand-back").status_code == 302
        assert act(admin, entry, "claim").status_code == 302


def test_an_admin_settles_with_a_note_and_the_owner_undoes_it(
    admin: Client, alice: User, entry: Conflict
) -> None:
    with owner_scope(alice.pk):
        first = Memory.objects.of(alice).order_by("id").first()
    answer = {"answer": f"keep:{first.pk}", "note": "You said so on the phone"}
    assert act(admin, entry, "settle", **answer).status_code == 409
    act(admin, entry, "claim")
    assert act(admin, entry, "settle", answer=answer["answer"], note="").status_code == 422
    assert sides(alice) == ["conflict", "conflict"]
    assert act(admin, entry, "settle", **answer).status_code == 302
    assert sides(alice) == ["active", "superseded"]
    page = activity_of(alice)
    assert "You said so on the phone" in page
    owner = Client()
    owner.force_login(alice)
    settled = text_of(owner.get(f"/review/{entry.pk}/").content.decode())
    assert "By an administrator" in settled
    undo = re.search(r'action="(/undo/[^"]+)"', page)
    assert undo
    assert owner.post(undo[1], {"next": "/activity/"}).status_code == 302
    assert sides(alice) == ["conflict", "conflict"]


def test_the_owner_may_answer_while_an_admin_is_at_it(
    admin: Client, alice: User, entry: Conflict
) -> None:
    act(admin, entry, "claim")
    owner = Client()
    owner.force_login(alice)
    owner.post(f"/review/{entry.pk}/answer/", {"answer": "both"})
    assert act(admin, entry, "settle", answer="neither", note="late").status_code == 404
    assert sides(alice) == ["active", "active"]


def test_as_many_statements_for_one_entry_as_for_many(
    admin: Client, alice: User, bob: User, put_guess: Any, entry: Conflict
) -> None:
    counts = []
    for number in (1, 12):
        for n in range(number):
            for owner in (alice, bob):
                put_guess(owner, f"may like thing {number} {n}")
        admin.get("/queue/")
        with count_statements() as counted:
            assert admin.get("/queue/").status_code == 200
        counts.append(len(counted))
    assert counts[0] == counts[1] <= 20


def test_the_permission_alone_shows_the_way_to_the_queue(
    admin: Client, signed_in: Client, carol: User
) -> None:
    assert not carol.is_staff
    link = 'href="/queue/"'
    assert link in admin.get("/activity/").content.decode()
    assert link not in signed_in.get("/activity/").content.decode()
