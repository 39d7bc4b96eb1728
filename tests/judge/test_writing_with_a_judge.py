"""Writing and extracting with a judge: its word where it may decide, the rules' everywhere else."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from memory.adapters import judges
from memory.border import owner_scope
from memory.models import Event, JudgeUse, Memory
from memory.services import dispatch
from memory.services.watch_judge import read_judge_health
from tests.conftest import ApiClient
from tests.judge.conftest import answer_well, scores
from tests.judge.server import Endpoint
from tests.judge.test_judge import MISBEHAVIOUR, RUBBISH

TALK = [
    {"role": "user", "content": "我对花生过敏。我住在杭州，最近在学 Rust。"},
    {"role": "assistant", "content": "好的。"},
    {"role": "user", "content": "I don't like coriander."},
]


def written(owner: User, row: Any) -> Event:
    with owner_scope(owner.pk):
        return Event.objects.get(memory=row["memory"]["id"], verb="written")


def ruling(decision: str, relation: str, known: int | None) -> Callable[[Any], str]:
    def say(asked: Any) -> str:
        if "new" in asked:
            return json.dumps({"decision": decision, "relation": relation, "known": known})
        return answer_well(asked)

    return say


def extract(agent: ApiClient, messages: Any = TALK) -> Any:
    job = agent.post("conversations", {"messages": messages}).json()["job"]["id"]
    dispatch.run_due_jobs()
    answer = agent.get(f"jobs/{job}").json()
    assert answer["status"] == "done", answer
    return answer["results"]


# -- Importance ------------------------------------------------------------------------------------


def test_the_judges_score_counts_and_is_recorded(
    agent: ApiClient, alice: User, endpoint: Endpoint
) -> None:
    row = agent.write("keeps a small weather station")
    assert row["memory"]["importance"] == pytest.approx(0.665, abs=0.01)
    event = written(alice, row)
    assert event.data["scored_by"] == "judge"
    assert "fallback" not in event.data


def test_it_may_not_lower_a_safety_fact(agent: ApiClient, endpoint: Endpoint) -> None:
    endpoint.say = lambda asked: scores(*[0.0] * len(asked["facts"]))
    row = agent.write("对花生过敏")["memory"]
    assert row["importance"] >= 0.9
    assert row["protected"]


@pytest.mark.parametrize("how", MISBEHAVIOUR)
def test_a_judge_that_misbehaves_loses_no_fact(
    agent: ApiClient, alice: User, endpoint: Endpoint, settings: Any, how: str
) -> None:
    settings.MEMOIR_JUDGE_SECONDS = 0.4
    endpoint.misbehave = how
    row = agent.write("对花生过敏")
    assert row["decision"] == "ADD"
    assert row["memory"]["importance"] >= 0.8
    event = written(alice, row)
    assert (event.data["scored_by"], event.data["decided_by"]) == ("rules", "rules")
    assert event.data["fallback"] == MISBEHAVIOUR[how]


@pytest.mark.parametrize("said", RUBBISH)
def test_nor_does_one_that_answers_rubbish(
    agent: ApiClient, alice: User, endpoint: Endpoint, said: str
) -> None:
    endpoint.say = lambda asked: said
    row = agent.write("对花生过敏")
    assert row["decision"] == "ADD"
    assert written(alice, row).data["fallback"]


# -- Routing ---------------------------------------------------------------------------------------


@pytest.fixture
def known(agent: ApiClient, endpoint: Endpoint) -> Any:
    """A fact that a later statement of the same dimension is compared with."""
    return agent.write("最喜欢的编辑器是 Vim", key="user.editor.favorite", value="Vim")["memory"]


NEWER = {
    "content": "最喜欢的编辑器是 Emacs",
    "key": "user.editor.favorite",
    "value": "Emacs",
}


def test_it_decides_among_what_it_was_shown(
    agent: ApiClient, alice: User, endpoint: Endpoint, known: Any
) -> None:
    endpoint.say = ruling("UPDATE", "replacement", 1)
    row = agent.write(**NEWER)
    assert (row["decision"], row["decided_by"]) == ("UPDATE", "judge")
    assert row["target"] == {"id": known["id"], "status": "superseded"}
    assert written(alice, row).data["decided_by"] == "judge"


@pytest.mark.parametrize(
    ("decision", "relation", "number"),
    [("NOOP", "duplicate", 1), ("UPDATE", "replacement", 99), ("SHRED", "all", 1)],
)
def test_an_answer_that_would_lose_the_fact_or_means_nothing_falls_to_the_rules(
    agent: ApiClient,
    alice: User,
    endpoint: Endpoint,
    known: Any,
    decision: str,
    relation: str,
    number: int,
) -> None:
    endpoint.say = ruling(decision, relation, number)
    row = agent.write(**NEWER)
    assert (row["decision"], row["decided_by"]) == ("CONFLICT", "rules")
    assert row["memory"]["content"] == NEWER["content"]
    assert written(alice, row).data["fallback"] in ("would_lose_it", "wrong_ids", "malformed")


def test_it_may_not_retire_a_protected_fact(agent: ApiClient, endpoint: Endpoint) -> None:
    endpoint.say = ruling("UPDATE", "replacement", 1)
    old = agent.write("对花生过敏", key="user.allergy.peanut", value="过敏")["memory"]
    row = agent.write("对花生不过敏", key="user.allergy.peanut", value="不过敏")
    assert row["decided_by"] == "rules"
    assert agent.get(f"memories/{old['id']}").json()["status"] == "active"


def test_a_row_changed_meanwhile_takes_the_ruling_back(
    agent: ApiClient, alice: User, endpoint: Endpoint, known: Any
) -> None:
    real = judges.EndpointJudge.route

    def route(self: Any, *args: Any, **more: Any) -> Any:
        verdict = real(self, *args, **more)
        with owner_scope(alice.pk):
            Memory.objects.filter(pk=known["id"]).update(version=7)
        return verdict

    endpoint.say = ruling("UPDATE", "replacement", 1)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(judges.EndpointJudge, "route", route)
        row = agent.write(**NEWER)
    assert row["decided_by"] == "rules"
    assert written(alice, row).data["fallback"] == "changed"


def test_the_same_words_need_no_judge(agent: ApiClient, endpoint: Endpoint, known: Any) -> None:
    asked = len([a for a in endpoint.asked if "new" in a])
    assert agent.write(known["content"])["decision"] == "NOOP"
    assert len([a for a in endpoint.asked if "new" in a]) == asked


# -- Extraction ------------------------------------------------------------------------------------


@pytest.fixture
def rules_alone(alice: User, make_agent: Any, settings: Any, endpoint: Endpoint) -> set[str]:
    """What another owner's agent gets from the same talk with no judge."""
    other = User.objects.create_user("carol@example.com", "correct horse battery")
    url, settings.LLM_URL = settings.LLM_URL, ""
    found = {r["memory"]["content"] for r in extract(make_agent(other))}
    settings.LLM_URL = url
    assert len(found) >= 3
    return found


