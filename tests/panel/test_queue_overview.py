"""The admins' overview: its numbers are those of the lists they lead to, and name nobody."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts.models import User
from memory.border import operations, owner_scope
from memory.models import Conflict, Job, Memory, Operation, Recall
from memory.services.watch_work import read_work
from panel.reads.queue_overview import read_overview
from tests.conftest import count_statements
from tests.panel.conftest import text_of
from tests.panel.test_queue import act, activity_of, set_admins_see

ADDRESS = "/queue/overview/"


def shown(client: Client) -> str:
    answer = client.get(ADDRESS)
    assert answer.status_code == 200
    return str(answer.content.decode())


def asked(owner: User, at: datetime, milliseconds: float | None, dropped: int = 0) -> None:
    with owner_scope(owner.pk):
        Recall.objects.create(
            owner_id=owner.pk, query="?", strategy="tempered", asked_at=at, as_of=at,
            reinforced=True, top_k=8, stages={"dropped_by_decay": dropped},
            milliseconds=milliseconds,
        )  # fmt: skip


def put_job(owner: User, due: datetime, **fields: Any) -> None:
    with owner_scope(owner.pk):
        Job.objects.create(owner_id=owner.pk, kind="embed", due_at=due, created_at=due, **fields)


def forget_visits() -> None:
    """As if no worker had ever come: one of a running product may have, beside this test."""
    with operations("test"):
        Operation.objects.filter(reason__in=("queue", "sweep")).delete()


def test_without_the_permission_it_is_403(client: Client, bob: User) -> None:
    client.force_login(bob)
    assert client.get(ADDRESS).status_code == 403


def test_an_empty_site_says_so_and_invents_nothing(admin: Client) -> None:
    forget_visits()
    text = text_of(shown(admin))
    for sentence in (
        "Nothing waits",
        "Nothing was opened or settled in that time.",
        "Administrators have decided nothing in that time.",
        "No question has passed over a faded memory lately.",
        "Nobody has asked in the last 24 hours.",
        "No job is due.",
        "No record says that one has ever looked for jobs.",
        "No record says that they have ever run.",
        "Every memory has its vector.",
        "No backup has been reported",
    ):
        assert sentence in text, sentence


def test_numbers_lead_to_the_lists_they_count(
    admin: Client, alice: User, put_guess: Any, entry: Conflict
) -> None:
    now = timezone.now()
    for days, number in ((0.5, 1), (3, 2), (20, 3), (90, 4)):
        for n in range(number):
            put_guess(alice, f"may like {days} {n}", now=now - timedelta(days=days))
    with owner_scope(alice.pk):
        Conflict.objects.filter(pk=entry.pk).update(opened_at=now - timedelta(days=3))
    act(admin, entry, "claim")
    act(admin, entry, "escalate", why="I cannot tell")
    found = re.findall(r'href="(/queue/\?[^"]*age=\w+)">(\d+)</a>', shown(admin))
    assert [int(number) for _, number in found] == [1, 3, 3, 4]
    for address, number in found:
        page = admin.get(address.replace("&amp;", "&")).content.decode()
        assert page.count('<li class="row queue-row"') == int(number), address
    assert "1 of them is escalated" in text_of(shown(admin))


def test_what_admins_may_not_help_with_is_a_number_alone(
    admin: Client, alice: User, entry: Conflict
) -> None:
    set_admins_see(alice, "none")
    page = shown(admin)
    assert "1 more waits for its owner alone." in text_of(page)
    assert "Alice" not in page
    assert "turquoise" not in page


def test_weeks_and_decisions_are_counted_by_who_made_them(
    carol: User, admin: Client, alice: User, entry: Conflict, put_guess: Any
) -> None:
    now = timezone.now()
    put_guess(alice, "may own a boat", now=now - timedelta(weeks=5))
    put_guess(alice, "may own a kite", now=now - timedelta(weeks=40))
    with owner_scope(alice.pk):
        Conflict.objects.filter(pk=entry.pk).update(opened_at=now)
        boat = Memory.objects.get(content="may own a boat")
    owner = Client()
    owner.force_login(alice)
    owner.post(f"/memories/{boat.pk}/confirm/", {"version": 1})
    act(admin, entry, "claim")
    act(admin, entry, "settle", answer="both", note="He told me")
    found = read_overview(carol.pk, now=now + timedelta(seconds=5))
    assert [week.opened for week in found.weeks] == [0] * 6 + [1] + [0] * 4 + [1]
    assert [week.settled for week in found.weeks] == [0] * 11 + [2]
    # The kite was open before all of them, the boat in between; today the kite alone is.
    assert [week.open for week in found.weeks] == [1] * 6 + [2] * 5 + [1]
    assert {(one.name, one.owners, one.admins) for one in found.rulings} == {
        ("One of them was kept as true.", 1, 0),
        ("Both were said to be true.", 0, 1),
    }
    assert (found.ruled_by_admins, found.overturned) == (1, 0)


def test_what_owners_undid_of_it_is_counted(
    carol: User, admin: Client, alice: User, entry: Conflict
) -> None:
    act(admin, entry, "claim")
    act(admin, entry, "settle", answer="both", note="He told me")
    assert "1 ruling by an administrator; its owner let it stand." in text_of(shown(admin))
    undo = re.search(r'action="(/undo/[^"]+)"', activity_of(alice))
    assert undo
    owner = Client()
    owner.force_login(alice)
    owner.post(undo[1], {"next": "/activity/"})
    assert "Of 1 ruling by an administrator, owners undid 1." in text_of(shown(admin))
    assert read_overview(carol.pk, now=timezone.now()).rulings == []


def test_a_sudden_rise_of_dropped_rows_alerts(admin: Client, alice: User) -> None:
    now = timezone.now()
    for days in range(1, 10):
        asked(alice, now - timedelta(days=days), 10, dropped=5)
    assert 'role="alert"' not in shown(admin)
    asked(alice, now, 10, dropped=60)
    page = shown(admin)
    assert "Today far more than usual" in page
    assert "60 rows today" in text_of(page)


def test_latency_is_that_of_the_recalls_that_were_timed(admin: Client, alice: User) -> None:
    now = timezone.now()
    for milliseconds in range(1, 102):
        asked(alice, now - timedelta(hours=1), milliseconds)
    asked(alice, now - timedelta(hours=1), None)
    asked(alice, now - timedelta(days=3), 5_000)
    work = read_work(now=now)
    assert work.day.recalls == 101
    assert work.day.half == pytest.approx(51)
    assert work.day.most == pytest.approx(96)
    assert work.week.recalls == 102
    assert "Half within 51 ms, 95% within 96 ms (101 recalls in 24 hours)." in text_of(shown(admin))


def test_the_oldest_job_and_who_came_for_it(admin: Client, alice: User) -> None:
    now = timezone.now()
    put_job(alice, now - timedelta(hours=2), error="EmbedderDown")
    put_job(alice, now - timedelta(hours=5), status="done", finished_at=now)
    put_job(alice, now - timedelta(hours=5), status="failed", finished_at=now)
    put_job(alice, now + timedelta(hours=5))
    text = text_of(shown(admin))
    assert "Making memories findable by meaning · 2 hours ago 1 job is due." in text
    assert "1 was given up in the last week." in text
    assert "Is a worker running?" in text
    assert "The last try failed: EmbedderDown." in text
    forget_visits()
    with operations("test"):
        hour = datetime.fromisoformat("2026-05-01T09:00Z")
        Operation.objects.create(reason="queue", hour=hour)
    assert "It last looked for jobs in the hour from 2026-05-01 09:00." in text_of(shown(admin))


def test_rows_without_a_vector_are_counted(admin: Client, entry: Conflict, alice: User) -> None:
    with owner_scope(alice.pk):
        Memory.objects.of(alice).update(embedding=None)
    assert "2 memories have no vector of it" in text_of(shown(admin))


def test_looking_leaves_a_record_and_changes_nothing(
    carol: User, admin: Client, alice: User, entry: Conflict
) -> None:
    with owner_scope(alice.pk):
        before = list(Memory.objects.values_list("pk", "version", "status"))
    shown(admin)
    with owner_scope(alice.pk):
        assert list(Memory.objects.values_list("pk", "version", "status")) == before
    with operations("queue_overview"):
        looked = Operation.objects.filter(by=carol).values_list("reason", flat=True)
        assert {"queue_overview", "work_health", "store_health"} <= set(looked)


def test_as_many_statements_for_few_as_for_many(
    admin: Client, alice: User, bob: User, put_guess: Any
) -> None:
    counts = []
    for number in (1, 12):
        for n in range(number):
            for owner in (alice, bob):
                put_guess(owner, f"may like thing {number} {n}")
        shown(admin)
        with count_statements() as counted:
            shown(admin)
        counts.append(len(counted))
    assert counts[0] == counts[1] <= 60


def test_a_backup_that_was_reported_is_shown_with_its_age(admin: Client) -> None:
    call_command("note_backup", stdout=StringIO())
    hour = timezone.now().astimezone(UTC).strftime("%Y-%m-%d %H:00")
    text = text_of(shown(admin))
    assert f"One was last reported in the hour from {hour}." in text
    assert "more than a week old" not in text
    with operations("test"):
        Operation.objects.filter(reason="backup").update(hour=timezone.now() - timedelta(days=8))
    assert "The last one reported is more than a week old." in text_of(shown(admin))


def test_it_speaks_chinese(carol: User, admin: Client, entry: Conflict) -> None:
    User.objects.filter(pk=carol.pk).update(language="zh-hans")
    text = text_of(shown(admin))
    for words in ("队列概览", "已等待多久", "最近十二周", "没有收到备份的报告"):
        assert words in text
