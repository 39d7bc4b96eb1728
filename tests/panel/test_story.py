"""The demo story in one's own account: offered where there is nothing, told once, by a job."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

import memory.demo
from accounts.models import User
from memory.border import operations, owner_scope
from memory.demo import count_memories
from memory.models import AgentKey, Job, Memory
from memory.services import dispatch
from memory.services.erase import clear_all, delete_memory
from tests.conftest import MakeAgent
from tests.panel.conftest import Put, text_of

OFFER = "Load the demo story"


@pytest.fixture(autouse=True)
def short_story(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first evenings only: what is tested here does not depend on the rest."""
    monkeypatch.setattr(memory.demo, "STORY", memory.demo.STORY[:7])


def load(client: Client) -> str:
    """Press the button; returns where it leads."""
    response = client.post("/guide/story/")
    assert response.status_code == 302
    return response.headers["Location"]


def page_of(client: Client, address: str = "/") -> str:
    return text_of(client.get(address).content.decode())


def again(job: Job) -> None:
    """Its turn has come again."""
    with operations("queue"):
        Job.objects.filter(pk=job.pk).update(due_at=timezone.now())
    dispatch.run_due_jobs()


def test_it_is_offered_told_and_begins_a_first_visit(
    signed_in: Client, alice: User, bob: User
) -> None:
    assert OFFER in page_of(signed_in)
    there = load(signed_in)
    assert "The demo story Waiting for its turn." in page_of(signed_in, there)
    dispatch.run_due_jobs()
    told = page_of(signed_in, there)
    assert "Done." in told
    assert "See your memories" in told
    assert "rows" not in told
    assert count_memories(alice.pk) == 9
    assert count_memories(bob.pk) == 0
    page = signed_in.get("/").content.decode()
    assert OFFER not in page
    assert 'class="guide"' in page
    with owner_scope(alice.pk):
        assert not AgentKey.objects.of(alice).exists()


def test_of_two_clicks_one_tells_it(signed_in: Client, alice: User) -> None:
    assert load(signed_in) == load(signed_in)
    dispatch.run_due_jobs()
    assert load(signed_in) == "/"
    assert "so the story was not loaded" in page_of(signed_in)
    assert dispatch.run_due_jobs() == 0
    assert count_memories(alice.pk) == 9


@pytest.mark.parametrize("what", ["memory", "deleted memory", "agent"])
def test_where_there_is_something_it_is_neither_offered_nor_told(
    signed_in: Client, alice: User, put: Put, make_agent: MakeAgent, what: str
) -> None:
    if what == "agent":
        make_agent(alice)
    else:
        row = put(alice, "drinks tea")
        if what == "deleted memory":
            delete_memory(owner=alice.pk, memory=row.pk, now=timezone.now())
    assert OFFER not in page_of(signed_in)
    assert load(signed_in) == "/"
    with owner_scope(alice.pk):
        assert not Job.objects.of(alice).filter(kind="story").exists()


def test_half_a_story_is_not_told_twice(
    signed_in: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any, **options: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(memory.demo, "recall", fail)
    there = load(signed_in)
    dispatch.run_due_jobs()
    half = count_memories(alice.pk)
    assert half
    with owner_scope(alice.pk):
        job = Job.objects.of(alice).get(kind="story")
    again(job)
    assert count_memories(alice.pk) == half
    page = page_of(signed_in, there)
    assert "It was interrupted. Clear all takes away what was told so far." in page
    assert 'href="/clear/"' in signed_in.get(there).content.decode()


def test_clearing_all_takes_it_away_also_while_it_is_told(
    signed_in: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def clear(*args: Any, **options: Any) -> None:
        clear_all(owner=alice.pk, now=timezone.now())

    monkeypatch.setattr(memory.demo, "recall", clear)
    there = load(signed_in)
    dispatch.run_due_jobs()
    assert count_memories(alice.pk) == 0
    assert "Nothing is remembered yet" in page_of(signed_in)
    assert signed_in.get(there).status_code == 404
    with owner_scope(alice.pk):
        assert not Memory.objects.of(alice).exists()
