"""The Data page: files come and go, every decision is seen first, nothing is learned again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from accounts.models import User
from memory.border import owner_scope
from memory.models import Job, Memory, Parcel
from memory.services import dispatch
from memory.services.expire import expire
from tests.conftest import ApiClient, count_statements
from tests.panel.conftest import text_of

Make = Callable[..., Memory]


def follow(client: Client, response: Any) -> str:
    """The page of the job that a form led to, once a worker has done it."""
    assert response.status_code == 302, text_of(response.content.decode())
    dispatch.run_due_jobs()
    page: str = client.get(response["Location"]).content.decode()
    return page


def link(page: str, words: str) -> str:
    found = re.search(rf'href="([^"]+)"[^>]*>(?:<svg.*?</svg>)?{words}', page)
    assert found, f"no link {words}"
    return found[1]


def bring(client: Client, text: str, source: str = "user_stated", **more: Any) -> str:
    """Paste a list, have it read; the page that shows what would become of it."""
    page = follow(client, client.post("/data/import/", {"text": text, "source": source, **more}))
    shown: str = client.get(link(page, "See what would be imported")).content.decode()
    return shown


def act(page: str, words: str) -> str:
    found = re.search(rf'action="([^"]+)">(?:(?!</form>).)*?{words}', page, re.S)
    assert found, f"no form {words}"
    return found[1]


def test_a_file_is_made_fetched_by_its_owner_alone_and_erased_after_a_day(
    signed_in: Client, alice: User, bob: User, make_memory: Make
) -> None:
    make_memory(alice, "I live in Lisbon")
    page = follow(signed_in, signed_in.post("/data/export/", {"form": "json"}))
    address = link(page, "Download")
    answer = signed_in.get(address)
    data = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    assert json.loads(data)["memories"][0]["content"] == "I live in Lisbon"
    assert "attachment" in answer["Content-Disposition"]
    assert int(answer["Content-Length"]) == len(data)
    assert "no-store" in answer["Cache-Control"]
    assert address in signed_in.get("/data/").content.decode()
    stranger = Client()
    assert stranger.get(address).status_code == 302
    stranger.force_login(bob)
    assert stranger.get(address).status_code == 404
    expire(alice.pk, timezone.now() + timedelta(hours=25))
    assert signed_in.get(address).status_code == 404


def test_a_list_is_seen_first_then_taken_in_and_undone(
    signed_in: Client, alice: User, make_memory: Make
) -> None:
    make_memory(alice, "my editor is Vim", key="user.editor", value="Vim")
    page = bring(signed_in, "- I like tea\n- my editor is Emacs\n\nmy password is hunter2!X9\n")
    words = text_of(page)
    assert "Nothing is written yet." in words
    assert "1 Contradicts what is known" in words
    assert "beside: my editor is Vim" in words
    assert "It holds a secret." in words
    assert "tea" not in signed_in.get("/").content.decode()
    done = follow(signed_in, signed_in.post(act(page, "Import 2 rows")))
    shown = signed_in.get(link(done, "See what was imported")).content.decode()
    assert "I like tea" in text_of(signed_in.get("/").content.decode())
    signed_in.post(act(shown, "Undo the whole import"))
    page = text_of(signed_in.get("/").content.decode())
    assert "I like tea" not in page
    assert "Vim" in page
    assert "These do not go together" not in page


def test_a_second_click_imports_nothing_twice(signed_in: Client, alice: User) -> None:
    page = bring(signed_in, "I like tea")
    address = act(page, "Import 1 row")
    first, second = signed_in.post(address), signed_in.post(address)
    dispatch.run_due_jobs()
    assert first.status_code == second.status_code == 302
    with owner_scope(alice.pk):
        assert Memory.objects.of(alice.pk).count() == 1


def test_an_uploaded_file_names_its_rows_with_problems(signed_in: Client) -> None:
    rows = ["good one about tea", "\u0000", "x" * 3000]
    file = SimpleUploadedFile("list.json", json.dumps(rows).encode())
    page = bring(signed_in, "", file=file)
    words = text_of(page)
    assert "2 rows could not be read" in words
    assert "Row 2: “memory” holds an invisible NUL character." in words
    assert "Row 3: “memory” is too long." in words
    assert "Import 1 row" in words


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"[1,", "It is not valid JSON. See line 1."),
        (b"[" * 100_000, "nested too deep"),
        (b"\xff\xfe", "Save it as UTF-8"),
        (b"", "There is nothing in it."),
        (b"[" + b"1" * 10_000_000, "It is not valid JSON."),
    ],
)
def test_a_hostile_file_is_refused_in_words(
    signed_in: Client, alice: User, data: bytes, said: str
) -> None:
    file = SimpleUploadedFile("bad.json", data)
    answer = signed_in.post("/data/import/", {"file": file, "source": "external"})
    assert answer.status_code == 422
    page = text_of(answer.content.decode())
    assert "Nothing was imported:" in page
    assert said in page
    with owner_scope(alice.pk):
        assert not Parcel.objects.exists()
        assert not Job.objects.exists()


def test_what_was_pasted_stays_when_it_is_refused(signed_in: Client) -> None:
    answer = signed_in.post("/data/import/", {"text": "[broken", "source": "external"})
    assert answer.status_code == 422
    assert "[broken</textarea>" in answer.content.decode()
    assert signed_in.post("/data/import/", {"text": " ", "source": "external"}).status_code == 422


def test_more_text_than_a_form_takes_is_said(signed_in: Client) -> None:
    answer = signed_in.post("/data/import/", {"text": "x" * 1_200_000, "source": "external"})
    assert answer.status_code == 413
    assert "That is too much text" in text_of(answer.content.decode())


def test_hostile_words_are_shown_as_words(signed_in: Client) -> None:
    page = bring(signed_in, "<img src=x onerror=alert(1)> {{ 7*7 }}")
    assert "&lt;img src=x onerror=alert(1)&gt; {{ 7*7 }}" in page


def test_anothers_import_is_not_there(signed_in: Client, bob: User) -> None:
    signed_in.post("/data/import/", {"text": "I like tea", "source": "external"})
    dispatch.run_due_jobs()
    page = signed_in.get("/data/").content.decode()
    address = re.search(r'href="(/data/import/[^"]+)"', page)
    assert address
    stranger = Client()
    stranger.force_login(bob)
    for method, path in (
        ("get", address[1]), ("post", address[1] + "run/"),
        ("post", address[1].replace("import", "files") + "discard/"),
    ):  # fmt: skip
        assert getattr(stranger, method)(path).status_code == 404


def test_what_was_taken_away_is_looked_up_and_allowed_again(
    signed_in: Client, alice: User, agent: ApiClient
) -> None:
    agent.write("I am allergic to cats")
    with owner_scope(alice.pk):
        fact = Memory.objects.of(alice.pk).get()
    signed_in.post(f"/memories/{fact.pk}/delete/")
    assert agent.write("I am allergic to cats")["decision"] == "REFUSED"
    signed_in.get("/")
    page = signed_in.get("/data/not-again/").content.decode()
    assert "cats" not in page
    assert "written by cursor" in text_of(page)
    yes = signed_in.post("/data/not-again/", {"sentence": "I am allergic to cats"})
    assert "Yes. You deleted it on" in text_of(yes.content.decode())
    no = signed_in.post("/data/not-again/", {"sentence": "I am allergic to dogs"})
    assert "No. Agents may write this." in text_of(no.content.decode())
    signed_in.post(act(page, "Allow again"))
    assert "Nothing is barred" in text_of(signed_in.get("/data/not-again/").content.decode())
    assert agent.write("I am allergic to cats")["decision"] == "ADD"


def test_the_page_takes_as_many_statements_for_more_memories(
    signed_in: Client, alice: User, put: Make
) -> None:
    counts = []
    for turn in range(2):
        for number in range(10):
            put(alice, f"{turn} fact {number}")
        with count_statements() as counted:
            assert signed_in.get("/data/").status_code == 200
        counts.append(len(counted))
    assert counts[0] == counts[1]
