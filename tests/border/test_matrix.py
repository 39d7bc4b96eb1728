"""Who sees what, over every address there is: one that nobody has thought about fails here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client

from accounts.ids import uuid7
from accounts.models import User
from memory.border import owner_scope
from memory.domain.values import AdminsSee
from memory.models import AgentKey, Policy
from memory.services.dispatch import run_due_jobs
from memory.services.pause import set_paused
from tests.border.world import (
    SHARING,
    WORDS,
    World,
    address_of,
    api_names,
    fingerprint,
    make_world,
    memory_ids,
    page_names,
    parameters_of,
    rows_shown,
)
from tests.conftest import NOW, ApiClient, MakeAgent

# -- Every address, and what it is -----------------------------------------------------------------

ONE = "names something of one owner's: 404 to everybody else"
OWN = "shows what the person who is signed in owns, and nothing else"
SELF = "about the person or for anybody; holds no memory"
ADMIN = "names an entry of one owner's, for admins with the permission, as far as he allows"
ADMINS_LIST = "for admins with the permission: what owners allow, and numbers"

PAGES: dict[str, str] = {
    **dict.fromkeys(
        ("memory", "edit", "confirm", "deny", "out_of_date", "still_true", "delete", "restore",
         "pin", "unpin", "archive", "unarchive", "reinstate", "share", "words_back",
         "erase_now", "undo", "card", "answer", "recall", "report", "agent", "see_as", "pause",
         "allow_outside", "make_project", "place", "make_key", "rotate_key", "revoke_key",
         "revoke_grant", "import_shown", "import_run", "fetch", "discard", "allow_again", "job",
         "stop_job", "retry_job"),
        ONE,
    ),
    **dict.fromkeys(
        ("memories", "review", "recalls", "try", "activity", "deleted", "data", "export", "import",
         "tombstones", "clear", "agents", "sharing", "sharing_preview", "grant", "tune", "preview",
         "delete_account", "add", "many", "load_story", "topics", "topic_rename", "topic_values"),
        OWN,
    ),
    **dict.fromkeys(
        ("settings", "help", "end_guide", "connect", "pause_all", "sign_in_by_link",
         "usersessions_list"),
        SELF,
    ),
    **dict.fromkeys(
        ("queue_entry", "queue_claim", "queue_release", "queue_look", "queue_settle",
         "queue_pass_on", "queue_take_back"),
        ADMIN,
    ),
    **dict.fromkeys(("queue", "queue_overview", "queue_many"), ADMINS_LIST),
}  # fmt: skip
# Of signing in, by how their names begin: allauth's own, which know of no memory.
SIGNING_IN = ("account_", "mfa_")

# What each operation of the API is tried with below.
OPERATIONS = {
    "write_memories", "list_memories", "read_memory", "change_memory", "delete_memory",
    "read_history", "recall_memories", "receive", "read_job", "list_conflicts", "give_feedback",
    "read_me", "read_health",
}  # fmt: skip

# Enough of every form that a stranger's POST fails for being a stranger's.
FORM = {
    "on": "1", "version": "1", "content": "mine now", "how": "correct", "name": "mine",
    "scopes": "recall", "overlap": "1", "days": "", "answer": "1", "choice": "1", "ruling": "1",
    "reason": "curious", "note": "curious", "typed": "no", "about": "health", "source": "",
    "text": "I like quiet mornings", "query": "workshop release morning clinic boat stamps",
    "sentence": WORDS["deleted"], "next": "/", "to": "user", "sure": "1",
    "revision": "1",
}  # fmt: skip


def test_every_address_is_classified() -> None:
    unknown = {name for name in page_names() - set(PAGES) if not name.startswith(SIGNING_IN)}
    assert not unknown, "say in PAGES who may see these"
    assert api_names() == OPERATIONS, "say in OPERATIONS, and try below, what an agent sees of it"
    for name in page_names() & set(PAGES):
        needs = [word for word in parameters_of(name) if word != "token"]
        assert bool(needs) == (PAGES[name] in (ONE, ADMIN)), name


@pytest.fixture
def world(alice: User, bob: User, make_agent: MakeAgent) -> World:
    return make_world(alice, bob, make_agent)


# -- Agents ----------------------------------------------------------------------------------------

EVERYTHING = {"private", "group", "user", "sensitive", "waiting"}
SEES: dict[str, set[str]] = {
    "writer": EVERYTHING,
    "other": {"user"},
    "neighbour": {"user", "group"},
    "granted": {"user", "sensitive"},
    "ungranted": {"user"},
    "foreign": set(),
}
NARROWER: tuple[dict[str, Any], ...] = (
    {}, {"status": ["active"]}, {"status": ["active", "stale", "superseded", "conflict"]},
    {"visibility": ["private", "group", "user"]}, {"visibility": ["private"]}, {"q": "k"},
    {"q": ""}, {"q": "%"}, {"q": "_"}, {"key": ["user"]}, {"source": ["user_stated"]},
    {"project": "q2"}, {"sort": "retention"}, {"sort": "importance"}, {"limit": 100},
)  # fmt: skip
MISSPELT: tuple[dict[str, Any], ...] = (
    {"owner": "x"}, {"agent": "writer"}, {"visibilty": "user"}, {"status": "any"}, {"status": ""},
    {"project": "nowhere"}, {"project": "*"}, {"kind": ""}, {"cursor": "x"}, {"limit": 0},
    {"filters": "{}"}, {"user_id') OR 1=1--": "1"},
)  # fmt: skip


def ids_in(answer: Any) -> set[str]:
    """Every id of a memory in an answer, wherever it stands."""
    found: set[str] = set()
    if isinstance(answer, dict):
        if "visibility" in answer and "content" in answer:
            found.add(answer["id"])
        for value in answer.values():
            found |= ids_in(value)
    elif isinstance(answer, list):
        for value in answer:
            found |= ids_in(value)
    return found


def reads(agent: ApiClient, world: World) -> Iterator[tuple[str, Any]]:
    """Every way to read, with what came back."""
    for query in NARROWER:
        yield f"list {query}", agent.get("memories", query)
    for words in WORDS.values():
        body = {"query": words, "top_k": 100, "include_history": True, "include_archived": True,
                "include_dropped": True, "explain": True, "reinforce": False}  # fmt: skip
        yield f"recall {words}", agent.post("recall", body)
    narrow = body | {"filters": {"status": ["active", "conflict", "superseded"]}}
    yield "recall narrowed", agent.post("recall", narrow | {"query": WORDS["waiting"]})
    yield "recall by project", agent.post("recall", narrow | {"project": "q2"})
    yield "conflicts", agent.get("conflicts")
    yield "me", agent.get("me")
    for name, pk in world.rows.items():
        yield f"read {name}", agent.get(f"memories/{pk}")
        yield f"history {name}", agent.get(f"memories/{pk}/history")
    yield "job", agent.get(f"jobs/{world.ids['job']}")


def test_an_agent_gets_exactly_its_rows_by_every_way_to_read(world: World) -> None:
    cells = sum(expect_exactly(world, actor) for actor in SEES)
    assert cells > 1300


def expect_exactly(world: World, actor: str) -> int:
    """How many times it was looked for a row."""
    agent = world.agents[actor]
    names = {pk: name for name, pk in world.rows.items()}
    allowed = SEES[actor]
    words = {word for name in allowed for word in rows_shown(WORDS[name])}
    listed: set[str] = set()
    cells = 0
    for way, answer in reads(agent, world):
        cells += len(names)
        assert answer.status_code in (200, 404, 422), (way, answer.content)
        text = answer.content.decode()
        echoed = {w for w in rows_shown(text) if way.startswith("recall")}
        body = answer.json()
        if way.startswith("recall") and answer.status_code == 200:
            # The question comes back as it was asked; all else must be the agent's to see.
            body.pop("query")
            text = json.dumps(body, ensure_ascii=False)
            echoed = set()
        seen = {names[pk] for pk in ids_in(body) if pk in names}
        assert seen <= allowed, way
        assert rows_shown(text) - echoed <= words, way
        if way == "list {}":
            listed = seen
            assert body["total"] == len(ids_in(body))
        if way.startswith("read "):
            assert (answer.status_code == 200) == (way.removeprefix("read ") in allowed), way
        if way.startswith("history "):
            assert (answer.status_code == 200) == (way.removeprefix("history ") in allowed), way
    assert listed == allowed
    unseen = [name for name in world.rows if name not in allowed]
    random = str(uuid7())
    for name in unseen:
        # What is not yours answers as what is not there, byte for byte.
        for method, body in (("get", None), ("patch", {"version": 1}), ("delete", None)):
            one = agent.request(method, f"memories/{world.rows[name]}", body)
            none = agent.request(method, f"memories/{random}", body)
            assert (one.status_code, one.content) == (404, none.content), (name, method)
            cells += 1
        feedback = {"memory": world.rows[name], "outcome": "used"}
        answer = agent.post(f"recalls/{world.ids['recall']}/feedback", feedback)
        assert answer.status_code == 404, name
    if actor != "writer":
        assert agent.get(f"jobs/{world.ids['job']}").status_code == 404
    return cells


def test_an_empty_or_unknown_filter_widens_nothing(world: World) -> None:
    for actor in ("other", "granted", "foreign"):
        expect_no_more(world, actor)


def expect_no_more(world: World, actor: str) -> None:
    agent = world.agents[actor]
    allowed = {world.rows[name] for name in SEES[actor]} | memory_ids(world.bob)
    for query in MISSPELT:
        answer = agent.get("memories", query)
        assert answer.status_code in (200, 422), query
        assert ids_in(answer.json()) <= allowed, query
        if set(query) - {"q", "status", "project", "kind", "cursor", "limit"}:
            assert answer.status_code == 422, query
    for more in ({"filters": {"owner": ["x"]}}, {"filters": {"status": ["any"]}},
                 {"agent": "writer"}, {"project": "nowhere"}, {"visibility": "all"}):  # fmt: skip
        answer = agent.post("recall", {"query": WORDS["private"], **more})
        assert answer.status_code == 422, more
    empty = agent.post("recall", {"query": WORDS["private"], "filters": {}, "top_k": 100})
    assert ids_in(empty.json()) <= allowed


def test_paused_revoked_or_without_a_key_nobody_gets_anything(world: World) -> None:
    writer = world.agents["writer"]
    nobody = Client()
    for path in ("memories", "conflicts", "me", f"memories/{world.rows['user']}",
                 f"jobs/{world.ids['job']}"):  # fmt: skip
        answer = nobody.get(f"/api/v1/{path}")
        assert answer.status_code == 401, path
    assert nobody.post("/api/v1/recall", {"query": "x"}, "application/json").status_code == 401
    signed_in = Client()
    signed_in.force_login(world.alice)
    assert signed_in.get("/api/v1/memories").status_code == 401
    set_paused(owner=world.alice.pk, paused=True, now=NOW)
    for way, answer in reads(writer, world):
        body = answer.json()
        body.pop("query", None)
        assert ids_in(body) == set(), way
        assert not rows_shown(json.dumps(body, ensure_ascii=False)), way
    set_paused(owner=world.alice.pk, paused=False, now=NOW)
    with owner_scope(world.alice.pk):
        AgentKey.objects.filter(pk=world.ids["key"]).update(revoked_at=NOW)
    for way, answer in reads(writer, world):
        assert answer.status_code == 401, way


def test_what_agents_may_not_change_stays_as_it_is(world: World) -> None:
    before = fingerprint(world.alice)
    foreign = world.agents["foreign"]
    for pk in world.rows.values():
        foreign.patch(f"memories/{pk}", {"content": "mine", "version": 1})
        foreign.delete(f"memories/{pk}")
        foreign.post(f"recalls/{world.ids['recall']}/feedback", {"memory": pk, "outcome": "wrong"})
    for words in WORDS.values():
        foreign.write(words, visibility="user")
    foreign.get(f"jobs/{world.ids['job']}")
    assert fingerprint(world.alice) == before


# -- People ----------------------------------------------------------------------------------------


def visits(world: World, person: User | None) -> Iterator[tuple[str, str, Any, str]]:
    """Every page, looked at and posted to, with and without htmx: name, way, answer, words."""
    chosen = {"act": "delete", "memory": [*world.rows.values()], "count": "6", "query": ""}
    for name in sorted(page_names()):
        if name in ("account_confirm_email", "account_reset_password_from_key", "sign_in_by_link"):
            continue
        ids = world.ids | {"pk": "1"}
        for way, method, headers in (
            ("get", "get", {}),
            ("post", "post", {}),
            ("htmx", "post", {"HX-Request": "true", "HX-Target": f"memory-{ids['memory']}"}),
        ):
            if way == "htmx" and name.startswith(SIGNING_IN):
                continue
            with connection.cursor() as cursor:
                # Or the test's own transaction is taken for one that nobody needs any more.
                cursor.execute("SELECT 1")
            # A fresh browser each: some of these sign out.
            client = Client(headers=headers)
            if person is not None:
                client.force_login(person)
            form = {**FORM, **chosen} if name == "many" else FORM
            # Part of a word: a page that says it whole has not merely echoed it.
            given = form if method == "post" else {"q": "estre"}
            answer = getattr(client, method)(address_of(name, ids), given)
            body = b"".join(answer.streaming_content) if answer.streaming else answer.content
            yield name, way, answer, body.decode()


def unasked(text: str) -> set[str]:
    """Words of Alice's on a page, apart from the question that the form echoes."""
    return rows_shown(text.replace(FORM["sentence"], ""))


