"""Deleting the account: at once for everybody, and soon after without a trace."""

from __future__ import annotations

from collections.abc import Callable

from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client

from accounts.models import User
from memory.border import operations, owned_tables, owner_scope
from memory.models import AdminNote, Conflict, Memory
from memory.services.dispatch import run_due_jobs
from tests.border.world import make_world
from tests.conftest import MakeAgent
from tests.panel.conftest import text_of

Make = Callable[..., Memory]
ADDRESS = "/settings/delete-account/"


def rows_of(owner: User) -> dict[str, int]:
    """How many rows each table under the border holds of an owner."""
    found = {}
    with operations("test"), connection.cursor() as cursor:
        for table in owned_tables():
            cursor.execute(
                f"SELECT count(*) FROM {table} WHERE owner_id = %s",  # noqa: S608
                [owner.pk],
            )
            found[table] = cursor.fetchone()[0]
    return {table: count for table, count in found.items() if count}


def test_it_asks_to_sign_in_again_says_what_goes_and_wants_the_words(
    signed_in: Client, alice: User, make_memory: Make
) -> None:
    make_memory(alice, "I live in Lisbon")
    assert ADDRESS in signed_in.get("/settings/").content.decode()
    page = signed_in.get(ADDRESS).content.decode()
    assert 'name="typed"' not in page
    assert "Your account and 1 memory will be erased." in text_of(page)
    assert "Export your memories first" in text_of(page)
    refused = signed_in.post(ADDRESS, {"typed": "delete my account"})
    assert refused["Location"].startswith("/accounts/reauthenticate/")
    signed_in.post(refused["Location"], {"password": "correct horse battery"})
    other = signed_in.post(ADDRESS, {"typed": "delete"})
    assert other.status_code == 422
    assert "Nothing has changed" in text_of(other.content.decode())
    alice.refresh_from_db()
    assert alice.is_active
    assert "Lisbon" in signed_in.get("/").content.decode()


def test_from_that_moment_nobody_gets_in(
    sure: Client, alice: User, make_agent: MakeAgent, make_memory: Make
) -> None:
    agent = make_agent(alice)
    make_memory(alice, "I live in Lisbon")
    elsewhere = Client()
    elsewhere.force_login(alice)
    left = sure.post(ADDRESS, {"typed": "Delete my account"})
    assert left["Location"] == "/"
    assert "Your account was deleted." in text_of(sure.get("/").content.decode())
    for browser in (sure, elsewhere):
        assert browser.get("/settings/")["Location"].startswith("/accounts/login/")
    assert agent.post("recall", {"query": "Lisbon"}).status_code == 401
    assert agent.post("memories", {"facts": [{"content": "I like tea"}]}).status_code == 401
    tried = sure.post(
        "/accounts/login/", {"login": "alice@example.com", "password": "correct horse battery"}
    )
    assert tried.status_code == 200
    # The address is free: whoever has it may begin anew, with nothing in it.
    assert not User.objects.filter(email="alice@example.com").exists()
    assert not EmailAddress.objects.filter(email="alice@example.com").exists()


def test_then_the_job_leaves_no_row_and_touches_nobody_else(
    sure: Client, alice: User, bob: User, make_agent: MakeAgent
) -> None:
    make_world(alice, bob, make_agent)
    before = rows_of(bob)
    assert len(rows_of(alice)) > 15
    sure.post(ADDRESS, {"typed": "delete my account"})
    run_due_jobs()
    assert rows_of(alice) == {}
    assert not User.objects.filter(pk=alice.pk).exists()
    assert rows_of(bob) == before
    assert run_due_jobs() == 0


def test_what_an_admin_decided_for_others_stays_without_the_name(
    entry: Conflict, alice: User, carol: User, admin: Client
) -> None:
    carol.set_unusable_password()
    carol.save(update_fields=["password"])
    admin.force_login(carol)
    admin.post(f"/queue/{entry.pk}/claim/")
    admin.post(f"/queue/{entry.pk}/settle/", {"answer": "neither", "note": "As you wished."})
    with owner_scope(alice.pk):
        assert Conflict.objects.get(pk=entry.pk).settled_by_id == carol.pk
    assert admin.post(ADDRESS, {"typed": "delete my account"})["Location"] == "/"
    run_due_jobs()
    with owner_scope(alice.pk):
        assert Conflict.objects.get(pk=entry.pk).settled_by_id is None
        assert AdminNote.objects.get().text == "As you wished."
