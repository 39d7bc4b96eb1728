"""Hostile words in every place words can stand: on every screen and in every file only words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Any
from uuid import UUID

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page

from accounts.models import User
from memory.adapters.formats.reading import read_file
from memory.border import owner_scope
from memory.domain.values import AdminsSee, Source, Status
from memory.models import (
    Agent,
    AgentProject,
    Conflict,
    Conversation,
    Job,
    Memory,
    Message,
    Parcel,
    Project,
)
from memory.querysets.callers import Caller
from memory.services.assist import claim_entry
from memory.services.dispatch import run_due_jobs
from memory.services.exchange import start_export, start_import
from memory.services.grant import Wish, grant
from memory.services.recall import Question, recall
from memory.services.tune import set_policy
from tests.panel.conftest import make_admin

Make = Callable[..., Memory]
NOW = timezone.now()

# A tag of ours in what nobody may turn into an element.
TEXTS = {
    "image": "<img class=planted src=x onerror=\"document.title='planted'\">",
    "htmx": '"><div class=planted hx-get="/clear/" hx-trigger="load">',
    "script": "</title></textarea></script><script class=planted>document.title='planted'</script>",
    "template": "{{ 86|add:'7000000' }}{% now 'Y' %}{{ settings.SECRET_KEY }}",
    "override": "invoice\u202egpj.exe",
    "invisible": "pay\u200bload \u2066and\u2069 more",
    "unbroken": "W" * 1_990,
    "unbroken Han": "记" * 1_990,
    "emoji": "👨‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿🇨🇳❤️👍🏿" * 20,
    "zalgo": "Z̸̡̛͉̫̰͇͓̲̟̬͔̗̑̎̈́̓̐̍̆̓̕a̷̢̧̛̮̟̩̻͖̥̐̅͛́͗̕l̶̢͙̹͓͎̿̿̑̕g" * 20,
}
RAW = ("\u202e", "\u2066", "\u200b")


@pytest.fixture
def places(alice: User, put: Make, put_guess: Make, make_memory: Make) -> dict[str, str]:
    """Alice, all of whose words are hostile; what the addresses of her pages name."""
    owner = alice.pk
    User.objects.filter(pk=owner).update(name=TEXTS["image"][:100])
    agents, projects, rows = [], [], []
    for number, (name, text) in enumerate(TEXTS.items()):
        with owner_scope(owner):
            agent = Agent.objects.create(owner=alice, name=f"{number} {text}"[:100])
            project = Project.objects.create(owner=alice, name=text[:100], slug=f"p{number}")
            AgentProject.objects.create(owner=alice, agent=agent, project=project)
            talk = Conversation.objects.create(
                owner=alice, agent=agent, title=text[:200], created_at=NOW
            )
            message = Message.objects.create(
                owner=alice,
                conversation=talk,
                role="user",
                content=f"{text} was said",
                position=0,
                at=NOW,
            )
        key = f"user.{name.replace(' ', '_')}.{text}"[:200]
        rows.append(
            put(
                alice, f"{number} {text}"[:2_000], now=NOW, key=key, value=text[:900],
                agent=agent, project=project, quote=text[:900], conversation=talk,
                message=message, visibility="user", tier="long_term",
            )
        )  # fmt: skip
        put(alice, f"{number} old {text}"[:2_000], now=NOW, key=key, value=text[:900],
            status=Status.SUPERSEDED, superseded_by=rows[-1], invalidated_at=NOW)  # fmt: skip
        put(alice, f"{number} gone {text}"[:2_000], now=NOW, deleted_at=NOW, agent=agent)
        put_guess(alice, f"{number} perhaps {text}"[:2_000], now=NOW, agent=agent, key=key)
        agents.append(agent)
        projects.append(project)
    set_policy(owner, {}, NOW, admins_see=AdminsSee.ALL)
    grant(owner=owner, wish=Wish(to_agent=agents[1].pk, from_agent=agents[0].pk), now=NOW)
    asked = recall(
        Caller(owner=owner, agent=agents[0].pk, agent_name=agents[0].name),
        Question(query=f"old {TEXTS['image']} {TEXTS['override']}"), now=NOW,
    )  # fmt: skip
    upload = read_file("\n".join(TEXTS.values()).encode())
    read = start_import(owner=owner, upload=upload, source=Source.USER_STATED, now=NOW)
    for form in ("json", "csv", "markdown"):
        start_export(owner=owner, form=form, now=NOW)
    run_due_jobs()
    with owner_scope(owner):
        return {
            "memory": str(rows[0].pk),
            "card": str(Conflict.objects.earliest("id").pk),
            "recall": str(asked.id),
            "agent": str(agents[0].pk),
            "parcel": str(read.pk),
            "job": str(Job.objects.filter(kind="export").latest("id").pk),
            **{f"memory {name}": str(row.pk) for name, row in zip(TEXTS, rows, strict=True)},
            **{f"agent {name}": str(agent.pk) for name, agent in zip(TEXTS, agents, strict=True)},
            "gone": str(Memory.objects.filter(deleted_at__isnull=False).earliest("id").pk),
        }


def addresses(places: dict[str, str]) -> list[str]:
    """Every screen of hers that shows words."""
    one = {
        "memory": [places[f"memory {name}"] for name in TEXTS],
        "edit": [places["memory"]],
        "card": [places["card"]],
        "recall": [places["recall"]],
        "agent": [places[f"agent {name}"] for name in TEXTS],
        "see_as": [places["agent"]],
    }
    found = [reverse(name, args=[place]) for name, listed in one.items() for place in listed]
    found += [
        "/", "/?view=month", "/?view=chains", "/?status=any", "/?pick=page", "/?q=planted",
        "/?q=%E2%80%AE", "/review/", "/topics/", "/agents/", "/agents/sharing/", "/recalls/",
        "/activity/", "/recently-deleted/", "/data/", "/data/not-again/", "/settings/",
        f"/agents/sharing/preview/?to=agent:{places['agent']}&about=ordinary&topic=",
        f"/recalls/try/?agent={places['agent']}&q=planted", f"/jobs/{places['job']}/",
        f"/data/import/{places['parcel']}/", f"/recently-deleted/{places['gone']}/erase/",
        "/clear/", "/memories/add/",
    ]  # fmt: skip
    return found


class _Seen(HTMLParser):
    """What a browser would make of the page: what was planted, and what hides in what is seen.

    A box in which words are edited holds them as they are.
    """

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "planted" in given.get("class", "") or "onerror" in given:
            self.faults.append(f"<{tag} {given}>")
        for name, value in given.items():
            if name != "value":
                self._look(value, f"{tag} {name}")
        self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while tag in self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if "textarea" not in self.inside:
            self._look(data, self.inside[-1] if self.inside else "")

    def _look(self, text: str, where: str) -> None:
        self.faults += [f"U+{ord(mark):04X} in {where}" for mark in RAW if mark in text]


def faults_of(page: str) -> list[str]:
    parser = _Seen()
    parser.feed(page)
    if "7000086" in page:
        parser.faults.append("a template was run")
    return parser.faults


@pytest.mark.parametrize("language", ["en", pytest.param("zh-hans", marks=pytest.mark.long)])
def test_no_word_becomes_anything_but_a_word_on_any_screen(
    client: Client, alice: User, places: dict[str, str], language: str
) -> None:
    User.objects.filter(pk=alice.pk).update(language=language)
    client.force_login(User.objects.get(pk=alice.pk))
    faults = []
    for address in addresses(places):
        answer = client.get(address)
        assert answer.status_code == 200, address
        faults += [f"{address}: {fault}" for fault in faults_of(answer.content.decode())]
    assert not faults, "\n".join(faults)
    shown = client.get("/").content.decode()
    assert "&lt;img class=planted" in shown
    assert "{{ 86|add:" in shown.replace("&#x27;", "'")
    assert "U+202E" in shown


def test_nor_in_the_admins_queue(alice: User, places: dict[str, str], client: Client) -> None:
    carol = make_admin("carol@example.com")
    client.force_login(carol)
    with owner_scope(alice.pk):
        entries = [str(pk) for pk in Conflict.objects.of(alice.pk).values_list("pk", flat=True)]
    claim_entry(conflict=UUID(entries[0]), by=carol.pk, now=timezone.now())
    chosen = "&".join(f"entry={pk}" for pk in entries[:5])
    for address in (
        "/queue/", "/queue/overview/", f"/queue/many/?{chosen}&act=neither",
        *(f"/queue/{pk}/" for pk in entries),
    ):  # fmt: skip
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert not faults_of(answer.content.decode()), address


def test_nor_in_what_every_act_says(client: Client, alice: User, places: dict[str, str]) -> None:
    """The notice after an act quotes the words."""
    client.force_login(alice)
    for name in TEXTS:
        row = places[f"memory {name}"]
        for act in ("out-of-date", "still-true", "delete"):
            client.post(f"/memories/{row}/{act}/", {"next": "/help/"})
            said = client.get("/help/").content.decode()
            assert "data-toast" in said
            assert not faults_of(said), (name, act)
        client.post(f"/agents/{places[f'agent {name}']}/pause/", {"on": "1", "next": "/help/"})
        assert not faults_of(client.get("/help/").content.decode()), name


def test_files_hold_the_words_as_they_are(
    client: Client, alice: User, places: dict[str, str]
) -> None:
    client.force_login(alice)
    with owner_scope(alice.pk):
        files = {parcel.form: str(parcel.pk) for parcel in Parcel.objects.filter(kind="export")}
    got = {form: b"".join(client.get(f"/data/files/{pk}/")).decode() for form, pk in files.items()}
    assert set(got) == {"json", "csv", "markdown"}
    contents = {row["content"] for row in json.loads(got["json"])["memories"]}
    for number, text in enumerate(TEXTS.values()):
        assert f"{number} {text}"[:2_000] in contents


def test_mail_has_one_line_of_subject_and_no_markup(alice: User, client: Client) -> None:
    User.objects.filter(pk=alice.pk).update(name="Al\r\nBcc: x@example.com <b class=planted>")
    client.post("/accounts/password/reset/", {"email": alice.email})
    [sent] = mail.outbox
    assert "\n" not in sent.subject
    assert sent.recipients() == [alice.email]
    assert not sent.alternatives
    assert "planted" not in sent.body


# What sticks out of the window where the page as a whole is wider than it.
_TOO_WIDE = """() => document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll("main *")].filter((it) =>
    it.getBoundingClientRect().right > innerWidth && it.checkVisibility()
  ).map((it) => it.outerHTML.slice(0, 120))"""
# What a browser makes of it: nothing runs, nothing is pushed out of the window or over a button.
_COVERED = """() => {
  const controls = document.querySelectorAll("main a[href], main button, main input, main summary");
  return [...controls].filter((it) => {
    if (!it.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    const seen = it.getBoundingClientRect();
    if (!seen.width || !seen.height || it.closest(".unseen-word")) return false;
    it.scrollIntoView({ block: "center" });
    // Of a long link any line that is in the window.
    const lines = [...it.getClientRects()].filter((one) => one.width && one.height);
    const box = lines.find((one) => one.y > innerHeight / 4 && one.bottom < innerHeight * .75);
    if (!box) return false;
    const [x, y] = [box.x + Math.min(box.width, 8) / 2, box.y + box.height / 2];
    const at = document.elementFromPoint(x, y);
    return !at || !(it.contains(at) || at.contains(it) || at.closest("label")?.contains(it)
      || at.closest("#messages"));
  }).map((it) => it.outerHTML.slice(0, 120));
}"""


@pytest.fixture
def page(browser_page: Page, alice: User, sign_in: Callable[[Page, User], None]) -> Iterator[Page]:
    sign_in(browser_page, alice)
    dialogs: list[str] = []

    def refuse(dialog: Any) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    browser_page.on("dialog", refuse)
    yield browser_page
    assert not dialogs


@pytest.mark.browser
@pytest.mark.parametrize(
    ("width", "language"),
    [
        (320, "en"),
        pytest.param(320, "zh-hans", marks=pytest.mark.long),
        pytest.param(1280, "en", marks=pytest.mark.long),
        pytest.param(1280, "zh-hans", marks=pytest.mark.long),
    ],
)
def test_no_screen_is_broken_by_them(
    page: Page, alice: User, places: dict[str, str], width: int, language: str
) -> None:
    User.objects.filter(pk=alice.pk).update(language=language)
    page.set_viewport_size({"width": width, "height": 900})
    faults: list[Any] = []
    for address in addresses(places):
        page.goto(address)
        wide = page.evaluate(_TOO_WIDE)
        planted = page.locator("[class~=planted]").count()
        covered = page.evaluate(_COVERED)
        if wide or planted or page.title() == "planted" or covered:
            faults.append((address, wide[:3], planted, page.title()[:40], covered[:3]))
    assert not faults, "\n".join(map(str, faults))