def say_facts(*facts: Any) -> Callable[[Any], str]:
    def say(asked: Any) -> str:
        if "messages" in asked:
            return json.dumps({"facts": facts})
        return answer_well(asked)

    return say


def test_a_good_judge_says_it_better_and_nothing_is_lost(
    agent: ApiClient, alice: User, endpoint: Endpoint, rules_alone: set[str]
) -> None:
    endpoint.say = say_facts(
        {"message": 1, "quote": "我住在杭州", "content": "住在杭州", "source": "user_stated",
         "key": "user.residence", "value": "杭州"},
        {"message": 3, "quote": "don't like coriander", "content": "don't like coriander",
         "source": "user_stated"},
    )  # fmt: skip
    results = extract(agent)
    found = {r["memory"]["content"]: r["memory"] for r in results}
    assert found["住在杭州"]["key"] == "user.residence"
    assert found["住在杭州"]["source"] == "user_stated"
    assert any("花生" in content for content in found)
    assert len(found) >= len(rules_alone)
    with owner_scope(alice.pk):
        by = {e.data.get("found_by") for e in Event.objects.filter(verb="written")}
    assert by == {"judge", "rules"}


def test_a_flipped_polarity_gives_way_to_the_quote(agent: ApiClient, endpoint: Endpoint) -> None:
    endpoint.say = say_facts(
        {"message": 3, "quote": "I don't like coriander", "content": "likes coriander",
         "source": "user_stated"},
    )  # fmt: skip
    contents = [r["memory"]["content"] for r in extract(agent)]
    assert not any("likes coriander" in content for content in contents)
    assert any("don't like coriander" in content for content in contents)


def test_what_stands_nowhere_is_never_the_users_word(
    agent: ApiClient, alice: User, endpoint: Endpoint, rules_alone: set[str]
) -> None:
    endpoint.say = say_facts(
        {"message": 1, "quote": "我住在杭州", "content": "住在杭州", "source": "user_stated"},
        {"message": 1, "quote": "我对花生过敏", "content": "对花生过敏", "source": "user_stated"},
        {"message": 3, "quote": "I own a yacht", "content": "owns a yacht",
         "source": "user_stated"},
    )  # fmt: skip
    extract(agent)
    with owner_scope(alice.pk):
        assert not Memory.objects.filter(content__icontains="yacht").exists()


RUBBISH_FACTS = [
    [{"message": 99, "quote": "x", "content": "x", "source": "user_stated"}],
    [{"message": 1, "quote": "made up", "content": "made up", "source": "user_stated"}],
    [{"message": 1, "quote": "我住在杭州", "source": "user_stated"}],
    [{"message": 1, "quote": "我住在杭州", "content": "x" * 2001}],
    [{"message": 1, "quote": "我住在杭州", "content": "x", "key": "user'; DROP TABLE"}],
    "none",
]


