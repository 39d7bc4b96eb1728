"""`POST /conversations`, `GET /jobs/{id}`: what is stored, what comes of it, what is not kept."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from memory import tasks
from memory.border import owner_scope
from memory.models import Agent, Conversation, Event, Job, Memory, Message, Policy
from memory.services import dispatch
from tests.conftest import ApiClient, MakeAgent

PEANUT = "我对花生过敏"
TALK = [
    {
        "role": "user",
        "content": f"{PEANUT}。我住在杭州。",
        "at": "2026-05-01T08:00:00Z",
        "id": "m1",
    },
    {"role": "assistant", "content": "好的，记住了。"},
    {"role": "user", "content": "I don't like coriander."},
]


def send(agent: ApiClient, messages: Any = TALK, **more: Any) -> Any:
    answer = agent.post("conversations", {"messages": messages, **more})
    assert answer.status_code == 202, answer.content
    return answer.json()


def work(agent: ApiClient, messages: Any = TALK, **more: Any) -> Any:
    """Hand over a dialogue and work through it; the job's answer."""
    job = send(agent, messages, **more)["job"]["id"]
    dispatch.run_due_jobs()
    return agent.get(f"jobs/{job}").json()


def contents(job: Any) -> list[str]:
    return [r["memory"]["content"] for r in job["results"] if r["memory"] is not None]


def test_a_dialogue_is_queued_and_then_its_facts_are_remembered(agent: ApiClient) -> None:
    answer = send(agent, title="Lunch")
    assert answer["job"]["status"] == "queued"
    job = agent.get(f"jobs/{answer['job']['id']}").json()
    assert (job["status"], job["results"], job["error"]) == ("queued", [], None)
    dispatch.run_due_jobs()
    job = agent.get(f"jobs/{answer['job']['id']}").json()
    assert job["status"] == "done"
    assert job["progress"] == {"done": 3, "total": 3}
    assert [result["decision"] for result in job["results"]] == ["ADD", "ADD", "ADD"]
    assert any("花生" in content for content in contents(job))
    assert any("don't like" in content for content in contents(job))


def test_each_fact_shows_where_it_came_from(agent: ApiClient, alice: User) -> None:
    answer = send(agent)
    dispatch.run_due_jobs()
    job = agent.get(f"jobs/{answer['job']['id']}").json()
    first = job["results"][0]["memory"]
    with owner_scope(alice.pk):
        message = Message.objects.get(position=0)
        assert message.external_id == "m1"
    assert first["provenance"] == {
        "conversation": answer["conversation"],
        "message": str(message.pk),
        "quote": PEANUT,
        "at": "2026-05-01T08:00:00Z",
    }
    assert first["source"] == "user_stated"


def test_running_it_twice_changes_nothing(agent: ApiClient, alice: User) -> None:
    before = work(agent)
    with owner_scope(alice.pk):
        Job.objects.update(status="queued", due_at=timezone.now())
        events = Event.objects.count()
    dispatch.run_due_jobs()
    after = agent.get(f"jobs/{before['id']}").json()
    assert after["progress"] == before["progress"]
    assert [r["memory"]["id"] for r in after["results"]] == [
        r["memory"]["id"] for r in before["results"]
    ]
    with owner_scope(alice.pk):
        assert Event.objects.count() == events
        assert Memory.objects.count() == 3


def test_the_same_dialogue_again_is_nothing_new(agent: ApiClient) -> None:
    work(agent)
    again = work(agent)
    assert {result["decision"] for result in again["results"]} == {"NOOP"}
    assert agent.get("memories").json()["total"] == 3


def test_what_the_assistant_guesses_waits_and_tools_are_not_believed(agent: ApiClient) -> None:
    job = work(
        agent,
        [
            {"role": "assistant", "content": "你可能用 Mac。"},
            {"role": "tool", "content": "用户喜欢喝茶。"},
            {"role": "system", "content": "The user lives in Berlin."},
        ],
    )
    decisions = {r["decision"] for r in job["results"]}
    assert decisions <= {"CONFLICT", "REFUSED"}
    stored = [r["memory"] for r in job["results"] if r["memory"]]
    assert all(row["source"] == "inferred" and row["status"] == "conflict" for row in stored)
    assert not any("Berlin" in row["content"] or "茶" in row["content"] for row in stored)


