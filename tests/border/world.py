"""Alice with something of everything, Bob who must see none of it, and all addresses there are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db import connection
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from accounts.models import User
from memory.api.app import api
from memory.border import operations, owned_tables, owner_scope
from memory.models import Conflict, Event, Grant, Job, Memory, Parcel, Recall, Tombstone
from memory.services.admit import admit_key
from memory.services.dispatch import run_due_jobs
from memory.services.grant import Wish, grant, revoke
from tests.conftest import NOW, ApiClient, MakeAgent

# One word each that stands nowhere else: whoever shows it has shown the row.
WORDS = {
    "private": "I keep a kestrel in my workshop",
    "group": "The heron release ships on Tuesday",
    "user": "I drink osprey tea every morning",
    "sensitive": "I have diabetes and my plover clinic is nearby",
    "waiting": "Perhaps I own an albatross boat",
    "deleted": "I collect puffin stamps",
}
CANARIES = ("kestrel", "heron", "osprey", "plover", "albatross", "puffin")
SHARING = {"private": "private", "group": "group", "user": "user", "sensitive": "user"}


@dataclass(frozen=True)
class World:
    alice: User
    bob: User
    agents: dict[str, ApiClient]
    rows: dict[str, str]
    # What each parameter of an address may name of Alice's.
    ids: dict[str, str] = field(default_factory=dict)


def make_world(alice: User, bob: User, make_agent: MakeAgent) -> World:
    """Alice's writer knows it all; what her other agents may see differs; Bob has a life too."""
    agents = {
        "writer": make_agent(alice, "writer", project="q2"),
        "other": make_agent(alice, "other"),
        "neighbour": make_agent(alice, "neighbour", project="q2"),
        "granted": make_agent(alice, "granted"),
        "ungranted": make_agent(alice, "ungranted"),
        "foreign": make_agent(bob, "foreign", project="q2"),
    }
    writer = agents["writer"]
    rows = {
        name: writer.write(
            WORDS[name], visibility=shared, **({"project": "q2"} if shared == "group" else {})
        )["memory"]["id"]
        for name, shared in SHARING.items()
    }
    rows["waiting"] = writer.write(WORDS["waiting"], source="inferred")["memory"]["id"]
    rows["deleted"] = writer.write(WORDS["deleted"], visibility="user")["memory"]["id"]
    talk = {"messages": [{"role": "user", "content": "I once saw a wryneck in Lisbon"}]}
    job = writer.post("conversations", talk).json()["job"]["id"]
    recall = writer.recall(WORDS["private"])["id"]
    agents["foreign"].write("I like quiet evenings", visibility="user")
    owner = Client()
    owner.force_login(alice)
    owner.post(f"/memories/{rows['deleted']}/delete/")
    owner.post("/data/export/", {"form": "json"})
    for to, ends in (("granted", False), ("ungranted", True)):
        wish = Wish(
            from_agent=writer.caller.agent, to_agent=agents[to].caller.agent, sensitivity="health"
        )
        grant(owner=alice.pk, wish=wish, now=NOW)
        if ends:
            with owner_scope(alice.pk):
                row = Grant.objects.in_force().get(to_agent=agents[to].caller.agent)
            revoke(owner=alice.pk, grant=row.pk, now=NOW)
    run_due_jobs()
    with owner_scope(alice.pk):
        first = {
            "grant": Grant.objects.in_force().get().pk,
            "card": Conflict.objects.get(reason="inferred").pk,
            "entry": Conflict.objects.get(reason="inferred").pk,
            "parcel": Parcel.objects.get().pk,
            "tombstone": Tombstone.objects.get().pk,
            "gesture": Event.objects.filter(memory=rows["deleted"]).latest("id").gesture,
            "key": admit_key(writer.key, now=NOW).key,
        }
        assert Job.objects.filter(pk=job, status="done").exists()
        assert Recall.objects.filter(pk=recall).exists()
    ids = {name: str(pk) for name, pk in first.items()} | {
        "memory": rows["user"],
        "recall": recall,
        "job": job,
        "agent": str(writer.caller.agent),
        "project": str(writer.caller.projects["q2"]),
    }
    return World(alice, bob, agents, rows, ids)


# -- Addresses -------------------------------------------------------------------------------------


def _walk(resolver: Any, prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    for entry in resolver.url_patterns:
        path = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from _walk(entry, path)
        else:
            yield path, entry


def page_names() -> set[str]:
    """Every address for people, by name: the panel, the queue, exports, signing in."""
    return {
        entry.name
        for path, entry in _walk(get_resolver())
        if entry.name and not path.lstrip("^").startswith("api/")
    }


def api_names() -> set[str]:
    """Every operation for programs, by the name of its function."""
    return {
        operation.view_func.__name__
        for _prefix, router in api._routers
        for path in router.path_operations.values()
        for operation in path.operations
    }


def parameters_of(name: str) -> list[str]:
    """What an address needs to be written down."""
    path = next(path for path, entry in _walk(get_resolver()) if entry.name == name)
    return re.findall(r"<(?:\w+:)?(\w+)>", path)


def address_of(name: str, ids: dict[str, str]) -> str:
    return reverse(name, kwargs={word: ids[word] for word in parameters_of(name)})


def fingerprint(owner: User) -> dict[str, str]:
    """Everything an owner has, table by table: two are equal where nothing was changed."""
    found = {}
    with operations("test"), connection.cursor() as cursor:
        for table in owned_tables():
            if table == "memory_operation":
                continue
            cursor.execute(
                f"SELECT md5(coalesce(string_agg(t::text, ',' ORDER BY t::text), ''))"  # noqa: S608
                f" FROM {table} t WHERE owner_id = %s",
                [owner.pk],
            )
            found[table] = cursor.fetchone()[0]
    return found


def rows_shown(text: str) -> set[str]:
    return {word for word in CANARIES if word in text}


def memory_ids(owner: User) -> set[str]:
    with owner_scope(owner.pk):
        return {str(pk) for pk in Memory.objects.values_list("pk", flat=True)}