def expect_nothing_of_alices(world: World, person: User) -> int:
    cells = 0
    for name, way, answer, text in visits(world, person):
        cells += len(WORDS)
        where = (name, way, answer.status_code)
        assert not unasked(text), where
        assert not [pk for pk in world.rows.values() if pk in text and name == "memories"], where
        if PAGES.get(name) == ONE:
            assert answer.status_code in (404, 405), where
        if PAGES.get(name) in (ADMIN, ADMINS_LIST):
            assert answer.status_code in (403, 405), where
    return cells


def test_another_owner_finds_nothing_behind_any_address_and_changes_nothing(world: World) -> None:
    before = fingerprint(world.alice)
    assert expect_nothing_of_alices(world, world.bob) > 1200
    assert fingerprint(world.alice) == before
    export = Client()
    export.force_login(world.bob)
    export.post("/data/export/", {"form": "json"})
    run_due_jobs()
    with owner_scope(world.bob.pk):
        from memory.models import Parcel

        parcel = Parcel.objects.latest("pk").pk
    answer = export.get(f"/data/files/{parcel}/")
    text = b"".join(answer.streaming_content).decode()
    assert "quiet evenings" in text
    assert not rows_shown(text)


def test_with_the_owner_filter_of_the_querysets_patched_out_row_security_alone_holds(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = lambda self, owner: self.all()  # noqa: E731  (the fault, planted)
    monkeypatch.setattr("memory.querysets.owned.OwnedQuerySet.of", everything)
    monkeypatch.setattr("memory.querysets.owned.EpochQuerySet.of", everything)
    before = fingerprint(world.alice)
    assert expect_nothing_of_alices(world, world.bob) > 1200
    foreign = world.agents["foreign"]
    own = memory_ids(world.bob)
    for way, answer in reads(foreign, world):
        body = answer.json()
        body.pop("query", None)
        assert ids_in(body) <= own, way
        assert not rows_shown(json.dumps(body, ensure_ascii=False)), way
    assert fingerprint(world.alice) == before


def test_signed_out_no_address_shows_anything(world: World) -> None:
    before = fingerprint(world.alice)
    for name, way, answer, text in visits(world, None):
        assert not rows_shown(text), (name, way)
        if PAGES.get(name) in (ONE, OWN, ADMIN, ADMINS_LIST) and name != "memories":
            assert answer.status_code in (302, 405) or "HX-Redirect" in answer, (name, way)
    assert fingerprint(world.alice) == before


def test_an_admin_sees_no_words_without_the_owners_consent(world: World) -> None:
    with owner_scope(world.alice.pk):
        Policy.objects.update_or_create(
            owner=world.alice, defaults={"admins_see": AdminsSee.NOTHING}
        )
    admin = User.objects.create_user("admin@example.com", "a long password", is_staff=True)
    admin.user_permissions.add(Permission.objects.get(codename="review_conflicts"))
    before = fingerprint(world.alice)
    for name, way, answer, text in visits(world, admin):
        where = (name, way, answer.status_code)
        assert not unasked(text), where
        if PAGES.get(name) == ONE:
            assert answer.status_code in (404, 405), where
        if PAGES.get(name) == ADMIN:
            assert answer.status_code in (404, 405), where
    assert fingerprint(world.alice) == before


def test_the_owner_sees_it_all(world: World) -> None:
    """What the refusals above are worth: the same addresses do show it to her."""
    owner = Client()
    owner.force_login(world.alice)
    page = owner.get("/?status=any&archived=with").content.decode()
    assert rows_shown(page) == {"kestrel", "heron", "osprey", "plover", "albatross"}
    assert "puffin" in owner.get("/recently-deleted/").content.decode()
    for name in ("memory", "edit", "agent", "see_as", "recall", "job"):
        assert owner.get(address_of(name, world.ids)).status_code == 200, name
    file = owner.get(address_of("fetch", world.ids))
    text = b"".join(file.streaming_content).decode()
    assert rows_shown(text) >= {"kestrel", "heron", "osprey", "plover"}
    assert set(SHARING) <= set(world.rows)
