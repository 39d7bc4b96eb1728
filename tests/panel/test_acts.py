"""What the owner does to a memory: at once, taken back, without JavaScript and with it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import User
from memory.border import owner_scope
from memory.domain.values import Status
from memory.models import Conflict, Memory
from tests.panel.conftest import htmx, text_of

Make = Callable[..., Memory]


@pytest.fixture
def guess(alice: User, make_memory: Make) -> Memory:
    return make_memory(alice, "may use a Mac", key="user.device", value="Mac", source="inferred")


@pytest.fixture
def fact(alice: User, make_memory: Make) -> Memory:
    return make_memory(alice, "I live in Lisbon", key="user.residence", value="Lisbon")


def now_of(memory: Memory) -> Memory:
    with owner_scope(memory.owner_id):
        return Memory.objects.get(pk=memory.pk)


ACTS = {
    "confirm": ("guess", Status.ACTIVE),
    "deny": ("guess", Status.SUPERSEDED),
    "out-of-date": ("fact", Status.STALE),
    "still-true": ("fact", Status.ACTIVE),
    "delete": ("fact", Status.ACTIVE),
}


@pytest.mark.parametrize("act", ACTS)
def test_without_javascript_an_act_leads_back_says_so_once_and_can_be_undone(
    signed_in: Client, request: pytest.FixtureRequest, act: str
) -> None:
    name, status = ACTS[act]
    memory = request.getfixturevalue(name)
    data = {"next": "/?sort=newest", "version": memory.version}
    response = signed_in.post(f"/memories/{memory.pk}/{act}/", data)
    assert (response.status_code, response["Location"]) == (302, "/?sort=newest")
    assert now_of(memory).status == status
    assert (now_of(memory).deleted_at is not None) is (act == "delete")
    page = signed_in.get("/?sort=newest").content.decode()
    assert page.count("data-toast") == 1
    undo = re.search(r'action="(/undo/[^"]+)"', page)
    assert undo
    assert "data-toast" not in signed_in.get("/").content.decode()
    assert signed_in.post(undo[1], {"next": "/"}).status_code == 302
    assert now_of(memory).status == memory.status
    assert now_of(memory).deleted_at is None


@pytest.mark.parametrize("act", ACTS)
def test_with_htmx_an_act_answers_with_the_row_the_counts_and_the_message(
    signed_in: Client, request: pytest.FixtureRequest, act: str
) -> None:
    name, _ = ACTS[act]
    memory = request.getfixturevalue(name)
    response = signed_in.post(
        f"/memories/{memory.pk}/{act}/",
        {"version": memory.version},
        headers=htmx(f"memory-{memory.pk}"),
    )
    assert response.status_code == 200
    part = response.content.decode()
    assert "<html" not in part
    assert f'id="memory-{memory.pk}"' in part
    assert 'id="counts" hx-swap-oob="true"' in part
    assert part.count('hx-swap-oob="innerHTML:#messages"') == 1
    assert part.count("data-toast") == 1
    assert int(response["Content-Length"]) == len(response.content)
    assert "data-toast" not in signed_in.get("/").content.decode()


def test_undo_puts_the_row_back_in_place(signed_in: Client, guess: Memory) -> None:
    done = signed_in.post(
        f"/memories/{guess.pk}/confirm/", {"version": 1}, headers=htmx(f"memory-{guess.pk}")
    )
    undo = re.search(r'hx-post="(/undo/[^"]+)"', done.content.decode())
    assert undo
    response = signed_in.post(undo[1], headers=htmx("messages"))
    part = response.content.decode()
    assert f'id="memory-{guess.pk}" tabindex="-1" data-row hx-swap-oob="true"' in part
    assert "is that what you meant?" in part
    assert text_of(part).count("Undone.") == 1
    with owner_scope(guess.owner_id):
        assert Conflict.objects.of(guess.owner_id).waiting().count() == 1


def test_a_refused_undo_says_why(signed_in: Client, fact: Memory) -> None:
    signed_in.post(f"/memories/{fact.pk}/delete/")
    undo = re.search(r'action="(/undo/[^"]+)"', signed_in.get("/").content.decode())
    assert undo
    signed_in.post(undo[1])
    signed_in.get("/")
    signed_in.post(undo[1])
    assert "undone already" in text_of(signed_in.get("/").content.decode())


def test_a_minute_later_and_after_a_reload_it_can_still_be_undone(
    signed_in: Client, alice: User, fact: Memory
) -> None:
    signed_in.post(f"/memories/{fact.pk}/delete/")
    undo = re.search(r'action="(/undo/[^"]+)"', signed_in.get("/").content.decode())
    assert undo
    with time_machine.travel(timezone.now() + timedelta(minutes=1, seconds=5)):
        signed_in.get("/")
        assert f'action="{undo[1]}"' in signed_in.get("/activity/").content.decode()
        signed_in.post(undo[1])
        assert text_of(signed_in.get("/").content.decode()).endswith("Undone.")
    assert now_of(fact).deleted_at is None


def test_what_was_changed_since_is_not_undone_and_the_reason_said(
    signed_in: Client, fact: Memory
) -> None:
    def correct(text: str) -> None:
        written = {
            "content": text, "value": text.split()[-1], "key": fact.key, "valid_from": "",
            "valid_to": "", "importance": "", "how": "correct", "version": now_of(fact).version,
        }  # fmt: skip
        assert signed_in.post(f"/memories/{fact.pk}/edit/", written).status_code == 302

    correct("I live in Braga")
    undo = re.search(r'action="(/undo/[^"]+)"', signed_in.get("/").content.decode())
    assert undo
    correct("I live in Porto")
    signed_in.get("/")
    signed_in.post(undo[1])
    page = signed_in.get("/").content.decode()
    assert "toast-error" in page
    assert "It was changed since, so undoing would lose that change." in text_of(page)
    assert now_of(fact).content == "I live in Porto"


def test_undoing_what_is_not_yours_is_404(client: Client, bob: User, fact: Memory) -> None:
    client.force_login(User.objects.get(pk=fact.owner_id))
    client.post(f"/memories/{fact.pk}/delete/")
    undo = re.search(r'action="(/undo/[^"]+)"', client.get("/").content.decode())
    assert undo
    client.force_login(bob)
    assert client.post(undo[1]).status_code == 404
    assert now_of(fact).deleted_at is not None


@pytest.mark.parametrize("headers", [{}, htmx("memory-x")], ids=["plain", "htmx"])
def test_an_answer_to_other_words_than_were_seen_is_409(
    signed_in: Client, guess: Memory, headers: dict[str, str]
) -> None:
    response = signed_in.post(f"/memories/{guess.pk}/confirm/", {"version": 7}, headers=headers)
    assert response.status_code == 409
    assert now_of(guess).status == Status.CONFLICT
    assert "changed meanwhile" in text_of(response.content.decode())


@pytest.mark.parametrize("headers", [{}, htmx("memory-x")], ids=["plain", "htmx"])
def test_the_second_of_two_answers_is_409_with_the_ruling(
    signed_in: Client, guess: Memory, headers: dict[str, str]
) -> None:
    signed_in.post(f"/memories/{guess.pk}/deny/", {"version": 1})
    response = signed_in.post(f"/memories/{guess.pk}/confirm/", {"version": 1}, headers=headers)
    assert response.status_code == 409
    assert "settled already" in text_of(response.content.decode())
    assert now_of(guess).status == Status.SUPERSEDED


def test_settling_a_pair_shows_both_sides(
    signed_in: Client, alice: User, make_memory: Make
) -> None:
    dark = make_memory(alice, "My editor theme is dark", key="user.editor.theme", value="dark")
    light = make_memory(alice, "My editor theme is light", key="user.editor.theme", value="light")
    card = re.search(r'id="(waits-[^"]+)"', signed_in.get("/").content.decode())
    assert card
    response = signed_in.post(
        f"/memories/{light.pk}/confirm/", {"version": light.version}, headers=htmx(card[1])
    )
    part = response.content.decode()
    assert f'id="memory-{dark.pk}"' in part
    assert f'id="memory-{light.pk}"' in part
    assert now_of(light).status == Status.ACTIVE
    assert now_of(dark).status == Status.SUPERSEDED


@pytest.mark.parametrize(
    "next_page", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "\\\\evil", ""]
)
def test_an_act_never_leads_elsewhere(signed_in: Client, fact: Memory, next_page: str) -> None:
    response = signed_in.post(f"/memories/{fact.pk}/out-of-date/", {"next": next_page})
    assert response["Location"] == "/"


@pytest.mark.parametrize("act", ["confirm", "deny", "out-of-date", "still-true", "delete"])
def test_reading_never_acts(signed_in: Client, fact: Memory, act: str) -> None:
    assert signed_in.get(f"/memories/{fact.pk}/{act}/").status_code == 405


def test_an_act_while_signed_out_leads_back_to_the_page_it_was_on(
    client: Client, fact: Memory
) -> None:
    client.logout()
    response = client.post(
        f"/memories/{fact.pk}/delete/", headers=htmx(f"memory-{fact.pk}", current="/?sort=newest")
    )
    assert response.status_code == 200
    assert response["HX-Redirect"] == "/accounts/login/?next=/%3Fsort%3Dnewest"
    assert "Location" not in response
    assert now_of(fact).deleted_at is None


def test_deleting_from_its_own_page_leads_to_the_list(signed_in: Client, fact: Memory) -> None:
    where = f"/memories/{fact.pk}/"
    assert signed_in.post(f"{where}delete/", {"next": where})["Location"] == "/"


def test_messages_wait_for_the_page_a_redirect_leads_to(signed_in: Client, fact: Memory) -> None:
    response = signed_in.post(f"/memories/{fact.pk}/out-of-date/", {"next": "/"}, headers=htmx())
    assert response["HX-Redirect"] == "/"
    assert b"data-toast" not in response.content
    assert signed_in.get("/").content.decode().count("data-toast") == 1


def test_a_whole_page_for_htmx_shows_a_message_once(signed_in: Client, fact: Memory) -> None:
    signed_in.post(f"/memories/{fact.pk}/out-of-date/")
    page: Any = signed_in.get("/", headers=htmx("main")).content.decode()
    assert "<html" in page
    assert page.count("data-toast") == 1