@pytest.mark.parametrize("facts", RUBBISH_FACTS)
def test_rubbish_leaves_exactly_what_the_rules_find(
    agent: ApiClient, alice: User, endpoint: Endpoint, rules_alone: set[str], facts: Any
) -> None:
    def say(asked: Any) -> str:
        return json.dumps({"facts": facts}) if "messages" in asked else answer_well(asked)

    endpoint.say = say
    assert {r["memory"]["content"] for r in extract(agent)} == rules_alone
    with owner_scope(alice.pk):
        data = [e.data for e in Event.objects.filter(verb="written")]
    assert all(d["found_by"] == "rules" and d["fallback"] for d in data)


@pytest.mark.parametrize("how", ["closes", "slow", "redirects", "huge", "refuses", "truncates"])
def test_so_does_a_judge_that_misbehaves(
    agent: ApiClient,
    alice: User,
    endpoint: Endpoint,
    rules_alone: set[str],
    settings: Any,
    how: str,
) -> None:
    settings.MEMOIR_JUDGE_SECONDS = settings.MEMOIR_JUDGE_JOB_SECONDS = 0.4
    endpoint.misbehave = how
    assert {r["memory"]["content"] for r in extract(agent)} == rules_alone


def test_an_empty_list_loses_nothing_either(
    agent: ApiClient, endpoint: Endpoint, rules_alone: set[str]
) -> None:
    endpoint.say = say_facts()
    assert {r["memory"]["content"] for r in extract(agent)} == rules_alone


def test_a_worker_that_takes_over_goes_on_with_the_same_facts(
    agent: ApiClient, alice: User, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memory.services import extract as extracting

    endpoint.say = say_facts(
        {"message": 1, "quote": "我住在杭州", "content": "住在杭州", "source": "user_stated"},
    )
    real = extracting.write_facts

    def die(*args: Any, **more: Any) -> Any:
        raise RuntimeError("planted")

    job = agent.post("conversations", {"messages": TALK}).json()["job"]["id"]
    monkeypatch.setattr(extracting, "write_facts", die)
    dispatch.run_due_jobs()
    monkeypatch.setattr(extracting, "write_facts", real)
    endpoint.say = say_facts(
        {"message": 1, "quote": "我住在杭州", "content": "家住在杭州", "source": "user_stated"},
    )
    with owner_scope(alice.pk):
        from memory.models import Job

        Job.objects.update(due_at=timezone.now())
    dispatch.run_due_jobs()
    contents = [r["memory"]["content"] for r in agent.get(f"jobs/{job}").json()["results"]]
    assert "住在杭州" in contents
    assert "家住在杭州" not in contents


# -- What it costs, and what is said of it ---------------------------------------------------------


def test_past_the_ceiling_the_rules_judge(
    agent: ApiClient, alice: User, endpoint: Endpoint, settings: Any
) -> None:
    settings.MEMOIR_JUDGE_TOKENS_A_DAY = 150
    agent.write("keeps a small weather station")
    agent.write("plays the cello on Sundays")
    asked = len(endpoint.asked)
    row = agent.write("repairs old radios")
    assert len(endpoint.asked) == asked
    assert written(alice, row).data["fallback"] == "ceiling"
    with owner_scope(alice.pk):
        use = JudgeUse.objects.get()
    assert use.tokens >= 150
    assert (use.calls, use.failures) == (asked, 0)


def test_the_ceiling_is_each_owners_own(
    agent: ApiClient, bob: User, make_agent: Any, endpoint: Endpoint, settings: Any
) -> None:
    settings.MEMOIR_JUDGE_TOKENS_A_DAY = 100
    agent.write("keeps a small weather station")
    row = make_agent(bob).write("keeps a small weather station")
    assert written(bob, row).data["scored_by"] == "judge"


def test_health_says_how_the_judge_is(agent: ApiClient, endpoint: Endpoint, settings: Any) -> None:
    now = timezone.now()
    assert read_judge_health(now=now)["state"] == "closed"
    endpoint.status = 500
    for number in range(6):
        agent.write(f"repairs radio number {number}")
    health = read_judge_health(now=now)
    assert health["state"] == "open"
    assert health["error"] == "http_500"
    assert health["failures"] >= 5
    settings.LLM_URL = ""
    assert read_judge_health(now=now)["state"] == "off"


def test_no_word_of_a_memory_and_none_of_the_judges_is_logged(
    agent: ApiClient, endpoint: Endpoint, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    endpoint.status = 500
    agent.write("keeps a zeppelin in the garden")
    endpoint.status = 200
    endpoint.say = lambda asked: "the zeppelin is important"
    agent.write("keeps a second zeppelin")
    extract(agent)
    for word in ("zeppelin", "upstream", "花生", "the-key"):
        assert word not in caplog.text
