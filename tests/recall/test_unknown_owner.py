"""An owner the planner's statistics do not know yet is read as cheaply as any other.

One who has just imported thousands of memories into a store of other people's: to the planner there
is one row of this owner, and a plan good for one row reads all of them again for each of them.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import connection
from django.test import Client

from accounts.models import User
from memory.border import owner_scope
from memory.evaluation.dialogues import StoredRow
from memory.evaluation.recall import store_rows
from memory.services.index import index_texts
from tests.conftest import NOW, ApiClient, as_owner

ROWS = 2_000
PAGES = ("/", "/?q=book", "/settings/", "/activity/", "/review/", "/topics/", "/recalls/", "/data/")


def load(owner: User, number: int) -> None:
    rows = [StoredRow(f"has read book number {n}", NOW, (str(n),)) for n in range(number)]
    indexes = index_texts([row.content for row in rows[:10]])
    with owner_scope(owner.pk):
        store_rows(owner.pk, rows, indexes * (number // 10))


def test_no_statement_reads_the_rows_again_for_each(
    committed: None, alice: User, bob: User, agent: ApiClient, client: Client
) -> None:
    client.force_login(alice)
    load(bob, ROWS)
    with as_owner(settings.DATABASES["schema"]["NAME"]) as db:
        db.execute("ANALYZE")
    load(alice, ROWS)
    most: list[tuple[int, str]] = []

    def explain(execute: Any, query: Any, params: Any, many: bool, context: Any) -> Any:
        if str(query).lstrip().startswith(("SELECT", "WITH")) and "memory_" in str(query):
            with connection.cursor() as cursor:
                cursor.cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {query}", params)
                [(found,)] = cursor.cursor.fetchall()
            plan = found[0]["Plan"]
            most.append((plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], str(query)))
        return execute(query, params, many, context)

    with connection.execute_wrapper(explain):
        agent.recall("book number 3")
        agent.get("memories", {"q": "book"})
        agent.write("I have read book number 77 and liked it")
        for page in PAGES:
            assert client.get(page).status_code == 200
    assert len(most) > 20
    # Read once for each of its parts, a store of so many rows is some thousands of pages.
    assert max(most)[0] < 20 * ROWS, max(most)
