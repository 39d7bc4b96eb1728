"""Names and words that deceive: on every page each stands apart, and nothing in it stays hidden."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from accounts.models import User
from memory.border import owner_scope
from memory.domain.values import AdminsSee
from memory.models import (
    Agent,
    Conflict,
    Conversation,
    Memory,
    Message,
    Policy,
    Project,
    Recall,
)
from panel.own_words import plain
from tests.border.world import World, address_of, make_world, page_names, parameters_of
from tests.conftest import ApiClient, MakeAgent

# Turns the text after it round, hides in it, and is itself written from right to left.
DECEIT = "\u202e\u00ad\u3164גמל"
HEBREW = re.compile("[\u05d0-\u05ea]")
# Where no markup can stand; what is written into a form stays as it is.
NO_MARKUP = ("title", "option", "textarea")
# What the address of a memory has below it.
PARTS = ("", "edit/", "share/?to=group", "share/?to=user")
# Besides the addresses themselves, what they show when asked otherwise.
MORE = (
    "/?status=any&archived=with", "/?view=month", "/?view=chains&status=any", "/?q=כgמל",
    "/review/?later", "/recalls/?q=גמל", "/activity/", "/topics/", "/data/?show=1",
)  # fmt: skip


class Looker(HTMLParser):
    """What of a page deceives: hidden characters, and names that do not stand apart."""

    VOID = frozenset(("area", "br", "hr", "img", "input", "link", "meta", "path", "rect", "line"))

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[str] = []
        self.seen = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attrs:
            # What a form sends back, and where a link leads, is not words to read.
            if value and not (name == "value" or name in ("href", "action")):
                self.look(value, f"{tag} {name}=")

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if "textarea" in self.open:
            return
        self.look(data, " ".join(self.open[-4:]))
        if HEBREW.search(data):
            self.seen += 1
            apart = {"bdi", "pre", "code", *NO_MARKUP} & set(self.open)
            if not apart:
                self.found.append(f"not apart in {' '.join(self.open[-4:])}: {data.strip()!r}")

    def look(self, text: str, where: str) -> None:
        if plain(text) != text:
            self.found.append(f"hidden in {where}: {text.strip()[:120]!r}")


@pytest.fixture
def world(alice: User, bob: User, make_agent: MakeAgent) -> World:
    """The world, in which everybody and everything is called what deceives."""
    world = make_world(alice, bob, make_agent)
    deceive(world)
    return world


def deceive(world: World) -> None:
    owner = world.alice
    writer = world.agents["writer"]
    for tint in ("dark", "light"):
        writer.write(f"My editor theme is {tint}", key="user.editor.theme", value=tint)
    writer.write("I live in Lisbon", key="user.residence", value="Lisbon")
    writer.write("I moved to Porto", key="user.residence", value="Porto", visibility="user")
    writer.write("I am allergic to nuts")
    owner_at_it = Client()
    owner_at_it.force_login(owner)
    reworded = {"content": "I drink osprey tea daily", "how": "correct", "version": 1}
    owner_at_it.post(f"/memories/{world.rows['user']}/edit/", reworded)
    writer.post(f"recalls/{world.ids['recall']}/feedback",
                {"memory": world.rows["private"], "outcome": "wrong"})  # fmt: skip
    User.objects.filter(pk=owner.pk).update(name=f"Alice {DECEIT}")
    with owner_scope(owner.pk):
        Policy.objects.update_or_create(owner=owner, defaults={"admins_see": AdminsSee.ALL})
        for number, row in enumerate(Memory.objects.of(owner.pk)):
            row.content, row.quote = f"{row.content} {DECEIT} {number}", f"it is {DECEIT}"
            row.value = row.value and f"{DECEIT} {row.value}"
            row.key = f"user.{DECEIT}{row.key and row.key[5:]}"
            row.save(update_fields=["content", "quote", "value", "key"])
        for agent in Agent.objects.of(owner.pk):
            Agent.objects.filter(pk=agent.pk).update(name=f"{agent.name} {DECEIT}")
        for project in Project.objects.of(owner.pk):
            new = {"name": f"{project.name} {DECEIT}", "slug": f"q2-{DECEIT}"}
            Project.objects.filter(pk=project.pk).update(**new)
        Recall.objects.of(owner.pk).update(query=f"What of {DECEIT}")
        Conversation.objects.of(owner.pk).update(title=f"Talk {DECEIT}")
        Message.objects.of(owner.pk).update(content=f"I said {DECEIT}")
        Conflict.objects.of(owner.pk).update(key=f"user.{DECEIT}")


class Walk:
    """A person's way over the pages: what deceived on which, and how many names there were."""

    def __init__(self, person: User) -> None:
        self.client = Client()
        self.client.force_login(User.objects.get(pk=person.pk))
        self.found: dict[str, list[str]] = {}
        self.seen = 0

    def look_at(self, address: str) -> None:
        response = self.client.get(address)
        if response.status_code in (302, 405) or "html" not in response.get("Content-Type", ""):
            return
        looker = Looker()
        looker.feed(response.content.decode())
        self.seen += looker.seen
        if looker.found:
            self.found[address] = looker.found


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_on_no_page_does_a_name_deceive(world: World, language: str) -> None:
    ids = world.ids
    clerk = world.bob
    clerk.user_permissions.add(Permission.objects.get(codename="review_conflicts"))
    User.objects.update(language=language)
    owner, admin = Walk(world.alice), Walk(clerk)
    names = sorted(
        name for name in page_names()
        if set(parameters_of(name)) <= set(ids) and name != "account_logout"
    )  # fmt: skip
    for name in names:
        for walk in (owner, admin):
            walk.look_at(address_of(name, ids))
    with owner_scope(world.alice.pk):
        cards = list(Conflict.objects.of(world.alice.pk).values_list("pk", flat=True))
        rows = list(Memory.objects.of(world.alice.pk).values_list("pk", flat=True))
    agent, other = ids["agent"], world.agents["other"].caller.agent
    more = [*MORE, *(f"/review/{card}/" for card in cards)]
    more += [f"/memories/{row}/{part}" for row in rows for part in PARTS]
    for query in (f"agent={agent}", f"agent={agent}&q=tea&beside=weighted", "q=tea"):
        more += [f"/recalls/try/?{query}", f"/recalls/?{query}", f"/?{query}"]
    for about in ("health", "ordinary"):
        to = f"to=agent:{other}&source={agent}&about={about}"
        more.append(f"/agents/sharing/preview/?{to}")
    for address in more:
        owner.look_at(address)
    assert admin.found == {}
    assert owner.found == {}
    assert owner.seen > 300
    assert admin.seen > 5


@pytest.mark.parametrize("act", ["delete", "out_of_date", "confirm"])
def test_a_notice_says_no_name_that_deceives(world: World, act: str, agent: ApiClient) -> None:
    owner = Client()
    owner.force_login(User.objects.get(pk=world.alice.pk))
    place = {"delete": "user", "out_of_date": "user", "confirm": "waiting"}[act]
    row = world.rows[place]
    with owner_scope(world.alice.pk):
        version = Memory.objects.get(pk=row).version
    address = f"/memories/{row}/{act.replace('_', '-')}/"
    response = owner.post(address, {"next": "/", "version": version}, follow=True)
    toast = response.content.decode()
    toast = toast[toast.index('class="toast-text"', toast.index('id="messages"')) :]
    toast = toast[: toast.index("</p>")]
    assert "<bdi" in toast
    assert "U+202E" in toast
    assert plain(toast) == toast
