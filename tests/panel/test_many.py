"""One act on many memories: one gesture, one undo, and never on another number than was seen."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from memory.border import owner_scope
from memory.domain.values import Status, Visibility
from memory.models import Memory, Tombstone
from memory.services import dispatch
from memory.services.pack import as_row
from tests.conftest import MakeAgent, count_statements
from tests.panel.conftest import text_of

Put = Callable[..., Memory]


def act(client: Client, act: str, memories: list[Memory], **more: Any) -> Any:
    ids = [str(memory.pk) for memory in memories]
    return client.post("/memories/many/", {"act": act, "memory": ids, **more})


def picture(owner: User) -> list[Any]:
    with owner_scope(owner.pk):
        rows = Memory.objects.of(owner.pk).select_related("use", "agent", "project")
        return [
            {**as_row(row), "deleted": row.deleted_at, "version": 0, "updated_at": ""}
            for row in rows.order_by("id")
        ]


def undo(client: Client, page: str) -> None:
    found = re.search(r'action="(/undo/[^"]+)"', page)
    assert found
    client.post(found[1])


@pytest.mark.parametrize(
    ("name", "number"),
    [("delete", 500), ("archive", 30), ("pin", 30), ("share", 30), ("keep_private", 30),
     ("confirm", 250)],
)  # fmt: skip
def test_hundreds_at_once_are_undone_at_once(
    signed_in: Client, alice: User, put: Put, name: str, number: int
) -> None:
    visible = Visibility.USER if name == "keep_private" else Visibility.PRIVATE
    rows = [put(alice, f"fact {n}", visibility=visible) for n in range(number)]
    before = picture(alice)
    answer = act(signed_in, name, rows)
    assert answer.status_code == 302
    after = picture(alice)
    assert all(one != other for one, other in zip(before, after, strict=True))
    page = signed_in.get("/").content.decode()
    assert f"{number} memories" in text_of(page)
    activity = signed_in.get("/activity/").content.decode()
    assert activity.count('class="gesture"') == 1
    assert f"and {number - 8} more" in text_of(activity)
    more = re.search(r'href="(/activity/\?cursor=[^"]+)"', activity)
    if more:
        rest = signed_in.get(more[1].replace("&amp;", "&")).content.decode()
        assert 'class="gesture"' not in rest
    undo(signed_in, activity)
    restored = picture(alice)
    if name == "confirm":
        # Confirming moves the anchor for good: it was looked at.
        for row in (*before, *restored):
            row["use"] = None
    assert restored == before
    with owner_scope(alice.pk):
        assert not Tombstone.objects.of(alice.pk).standing().exists()


def test_all_that_match_are_meant_on_whichever_page(
    signed_in: Client, alice: User, put: Put
) -> None:
    for number in range(60):
        put(alice, f"tea {number}")
    kept = put(alice, "coffee")
    page = signed_in.get("/?q=tea").content.decode()
    assert "select all 60 that match" in text_of(page)
    page = signed_in.get("/?q=tea&pick=all").content.decode()
    assert "Delete 60" in text_of(page)
    assert "60 selected" in text_of(page)
    signed_in.post(
        "/memories/many/", {"act": "delete", "everything": "1", "count": "60", "query": "q=tea"}
    )
    with owner_scope(alice.pk):
        assert [row.pk for row in Memory.objects.of(alice.pk).kept()] == [kept.pk]


def test_another_number_than_was_seen_changes_nothing(
    signed_in: Client, alice: User, put: Put
) -> None:
    rows = [put(alice, f"tea {number}") for number in range(5)]
    everything = {"act": "delete", "everything": "1", "count": "4", "query": "q=tea"}
    answer = signed_in.post("/memories/many/", everything)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "You chose 4; now there are 5." in text_of(page)
    assert "Delete 5" in text_of(page)
    signed_in.post(f"/memories/{rows[0].pk}/delete/")
    answer = act(signed_in, "delete", rows)
    assert answer.status_code == 409
    assert "You chose 5; now there are 4." in text_of(answer.content.decode())
    with owner_scope(alice.pk):
        assert Memory.objects.of(alice.pk).kept().count() == 4
    assert signed_in.post("/memories/many/", {**everything, "count": "4"}).status_code == 302


def test_the_page_is_chosen_without_a_script_and_a_filter_clears_it(
    signed_in: Client, alice: User, put: Put
) -> None:
    for number in range(3):
        put(alice, f"fact {number}")
    page = signed_in.get("/?sort=newest").content.decode()
    assert "checked" not in page
    assert 'href="/?sort=newest&amp;pick=page"' in page
    page = signed_in.get("/?sort=newest&pick=page").content.decode()
    assert page.count("data-pick checked ") == 3
    assert "Confirm 3" in text_of(page)
    # No link of the page but those that choose carries the choice along.
    assert not re.search(r'href="[^"]*pick=page[^"]*"[^>]*>(?!select)', page)
    form = re.search(r'<form class="filters".*?</form>', page, re.S)
    assert form
    assert "pick" not in form[0]


def test_what_does_not_fit_is_left_and_counted(
    signed_in: Client, alice: User, put: Put, put_guess: Put, make_memory: Put
) -> None:
    guess = put_guess(alice, "may like opera")
    past = put(alice, "was a student", status=Status.SUPERSEDED, status_reason="replaced")
    sides = [
        make_memory(alice, "喜欢强类型语言", key="user.style", value="强类型"),
        make_memory(alice, "喜欢动态类型语言", key="user.style", value="动态类型"),
    ]
    act(signed_in, "confirm", [guess, past, *sides])
    page = text_of(signed_in.get("/").content.decode())
    assert "Confirmed 1 memory." in page
    assert "2 are part of contradictions" in page
    assert "1 is past and was left." in page
    with owner_scope(alice.pk):
        waiting = Memory.objects.of(alice.pk).waiting()
        assert {row.pk for row in waiting} == {side.pk for side in sides}
    health = put(alice, "has asthma", sensitivity=["health"])
    act(signed_in, "share", [health])
    assert "1 is sensitive" in text_of(signed_in.get("/").content.decode())
    with owner_scope(alice.pk):
        assert Memory.objects.get(pk=health.pk).visibility == Visibility.PRIVATE


def test_many_are_shown_to_their_own_project(
    signed_in: Client, alice: User, put: Put, make_agent: MakeAgent
) -> None:
    put(alice, "likes tea")
    assert "to their own project" not in signed_in.get("/?pick=page").content.decode()
    inside = make_agent(alice, "coder", project="q2").caller.projects["q2"]
    kept = {
        "private": put(alice, "deploys on Fridays", project_id=inside),
        "shared": put(alice, "reviews in pairs", project_id=inside, visibility=Visibility.USER),
        "health": put(alice, "has asthma", project_id=inside, sensitivity=["health"]),
        "alone": put(alice, "likes opera"),
    }
    assert "Show 5 to their own project" in text_of(signed_in.get("/?pick=page").content.decode())
    before = picture(alice)
    act(signed_in, "share_in_project", list(kept.values()))
    page = signed_in.get("/").content.decode()
    for said in ("2 memories are now seen by the agents of their project.",
                 "1 is sensitive: share it under Agents.",
                 "1 belongs to no project and was left."):  # fmt: skip
        assert said in text_of(page)
    with owner_scope(alice.pk):
        visible = dict(Memory.objects.of(alice).values_list("pk", "visibility"))
    assert [visible[row.pk] for row in kept.values()] == ["group", "group", "private", "private"]
    undo(signed_in, page)
    assert picture(alice) == before


def test_the_chosen_ones_are_exported(signed_in: Client, alice: User, put: Put) -> None:
    rows = [put(alice, f"fact {number}") for number in range(3)]
    answer = act(signed_in, "export", rows[:2])
    dispatch.run_due_jobs()
    assert "2 of 2 rows" in text_of(signed_in.get(answer["Location"]).content.decode())


def test_nobody_acts_on_anothers_or_on_nothing(
    signed_in: Client, alice: User, bob: User, put: Put
) -> None:
    his = put(bob, "Bob's fact")
    assert act(signed_in, "delete", [his]).status_code == 409
    with owner_scope(bob.pk):
        assert Memory.objects.get(pk=his.pk).deleted_at is None
    assert act(signed_in, "delete", []).status_code == 302
    assert "Choose some memories first." in text_of(signed_in.get("/").content.decode())
    for given in (
        {"act": "sell"}, {"act": "delete", "memory": "x"}, {"act": "delete", "count": "-1"},
        {"act": "delete", "everything": "1", "count": "1", "query": "status=bogus"},
    ):  # fmt: skip
        assert signed_in.post("/memories/many/", given).status_code == 404


def test_choosing_costs_the_list_no_statement(signed_in: Client, alice: User, put: Put) -> None:
    counts = []
    signed_in.get("/")
    for address in ("/", "/?pick=page", "/?pick=all"):
        put(alice, f"fact {address}")
        with count_statements() as counted:
            signed_in.get(address)
        counts.append(len(counted))
    assert len(set(counts)) == 1
