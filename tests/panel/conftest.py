"""What the panel's tests share: the Chinese reader, htmx requests, and a row's text."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable
from datetime import datetime
from html.parser import HTMLParser
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from accounts.models import User
from memory.border import owner_scope
from memory.domain.values import Reason, Status
from memory.models import Conflict, ConflictMember, Memory, MemoryUse
from tests.conftest import NOW

VARY = ("HX-Request", "HX-Target", "HX-History-Restore-Request")


@pytest.fixture
def in_chinese(alice: User) -> User:
    User.objects.filter(pk=alice.pk).update(language="zh-hans", zone="Asia/Shanghai")
    alice.refresh_from_db()
    return alice


@pytest.fixture
def sure(signed_in: Client, alice: User) -> Client:
    """Alice, who has just shown again who she is."""
    session = signed_in.session
    session["account_authentication_methods"] = [
        {"method": "password", "at": time.time(), "reauthenticated": True}
    ]
    session["account_authentication_methods_user"] = str(alice.pk)
    session.save()
    return signed_in


Put = Callable[..., Memory]


@pytest.fixture
def put() -> Put:
    """A memory as a row, past the rules that would route it: what a page shows is the subject."""

    def make(owner: User, content: str, *, now: datetime = NOW, **fields: Any) -> Memory:
        given = {
            "content": content, "search_text": content, "importance": 0.5, "created_at": now,
            "updated_at": now, "said_at": now,
            "fingerprint": hashlib.sha256(content.encode()).hexdigest(), **fields,
        }  # fmt: skip
        with owner_scope(owner.pk):
            memory = Memory.objects.create(owner=owner, **given)
            MemoryUse.objects.create(memory=memory, owner=owner, anchor=now)
            if memory.status == Status.CONFLICT:
                entry = Conflict.objects.create(
                    owner=owner, reason=memory.status_reason, key=memory.key, opened_at=now
                )
                ConflictMember.objects.create(owner=owner, conflict=entry, memory=memory)
        return memory

    return make


@pytest.fixture
def put_guess(put: Put) -> Put:
    """A guess that waits, alone."""
    waits = {
        "source": "inferred", "status": Status.CONFLICT, "status_reason": Reason.INFERRED,
    }  # fmt: skip
    return lambda owner, content, **fields: put(owner, content, **{**waits, **fields})


# -- The admins' queue -----------------------------------------------------------------------------

THEMES = ("My editor theme is turquoise", "My editor theme is magenta")


def make_admin(email: str) -> User:
    person = User.objects.create_user(email, "a long enough password", name=email.split("@")[0])
    person.user_permissions.add(Permission.objects.get(codename="review_conflicts"))
    return person


@pytest.fixture
def carol(database: None) -> User:
    return make_admin("carol@example.com")


@pytest.fixture
def admin(carol: User) -> Client:
    client = Client()
    client.force_login(carol)
    return client


@pytest.fixture
def entry(alice: User, make_memory: Put) -> Conflict:
    for words in THEMES:
        value = words.rsplit(" ", 1)[1]
        make_memory(alice, words, key="user.editor.theme", value=value)
    with owner_scope(alice.pk):
        found: Conflict = Conflict.objects.get()
    return found


def htmx(target: str = "", current: str = "/", **more: str) -> dict[str, str]:
    """The headers htmx sends."""
    headers = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{current}", **more}
    return {**headers, "HX-Target": target} if target else headers


class _Text(HTMLParser):
    """What stands on a page, as one line; elements keep words apart as they do on screen."""

    APART = frozenset(
        (
            "p", "li", "button", "form", "div", "ul", "ol", "h1", "h2", "td", "dt", "dd", "small",
            "ins", "del", "label", "legend", "option",
        )
    )  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.APART:
            self.parts.append(" ")

    def handle_data(self, data: str) -> None:
        self.parts.append(data)


def text_of(html: str) -> str:
    parser = _Text()
    parser.feed(html)
    return re.sub(r"\s+", " ", "".join(parser.parts)).strip()


@pytest.fixture
def row_text(signed_in: Client) -> Callable[[Any], str]:
    """The text of one memory's row on the list."""

    def read(memory: Any, address: str = "/") -> str:
        page = signed_in.get(address).content.decode()
        found = re.search(rf'<li class="row [^>]*id="memory-{memory.pk}".*?\n</li>', page, re.S)
        assert found, f"{memory} is not on {address}"
        return text_of(found[0])

    return read
