"""The agents: their cards and keys, who sees what, and what is shared with whom."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from memory.border import owner_scope
from memory.models import Agent, AgentKey, AgentProject, Event, Grant, Memory, Project, Reading
from memory.models.events import Verb
from memory.services.archive import archive_memory
from tests.conftest import ApiClient, MakeAgent, count_statements
from tests.panel.conftest import Put, htmx, text_of

KEY = re.compile(r"mk_[0-9a-f]{8}_[\w-]{43}")


def shown(client: Client, address: str, status: int = 200) -> str:
    response = client.get(address)
    assert response.status_code == status
    return text_of(response.content.decode())


@pytest.fixture
def chat(alice: User, make_agent: MakeAgent) -> ApiClient:
    return make_agent(alice, "chat")


@pytest.fixture
def knowing(agent: ApiClient, chat: ApiClient) -> dict[str, Any]:
    """Chat knows of health and of tea; Cursor knows nothing."""
    return {
        "health": chat.write("I have diabetes and take insulin")["memory"],
        "tea": chat.write("I drink green tea every morning", key="user.drink.morning")["memory"],
    }


def test_without_an_agent_the_page_says_how_to_connect_the_first(signed_in: Client) -> None:
    page = shown(signed_in, "/agents/")
    assert "Connect your first agent Name it." in page
    assert "Copy its key." in page
    assert "Let it write one fact." in page


def test_a_card_says_when_it_was_seen_what_it_did_and_how_much_it_may_see(
    signed_in: Client, agent: ApiClient, knowing: dict[str, Any]
) -> None:
    agent.write("I live in Lisbon", visibility="user")
    agent.recall("where do I live")
    agent.get("memories")
    page = shown(signed_in, "/agents/")
    cursor = page[page.index("cursor") :]
    assert "last seen just now" in cursor
    for word, number in (("asked this week", "2"), ("wrote this week", "1"), ("may see", "1 of 3")):
        assert re.search(rf"{word} {number}\b", cursor), (word, cursor)


def test_the_numbers_of_a_card_lead_to_what_they_count(
    signed_in: Client, alice: User, agent: ApiClient, put: Put
) -> None:
    for said in ("I live in Lisbon", "I drink tea", "I drink tea"):
        agent.write(said)
    agent.write("may like opera", source="inferred")
    kept = agent.write("I collect stamps")["memory"]
    archive_memory(owner=alice.pk, memory=kept["id"], now=timezone.now())
    agent.recall("where do I live")
    put(alice, "long ago", now=timezone.now() - timedelta(days=8), agent_id=agent.caller.agent)
    page = signed_in.get("/agents/").content.decode()
    links = dict(re.findall(r'<dt>([^<]+)</dt><dd><a href="([^"]+)">', page))
    numbers = dict(re.findall(r'<dt>([^<]+)</dt><dd><a href="[^"]+">(\d+)', page))
    written = signed_in.get(links["wrote this week"].replace("&amp;", "&")).content.decode()
    assert numbers["wrote this week"] == "4"
    assert written.count('<li class="row ') == 4
    asked = signed_in.get(links["asked this week"].replace("&amp;", "&")).content.decode()
    assert numbers["asked this week"] == "1"
    assert asked.count('<li class="row ask') == 1


def test_the_page_lists_each_project_with_who_is_in_it(
    signed_in: Client, alice: User, make_agent: MakeAgent
) -> None:
    make_agent(alice, "coder", project="q2")
    make_agent(alice, "writer", project="q2")
    with owner_scope(alice.pk):
        Project.objects.create(owner=alice, slug="empty", name="Nothing yet")
    text = shown(signed_in, "/agents/")
    assert re.search(r"Nothing yet empty Nobody is in it\. \S* ?q2 coder writer", text)


def test_every_topic_can_be_reached_on_the_grid(
    signed_in: Client, alice: User, agent: ApiClient, chat: ApiClient, put: Put
) -> None:
    for number in range(30):
        put(alice, f"tea number {number}", key=f"user.tea{number}.kind")
    found: list[str] = []
    address: str | None = "/agents/sharing/"
    pages = 0
    while address:
        page = signed_in.get(address).content.decode()
        pages += 1
        found += re.findall(rf"agent:{agent.caller.agent}&amp;[^\"]+topic=(user\.tea\d+)", page)
        more = re.search(r'href="([^"]+#topics)">More', page)
        address = more[1].partition("#")[0] if more else None
    assert pages == 3
    assert len(found) == len(set(found)) == 30
    for nonsense in ("0", "x", "-1", "1234567"):
        assert signed_in.get(f"/agents/sharing/?page={nonsense}").status_code == 404


def test_connecting_shows_the_key_once_and_it_works(signed_in: Client, alice: User) -> None:
    given = {"name": "Cursor", "scopes": ["recall", "write"]}
    response = signed_in.post("/agents/connect/", given)
    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]
    page = response.content.decode()
    [key] = set(KEY.findall(page))
    program = Client(headers={"Authorization": f"Bearer {key}"})
    assert program.get("/api/v1/me").json()["scopes"] == ["recall", "write"]
    with owner_scope(alice.pk):
        pk = Agent.objects.get().pk
    for address in ("/agents/", f"/agents/{pk}/", "/activity/"):
        assert key not in signed_in.get(address).content.decode()
    again = signed_in.post("/agents/connect/", given)
    assert again.status_code == 422
    assert "You have an agent of this name" in text_of(again.content.decode())
    with owner_scope(alice.pk):
        assert Agent.objects.count() == 1


def test_the_text_to_paste_is_a_program_that_runs(signed_in: Client) -> None:
    page = signed_in.post("/agents/connect/", {"name": "x", "scopes": ["write"]}).content.decode()
    [program] = re.findall(r'id="copy-python"[^>]*>(.*?)</pre>', page, re.S)
    compile(program.replace("&quot;", '"'), "pasted", "exec")
    [curl] = re.findall(r'id="copy-curl"[^>]*>(.*?)</pre>', page, re.S)
    assert "/api/v1/memories" in curl


@pytest.mark.parametrize(("overlap", "status"), [("0", 401), ("1", 200)])
def test_a_rotated_key_is_good_beside_the_new_one_for_as_long_as_was_said(
    signed_in: Client, alice: User, agent: ApiClient, overlap: str, status: int
) -> None:
    with owner_scope(alice.pk):
        old = AgentKey.objects.get()
    response = signed_in.post(f"/agents/{old.agent_id}/keys/{old.pk}/rotate/", {"overlap": overlap})
    [new] = set(KEY.findall(response.content.decode()))
    assert new != agent.key
    fresh = Client(headers={"Authorization": f"Bearer {new}"})
    assert fresh.get("/api/v1/me").json()["scopes"] == ["delete", "recall", "write"]
    assert agent.get("me").status_code == status
    with owner_scope(alice.pk):
        old.refresh_from_db()
        assert abs(old.expires_at - timezone.now() - timedelta(days=int(overlap))) < timedelta(
            minutes=1
        )


def test_a_revoked_key_is_refused_at_once_and_stays_so(
    signed_in: Client, alice: User, agent: ApiClient
) -> None:
    with owner_scope(alice.pk):
        key = AgentKey.objects.get()
    address = f"/agents/{key.agent_id}/keys/{key.pk}/revoke/"
    assert agent.get("me").status_code == 200
    assert signed_in.post(address).status_code == 302
    assert agent.get("me").json()["error"]["code"] == "revoked_key"
    assert signed_in.post(address).status_code == 404
    with owner_scope(alice.pk):
        gesture = Event.objects.get(verb=Verb.KEY_REVOKED).gesture
    signed_in.post(f"/undo/{gesture}/")
    assert agent.get("me").status_code == 401


def test_one_more_key_with_less_to_do_and_an_end(
    signed_in: Client, alice: User, agent: ApiClient
) -> None:
    pk = agent.caller.agent
    page = signed_in.post(f"/agents/{pk}/keys/", {"scopes": ["recall"], "days": "30"})
    [key] = set(KEY.findall(page.content.decode()))
    narrow = Client(headers={"Authorization": f"Bearer {key}"})
    assert narrow.get("/api/v1/me").json()["scopes"] == ["recall"]
    assert "ends on" in shown(signed_in, f"/agents/{pk}/")
    assert signed_in.post(f"/agents/{pk}/keys/", {"days": "30"}).status_code == 422


def test_see_as_is_what_the_agent_gets_and_is_not_its_reading(
    signed_in: Client, alice: User, agent: ApiClient, knowing: dict[str, Any], put: Put
) -> None:
    for number in range(60):
        put(alice, f"shared fact {number}", visibility="user")
    put(alice, "the owner's own", visibility="private")
    signed_in.post("/agents/sharing/grant/", {
        "to": f"agent:{agent.caller.agent}", "about": "health", "source": "",
    })  # fmt: skip
    seen: list[str] = []
    address: str | None = f"/agents/{agent.caller.agent}/see/"
    while address:
        page = signed_in.get(address).content.decode()
        seen += re.findall(r'id="seen-([0-9a-f-]+)"', page)
        more = re.search(r'id="more"><a class="button" href="([^"]+)"', page)
        address = more[1].replace("&amp;", "&") if more else None
    with owner_scope(alice.pk):
        assert not Reading.objects.exists()
    listed: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        answer = agent.get("memories", {"cursor": cursor} if cursor else {}).json()
        listed += [row["id"] for row in answer["results"]]
        cursor = answer["next"]
    assert seen == listed
    assert knowing["health"]["id"] in seen
    assert len(seen) == 61
    assert signed_in.get(f"/agents/{agent.caller.agent}/see/?cursor=zz").status_code == 404
    assert "you let it use this" in shown(
        signed_in, f"/agents/{agent.caller.agent}/see/?q=diabetes"
    )


def test_a_switch_says_first_what_would_be_seen_and_then_it_is(
    signed_in: Client, agent: ApiClient, knowing: dict[str, Any]
) -> None:
    page = signed_in.get("/agents/sharing/").content.decode()
    assert "0 of 1" in text_of(page)
    wanted = (
        rf'href="(/agents/sharing/preview/\?to=agent:{agent.caller.agent}[^"]+topic=user.drink)"'
    )
    link = re.search(wanted, page)
    assert link
    before = signed_in.get(link[1].replace("&amp;", "&")).content.decode()
    text = text_of(before)
    assert "would see 1 more" in text
    assert "I drink green tea" in text
    assert "diabetes" not in text
    assert agent.get("memories").json()["total"] == 0
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', before))
    assert signed_in.post("/agents/sharing/grant/", hidden).status_code == 302
    assert agent.recall("What do I drink in the morning?")["memories"]
    after = signed_in.get("/agents/sharing/").content.decode()
    assert "Undo" in text_of(after)
    [revoke] = set(re.findall(r'action="(/agents/sharing/[0-9a-f-]+/revoke/)"', after))
    signed_in.post(revoke)
    assert agent.recall("What do I drink in the morning?")["memories"] == []


def test_a_sensitive_topic_goes_by_a_sentence_and_ends_with_it(
    signed_in: Client, alice: User, agent: ApiClient, chat: ApiClient, knowing: dict[str, Any]
) -> None:
    wish = {
        "to": f"agent:{agent.caller.agent}", "source": str(chat.caller.agent), "about": "health",
        "topic": "",
    }  # fmt: skip
    preview = signed_in.get("/agents/sharing/preview/", wish)
    assert "would see 1 more I have diabetes" in text_of(preview.content.decode())
    signed_in.post("/agents/sharing/grant/", wish)
    page = shown(signed_in, "/agents/sharing/")
    assert "cursor may use what chat knows about your health" in page
    assert agent.get("memories").json()["total"] == 1
    activity = shown(signed_in, "/activity/")
    assert "Let more be used cursor may use what chat knows about your health" in activity
    with owner_scope(alice.pk):
        grant = Grant.objects.get()
    signed_in.post(f"/agents/sharing/{grant.pk}/revoke/")
    assert agent.get("memories").json()["total"] == 0


@pytest.mark.parametrize(
    "wrong",
    [{"to": "agent:nobody"}, {"about": "weather"}, {"about": ""}, {"source": "everybody"},
     {"to": ""}],
)  # fmt: skip
def test_what_is_no_sentence_grants_nothing(
    signed_in: Client, alice: User, agent: ApiClient, chat: ApiClient, wrong: dict[str, str]
) -> None:
    wish = {"to": f"agent:{agent.caller.agent}", "source": "", "about": "health", **wrong}
    assert signed_in.post("/agents/sharing/grant/", wish).status_code == 422
    assert signed_in.get("/agents/sharing/preview/", wish).status_code == 422
    own = {
        "to": f"agent:{agent.caller.agent}",
        "source": str(agent.caller.agent),
        "about": "health",
    }
    assert signed_in.get("/agents/sharing/preview/", own).status_code == 422
    with owner_scope(alice.pk):
        assert not Grant.objects.exists()


def test_projects_and_outside_text_are_switches_with_undo(
    signed_in: Client, alice: User, agent: ApiClient
) -> None:
    pk = agent.caller.agent
    signed_in.post(f"/agents/{pk}/projects/", {"name": "Q2 launch"})
    with owner_scope(alice.pk):
        place = AgentProject.objects.select_related("project").get()
    assert place.project.slug == "q2-launch"
    assert agent.get("me").json()["projects"] == ["q2-launch"]
    signed_in.post(f"/agents/{pk}/projects/{place.project_id}/", {"on": "0"})
    assert agent.get("me").json()["projects"] == []
    with owner_scope(alice.pk):
        gesture = Event.objects.get(verb=Verb.LEFT).gesture
    signed_in.post(f"/undo/{gesture}/")
    assert agent.get("me").json()["projects"] == ["q2-launch"]
    outside = {"facts": [{"content": "The page says I like jazz", "source": "external"}]}

    def decided() -> str:
        return str(agent.post("memories", outside).json()["results"][0]["decision"])

    assert decided() == "REFUSED"
    signed_in.post(f"/agents/{pk}/outside/", {"on": "1"})
    assert decided() == "CONFLICT"
    with owner_scope(alice.pk):
        gesture = Event.objects.get(verb=Verb.ALLOWED).gesture
    signed_in.post(f"/undo/{gesture}/")
    outside["facts"][0]["content"] = "The page says I like opera"
    assert decided() == "REFUSED"


@pytest.mark.parametrize("address", ["/", "/activity/", "/settings/", "/agents/", "/help/"])
def test_while_everything_is_paused_every_page_says_so(signed_in: Client, address: str) -> None:
    assert "Everything is paused." not in shown(signed_in, address)
    signed_in.post("/agents/pause/", {"on": "1"})
    shown(signed_in, address)
    assert "Everything is paused. Your agents keep nothing" in shown(signed_in, address)
    assert signed_in.post("/agents/pause/", {"on": "0", "next": address})["Location"] == address
    shown(signed_in, address)
    assert "Everything is paused." not in shown(signed_in, address)


def test_a_card_is_paused_in_its_place(signed_in: Client, agent: ApiClient) -> None:
    pk = agent.caller.agent
    response = signed_in.post(
        f"/agents/{pk}/pause/", {"on": "1"}, headers=htmx(f"agent-{pk}", "/agents/")
    )
    card = response.content.decode()
    assert "<html" not in card
    assert f'id="agent-{pk}"' in card
    assert "Resume" in text_of(card)
    assert agent.get("me").json()["paused"] is True
    assert signed_in.post(f"/agents/{pk}/pause/", {"on": "maybe"}).status_code == 404


def test_nobody_manages_anothers_agents(
    client: Client, alice: User, bob: User, agent: ApiClient, chat: ApiClient
) -> None:
    client.force_login(bob)
    pk = agent.caller.agent
    with owner_scope(alice.pk):
        key = AgentKey.objects.filter(agent=pk).get().pk
    for address in (f"/agents/{pk}/", f"/agents/{pk}/see/"):
        assert client.get(address).status_code == 404
    for address, given in (
        ("pause/", {"on": "1"}), ("outside/", {"on": "1"}), ("projects/", {"name": "x"}),
        ("keys/", {"scopes": ["recall"]}), (f"keys/{key}/rotate/", {"overlap": "0"}),
        (f"keys/{key}/revoke/", {}), (f"projects/{pk}/", {"on": "1"}),
    ):  # fmt: skip
        assert client.post(f"/agents/{pk}/{address}", given).status_code == 404, address
    wish = {"to": f"agent:{pk}", "source": "", "about": "health"}
    assert client.post("/agents/sharing/grant/", wish).status_code == 422
    with owner_scope(alice.pk):
        assert not Agent.objects.filter(paused=True).exists()
        assert AgentKey.objects.count() == 2
        assert not Grant.objects.exists()
    assert agent.get("me").json()["paused"] is False


@pytest.mark.parametrize("address", ["/agents/", "/agents/sharing/", "/agents/{pk}/"])
def test_many_agents_and_memories_ask_as_often_as_few(
    signed_in: Client, alice: User, agent: ApiClient, put: Put, make_agent: MakeAgent, address: str
) -> None:
    address = address.format(pk=agent.caller.agent)

    def statements() -> int:
        with count_statements() as counted:
            assert signed_in.get(address).status_code == 200
        return len(counted)

    put(alice, "tea")
    short = statements()
    for number in range(6):
        make_agent(alice, f"agent {number}", project=f"p{number}")
    for number in range(60):
        put(alice, f"tea number {number}", key=f"user.tea{number}.kind")
    assert statements() == short
    assert short <= 20


def test_hostile_names_are_shown_literally(
    signed_in: Client, alice: User, make_agent: MakeAgent, make_memory: Callable[..., Memory]
) -> None:
    evil = "<img src=x onerror=alert(1)>{{ 7*7 }}\u202e"
    hostile = make_agent(alice, evil)
    hostile.write("I like <script>alert(1)</script> tea", visibility="user")
    make_agent(alice, "other")
    pk = hostile.caller.agent
    for address in ("/agents/", f"/agents/{pk}/", f"/agents/{pk}/see/", "/agents/sharing/"):
        page = signed_in.get(address).content.decode()
        assert "<img src=x" not in page
        assert "<script>alert" not in page
        assert "&lt;img src=x" in page


def test_a_lost_key_is_told_what_to_do_about(signed_in: Client, agent: ApiClient) -> None:
    page = text_of(signed_in.get(f"/agents/{agent.caller.agent}/").content.decode())
    assert "make a new one and revoke the old" in page
