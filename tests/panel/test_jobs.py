"""Long work is watched less and less often, until it is over; silence is named."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from memory.border import operations, owner_scope
from memory.models import Job, Memory
from memory.services import dispatch, exchange, take_in
from memory.services.progress import Stopped, note_progress
from tests.exchange.conftest import preview
from tests.panel.conftest import htmx, text_of

Make = Callable[..., Memory]


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


# -- Trying again ----------------------------------------------------------------------------------


def fail(job: Job, error: str = "OperationalError") -> None:
    """As it stands after the last attempt."""
    with operations("test"):
        Job.objects.filter(pk=job.pk).update(
            status="failed", error=error, attempts=20, finished_at=timezone.now()
        )


def retry(client: Client, job: Job) -> int:
    return int(client.post(f"/jobs/{job.pk}/retry/").status_code)


def test_a_failed_job_is_tried_again_from_its_page(
    signed_in: Client, alice: User, make_memory: Make, job: Job
) -> None:
    make_memory(alice, "I live in Lisbon")
    assert "Try again" not in signed_in.get(address(job)).content.decode()
    fail(job)
    page = text_of(signed_in.get(address(job)).content.decode())
    assert "It did not work. What was done so far stands." in page
    assert f"Job {job.pk}" in page
    assert "Try again" in page
    assert retry(signed_in, job) == 302
    with owner_scope(alice.pk):
        again = Job.objects.get(pk=job.pk)
    assert (again.status, again.attempts, again.error) == ("queued", 0, "")
    # A second click finds it at work.
    assert retry(signed_in, job) == 302
    dispatch.run_due_jobs()
    assert "Download" in signed_in.get(address(job)).content.decode()
    # What is done cannot be tried again.
    assert retry(signed_in, job) == 404


def test_an_import_goes_on_where_it_failed(
    signed_in: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange, "PART", 1)
    monkeypatch.setattr(dispatch, "MOST_ATTEMPTS", 1)
    parcel = preview(alice, b"plays the cello\nowns a boat")
    job = exchange.run_parcel(owner=alice.pk, parcel=parcel.pk, now=timezone.now())
    keep, kept = take_in.keep, []

    def keep_one(*args: Any) -> Any:
        kept.append(1)
        if len(kept) == 2:
            raise RuntimeError
        return keep(*args)

    monkeypatch.setattr(take_in, "keep", keep_one)
    dispatch.run_due_jobs()
    page = signed_in.get(address(job)).content.decode()
    assert "1 of 2 rows" in text_of(page)
    assert "Try again" in page
    assert "Undo what was taken in" in page
    retry(signed_in, job)
    dispatch.run_due_jobs()
    with owner_scope(alice.pk):
        assert Memory.objects.of(alice).count() == 2


def test_what_would_come_to_nothing_is_not_tried_again(
    signed_in: Client, alice: User, bob: User, job: Job
) -> None:
    fail(job, "cleared")
    assert "Try again" not in signed_in.get(address(job)).content.decode()
    assert retry(signed_in, job) == 404
    fail(job)
    exchange.discard_parcel(owner=alice.pk, parcel=UUID(job.payload["parcel"]))
    assert "Try again" not in signed_in.get(address(job)).content.decode()
    assert retry(signed_in, job) == 404


def test_an_import_that_was_undone_is_not_gone_on_with(signed_in: Client, alice: User) -> None:
    parcel = preview(alice, b"plays the cello\nowns a boat")
    job = exchange.run_parcel(owner=alice.pk, parcel=parcel.pk, now=timezone.now())
    dispatch.run_due_jobs()
    fail(job)
    assert "Try again" in signed_in.get(address(job)).content.decode()
    signed_in.post(f"/undo/{parcel.gesture}/")
    page = signed_in.get(address(job)).content.decode()
    assert "Try again" not in page
    assert "Undo what was taken in" not in page
    assert retry(signed_in, job) == 404


def test_nobody_tries_anothers_job_again(signed_in: Client, bob: User, job: Job) -> None:
    fail(job)
    signed_in.force_login(bob)
    assert retry(signed_in, job) == 404


# -- Said aloud ------------------------------------------------------------------------------------


def said(client: Client, address: str) -> str:
    """What the live region gets with the part."""
    page = client.get(address, headers=htmx("job")).content.decode()
    _, _, apart = page.partition("hx-swap-oob")
    return text_of(f"<div {apart}") if apart else ""


def test_the_end_is_said_in_the_live_region(signed_in: Client, job: Job) -> None:
    assert said(signed_in, address(job)) == ""
    dispatch.run_due_jobs()
    assert "Export: Done." in said(signed_in, address(job))
    fail(job)
    assert "Export: It did not work." in said(signed_in, address(job))
    # Who comes later reads it on the page.
    assert "Export: It did not work." not in text_of(signed_in.get(address(job)).content.decode())


def test_stalling_is_said_once(signed_in: Client, job: Job) -> None:
    with operations("test"):
        Job.objects.update(due_at=timezone.now() - timedelta(seconds=61))
    assert "Export: Stalled, retrying." in said(signed_in, address(job))
    page = signed_in.get(address(job)).content.decode()
    following = html.unescape(re.search(r'hx-get="([^"]+)"', page)[1])  # type: ignore[index]
    assert following.endswith("said=stalled")
    assert said(signed_in, following) == ""
