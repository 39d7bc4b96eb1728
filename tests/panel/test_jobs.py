"""Long work is watched less and less often, until it is over; silence is named."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from memory.border import operations, owner_scope
from memory.models import Job
from memory.services import dispatch, exchange
from memory.services.progress import Stopped, note_progress
from tests.panel.conftest import htmx, text_of


@pytest.fixture
def job(alice: User) -> Job:
    return exchange.start_export(owner=alice.pk, form="json", now=timezone.now())


def address(job: Job, looked: int | str = "") -> str:
    return f"/jobs/{job.pk}/" + (f"?looked={looked}" if looked != "" else "")


def test_looking_slows_from_one_second_to_ten_and_ends_with_286(
    signed_in: Client, job: Job
) -> None:
    pauses = []
    looked = 0
    for _ in range(10):
        answer = signed_in.get(address(job, looked), headers=htmx("job"))
        assert answer.status_code == 200
        page = answer.content.decode()
        pauses.append(int(re.search(r"load delay:(\d+)s", page)[1]))  # type: ignore[index]
        looked = int(re.search(r"looked=(\d+)", page)[1])  # type: ignore[index]
    assert pauses == [1, 1, 2, 2, 3, 5, 8, 10, 10, 10]
    dispatch.run_due_jobs()
    answer = signed_in.get(address(job, looked), headers=htmx("job"))
    assert answer.status_code == 286
    assert "hx-trigger" not in answer.content.decode()
    # A reload is a page like any other.
    page = signed_in.get(address(job))
    assert page.status_code == 200
    assert "Done." in text_of(page.content.decode())


@pytest.mark.parametrize("looked", ["x", "-1", "9999999", "1.5"])
def test_nonsense_in_the_address_is_a_first_look(signed_in: Client, job: Job, looked: str) -> None:
    assert "delay:1s" in signed_in.get(address(job, looked)).content.decode()


def test_it_survives_signing_out_and_is_nobody_elses(
    signed_in: Client, alice: User, bob: User, job: Job
) -> None:
    signed_in.logout()
    dispatch.run_due_jobs()
    signed_in.force_login(alice)
    assert "Done." in text_of(signed_in.get(address(job)).content.decode())
    signed_in.force_login(bob)
    assert signed_in.get(address(job)).status_code == 404
    assert signed_in.post(f"/jobs/{job.pk}/stop/").status_code == 404


def test_a_minute_of_silence_is_said(signed_in: Client, job: Job) -> None:
    dispatch.claim_job()
    for silent, said in ((59, "At work."), (61, "Stalled, retrying.")):
        with operations("test"):
            lease = timezone.now() - timedelta(seconds=silent) + dispatch.LEASE
            Job.objects.update(lease_until=lease)
        assert said in text_of(signed_in.get(address(job)).content.decode())
    with operations("test"):
        Job.objects.update(
            status="queued", lease_until=None, due_at=timezone.now() - timedelta(seconds=61)
        )
    assert "Stalled, retrying." in text_of(signed_in.get(address(job)).content.decode())


def test_a_stopped_job_goes_no_further(signed_in: Client, alice: User, job: Job) -> None:
    held = dispatch.claim_job()
    assert held is not None
    signed_in.post(f"/jobs/{job.pk}/stop/")
    with owner_scope(alice.pk), pytest.raises(Stopped):
        note_progress(held, 1)
    dispatch._finish(held)
    page = text_of(signed_in.get(address(job)).content.decode())
    assert "Stopped. What was done so far stands." in page
    assert dispatch.run_due_jobs() == 0
    assert signed_in.post(f"/jobs/{job.pk}/stop/").status_code == 302