def test_recall_output_fed_back_fifty_times_creates_nothing(agent: ApiClient, alice: User) -> None:
    agent.write("对花生过敏")
    agent.write("我住在杭州西湖区")
    context = agent.recall("我住在哪里")["context"]
    for _ in range(50):
        send(agent, [{"role": "assistant", "content": f"根据记忆：\n{context}"}])
    dispatch.run_due_jobs()
    assert agent.get("memories").json()["total"] == 2


def test_waiting_answers_with_the_finished_job(
    committed: None, agent: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work_elsewhere() -> None:
        def run() -> None:
            dispatch.run_due_jobs()
            connection.close()

        threading.Thread(target=run).start()

    monkeypatch.setattr("memory.api.conversations.nudge", work_elsewhere)
    answer = agent.post("conversations?wait=20", {"messages": TALK})
    assert answer.status_code == 200
    assert answer.json()["status"] == "done"
    assert len(answer.json()["results"]) == 3


def test_when_too_many_wait_the_answer_comes_at_once(
    agent: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.api.conversations._waiting", threading.BoundedSemaphore(1))
    from memory.api import conversations

    with conversations._waiting:
        answer = agent.post("conversations?wait=20", {"messages": TALK})
    assert answer.status_code == 202


def test_incognito_keeps_nothing(agent: ApiClient, alice: User) -> None:
    answer = agent.post("conversations", {"messages": TALK, "incognito": True})
    assert (answer.status_code, answer.json()) == (
        200,
        {"conversation": None, "job": None, "incognito": True},
    )
    with owner_scope(alice.pk):
        assert not Conversation.objects.exists()
        assert not Message.objects.exists()
        assert not Job.objects.exists()
        assert not Event.objects.exists()


def test_while_paused_nothing_is_kept_and_a_job_waits(agent: ApiClient, alice: User) -> None:
    queued = send(agent)
    with owner_scope(alice.pk):
        Policy.objects.update_or_create(owner=alice, defaults={"paused": True})
    answer = agent.post("conversations", {"messages": TALK})
    assert (answer.status_code, answer.json()) == (
        202,
        {"conversation": None, "job": None, "paused": True},
    )
    dispatch.run_due_jobs()
    job = agent.get(f"jobs/{queued['job']['id']}").json()
    assert (job["status"], job["results"]) == ("queued", [])
    with owner_scope(alice.pk):
        assert not Memory.objects.exists()
        Policy.objects.update(paused=False)
        Job.objects.update(due_at=timezone.now())
    dispatch.run_due_jobs()
    assert agent.get(f"jobs/{queued['job']['id']}").json()["status"] == "done"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "user", "content": "x"}] * 201}, "messages"),
        ({"messages": [{"role": "user", "content": "x" * 10_001}]}, "messages.0.content"),
        ({"messages": [{"role": "boss", "content": "x"}]}, "messages.0.role"),
        ({"messages": [{"role": "user"}]}, "messages.0.content"),
        (
            {"messages": [{"role": "user", "content": "x", "at": "2026-01-01T00:00"}]},
            "messages.0.at",
        ),
        ({"messages": TALK, "project": "nowhere"}, "project"),
        ({"messages": TALK, "owner": "x"}, "owner"),
        ({"messages": TALK, "incognito": "yes"}, "incognito"),
    ],
)
def test_what_does_not_fit_is_refused(agent: ApiClient, body: Any, field: str) -> None:
    answer = agent.post("conversations", body)
    assert answer.status_code == 422
    assert list(answer.json()["error"]["details"]["fields"]) == [field]


@pytest.mark.parametrize("wait", ["21", "-1", "x", "1.5"])
def test_the_wait_has_an_end(agent: ApiClient, wait: str) -> None:
    assert agent.post(f"conversations?wait={wait}", {"messages": TALK}).status_code == 422


def test_two_hundred_messages_of_ten_thousand_characters_are_too_large(agent: ApiClient) -> None:
    messages = [{"role": "user", "content": "x" * 10_000}] * 200
    assert agent.post("conversations", {"messages": messages}).status_code == 413


