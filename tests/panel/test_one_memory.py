"""What the page of one memory lets its owner do and shows him."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from django.test import Client

from accounts.models import User
from memory.border import owner_scope
from memory.domain.decay import retention
from memory.domain.policy import Policy
from memory.domain.values import Status, Tier, Visibility
from memory.models import Agent, Conflict, Memory
from memory.models.events import Actor, Verb
from memory.services.record import Trail
from memory.services.revise import edit_memory
from memory.services.settle import confirm_memory
from panel.curves import Life, draw
from panel.reads.lives import read_life
from panel.reads.weighing import DIMENSIONS
from tests.conftest import NOW, MakeAgent
from tests.panel.conftest import text_of

Make = Callable[..., Memory]


@pytest.fixture
def fact(alice: User, make_memory: Make) -> Memory:
    return make_memory(alice, "I live in Lisbon", key="user.residence", value="Lisbon")


@pytest.fixture
def chat(alice: User, make_agent: MakeAgent) -> Agent:
    make_agent(alice, "chat")
    with owner_scope(alice.pk):
        return Agent.objects.get()


def now_of(memory: Memory) -> Memory:
    with owner_scope(memory.owner_id):
        return Memory.objects.get(pk=memory.pk)


def page_of(client: Client, memory: Memory) -> str:
    return client.get(f"/memories/{memory.pk}/").content.decode()


def read_life_of(memory: Memory, now: datetime) -> Life:
    with owner_scope(memory.owner_id):
        row = Memory.objects.select_related("use").get(pk=memory.pk)
        return read_life(row, Policy(), now)


def press(client: Client, memory: Memory, act: str, **given: object) -> str:
    """The page after a button on it, which must be there."""
    where = f"/memories/{memory.pk}/"
    assert f"{where}{act}/" in page_of(client, memory)
    response = client.post(f"{where}{act}/", {"next": where, "version": memory.version, **given})
    assert (response.status_code, response["Location"]) == (302, where)
    return page_of(client, memory)


def undo(client: Client, page: str) -> None:
    found = re.search(r'action="(/undo/[^"]+)"', page[page.index("data-toast") :])
    assert found
    client.post(found[1], {"next": "/"})


@pytest.mark.parametrize(
    ("act", "back", "name"),
    [("pin", "unpin", "pinned"), ("archive", "unarchive", "archived_at")],
)
def test_pinning_and_archiving_there_and_back(
    signed_in: Client, fact: Memory, act: str, back: str, name: str
) -> None:
    undo(signed_in, press(signed_in, fact, act))
    assert not getattr(now_of(fact), name)
    press(signed_in, fact, act)
    assert getattr(now_of(fact), name)
    undo(signed_in, press(signed_in, fact, back))
    assert getattr(now_of(fact), name)
    press(signed_in, fact, back)
    assert not getattr(now_of(fact), name)


def test_who_sees_it_is_changed_at_once_and_undone(
    signed_in: Client, alice: User, make_memory: Make, chat: Agent
) -> None:
    row = make_memory(alice, "I like green tea", agent=chat, visibility=Visibility.PRIVATE)
    page = press(signed_in, row, "share", to="user")
    assert "all your agents see it" in text_of(page)
    assert now_of(row).visibility == Visibility.USER
    undo(signed_in, page)
    assert now_of(row).visibility == Visibility.PRIVATE
    # It belongs to no project: that choice is neither shown nor taken.
    assert 'value="group"' not in page_of(signed_in, row)
    signed_in.post(f"/memories/{row.pk}/share/", {"to": "group"})
    assert now_of(row).visibility == Visibility.PRIVATE


def test_showing_more_agents_what_is_sensitive_is_asked_about_once(
    signed_in: Client, alice: User, make_memory: Make, chat: Agent
) -> None:
    row = make_memory(alice, "I take pills against my depression", agent=chat)
    assert row.sensitivity
    where = f"/memories/{row.pk}/share/"
    assert f'href="{where}?to=user"' in page_of(signed_in, row)
    assert signed_in.post(where, {"to": "user"})["Location"] == f"{where}?to=user"
    assert now_of(row).visibility == Visibility.PRIVATE
    asked = signed_in.get(f"{where}?to=user").content.decode()
    assert "your feelings" in text_of(asked)
    assert now_of(row).visibility == Visibility.PRIVATE
    signed_in.post(where, {"to": "user", "sure": "1"})
    assert now_of(row).visibility == Visibility.USER
    # Fewer is not asked about.
    press(signed_in, row, "share", to="private")
    assert now_of(row).visibility == Visibility.PRIVATE


def test_what_is_past_is_made_true_again(
    signed_in: Client, alice: User, fact: Memory, make_memory: Make
) -> None:
    new = make_memory(alice, "I moved to Porto", key="user.residence", value="Porto")
    assert now_of(fact).status == Status.SUPERSEDED
    page = press(signed_in, fact, "true-again")
    assert "True again: Lisbon" in text_of(page)
    assert "“Porto” is past now." in text_of(page)
    assert (now_of(fact).status, now_of(new).status) == (Status.ACTIVE, Status.SUPERSEDED)
    undo(signed_in, page)
    assert (now_of(fact).status, now_of(new).status) == (Status.SUPERSEDED, Status.ACTIVE)


def test_what_is_past_offers_to_restore_and_to_delete_and_nothing_else(
    signed_in: Client, alice: User, fact: Memory, make_memory: Make
) -> None:
    make_memory(alice, "I moved to Porto", key="user.residence", value="Porto")
    page = page_of(signed_in, fact)
    acts = re.findall(rf'formaction="/memories/{fact.pk}/([a-z-]+)/"', page)
    assert acts == ["true-again", "delete"]


def test_earlier_words_are_brought_back_and_taken_away_again(
    signed_in: Client, alice: User, fact: Memory
) -> None:
    edit_memory(
        owner=alice.pk, memory=fact.pk, version=1, how="correct", content="I live in Porto",
        value="Porto", valid_from=NOW, now=NOW,
    )  # fmt: skip
    fact.version = 2
    page = press(signed_in, fact, "words", revision=1)
    assert "In these words again: Lisbon" in text_of(page)
    row = now_of(fact)
    assert (row.content, row.value, row.key) == ("I live in Lisbon", "Lisbon", "user.residence")
    assert row.valid_from == NOW
    undo(signed_in, page)
    assert now_of(fact).content == "I live in Porto"
    # Words nobody has seen on screen are not overwritten.
    where = f"/memories/{fact.pk}/words/"
    assert signed_in.post(where, {"revision": 1, "version": 2}).status_code == 409
    assert signed_in.post(where, {"revision": 9, "version": 4}).status_code == 404


def test_what_was_denied_is_marked_so(signed_in: Client, alice: User, make_memory: Make) -> None:
    row = make_memory(alice, "may use a Mac", source="inferred")
    press(signed_in, row, "deny")
    head = page_of(signed_in, row).split('class="one-status"')[1].split("</p>")[0]
    assert "Denied" in text_of(f"<p {head}")


def test_a_contested_fact_leads_to_the_question_and_its_rival_too(
    signed_in: Client, alice: User, fact: Memory, make_memory: Make
) -> None:
    guess = make_memory(
        alice, "may live in Porto", key="user.residence", value="Porto", source="inferred"
    )
    with owner_scope(alice.pk):
        card = Conflict.objects.get().pk
    assert now_of(fact).contested
    link = f'href="/review/{card}/"'
    for page in (page_of(signed_in, fact), page_of(signed_in, guess)):
        assert link in page
    listed = signed_in.get("/").content.decode()
    for memory in (fact, guess):
        row = re.search(rf'<li class="row [^>]*id="memory-{memory.pk}".*?\n</li>', listed, re.S)
        assert row
        assert link in row[0]


@pytest.mark.parametrize(
    ("given", "told", "untold"),
    [
        ({"source": "inferred", "key": "user.device", "value": "Mac"},
         ["It counts as your word.", "It fades more slowly", "It is protected"],
         ["archive", "past now", "no end date"]),
        ({"kind": "episodic"}, ["Its fading starts anew."],
         ["counts as your word", "fades more slowly", "protected", "archive"]),
    ],
    ids=["guess", "event"],
)  # fmt: skip
def test_confirming_says_what_else_it_changed_and_no_more(
    signed_in: Client, alice: User, make_memory: Make, given: dict[str, str],
    told: list[str], untold: list[str],
) -> None:  # fmt: skip
    row = make_memory(alice, "used a Mac yesterday", **given)
    page = press(signed_in, row, "confirm")
    toast = text_of(page[page.index("data-toast") :].split("</form>")[0])
    for words in told:
        assert words in toast
    for words in untold:
        assert words not in toast


def test_confirming_one_side_says_that_the_other_is_past(
    signed_in: Client, alice: User, make_memory: Make
) -> None:
    make_memory(alice, "My editor theme is dark", key="user.editor.theme", value="dark")
    light = make_memory(alice, "My editor theme is light", key="user.editor.theme", value="light")
    assert "“dark” is past now." in text_of(press(signed_in, light, "confirm"))


def test_still_true_says_that_it_is_back(signed_in: Client, fact: Memory) -> None:
    press(signed_in, fact, "out-of-date")
    press(signed_in, fact, "archive")
    said = text_of(press(signed_in, fact, "still-true"))
    assert "It is active again." in said
    assert "It is back from the archive." in said
    assert "counts as your word" not in said


def test_the_curve_shows_the_tier_it_had_before_it_was_confirmed(
    signed_in: Client, alice: User, make_memory: Make
) -> None:
    row = make_memory(alice, "may use a Mac", source="inferred")
    was, confirmed_at = Tier(row.tier), NOW + timedelta(days=5)
    confirm_memory(owner=alice.pk, memory=row.pk, now=confirmed_at)
    assert was != Tier.LONG_TERM
    drawing = draw(read_life_of(row, NOW + timedelta(days=9)))
    before = [sample for sample in drawing.raw or drawing.past if sample.at < confirmed_at]
    assert before
    for at, left in draw(replace(drawing.life, protected=False)).past:
        if at != confirmed_at:
            since, tier = (NOW, was) if at < confirmed_at else (confirmed_at, Tier.LONG_TERM)
            expected = retention(since, tier=tier, times_served=0, now=at)
            assert left == pytest.approx(expected, abs=1e-9)
    assert 'class="curve-confirmed"' in page_of(signed_in, row)


def test_a_side_that_waits_shows_its_weight_on_its_page(
    signed_in: Client, alice: User, make_memory: Make
) -> None:
    make_memory(alice, "My editor theme is dark", key="user.editor.theme", value="dark")
    light = make_memory(alice, "My editor theme is light", key="user.editor.theme", value="light")
    assert 'class="curve-weight"' in page_of(signed_in, light)
    assert "what it counts for while it waits" in page_of(signed_in, light)
    confirm_memory(owner=alice.pk, memory=light.pk, now=NOW)
    assert 'class="curve-weight"' not in page_of(signed_in, light)


def test_the_scale_of_the_days_is_a_link_there_and_back(signed_in: Client, fact: Memory) -> None:
    where = f"/memories/{fact.pk}/"
    assert f'href="{where}?scale=log#fading"' in page_of(signed_in, fact)
    assert f'href="{where}#fading"' in signed_in.get(f"{where}?scale=log").content.decode()


def test_tier_and_importance_have_reasons(
    signed_in: Client, alice: User, make_memory: Make
) -> None:
    row = make_memory(alice, "I am allergic to peanuts")
    said = text_of(page_of(signed_in, row))
    assert "Long-term, because its importance is 80 or more" in said
    assert "by Memoir’s own rules What it was made from" in said
    for name, word in DIMENSIONS.items():
        assert f"{word} {round(row.dimensions[name] * 100)} " in said
    tea = make_memory(alice, "I like green tea")
    confirm_memory(owner=alice.pk, memory=tea.pk, now=NOW)
    assert "Long-term, because you confirmed it" in text_of(page_of(signed_in, tea))
    edit_memory(
        owner=alice.pk, memory=tea.pk, version=1, how="correct", content=tea.content,
        importance=0.4, now=NOW,
    )  # fmt: skip
    said = text_of(page_of(signed_in, tea))
    assert "Working, because its importance is below 60" in said
    assert "40 of 100, you set it" in said


def test_what_rose_by_being_told_says_so(signed_in: Client, alice: User, make_memory: Make) -> None:
    row = make_memory(alice, "I drink coffee today")
    with owner_scope(alice.pk):
        trail = Trail(owner=alice.pk, actor=Actor.PROGRAM, at=NOW, epoch=0)
        told = {"recalls": 4, "days": 2}
        trail.change(row, Verb.PROMOTED, reason="served", data=told, tier=Tier.SHORT_TERM)
        trail.leave()
    said = text_of(page_of(signed_in, row))
    assert "Short-term, because agents were told it 4 times" in said


@pytest.fixture
def line(alice: User, make_memory: Make) -> list[Memory]:
    """Lisbon, then Porto, then Faro, of which the words were corrected once."""
    places = ("Lisbon", "Porto", "Faro")
    rows = [
        make_memory(
            alice, f"I moved to {place}", key="user.residence", value=place,
            now=NOW + timedelta(days=40 * n),
        )
        for n, place in enumerate(places)
    ]  # fmt: skip
    edit_memory(
        owner=alice.pk, memory=rows[2].pk, version=1, how="correct",
        content="I moved to Faro for good", value="Faro", now=NOW + timedelta(days=100),
    )  # fmt: skip
    return rows


def test_every_version_shows_the_whole_history(signed_in: Client, line: list[Memory]) -> None:
    for memory in line:
        page = page_of(signed_in, memory)
        chain = page[page.index('<ol class="chain">') :].split("</ol>")[0]
        assert text_of(chain) == ("2026-08 –Faro 2026-07 – 2026-08Porto 2026-06 – 2026-07Lisbon")
        assert chain.count("aria-current") == 1
        assert chain.count("href=") == 2


def test_any_two_versions_are_compared_under_an_address(
    signed_in: Client, line: list[Memory]
) -> None:
    first, _, last = line
    page = page_of(signed_in, last)
    names = re.findall(
        r'<option value="([^"]+)"', page.split('name="new"')[1].split("</select>")[0]
    )
    assert names == [str(last.pk), f"{last.pk}-1", str(line[1].pk), str(first.pk)]
    where = f"/memories/{last.pk}/"
    for old, new, told in (
        (f"{last.pk}-1", str(last.pk), "I moved to Faro added: for good"),
        (str(first.pk), f"{last.pk}-1", "I moved to removed: Lisbon added: Faro"),
    ):
        shown = signed_in.get(where, {"old": old, "new": new}).content.decode()
        difference = shown.split("compared")[1].split("</p>")[0]
        assert told in text_of(f"<p {difference}")
        assert f'<option value="{old}" selected' in shown
    # The same address under an old version's page: its own corrected words are not among them.
    other = signed_in.get(f"/memories/{first.pk}/", {"old": str(first.pk), "new": str(last.pk)})
    assert "added: Faro for good" in text_of(other.content.decode())
    assert signed_in.get(where, {"old": "nonsense", "new": str(first.pk)}).status_code == 422


def test_what_has_one_version_has_nothing_to_compare(signed_in: Client, fact: Memory) -> None:
    page = page_of(signed_in, fact)
    assert "How it changed" not in page
    assert signed_in.get(f"/memories/{fact.pk}/", {"old": "x"}).status_code == 200
