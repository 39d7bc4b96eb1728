"""The cast, the database, and the guards every test runs under.

The database is created, migrated and emptied as memoir_schema; all else runs as memoir_app. Tests
that need commits (threads, a running product) ask for `committed`; all others are rolled back.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import hypothesis
import psycopg
import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection, connections
from django.test import Client, override_settings
from playwright.sync_api import Browser, Page
from psycopg import sql

from accounts.models import User
from memory.border import current_scope, owner_scope
from memory.domain.values import Kind, Source
from memory.models import Agent, AgentProject, Memory, Project
from memory.querysets.callers import Caller
from memory.services.admit import make_key
from memory.services.write import Fact, write_facts
from tests.browsing import fresh_page, give_session, open_browser
from tests.product import Product

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
LOCAL = "django.core.cache.backends.locmem.LocMemCache"

# How long an example takes says something about the machine, nothing about the rule.
hypothesis.settings.register_profile(
    "memoir", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("memoir")


# -- The database ----------------------------------------------------------------------------------


def as_owner(database: str) -> psycopg.Connection[Any]:
    """A connection as memoir_schema, which owns what the tests create."""
    wanted = settings.DATABASES["schema"]
    return psycopg.connect(
        host=wanted["HOST"], port=wanted["PORT"] or None, user=wanted["USER"],
        password=wanted["PASSWORD"], dbname=database, autocommit=True,
    )  # fmt: skip


def _drop(db: psycopg.Connection[Any], name: str, *, home: str) -> None:
    """Drop a database, also while somebody is in it: what a run that was killed left behind."""
    drop = sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name))
    try:
        db.execute(drop + sql.SQL(" WITH (FORCE)"))
    except psycopg.errors.InsufficientPrivilege:
        # Somebody else is in it. The runtime role's sessions end by its own word; autovacuum
        # only a superuser may end by force, but without force PostgreSQL asks it to leave.
        wanted = settings.DATABASES["default"]
        with psycopg.connect(
            host=wanted["HOST"], port=wanted["PORT"] or None, user=wanted["USER"],
            password=wanted["PASSWORD"], dbname=home, autocommit=True,
        ) as own:  # fmt: skip
            own.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = %s AND usename = current_user",
                [name],
            )
        db.execute(drop)


@pytest.fixture(scope="session")
def django_db_setup(django_db_blocker: Any) -> Iterator[None]:
    """A database of this run's own, migrated from nothing."""
    name = f"test_memoir_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}"
    home = settings.DATABASES["schema"]["NAME"]
    with as_owner(home) as db:
        _drop(db, name, home=home)
        db.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    with as_owner(name) as db:
        # Default privileges belong to a database; roles.sql gives them to the product's own.
        db.execute(
            "CREATE EXTENSION IF NOT EXISTS vector;"
            "GRANT USAGE ON SCHEMA public TO memoir_app, memoir_ops;"
            "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE"
            " ON TABLES TO memoir_app, memoir_ops;"
            "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT"
            " ON SEQUENCES TO memoir_app, memoir_ops"
        )
    for alias in ("default", "schema"):
        connections[alias].close()
        settings.DATABASES[alias]["NAME"] = name
        connections[alias].settings_dict["NAME"] = name
    with django_db_blocker.unblock():
        call_command("migrate", verbosity=0, interactive=False)
        connections["schema"].close()
    yield
    with django_db_blocker.unblock():
        for alias in ("default", "schema"):
            connections[alias].close()
    with as_owner(home) as db:
        _drop(db, name, home=home)


@pytest.fixture(scope="session", autouse=True)
def _static_files() -> None:
    """Hashed names, as in production: a template that names a missing file fails its test."""
    call_command("collectstatic", verbosity=0, interactive=False)


def empty_database() -> None:
    """Remove every row, as the owner of the tables (the runtime role may not TRUNCATE).

    The running product may be in the middle of something. Where each waits for the other PostgreSQL
    ends one of them: then it is tried again.
    """
    with as_owner(settings.DATABASES["schema"]["NAME"]) as db:
        tables = [
            row[0]
            for row in db.execute(
                "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
                " AND tablename NOT IN ('django_migrations', 'django_content_type',"
                " 'auth_permission')"
            )
        ]
        truncate = sql.SQL("TRUNCATE {} CASCADE").format(
            sql.SQL(", ").join(map(sql.Identifier, tables))
        )
        for attempt in range(5):
            try:
                db.execute(truncate)
                return
            except psycopg.errors.DeadlockDetected:
                if attempt == 4:
                    raise


