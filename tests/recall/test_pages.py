"""The pages of recalls: what was asked, what was told, and why."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.ids import uuid7
from accounts.models import User
from memory.border import owner_scope
from memory.models import Conflict, Event, Memory, MemoryUse, Reading, Recall, RecallItem
from panel.words import GATE
from tests.conftest import ApiClient, MakeAgent, count_statements
from tests.panel.conftest import htmx, text_of

Told = dict[str, Any]


def page(client: Client, address: str, **more: Any) -> str:
    response = client.get(address, **more)
    assert response.status_code == 200, response.status_code
    return response.content.decode()


def uses_of(owner: User) -> list[Any]:
    with owner_scope(owner.pk):
        return [
            *MemoryUse.objects.of(owner).order_by("pk").values(),
            Recall.objects.of(owner).count(),
            Reading.objects.of(owner).count(),
        ]


def test_one_recall_shows_all_that_was_told(signed_in: Client, told: Told) -> None:
    answer = told["answer"]
    html = page(signed_in, f"/recalls/{answer['id']}/")
    text = text_of(html)
    for heading in ("Always told", "Told, in this order", "Asked back", "History", "Left out",
                    "What the agent got"):  # fmt: skip
        assert heading in text
    assert re.search(r"对花生过敏 for your safety", text)
    places = [text.index(item["memory"]["content"]) for item in answer["memories"]]
    assert places == sorted(places)
    for entry in answer["needs_confirmation"]:
        assert entry["question"] in text
    assert "Berlin" in text
    context = re.search(r'<pre class="code told-context"[^>]*>(.*?)</pre>', html, re.S)
    assert context
    assert context[1] == answer["context"].replace("&", "&amp;").replace('"', "&quot;")
    assert re.search(r"told \d+ of \d+ considered", text)


def test_the_context_stays_as_the_agent_got_it(
    signed_in: Client, agent: ApiClient, told: Told
) -> None:
    """Words changed since are shown as they were told, with what they are now."""
    answer, row = told["answer"], told["other"]
    before = agent.get(f"memories/{row['id']}").json()
    changed = agent.patch(
        f"memories/{row['id']}",
        {"content": "The Porto office is where I work on Mondays", "version": before["version"]},
    )
    assert changed.status_code == 200, changed.content
    html = page(signed_in, f"/recalls/{answer['id']}/")
    context = re.search(r'<pre class="code told-context"[^>]*>(.*?)</pre>', html, re.S)
    assert context
    assert context[1] == answer["context"]
    assert "Changed since: The Porto office" in text_of(html)


def test_what_was_deleted_since_is_not_shown_and_said_to_be_missing(
    signed_in: Client, told: Told
) -> None:
    answer, row = told["answer"], told["other"]
    assert signed_in.post(f"/memories/{row['id']}/delete/").status_code == 302
    signed_in.get("/")  # where the act is said
    text = text_of(page(signed_in, f"/recalls/{answer['id']}/"))
    assert row["content"] not in text
    assert "deleted since" in text
    assert "1 line is missing here" in text


def test_looking_and_trying_change_nothing(
    signed_in: Client, alice: User, agent: ApiClient, told: Told
) -> None:
    before = uses_of(alice)
    who = agent.caller.agent
    for address in (
        "/recalls/",
        f"/recalls/{told['answer']['id']}/?missing=Lisbon",
        f"/recalls/try/?q=Lisbon&agent={who}&beside=weighted:knowledge",
        f"/recalls/try/?q=Lisbon&agent={who}&as_of=2026-01-01T10:00",
    ):
        page(signed_in, address)
        assert uses_of(alice) == before, address


def test_the_list_has_questions_and_one_line_of_lists_an_hour(
    signed_in: Client, agent: ApiClient, told: Told
) -> None:
    for _ in range(3):
        agent.get("memories")
    html = page(signed_in, "/recalls/")
    text = text_of(html)
    assert html.count('<li class="row ask') == 2
    assert re.search(r"cursor .{0,20} where do I live now, Lisbon told \d+ of \d+ considered", text)
    assert "read lists 3 times" in text
    assert "mk_" in text
    assert "where do I live" not in text_of(page(signed_in, "/recalls/?what=read"))
    assert "read lists" not in text_of(page(signed_in, "/recalls/?what=asked"))
    assert "Nothing matches" in text_of(page(signed_in, "/recalls/?q=submarine"))
    assert "where do I live" in text_of(page(signed_in, f"/recalls/?agent={agent.caller.agent}"))
    assert signed_in.get("/recalls/?agent=nobody").status_code == 422
    assert signed_in.get("/recalls/?cursor=abc").status_code == 422


def test_the_list_pages_without_loss_and_asks_as_often(
    signed_in: Client, alice: User, agent: ApiClient
) -> None:
    from datetime import timedelta

    from django.utils import timezone

    def ask(count: int) -> None:
        with owner_scope(alice.pk):
            at = timezone.now().replace(minute=0, second=0, microsecond=0)
            Recall.objects.bulk_create(
                # Two of one moment each, and some of a reading's own hour.
                Recall(
                    owner=alice, agent_id=agent.caller.agent, query=f"question {n}", top_k=8,
                    strategy="tempered", asked_at=at - timedelta(minutes=30 * (n // 2)),
                    as_of=at, reinforced=True,
                )
                for n in range(count)
            )  # fmt: skip
            for hours in range(1, 4):
                Reading.objects.get_or_create(
                    owner=alice, agent_id=agent.caller.agent, key_id=key,
                    hour=at - timedelta(hours=hours),
                )  # fmt: skip

    with owner_scope(alice.pk):
        from memory.models import AgentKey

        key = AgentKey.objects.of(alice).get().pk

    def statements() -> int:
        with count_statements() as counted:
            page(signed_in, "/recalls/")
        return len(counted)

    ask(2)
    statements()
    short = statements()
    ask(125)
    assert statements() == short <= 10
    seen: list[str] = []
    address: str | None = "/recalls/"
    while address:
        html = page(signed_in, address)
        seen += re.findall(r'<li class="row ask[^>]*id="recall-([^"]+)"', html)
        seen += re.findall(r'<li class="row ask ask-read">.*?datetime="([^"]+)"', html, re.S)
        more = re.search(r'id="more"><a class="button" href="([^"]+)"', html)
        address = more[1].replace("&amp;", "&") if more else None
    assert len(seen) == len(set(seen)) == 127 + 3


def test_one_recall_asks_as_often_however_much_it_told(
    signed_in: Client, agent: ApiClient, told: Told
) -> None:
    def statements(recall: str) -> int:
        with count_statements() as counted:
            page(signed_in, f"/recalls/{recall}/")
        return len(counted)

    few = agent.recall("Lisbon", top_k=1)["id"]
    statements(few)
    for number in range(12):
        agent.write(f"Lisbon has hill number {number} near the river")
    many = agent.recall("Lisbon hill", top_k=20)["id"]
    assert abs(statements(many) - statements(few)) <= 1
    assert statements(many) <= 16


def test_wrong_opens_a_card_and_not_useful_changes_nothing(
    signed_in: Client, alice: User, told: Told
) -> None:
    answer = told["answer"]
    first, second = (item["memory"]["id"] for item in answer["memories"][:2])
    base = f"/recalls/{answer['id']}/"
    html = page(signed_in, base)
    assert f'action="{base}told/{first}/"' in html
    done = signed_in.post(f"{base}told/{second}/", {"outcome": "unused"})
    assert done["Location"] == f"{base}#told-{second}"
    assert "Not useful here, it was said." in text_of(page(signed_in, base))
    with owner_scope(alice.pk):
        before = Memory.objects.get(pk=first).status
        assert not Conflict.objects.of(alice).waiting().filter(reason="reported").exists()
    for _ in range(2):
        signed_in.post(f"{base}told/{first}/", {"outcome": "wrong"})
    with owner_scope(alice.pk):
        [card] = Conflict.objects.of(alice).waiting().filter(reason="reported")
        assert card.members.get().memory_id == Memory.objects.get(pk=first).pk
        assert Memory.objects.get(pk=first).status == before
        outcomes = RecallItem.objects.of(alice).filter(recall=answer["id"], memory=first)
        assert set(outcomes.values_list("outcome", flat=True)) == {"wrong"}
    assert "Reported as wrong." in text_of(page(signed_in, base))
    assert signed_in.post(f"{base}told/{first}/", {"outcome": "used"}).status_code == 404
    assert signed_in.post(f"{base}told/{answer['id']}/", {"outcome": "wrong"}).status_code == 404


def test_what_waits_and_what_is_past_can_be_said_to_be_wrong_too(
    signed_in: Client, alice: User, told: Told
) -> None:
    answer, guess = told["answer"], told["guess"]["memory"]["id"]
    base = f"/recalls/{answer['id']}/"
    html = page(signed_in, base)
    with owner_scope(alice.pk):
        past = str(Memory.objects.get(content="I live in Berlin").pk)
        card = Conflict.objects.of(alice).waiting().get(members__memory=guess)
    for memory, place in ((guess, "asked"), (past, "history")):
        assert f'id="told-{memory}-{place}"' in html
        address = f"{base}told/{memory}/"
        assert f'action="{address}"' in html
        useless = signed_in.post(address, {"outcome": "unused", "place": place})
        assert useless["Location"] == f"{base}#told-{memory}-{place}"
    wrong = {"outcome": "wrong", "place": "asked"}
    # A guess is asked about already: that is its card.
    there = signed_in.post(f"{base}told/{guess}/", wrong)
    assert there["Location"] == f"/review/{card.pk}/"
    assert "Here you are asked about it." in text_of(page(signed_in, there["Location"]))
    there = signed_in.post(f"{base}told/{past}/", wrong | {"place": "history"})
    assert there["Location"] == f"/memories/{past}/"
    assert "It is past already" in text_of(page(signed_in, there["Location"]))
    with owner_scope(alice.pk):
        assert not Conflict.objects.of(alice).filter(reason="reported").exists()
    assert text_of(page(signed_in, base)).count("Reported as wrong.") == 2
    nonsense = signed_in.post(f"{base}told/{past}/", wrong | {"place": "x"})
    assert nonsense.status_code == 404


def test_what_was_left_out_is_counted_by_rule(
    signed_in: Client, alice: User, agent: ApiClient
) -> None:
    for said in ("My sister studies in Lisbon", "I bought a bicycle in Lisbon",
                 "The Lisbon office opens at nine"):  # fmt: skip
        agent.write(said)
    agent.write("might live near the river in Lisbon", source="inferred")
    agent.write("I live in Berlin", key="user.residence", value="Berlin")
    agent.write("I moved to Lisbon", key="user.residence", value="Lisbon")
    answer = agent.recall("Lisbon river, Berlin", top_k=2)
    base = f"/recalls/{answer['id']}/"
    with owner_scope(alice.pk):
        by_rule = Recall.objects.get(pk=answer["id"]).stages["left_out"]
    assert by_rule["waits_for_owner"] == 1
    assert by_rule["beyond_top_k"] >= 2
    text = text_of(page(signed_in, base))
    for rule, number in by_rule.items():
        assert f"{number} {GATE[rule]}" in text
    assert sum(by_rule.values()) == answer["stages"]["candidates"] - len(answer["memories"])
    # One kept before they were counted has those three as one.
    with owner_scope(alice.pk):
        row = Recall.objects.get(pk=answer["id"])
        Recall.objects.update(stages={k: v for k, v in row.stages.items() if k != "left_out"})
    assert str(GATE["not_told"]) in text_of(page(signed_in, base))


def test_a_trial_shows_all_that_was_left_out(
    signed_in: Client, agent: ApiClient, alice: User
) -> None:
    for number in range(30):
        agent.write(f"may have seen hill number {number} of Lisbon", source="inferred")
    html = page(signed_in, f"/recalls/try/?q=Lisbon hill number&agent={agent.caller.agent}")
    [left] = re.findall(r'<details class="left-out">.*?</details>', html, re.S)
    number = int(re.search(r"<b>(\d+)</b>", left)[1])  # type: ignore[index]
    assert number > 20
    assert left.count("<li>") == number


def test_wrong_can_be_taken_back(signed_in: Client, alice: User, told: Told) -> None:
    answer = told["answer"]
    first = answer["memories"][0]["memory"]["id"]
    base = f"/recalls/{answer['id']}/"
    signed_in.post(f"{base}told/{first}/", {"outcome": "wrong"})
    undo = re.search(r'action="(/undo/[^"]+)"', page(signed_in, base))
    assert undo
    signed_in.post(undo[1], {"next": base})
    html = page(signed_in, base)
    assert "Undone." in text_of(html)
    assert "Reported as wrong." not in text_of(html)
    with owner_scope(alice.pk):
        reported = Conflict.objects.of(alice).filter(reason="reported")
        assert not reported.waiting().exists()
        assert reported.get().ruling == "withdrawn"


def test_a_recall_that_was_cleared_away_says_so_and_one_past_its_days_does_not(
    signed_in: Client, alice: User, told: Told
) -> None:
    address = f"/recalls/{told['answer']['id']}/"
    with owner_scope(alice.pk):
        Recall.objects.all().delete()
        Event.objects.create(
            owner=alice, gesture=uuid7(), verb="cleared", actor="owner", at=timezone.now()
        )
    gone = signed_in.get(address)
    assert gone.status_code == 404
    text = text_of(gone.content.decode())
    assert "This recall was erased" in text
    assert f"You cleared everything on {timezone.now():%Y-%m-%d}" in text
    for other in ("01900000-0000-7000-8000-000000000000", "ffffffff-ffff-7fff-bfff-ffffffffffff",
                  "00000000-0000-4000-8000-000000000000"):  # fmt: skip
        text = text_of(signed_in.get(f"/recalls/{other}/").content.decode())
        assert "This recall is no longer kept" in text
        assert "A question is kept for 90 days" in text


def test_a_foreign_or_erased_recall_is_not_there(
    client: Client, signed_in: Client, bob: User, told: Told
) -> None:
    address = f"/recalls/{told['answer']['id']}/"
    client.force_login(bob)
    for where in (address, "/recalls/00000000-0000-7000-8000-000000000000/"):
        gone = client.get(where)
        assert gone.status_code == 404
        assert "no longer kept" in gone.content.decode()
        assert "Lisbon" not in gone.content.decode()
    memory = told["other"]["id"]
    assert client.post(f"{address}told/{memory}/", {"outcome": "wrong"}).status_code == 404
    assert "Lisbon" not in page(client, "/recalls/")


def test_an_empty_list_has_the_line_for_the_first_recall(signed_in: Client) -> None:
    text = text_of(page(signed_in, "/recalls/"))
    assert "No agent has asked anything yet" in text
    assert "curl http://testserver/api/v1/recall" in text


def test_a_memorys_page_names_the_recalls_that_told_it(signed_in: Client, told: Told) -> None:
    html = page(signed_in, f"/memories/{told['moved']['id']}/")
    assert f'href="/recalls/{told["answer"]["id"]}/"' in html
    assert re.search(r"Where it was used cursor, .{0,20}where do I live now", text_of(html))


@pytest.mark.parametrize("target", ["recalls", "more"])
def test_parts_are_given_where_asked_for(signed_in: Client, told: Told, target: str) -> None:
    html = signed_in.get("/recalls/?what=asked", headers=htmx(target)).content.decode()
    assert "<html" not in html
    assert "where do I live" in html


def test_the_trial_says_what_would_be_told_and_what_not(
    signed_in: Client, agent: ApiClient, make_agent: MakeAgent, told: Told
) -> None:
    who = agent.caller.agent
    text = text_of(
        page(
            signed_in, f"/recalls/try/?q=Lisbon&agent={who}&strategy=tempered&beside=multiplicative"
        )
    )
    assert "Relevance first" in text
    assert "Fading counts fully" in text
    assert text.count("Told, in this order") == 2
    assert "What the agent would get" in text
    assert re.search(r"\d+ It waits for you. might live near the harbour", text)
    other = make_agent_of(make_agent, agent)
    assert "Nothing fits the question." in text_of(
        page(signed_in, f"/recalls/try/?q=Lisbon&agent={other}")
    )
    assert signed_in.get(f"/recalls/try/?q=&agent={who}").status_code == 422
    assert signed_in.get(f"/recalls/try/?q=x&agent={who}&as_of=2999-01-01T00:00").status_code == 422


@pytest.mark.parametrize("named", ["", "&agent=", "&agent=nobody", "&agent=foreign"])
def test_without_an_agent_of_the_owners_the_first_is_asked_and_named(
    signed_in: Client, bob: User, agent: ApiClient, make_agent: MakeAgent, told: Told, named: str
) -> None:
    foreign = make_agent(bob, "Bob's own").caller.agent
    html = page(signed_in, f"/recalls/try/?q=Lisbon{named.replace('foreign', str(foreign))}")
    text = text_of(html)
    assert f"so it is asked as {agent.caller.agent_name}." in text
    assert "Told, in this order" in text
    assert "Bob" not in text
    assert f'<option value="{agent.caller.agent}" selected>' in html


def make_agent_of(make_agent: MakeAgent, agent: ApiClient) -> Any:
    owner = User.objects.get(pk=agent.caller.owner)
    return make_agent(owner, "other").caller.agent


def test_a_paused_agent_would_be_told_nothing(
    signed_in: Client, alice: User, agent: ApiClient, told: Told
) -> None:
    from memory.models import Agent

    with owner_scope(alice.pk):
        Agent.objects.filter(pk=agent.caller.agent).update(paused=True)
    text = text_of(page(signed_in, f"/recalls/try/?q=Lisbon&agent={agent.caller.agent}"))
    assert "It would be told nothing" in text
    assert "harbour" not in text


def test_the_trial_begins_with_the_owners_topics(
    signed_in: Client, agent: ApiClient, told: Told
) -> None:
    html = page(signed_in, "/recalls/try/")
    assert re.search(rf'href="/recalls/try/\?q=Home[^"]*&amp;agent={agent.caller.agent}"', html)


def test_without_an_agent_the_trial_says_what_to_do(signed_in: Client) -> None:
    assert "There is no agent to ask as" in text_of(page(signed_in, "/recalls/try/"))
