"""The one-click link of the demo owner: once, soon, and only from this machine."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from time_machine import travel

from accounts.models import User
from config.signin import FORWARDED, make_link


def path_of(owner: User) -> str:
    link = make_link(owner.pk)
    assert link.startswith("http://127.0.0.1")
    return "/" + link.split("/", 3)[3]


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_it_signs_in_once(client: Client, alice: User) -> None:
    path = path_of(alice)
    assert client.get(path).status_code == 302
    assert is_signed_in(client)
    second = Client()
    assert second.get(path).status_code == 404
    assert not is_signed_in(second)


@pytest.mark.parametrize("header", FORWARDED)
def test_it_is_refused_through_a_proxy(client: Client, alice: User, header: str) -> None:
    path = path_of(alice)
    assert client.get(path, **{header: "10.0.0.1"}).status_code == 404
    assert client.get(path).status_code == 302, "a refused try does not use it up"


def test_it_is_refused_when_old_forged_or_not_embedded(
    client: Client, alice: User, settings: object
) -> None:
    path = path_of(alice)
    with travel(timezone.now() + timedelta(minutes=16), tick=False):
        assert client.get(path).status_code == 404
    assert client.get(path[:-3] + "xx/").status_code == 404
    settings.EMBEDDED = False  # type: ignore[attr-defined]
    assert client.get(path).status_code == 404
    assert not is_signed_in(client)
