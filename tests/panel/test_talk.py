"""Why we believe it: the words a memory was taken from, marked where they were said."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from memory.border import owner_scope
from memory.models import Memory, Message
from memory.services import dispatch
from tests.conftest import ApiClient

TALK = [
    {"role": "assistant", "content": "What shall we eat? <b>Pizza</b>?"},
    {"role": "user", "content": "Nice weather. I am allergic to peanuts. What about noodles?"},
    {"role": "assistant", "content": "Noodles it is. " + "So good. " * 60},
    {"role": "user", "content": "Great, thanks!"},
]


@pytest.fixture
def memory(agent: ApiClient, alice: User) -> Memory:
    agent.post("conversations", {"messages": TALK})
    dispatch.run_due_jobs()
    with owner_scope(alice.pk):
        return Memory.objects.get(content__icontains="peanuts")


def page(client: Client, memory: Memory) -> str:
    return client.get(f"/memories/{memory.pk}/").content.decode()


def test_the_sentence_is_marked_between_what_was_said_around_it(
    signed_in: Client, memory: Memory
) -> None:
    html = page(signed_in, memory)
    assert f"Nice weather. <mark>{memory.quote}</mark>" in html
    assert "&lt;b&gt;Pizza&lt;/b&gt;" in html  # the turn before, as it was said
    assert "Noodles it is." in html
    assert "So good. " * 60 not in html  # as much of the next as one needs
    assert "Great, thanks!" not in html


def test_what_is_no_longer_kept_is_left_out(signed_in: Client, memory: Memory, alice: User) -> None:
    with owner_scope(alice.pk):
        Message.objects.exclude(pk=memory.message_id).delete()
    html = page(signed_in, memory)
    assert f"<mark>{memory.quote}</mark>" in html
    assert "Pizza" not in html


def test_words_handed_over_without_a_conversation_stand_alone(
    signed_in: Client, alice: User, make_memory: Any
) -> None:
    row = make_memory(alice, "likes tea", quote="I do like tea")
    html = page(signed_in, row)
    assert "<mark>" not in html
    assert "I do like tea" in html
