"""Two locks between owners: the querysets, and row-level security behind them."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, models, transaction

from accounts.ids import uuid7
from accounts.models import User
from memory.border import (
    BorderDown,
    check_border,
    current_scope,
    operations,
    owned_tables,
    owner_scope,
)
from memory.models import Agent, Event, Memory, Operation
from tests.conftest import ApiClient, MakeAgent, as_owner, outside_the_border

MODELS = list(apps.get_app_config("memory").get_models())


def rows_of(table: str, where: str = "true") -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {table} WHERE {where}")  # noqa: S608  (our own names)
        return cursor.fetchone()[0]


@pytest.fixture
def lived_in(alice: User, bob: User, make_agent: MakeAgent) -> tuple[User, User]:
    """Both owners have rows in most tables."""
    for owner in (alice, bob):
        program = make_agent(owner, project="home")
        program.write("喜欢咖啡", key="user.drink", value="咖啡")
        row = program.write("喜欢茶", key="user.drink", value="茶")["memory"]
        program.recall("喜欢喝什么")
        program.patch(f"memories/{row['id']}", {"content": "喜欢绿茶", "version": 1})
        program.get("memories")
    return alice, bob


def test_with_no_owner_set_the_runtime_role_sees_no_row_of_any_owners_table(
    lived_in: tuple[User, User],
) -> None:
    with outside_the_border():
        seen = {table: rows_of(table) for table in owned_tables()}
    assert seen == dict.fromkeys(owned_tables(), 0)


def test_with_one_owner_set_none_of_the_others_rows_are_seen(lived_in: tuple[User, User]) -> None:
    alice, bob = lived_in
    with owner_scope(bob.pk):
        own = {t: rows_of(t, f"owner_id = '{bob.pk}'") for t in owned_tables()}
        foreign = {t: rows_of(t, f"owner_id = '{alice.pk}'") for t in owned_tables()}
    assert foreign == dict.fromkeys(owned_tables(), 0)
    assert own["memory_memory"] == 2
    assert sum(count > 0 for count in own.values()) >= 12


def test_a_queryset_whose_owner_filter_was_forgotten_finds_nothing_foreign(
    lived_in: tuple[User, User],
) -> None:
    alice, bob = lived_in
    with owner_scope(bob.pk):
        assert {row.owner_id for row in Memory.objects.all()} == {bob.pk}
        assert not Memory.objects.filter(owner=alice).exists()


def test_a_recall_with_the_owner_filter_removed_still_returns_nothing_foreign(
    lived_in: tuple[User, User], make_agent: MakeAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, bob = lived_in
    program = make_agent(bob, "other", project="home")
    everything = lambda self, owner: self.all()  # noqa: E731  (the fault, planted)
    monkeypatch.setattr("memory.querysets.owned.OwnedQuerySet.of", everything)
    monkeypatch.setattr("memory.querysets.owned.EpochQuerySet.of", everything)
    monkeypatch.setattr(
        "memory.querysets.memories.MemoryQuerySet.visible_to", lambda self, caller: self.all()
    )
    listed = program.get("memories").json()
    assert listed["total"] == 2
    with owner_scope(bob.pk):
        own = {str(pk) for pk in Memory.objects.values_list("pk", flat=True)}
    assert {row["id"] for row in listed["results"]} == own
    answer = program.recall("喜欢喝什么")
    seen = [m for asked in answer["needs_confirmation"] for m in asked["memories"]]
    assert {row["id"] for row in seen} <= own


def test_a_foreign_row_cannot_be_written(alice: User, bob: User) -> None:
    with pytest.raises(DatabaseError), transaction.atomic(), owner_scope(bob.pk):
        Agent.objects.create(owner=alice, name="planted")


def test_foreign_rows_cannot_be_changed_or_deleted(lived_in: tuple[User, User]) -> None:
    alice, bob = lived_in
    with owner_scope(bob.pk):
        assert Memory.objects.filter(owner=alice).update(content="mine now") == 0
        assert Event.objects.filter(owner=alice)._raw_delete("default") == 0
    with owner_scope(alice.pk):
        assert Memory.objects.exclude(content="mine now").count() == 2


def test_the_history_cannot_be_rewritten(lived_in: tuple[User, User]) -> None:
    alice, _ = lived_in
    with pytest.raises(DatabaseError), transaction.atomic(), owner_scope(alice.pk):
        Event.objects.all().update(reason="nothing happened")


def test_a_nested_scope_gives_the_outer_owner_back(lived_in: tuple[User, User]) -> None:
    alice, bob = lived_in

    def owners() -> set[UUID]:
        return set(Memory.objects.values_list("owner_id", flat=True))

    with owner_scope(alice.pk):
        with owner_scope(bob.pk):
            assert owners() == {bob.pk}
        assert (owners(), current_scope()) == ({alice.pk}, alice.pk)
        with pytest.raises(RuntimeError), owner_scope(bob.pk):
            raise RuntimeError
        assert (owners(), current_scope()) == ({alice.pk}, alice.pk)
    with outside_the_border():
        assert owners() == set()


def test_operations_sees_all_and_leaves_a_record(lived_in: tuple[User, User]) -> None:
    alice, bob = lived_in
    with operations("test", by=bob.pk, owner=alice.pk):
        assert set(Memory.objects.values_list("owner_id", flat=True)) == {alice.pk, bob.pk}
    with operations("test", by=bob.pk, owner=alice.pk):
        pass
    with owner_scope(alice.pk):
        [line] = Operation.objects.filter(reason="test")
        assert (line.by_id, line.count) == (bob.pk, 2)
    with outside_the_border():
        assert rows_of("memory_memory") == 0


def test_every_table_of_memory_has_an_owner_and_a_policy(database: None) -> None:
    for model in MODELS:
        owner = model._meta.get_field("owner")
        assert isinstance(owner, models.ForeignKey), model
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, c.relrowsecurity, c.relforcerowsecurity, r.rolname, array_agg("
            "  (p.polname, (SELECT rolname FROM pg_roles WHERE oid = p.polroles[1]))::text)"
            " FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner"
            " LEFT JOIN pg_policy p ON p.polrelid = c.oid"
            " WHERE c.relname = ANY(%s) GROUP BY 1, 2, 3, 4",
            [owned_tables()],
        )
        found = cursor.fetchall()
    assert {row[0] for row in found} == set(owned_tables())
    for name, enabled, forced, owner, policies in found:
        assert (enabled, forced, owner) == (True, False, "memoir_schema"), name
        assert set(policies) == {"(owner_only,memoir_app)", "(operations,memoir_ops)"}, name


def test_the_runtime_role_is_bound_and_may_not_truncate(database: None) -> None:
    with outside_the_border(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_user, rolsuper, rolbypassrls, rolinherit,"
            " has_table_privilege('memory_memory', 'TRUNCATE')"
            " FROM pg_roles WHERE rolname = current_user"
        )
        assert cursor.fetchone() == ("memoir_app", False, False, False, False)
    check_border()


def test_the_start_is_refused_where_a_table_has_no_policy(committed: None) -> None:
    with as_owner(connection.settings_dict["NAME"]) as db:
        db.execute("ALTER TABLE memory_event DISABLE ROW LEVEL SECURITY")
        try:
            with pytest.raises(BorderDown, match="memory_event"):
                check_border()
        finally:
            db.execute("ALTER TABLE memory_event ENABLE ROW LEVEL SECURITY")
    check_border()


def test_the_start_is_refused_for_the_role_that_owns_the_tables(committed: None) -> None:
    from django.db import connections

    owner = connections["schema"]
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("memory.border.connection", owner)
            with pytest.raises(BorderDown, match="owns"):
                check_border()
    finally:
        owner.close()


def test_the_queries_guard_itself_catches_a_query_outside(
    alice: User, make_memory: Callable[..., Memory]
) -> None:
    make_memory(alice, "likes tea")
    with pytest.raises(AssertionError, match="outside owner_scope"):
        list(Memory.objects.all())


def test_owner_b_gets_404_for_every_address_of_owner_as_memories(
    alice: User, bob: User, agent: ApiClient, make_agent: MakeAgent
) -> None:
    row = agent.write("likes tea", visibility="user")["memory"]
    stranger = make_agent(bob)
    for wanted in (row["id"], str(uuid7()), "nonsense"):
        path = f"memories/{wanted}"
        answers = [
            stranger.get(path),
            stranger.get(f"{path}/history"),
            stranger.patch(path, {"content": "mine", "version": 1}),
            stranger.delete(path),
        ]
        assert [a.status_code for a in answers] == [404] * 4
        assert len({a.content for a in answers}) == 1
    assert stranger.get("memories").json()["total"] == 0
    assert stranger.recall("likes tea")["memories"] == []
    assert agent.get(f"memories/{row['id']}").json()["content"] == "likes tea"
