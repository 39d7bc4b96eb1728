"""Whatever a memory, an address or a form holds: shown as it is, or refused; never a failure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from memory.border import owner_scope
from memory.models import Agent, Memory
from panel.differences import difference, pieces_of
from panel.own_words import shown
from tests.hostile import TEXTS, storable

MARKUP = "<img src=x onerror=alert(1)>{{ 7*7 }}{% now %}' \" &amp; hx-get=/clear/"


def test_markup_is_text_everywhere(
    signed_in: Client, alice: User, make_memory: Callable[..., Memory]
) -> None:
    with owner_scope(alice.pk):
        agent = Agent.objects.create(owner=alice, name=MARKUP[:100])
    memory = make_memory(
        alice, MARKUP, key="user.<b>key</b>", value=MARKUP, agent=agent, quote=MARKUP
    )
    guess = make_memory(alice, f"may be {MARKUP}", source="inferred")
    pages = ["/", "/activity/", f"/memories/{memory.pk}/", f"/memories/{memory.pk}/edit/"]
    pages += [f"/memories/{guess.pk}/", "/?q=%3Cimg", "/?status=any"]
    for address in pages:
        page = signed_in.get(address).content.decode()
        assert "<img src=x" not in page
        assert "<b>key</b>" not in page
    signed_in.post(f"/memories/{memory.pk}/delete/")
    for address in ("/", "/recently-deleted/"):
        assert "<img src=x" not in signed_in.get(address).content.decode()


GROUPS = sorted({name.partition(":")[0] for name in TEXTS})


def texts_of(group: str) -> list[str]:
    """A group's texts that a browser can send; half a surrogate pair it cannot."""
    return [
        text
        for name, text in TEXTS.items()
        if name.partition(":")[0] == group and not any("\ud800" <= ch <= "\udfff" for ch in text)
    ]


@pytest.mark.parametrize("group", GROUPS)
def test_no_search_fails(signed_in: Client, group: str) -> None:
    for text in texts_of(group):
        response = signed_in.get("/", {"q": text[:3_000]})
        assert response.status_code in (200, 422), text


@pytest.mark.parametrize("group", GROUPS)
def test_no_form_fails(signed_in: Client, group: str) -> None:
    for text in texts_of(group):
        for address, field in (("/memories/add/", "content"), ("/settings/", "name")):
            response = signed_in.post(address, {field: text, "zone": "UTC", "theme": "system"})
            assert response.status_code in (302, 422), text
        assert signed_in.get("/").status_code == 200, text


@pytest.mark.parametrize("name", [name for name, text in TEXTS.items() if storable(text)])
def test_every_text_can_be_shown_and_compared(name: str) -> None:
    text = TEXTS[name][:3_000]
    assert "<script" not in shown(text)
    assert "".join(pieces_of(text)) == text
    steps = difference(text, f"{text}!")
    assert "".join(step.text for step in steps if step.kind != "come") == text


@pytest.mark.parametrize(
    "query",
    ["q=%00", "q=%ED%A0%80", "status=%00", "cursor=%00", "agent=%00", "q=" + "x" * 5_000,
     "sort[]=newest", "status=" + "&status=".join(["active"] * 500), "=", "%", "q=%FF"],
)  # fmt: skip
def test_no_address_fails(signed_in: Client, query: str) -> None:
    assert signed_in.get(f"/?{query}").status_code in (200, 404, 422)


@pytest.mark.parametrize(
    "path", ["/memories/x/", "/memories/%00/", "/undo/1/", "/memories/../clear/x"]
)
def test_malformed_ids_are_404(signed_in: Client, path: str) -> None:
    assert signed_in.get(path).status_code == 404


def test_what_hides_becomes_visible() -> None:
    assert "U+202E" in shown("a\u202eb")
    assert "U+00AD" in shown("a\u00adb")
    assert "U+200D" not in shown("👨‍👩‍👧")
    assert "U+FE0F" not in shown("❤️")


def test_differences_go_by_word_and_in_chinese_by_character() -> None:
    def steps(old: str, new: str) -> list[tuple[str, str]]:
        return [(piece.kind, piece.text) for piece in difference(old, new)]

    assert steps("I use Java", "I use Go") == [("same", "I use "), ("gone", "Java"), ("come", "Go")]
    assert steps("我喜欢披萨", "我讨厌披萨") == [
        ("same", "我"), ("gone", "喜欢"), ("come", "讨厌"), ("same", "披萨"),
    ]  # fmt: skip
    family: Any = steps("👨‍👩‍👧 x", "👨‍👩‍👦 x")
    assert family == [("gone", "👨‍👩‍👧"), ("come", "👨‍👩‍👦"), ("same", " x")]
