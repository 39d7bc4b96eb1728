"""Large numbers are read in groups of three; what a program reads of them stays plain."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.template import Context, Template
from django.test import Client
from django.utils import translation

from accounts.models import User
from memory.border import owner_scope
from memory.models import Job, Memory
from panel.own_words import sentence
from panel.views.many import act_word
from tests.panel.conftest import Put, htmx, text_of

ROOT = Path(__file__).resolve().parents[2]
# What names a number that a program reads back: an address, a form's value, a place in the page.
PLAIN = ("value", "href", "hx-get", "id", "for", "name", "start", "max", "min", "maxlength")
LANGUAGES = pytest.mark.parametrize("language", ["en", "zh-hans"])


class Attributes(HTMLParser):
    """The values of attributes that hold a number in groups."""

    def __init__(self) -> None:
        super().__init__()
        self.grouped: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.grouped += [
            f"{tag} {name}={value}"
            for name, value in attrs
            if name in PLAIN and re.search(r"\d,\d{3}", value or "")
        ]


@LANGUAGES
def test_a_large_number_stands_in_groups_of_three(language: str) -> None:
    template = Template(
        "{% load i18n %}{{ n }} {% blocktranslate %}of {{ n }}{% endblocktranslate %}"
    )
    with translation.override(language):
        assert template.render(Context({"n": 50_000})) == "50,000 of 50,000"
        assert "50,000" in act_word("delete", 50_000)
        assert sentence("%(n)s", n=1234567) == "1,234,567"


@LANGUAGES
def test_a_job_counts_in_groups_and_its_bar_does_not(
    signed_in: Client, alice: User, put: Put, language: str
) -> None:
    User.objects.filter(pk=alice.pk).update(language=language)
    signed_in.post("/data/export/", {"form": "json"})
    put(alice, "I drink tea")
    signed_in.post("/data/export/", {"form": "json"})
    with owner_scope(alice.pk):
        job = Job.objects.latest("created_at")
        Job.objects.filter(pk=job.pk).update(status="running", done=12_345, total=50_000)
    page = signed_in.get(f"/jobs/{job.pk}/").content.decode()
    assert "12,345" in text_of(page)
    assert "50,000" in text_of(page)
    assert re.search(r'max="50000" value="12345"', page)


def test_what_a_program_reads_stays_plain(signed_in: Client, alice: User, put: Put) -> None:
    """A version beyond 1,000 goes through every form it stands in, and is taken back from it."""
    tea = put(alice, "I drink tea", version=12_345)
    guess = put(
        alice, "may use a Mac", version=12_345, source="inferred", status="conflict",
        status_reason="inferred",
    )  # fmt: skip
    addresses = ["/", "/review/", "/topics/", "/data/"]
    addresses += [f"/memories/{row.pk}/{part}" for row in (tea, guess) for part in ("", "edit/")]
    for address in addresses:
        page = signed_in.get(address).content.decode()
        parser = Attributes()
        parser.feed(page)
        assert parser.grouped == [], address
    page = signed_in.get("/review/").content.decode()
    card = re.search(r"/review/([\w-]+)/answer/", page)
    sent = dict(re.findall(r'name="(version-\w+)" value="(\w+)"', page))
    assert card
    assert set(sent.values()) == {"12345"}
    answer = signed_in.post(card[0], {**sent, "answer": "confirm"}, headers=htmx("review"))
    assert answer.status_code == 200
    with owner_scope(alice.pk):
        assert Memory.objects.get(pk=guess.pk).status == "active"


def test_no_attribute_takes_a_number_that_is_meant_to_be_read() -> None:
    """Numbers that go through a template into what a program reads say that they are plain."""
    numbers = re.compile(
        r'(?:value|maxlength|max|start)="\{\{ [\w.]*'
        r"(?:version|count|picked|total|done|limit)[^}]*\}\}"
        r"|[?;](?:page|from|looked)=\{\{[^}]*\}\}"
    )
    loose = [
        f"{path.name}: {found}"
        for path in (ROOT / "templates").rglob("*.html")
        for found in numbers.findall(path.read_text())
        if "unlocalize" not in found
    ]
    assert loose == []