@pytest.fixture
def committed(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """A database in which writes are committed, emptied afterwards."""
    with django_db_blocker.unblock():
        yield
        connection.close()
        empty_database()


@pytest.fixture
def database(request: pytest.FixtureRequest) -> None:
    """The database the test asked for: committed where it says so, else rolled back."""
    name = "committed" if "committed" in request.fixturenames else "db"
    request.getfixturevalue(name)


# -- The guard -------------------------------------------------------------------------------------

_OWNED = re.compile(r'"?\bmemory_[a-z]+\b')
_unguarded = False


@contextmanager
def outside_the_border() -> Iterator[None]:
    """For tests that look at what happens without a scope, on purpose."""
    global _unguarded
    _unguarded = True
    try:
        yield
    finally:
        _unguarded = False


def _refuse_outside(execute: Any, query: Any, params: Any, many: bool, context: Any) -> Any:
    if not _unguarded and current_scope() is None and _OWNED.search(str(query)):
        raise AssertionError(f"queried outside owner_scope: {str(query)[:300]}")
    return execute(query, params, many, context)


@pytest.fixture(autouse=True)
def _guarded(request: pytest.FixtureRequest) -> Iterator[None]:
    """Every queryset of an owner's table runs inside owner_scope or operations."""
    if not {"db", "committed", "database"} & set(request.fixturenames):
        yield
        return
    request.getfixturevalue("database")
    with connection.execute_wrapper(_refuse_outside):
        yield


@contextmanager
def count_statements() -> Iterator[list[str]]:
    """The SQL of a block, without what DESIGN section 8 leaves out of its budgets."""
    counted: list[str] = []
    ignored = re.compile(r"^\s*(BEGIN|SAVEPOINT|RELEASE|ROLLBACK|COMMIT|SELECT set_config)", re.I)

    def note(execute: Any, query: Any, params: Any, many: bool, context: Any) -> Any:
        if not ignored.match(str(query)):
            counted.append(str(query))
        return execute(query, params, many, context)

    with connection.execute_wrapper(note):
        yield counted


# -- The cast: Alice owns, Bob must see nothing of hers --------------------------------------------


@pytest.fixture(scope="session", autouse=True)
def _quick_passwords() -> None:
    """The real hash takes 200 ms a person; the suite makes hundreds."""
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.MD5PasswordHasher",
        *settings.PASSWORD_HASHERS,
    ]


@pytest.fixture(scope="session", autouse=True)
def _own_counts() -> Iterator[None]:
    """Failed sign-ins are counted in the broker's store, which side by side the tests share."""
    with override_settings(CACHES={"default": {"BACKEND": LOCAL}}):
        yield


@pytest.fixture(autouse=True)
def _fresh_counts() -> None:
    """No test is throttled for what another one tried."""
    cache.clear()


@pytest.fixture
def alice(database: None) -> User:
    return User.objects.create_user("alice@example.com", "correct horse battery", name="Alice")


@pytest.fixture
def bob(database: None) -> User:
    return User.objects.create_user("bob@example.com", "staple tractor lamp", name="Bob")


class ApiClient:
    """An agent's program: JSON in, JSON out, with its key."""

    def __init__(self, key: str, caller: Caller) -> None:
        self.key, self.caller = key, caller
        self._client = Client(headers={"Authorization": f"Bearer {key}"})

    def request(self, method: str, path: str, body: Any = None, **more: Any) -> Any:
        call = getattr(self._client, method)
        url = path if path.startswith("/") else f"/api/v1/{path}"
        if method in ("post", "patch"):
            return call(url, body if body is not None else {}, "application/json", **more)
        return call(url, body or {}, **more)

    def get(self, path: str, query: Any = None, **more: Any) -> Any:
        return self.request("get", path, query, **more)

    def post(self, path: str, body: Any, **more: Any) -> Any:
        return self.request("post", path, body, **more)

    def patch(self, path: str, body: Any, **more: Any) -> Any:
        return self.request("patch", path, body, **more)

    def delete(self, path: str, **more: Any) -> Any:
        return self.request("delete", path, **more)

    def write(self, content: str, **fact: Any) -> Any:
        """One fact; its result."""
        answer = self.post("memories", {"facts": [{"content": content, **fact}]})
        assert answer.status_code == 201, answer.content
        return answer.json()["results"][0]

    def recall(self, query: str, **more: Any) -> Any:
        answer = self.post("recall", {"query": query, **more})
        assert answer.status_code == 200, answer.content
        return answer.json()


