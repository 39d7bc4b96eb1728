"""A first visit: three steps, each done where it is done in earnest; the last a contradiction."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from memory.border import owner_scope
from memory.models import Conflict, Memory
from tests.conftest import ApiClient


@pytest.fixture
def guided(agent: ApiClient, alice: User, signed_in: Client) -> Client:
    """Alice's first visit: one thing that changed, a guess, and a contradiction."""
    agent.write("我住在成都", key="user.residence", value="成都")
    agent.write("我已经从成都搬到杭州了", key="user.residence", value="杭州")
    agent.write("可能用 Mac", source="inferred")
    agent.write("release window is Thursday", key="launch.window", value="Thursday")
    agent.write("release window is Tuesday", key="launch.window", value="Tuesday")
    alice.guided_since = timezone.now()
    alice.save()
    return signed_in


def steps(client: Client) -> list[tuple[str, str]]:
    """Each open step with its address."""
    html = client.get("/").content.decode()
    found = re.search(r'<section class="guide".*?</section>', html, re.S)
    return re.findall(r'<a href="([^"]+)">([^<]+)</a>', found[0]) if found else []


def test_nobody_else_is_guided(signed_in: Client) -> None:
    assert b'class="guide"' not in signed_in.get("/").content


def test_each_step_is_done_where_it_leads(guided: Client, alice: User) -> None:
    look, answer, settle = (address for address, _ in steps(guided))
    assert guided.get(look).status_code == 200
    assert [address for address, _ in steps(guided)] == [answer, settle]

    with owner_scope(alice.pk):
        guess = Memory.objects.get(content="可能用 Mac")
        pair = Conflict.objects.get(reason="contradiction")
        side = pair.members.filter(bystander=False).first().memory
    guided.post(f"/memories/{guess.pk}/confirm/", {"version": guess.version})
    assert [address for address, _ in steps(guided)] == [settle]

    settled: Any = guided.get(settle)
    assert settled.status_code == 200
    guided.post(f"/memories/{side.pk}/confirm/", {"version": side.version})
    assert "That is all there is to it" in guided.get("/").content.decode()


def test_it_can_be_sent_away_for_good(guided: Client, alice: User) -> None:
    assert guided.get("/guide/end/").status_code == 405
    assert guided.post("/guide/end/").status_code == 302
    assert steps(guided) == []
    alice.refresh_from_db()
    assert alice.guided_since is None