def test_facts_of_a_project_conversation_are_in_the_project(
    alice: User, make_agent: MakeAgent
) -> None:
    agent = make_agent(alice, project="q2")
    job = work(agent, project="q2")
    assert {r["memory"]["project"] for r in job["results"]} == {"q2"}


def test_a_job_is_shown_to_the_agent_that_asked_for_it_alone(
    agent: ApiClient, alice: User, bob: User, make_agent: MakeAgent
) -> None:
    job = send(agent)["job"]["id"]
    assert make_agent(alice, "other").get(f"jobs/{job}").status_code == 404
    assert make_agent(bob).get(f"jobs/{job}").status_code == 404
    assert agent.get("jobs/not-an-id").status_code == 404
    reader = make_agent(alice, scopes=("recall",))
    assert reader.get(f"jobs/{job}").status_code == 403
    assert reader.post("conversations", {"messages": TALK}).status_code == 403


def test_with_the_broker_away_the_answer_comes_and_the_sweep_does_the_work(
    agent: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kombu.exceptions import OperationalError

    def down(**_: Any) -> None:
        raise OperationalError("no broker")

    monkeypatch.setattr(tasks.sweep_jobs, "apply_async", down)
    job = send(agent)["job"]["id"]
    assert agent.get(f"jobs/{job}").json()["status"] == "queued"
    tasks.sweep_jobs()
    assert agent.get(f"jobs/{job}").json()["status"] == "done"


def test_cleared_before_it_was_read_it_is_read_no_more(agent: ApiClient, alice: User) -> None:
    from memory.services.erase import clear_all

    send(agent)
    clear_all(owner=alice.pk, now=timezone.now())
    dispatch.run_due_jobs()
    with owner_scope(alice.pk):
        assert not Memory.objects.exists()
        assert not Message.objects.exists()
        assert not Conversation.objects.exists()


# -- Citing ----------------------------------------------------------------------------------------


@pytest.fixture
def message(agent: ApiClient, alice: User) -> Message:
    send(agent)
    with owner_scope(alice.pk):
        return Message.objects.get(position=0)


def test_a_fact_may_cite_a_message(agent: ApiClient, message: Message) -> None:
    written = agent.write(PEANUT, message=str(message.pk), quote=PEANUT)
    assert written["memory"]["source"] == "user_stated"
    assert written["memory"]["provenance"] == {
        "conversation": str(message.conversation_id),
        "message": str(message.pk),
        "quote": PEANUT,
        "at": "2026-05-01T08:00:00Z",
    }


def test_a_quote_that_does_not_stand_there_makes_it_a_conclusion(
    agent: ApiClient, message: Message
) -> None:
    written = agent.write("我对虾过敏", message=str(message.pk), quote="我对虾过敏")
    assert written["decision"] == "CONFLICT"
    assert written["memory"]["source"] == "inferred"
    assert written["memory"]["status_reason"] == "inferred"


def test_what_the_assistant_said_is_at_most_inferred(agent: ApiClient, alice: User) -> None:
    send(agent, [{"role": "assistant", "content": "你用 Mac 吧"}])
    with owner_scope(alice.pk):
        pk = Message.objects.get().pk
    assert agent.write("用 Mac", message=str(pk), quote="用 Mac")["memory"]["source"] == "inferred"


def test_tool_text_cited_is_external(agent: ApiClient, alice: User) -> None:
    send(agent, [{"role": "tool", "content": "likes tea"}])
    with owner_scope(alice.pk):
        pk = Message.objects.get().pk
    assert agent.write("likes tea", message=str(pk), quote="likes tea")["decision"] == "REFUSED"


def test_a_message_of_another_agent_or_conversation_is_none(
    agent: ApiClient, alice: User, make_agent: MakeAgent, message: Message
) -> None:
    other = send(agent, [{"role": "user", "content": "hello there"}])["conversation"]
    cases = [
        (make_agent(alice, "other"), {"message": str(message.pk)}, "message"),
        (make_agent(alice, "other"), {"conversation": other}, "conversation"),
        (agent, {"message": str(message.pk), "conversation": other}, "message"),
        (agent, {"message": other}, "message"),
    ]
    for client, place, field in cases:
        answer = client.post("memories", {"facts": [{"content": "住在杭州", **place}]})
        assert answer.status_code == 422, place
        assert list(answer.json()["error"]["details"]["fields"]) == [f"facts.0.{field}"]


# -- What is kept for a while only -----------------------------------------------------------------


def test_unquoted_messages_go_after_thirty_days_and_quoted_ones_stay(
    agent: ApiClient, alice: User
) -> None:
    from memory.services.expire import expire

    work(agent)
    later = timezone.now() + timedelta(days=29)
    assert expire(alice.pk, later) == 0
    later += timedelta(days=2)
    assert expire(alice.pk, later) == 1
    with owner_scope(alice.pk):
        assert list(Message.objects.order_by("position").values_list("role", flat=True)) == [
            "user",
            "user",
        ]
        Memory.objects.update(message=None)
    assert expire(alice.pk, later) >= 2
    with owner_scope(alice.pk):
        assert not Message.objects.exists()
        assert list(Conversation.objects.values_list("title", flat=True)) == [""]


def test_an_unread_conversation_is_never_erased(agent: ApiClient, alice: User) -> None:
    from memory.services.expire import expire

    send(agent)
    assert expire(alice.pk, timezone.now() + timedelta(days=400)) == 0


def test_erasing_a_memory_takes_the_message_that_only_it_quoted(
    agent: ApiClient, alice: User
) -> None:
    from memory.services.erase import erase_rows

    work(agent)
    with owner_scope(alice.pk):
        row = Memory.objects.get(content__contains="coriander")
        erase_rows(alice.pk, [row.pk])
        assert not Message.objects.filter(content__contains="coriander").exists()
        peanut = Memory.objects.get(content__contains="花生")
        erase_rows(alice.pk, [peanut.pk])
        # 我住在杭州 still quotes it.
        assert Message.objects.filter(content__contains="花生").exists()


# -- Secrets ---------------------------------------------------------------------------------------


def everything_stored(owner: User) -> str:
    """Every text in every table of the owner's, as one string."""
    from django.apps import apps

    with owner_scope(owner.pk):
        return "\n".join(
            repr(row)
            for model in apps.get_app_config("memory").get_models()
            for row in model._default_manager.all().values()
        )


@pytest.mark.parametrize("role", ["user", "tool", "assistant", "system"])
def test_a_secret_leaves_no_trace(
    agent: ApiClient, alice: User, caplog: pytest.LogCaptureFixture, role: str
) -> None:
    caplog.set_level("DEBUG")
    words = "记住：用户密码是 hunter2"
    answer = send(
        agent,
        [{"role": role, "content": words, "id": words}, {"role": "user", "content": PEANUT}],
        title=words,
    )
    dispatch.run_due_jobs()
    job = agent.get(f"jobs/{answer['job']['id']}")
    assert "hunter2" not in job.content.decode()
    assert "hunter2" not in everything_stored(alice)
    assert "hunter2" not in caplog.text
    assert PEANUT in contents(job.json())
    with owner_scope(alice.pk):
        assert Event.objects.filter(verb="refused", reason="secret").exists()
        assert Agent.objects.count() == 1


@pytest.mark.parametrize("source", ["external", "user_stated", "inferred"])
@pytest.mark.parametrize("field", ["content", "quote", "value", "metadata"])
def test_a_secret_in_a_fact_leaves_no_trace(
    agent: ApiClient, alice: User, caplog: pytest.LogCaptureFixture, source: str, field: str
) -> None:
    caplog.set_level("DEBUG")
    words = "记住：用户密码是 hunter2"
    fact = {"content": "我有一个账号", "source": source}
    fact[field] = {"note": words} if field == "metadata" else words
    answer = agent.post(
        "memories", {"facts": [fact]}, headers={"Idempotency-Key": f"{source}-{field}"}
    )
    [result] = answer.json()["results"]
    assert (result["decision"], result["memory"]) == ("REFUSED", None)
    assert "hunter2" not in answer.content.decode()
    assert "hunter2" not in everything_stored(alice)
    assert "hunter2" not in caplog.text
    with owner_scope(alice.pk):
        event = Event.objects.get(verb="refused")
    assert event.reason == ("external_refused" if source == "external" else "secret")
    assert result["reason"]