MakeAgent = Callable[..., ApiClient]


@pytest.fixture
def make_agent() -> MakeAgent:
    """An agent of an owner with a key of its own: `make_agent(alice, "cursor", project="q2")`."""

    def make(
        owner: User,
        name: str = "cursor",
        *,
        scopes: tuple[str, ...] = ("recall", "write", "delete"),
        project: str | None = None,
        external_allowed: bool = False,
        **key: Any,
    ) -> ApiClient:
        places: dict[str, UUID] = {}
        with owner_scope(owner.pk):
            agent, _ = Agent.objects.get_or_create(
                owner=owner, name=name, defaults={"external_allowed": external_allowed}
            )
            if project:
                row, _ = Project.objects.get_or_create(
                    owner=owner, slug=project, defaults={"name": project}
                )
                AgentProject.objects.get_or_create(owner=owner, agent=agent, project=row)
                places[project] = row.pk
        _, text = make_key(owner=owner.pk, agent=agent, scopes=list(scopes), **key)
        caller = Caller(
            owner=owner.pk, agent=agent.pk, agent_name=name, scopes=frozenset(scopes),
            projects=places, places=frozenset(places.values()), external_allowed=external_allowed,
        )  # fmt: skip
        return ApiClient(text, caller)

    return make


@pytest.fixture
def agent(alice: User, make_agent: MakeAgent) -> ApiClient:
    """Alice's coding assistant."""
    return make_agent(alice)


@pytest.fixture
def make_memory() -> Callable[..., Memory]:
    """A memory through the real write path, then set as the test needs it."""

    def make(owner: User, content: str, *, now: datetime = NOW, **fields: Any) -> Memory:
        handed = {
            name: fields.pop(name)
            for name in ("key", "value", "source", "kind", "valid_from", "occurred_at")
            if name in fields
        }
        for name, words in (("source", Source), ("kind", Kind)):
            if name in handed:
                handed[name] = words(handed[name])
        agent = fields.pop("agent", None)
        caller = Caller(owner=owner.pk, agent=agent.pk if agent else None)
        [outcome] = write_facts(caller, [Fact(content=content, **handed)], now=now)
        assert outcome.memory is not None
        with owner_scope(owner.pk):
            use = {
                name: fields.pop(name)
                for name in ("anchor", "times_served", "last_served_at")
                if name in fields
            }
            if fields:
                Memory.objects.filter(pk=outcome.memory.pk).update(**fields)
            memory = Memory.objects.select_related("use").get(pk=outcome.memory.pk)
            if use:
                type(memory.use).objects.filter(memory=memory).update(**use)
                memory.use.refresh_from_db()
        return memory

    return make


@pytest.fixture
def signed_in(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


# -- The running product ---------------------------------------------------------------------------


@pytest.fixture(scope="session")
def product(django_db_setup: None) -> Iterator[Product]:
    """Web server, worker and beat as `make run` starts them, on the tests' own database."""
    with Product(database=settings.DATABASES["default"]["NAME"]) as running:
        yield running


@pytest.fixture
def served(product: Product, committed: None) -> str:
    """The address of the running product; what the test writes is committed and then emptied."""
    product.check()
    return product.address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with open_browser() as running:
        yield running
        # Within Playwright's loop this thread has connections of its own: once it has ended nobody
        # could close them, and the database would not be dropped.
        connections.close_all()


@pytest.fixture
def browser_page(browser: Browser, served: str) -> Iterator[Page]:
    """A page of a fresh browser; any script error or CSP violation fails the test."""
    with fresh_page(browser, served) as page:
        yield page


@pytest.fixture
def sign_in(served: str) -> Callable[[Page, User], None]:
    """Give a page this person's session, as after signing in."""
    return lambda page, user: give_session(page, user, served)
