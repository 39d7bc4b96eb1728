"""Every page is a page; only htmx, asking for a part by its name, gets a part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from memory.models import Memory
from tests.conftest import count_statements
from tests.panel.conftest import VARY, Put, htmx

PAGES = {
    "/": "memories",
    "/?sort=newest": "memories",
    "/?status=conflict": "memories",
    "/memories/add/": "",
    "/memories/{id}/": "memory-{id}",
    "/memories/{id}/edit/": "memory-{id}",
    "/activity/": "more",
    "/review/": "review",
    "/topics/": "",
    "/recently-deleted/": "more",
    "/clear/": "",
    "/data/": "",
    "/data/not-again/": "more",
    "/settings/": "",
    "/help/": "",
}
HOW = {
    "plain": lambda target: {},
    "with target": lambda target: htmx(target),
    "with other target": lambda target: htmx("main"),
    "restoring history": lambda target: {
        **htmx(target), "HX-History-Restore-Request": "true"
    },
}  # fmt: skip


@pytest.fixture
def memory(signed_in: Client, alice: Any, make_memory: Callable[..., Memory]) -> Memory:
    return make_memory(alice, "I live in Lisbon", key="user.residence", value="Lisbon")


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("address", PAGES)
def test_a_part_is_given_only_where_it_was_asked_for(
    signed_in: Client, memory: Memory, address: str, how: str
) -> None:
    target = PAGES[address].format(id=memory.pk)
    response = signed_in.get(address.format(id=memory.pk), headers=HOW[how](target))
    assert response.status_code == 200
    page = "<html" in response.content.decode()
    assert page is not (how == "with target" and bool(target))
    for header in VARY:
        assert header in response["Vary"]
    assert "no-store" in response["Cache-Control"]
    assert "private" in response["Cache-Control"]


def test_a_part_that_goes_into_the_address_carries_its_title(
    signed_in: Client, memory: Memory
) -> None:
    response = signed_in.get("/?q=Lisbon&sort=", headers=htmx("memories"))
    assert response.content.decode().lstrip().startswith("<title>Lisbon ·")
    assert response["HX-Push-Url"] == "/?q=Lisbon"


def test_looking_is_not_using(signed_in: Client, memory: Memory) -> None:
    from memory.border import owner_scope

    def state() -> tuple[Any, ...]:
        with owner_scope(memory.owner_id):
            row = Memory.objects.select_related("use").get(pk=memory.pk)
            use = row.use
            return (
                row.version, row.updated_at, row.said_at, use.anchor, use.times_served,
                use.last_served_at, use.missed_chances,
            )  # fmt: skip

    before = state()
    for address in PAGES:
        signed_in.get(address.format(id=memory.pk))
    assert state() == before


@pytest.mark.parametrize("address", ["/memories/{id}/", "/memories/{id}/edit/"])
def test_what_is_not_yours_is_not_there(
    client: Client, memory: Memory, bob: Any, address: str
) -> None:
    path = address.format(id=memory.pk)
    assert client.get(path).status_code == 200
    client.force_login(bob)
    assert client.get(path).status_code == 404
    assert str(memory.pk) not in client.get("/").content.decode()


@pytest.mark.parametrize(
    "act", ["confirm", "deny", "out-of-date", "still-true", "delete", "restore", "edit"]
)
def test_nobody_acts_on_what_is_not_theirs(
    client: Client, memory: Memory, bob: Any, act: str
) -> None:
    from memory.border import owner_scope

    client.force_login(bob)
    assert client.post(f"/memories/{memory.pk}/{act}/").status_code == 404
    with owner_scope(memory.owner_id):
        assert Memory.objects.get(pk=memory.pk).status == memory.status
        assert Memory.objects.get(pk=memory.pk).deleted_at is None


@pytest.mark.parametrize(
    "address",
    ["/", "/?sort=newest", "/?sort=left", "/?sort=importance", "/?q=tea&kind=semantic",
     "/?status=any&archived=with", "/activity/", "/review/"],
)  # fmt: skip
def test_a_long_list_asks_as_often_as_a_short_one(
    signed_in: Client, alice: Any, put: Put, put_guess: Put, address: str
) -> None:
    def statements() -> int:
        with count_statements() as counted:
            assert signed_in.get(address).status_code == 200
        return len(counted)

    for number in range(3):
        put(alice, f"tea number {number}", key=f"user.tea{number}")
    put_guess(alice, "perhaps likes tea")
    statements()  # the first page of a visit notes it
    short = statements()
    for number in range(3, 70):
        put(alice, f"tea number {number}", key=f"user.tea{number}" if number % 2 else "")
    for number in range(8):
        put_guess(alice, f"perhaps likes tea {number}")
    assert statements() == short
    assert short <= 16
