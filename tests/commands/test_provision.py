"""`manage.py provision`: what is missing is made, and always a new key."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import User
from memory.border import owner_scope
from memory.models import Agent, AgentKey, AgentProject


def provision(*arguments: str) -> dict[str, str]:
    out = StringIO()
    call_command("provision", *arguments, stdout=out)
    made: dict[str, str] = json.loads(out.getvalue())
    return made


def test_it_makes_owner_agent_project_and_key(database: None, client: Client) -> None:
    made = provision("--email", "New@Example.com", "--agent", "cursor", "--project", "q2")
    owner = User.objects.get(email="new@example.com")
    assert made["owner"] == str(owner.pk)
    assert not owner.has_usable_password()
    me = client.get("/api/v1/me", headers={"Authorization": f"Bearer {made['key']}"}).json()
    assert (me["agent"], me["scopes"], me["projects"]) == ("cursor", ["recall", "write"], ["q2"])


def test_again_it_makes_only_a_new_key(database: None) -> None:
    first = provision("--email", "new@example.com", "--agent", "cursor", "--project", "q2")
    second = provision("--email", "new@example.com", "--agent", "cursor", "--project", "q2",
                       "--scopes", "recall")  # fmt: skip
    assert first["key"] != second["key"]
    assert (first["owner"], first["agent"]) == (second["owner"], second["agent"])
    with owner_scope(User.objects.get().pk):
        assert (Agent.objects.count(), AgentProject.objects.count()) == (1, 1)
        assert AgentKey.objects.count() == 2


@pytest.mark.parametrize(
    "arguments",
    [("--email", "nonsense", "--agent", "a"), ("--email", "a@example.com", "--agent", " "),
     ("--email", "a@example.com", "--agent", "a\0b"),
     ("--email", "a@example.com", "--agent", "a", "--scopes", "everything"),
     ("--email", "a@example.com", "--agent", "a", "--project", "not a slug")],
)  # fmt: skip
def test_nonsense_is_refused_in_one_sentence(database: None, arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError):
        call_command("provision", *arguments)
    assert User.objects.count() == 0
