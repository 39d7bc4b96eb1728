"""Fifty memories or fifty thousand: a page asks the database equally often."""

from __future__ import annotations

from django.db import connection
from django.test import Client

from accounts.models import User
from memory.border import owner_scope
from memory.domain.values import Reason, Status
from memory.models import Memory, MemoryUse
from tests.conftest import count_statements
from tests.panel.conftest import Put

PAGES = (
    "/", "/?view=month", "/?view=chains", "/?sort=left", "/?q=tea", "/?status=stale",
    "/review/", "/topics/", "/activity/", "/settings/", "/data/",
    "/agents/", "/recently-deleted/",
)  # fmt: skip


def fill(owner: User, each: int, batch: str) -> None:
    """So many copies of every memory the owner has, with their uses; no rule is asked."""
    own = {"id", "content", "search_text", "value", "key", "fingerprint", "created_at"}
    fields = [field.column for field in Memory._meta.concrete_fields if field.column not in own]
    named = ", ".join(f'"{name}"' for name in fields)
    uses = [
        field.column for field in MemoryUse._meta.concrete_fields if field.column != "memory_id"
    ]
    used = ", ".join(f'"{name}"' for name in uses)
    with owner_scope(owner.pk), connection.cursor() as cursor:
        cursor.execute(
            f"""
            CREATE TEMPORARY TABLE copies ON COMMIT DROP AS
            SELECT gen_random_uuid() AS id, m.id AS of, n
            FROM memory_memory m, generate_series(1, %(each)s) n;
            INSERT INTO memory_memory (id, content, search_text, value, key, fingerprint,
                                       created_at, {named})
            SELECT c.id, content || ' ' || n, search_text || ' ' || n, value,
                   CASE key WHEN '' THEN '' ELSE key || '.' || %(batch)s || n END,
                   md5(c.id::text) || md5(m.fingerprint),
                   created_at - n * interval '1 second', {named}
            FROM copies c JOIN memory_memory m ON m.id = c.of;
            INSERT INTO memory_memoryuse (memory_id, {used})
            SELECT c.id, {used} FROM copies c JOIN memory_memoryuse u ON u.memory_id = c.of;
            DROP TABLE copies;
            """,  # noqa: S608
            {"each": each, "batch": batch},
        )
        cursor.execute("ANALYZE memory_memory")


def count_all(client: Client) -> dict[str, int]:
    client.get("/")  # what a first visit notes down
    found = {}
    for address in PAGES:
        with count_statements() as statements:
            assert client.get(address).status_code == 200, address
        found[address] = len(statements)
    return found


def test_fifty_thousand_take_as_many_statements_as_fifty(
    signed_in: Client, alice: User, put: Put, put_guess: Put
) -> None:
    put(alice, "My editor is Vim", key="user.editor", value="Vim")
    put(alice, "drinks tea")
    put(alice, "My stack was Java", status=Status.SUPERSEDED, status_reason=Reason.REPLACED)
    put(
        alice, "I live in Lisbon", key="user.home", value="Lisbon", status=Status.STALE,
        status_reason=Reason.OUTDATED,
    )  # fmt: skip
    put_guess(alice, "may use a Mac")
    fill(alice, 9, "a")
    few = count_all(signed_in)
    fill(alice, 999, "b")
    with owner_scope(alice.pk):
        assert Memory.objects.of(alice).count() == 50_000
    assert count_all(signed_in) == few
