"""Work through the queue: claim a job by a lease, keep it, run it, finish it."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from uuid import UUID, uuid4

import structlog
from django.db import close_old_connections, connection
from django.utils import timezone

from memory.border import operations, owner_scope
from memory.models import Job
from memory.models.jobs import JobKind, JobStatus
from memory.services.erase import erase_cleared
from memory.services.extract import Paused, extract_conversation
from memory.services.leave import erase_owner
from memory.services.pack import pack_memories
from memory.services.progress import GaveUp, Stopped
from memory.services.reembed import embed_missing
from memory.services.take_in import preview_import, run_import
from memory.services.tell import run_story

log = structlog.get_logger(__name__)

LEASE = timedelta(seconds=30)
RENEW_EVERY = 10.0
MOST_ATTEMPTS = 20
POSTPONED = timedelta(seconds=30)

Run = Callable[[Job], None]


class LeaseLost(Exception):
    """Another worker has taken the job over; whatever this one still does is not recorded."""


def _embed(job: Job) -> None:
    embed_missing(job.owner_id)


def _erase(job: Job) -> None:
    erase_cleared(job.owner_id, job=job)


def _extract(job: Job) -> None:
    extract_conversation(job, now=timezone.now())


def _export(job: Job) -> None:
    pack_memories(job)


def _preview(job: Job) -> None:
    preview_import(job, now=timezone.now())


def _import(job: Job) -> None:
    run_import(job, now=timezone.now())


def _story(job: Job) -> None:
    run_story(job, now=timezone.now())


def _leave(job: Job) -> None:
    erase_owner(job.owner_id)


KINDS: dict[str, Run] = {
    JobKind.EMBED: _embed,
    JobKind.ERASE: _erase,
    JobKind.EXTRACT: _extract,
    JobKind.EXPORT: _export,
    JobKind.PREVIEW: _preview,
    JobKind.IMPORT: _import,
    JobKind.STORY: _story,
    JobKind.LEAVE: _leave,
}


def run_due_jobs(*, most: int = 100) -> int:
    """Claim and run what is due, one after another; returns how many ran.

    Safe to call at any time, by any number of workers: a job is held by one of them at a time,
    and running one twice changes nothing.
    """
    ran = 0
    while ran < most:
        job = claim_job()
        if job is None:
            break
        _run(job)
        ran += 1
    return ran


def claim_job() -> Job | None:
    """Take the job that has been due longest, for the length of a lease."""
    now = timezone.now()
    holder = uuid4()
    with operations("queue"):
        row = (
            Job.objects.claimable_at(now)
            .order_by("due_at", "id")
            .select_for_update(skip_locked=True)
            .first()
        )
        if row is None:
            return None
        Job.objects.filter(pk=row.pk).update(
            status=JobStatus.RUNNING,
            holder=holder,
            lease_until=now + LEASE,
            attempts=row.attempts + 1,
        )
    row.holder, row.attempts = holder, row.attempts + 1
    return row


def _run(job: Job) -> None:
    try:
        with _renewed(job):
            KINDS[job.kind](job)
    except Paused:
        _postpone(job)
    except Stopped:
        log.info("job stopped", job=str(job.pk), kind=job.kind)
    except GaveUp as error:
        _finish(job, error=error.code, final=True)
    except Exception as error:
        # Never the error's own words: they may quote a memory's.
        log.error(
            "job failed",
            job=str(job.pk),
            kind=job.kind,
            attempt=job.attempts,
            error=type(error).__name__,
            where=_where(error),
        )
        _finish(job, error=type(error).__name__)
    else:
        _finish(job)


def _finish(job: Job, *, error: str = "", final: bool = False) -> None:
    """Record the end, unless another holder has taken over meanwhile.

    A failure is tried again later, each time after a longer pause, up to MOST_ATTEMPTS, unless it
    is `final`.
    """
    now = timezone.now()
    again = bool(error) and not final and job.attempts < MOST_ATTEMPTS
    pause = timedelta(seconds=min(600, 5 * 2 ** min(job.attempts, 7))) if again else timedelta(0)
    with owner_scope(job.owner_id):
        Job.objects.filter(pk=job.pk, holder=job.holder).update(
            status=JobStatus.QUEUED if again else JobStatus.FAILED if error else JobStatus.DONE,
            error=error[:60],
            holder=None,
            lease_until=None,
            due_at=now + pause,
            finished_at=None if again else now,
        )


def _postpone(job: Job) -> None:
    """Put it off until everything goes on; that is no attempt."""
    with owner_scope(job.owner_id):
        Job.objects.filter(pk=job.pk, holder=job.holder).update(
            status=JobStatus.QUEUED,
            holder=None,
            lease_until=None,
            due_at=timezone.now() + POSTPONED,
            attempts=job.attempts - 1,
        )


def _where(error: Exception) -> str:
    """The places the error came through, without what it says."""
    frames = traceback.extract_tb(error.__traceback__)
    return " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[:-6:-1])


@contextmanager
def _renewed(job: Job) -> Iterator[None]:
    """Keep the lease while the block runs, from a thread of its own."""
    stop = threading.Event()
    thread = threading.Thread(target=_renew, args=(job.owner_id, job.pk, job.holder, stop))
    thread.daemon = True
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(timeout=5)


def _renew(owner: UUID, pk: UUID, holder: UUID, stop: threading.Event) -> None:
    try:
        while not stop.wait(RENEW_EVERY):
            close_old_connections()
            with owner_scope(owner):
                Job.objects.filter(pk=pk, holder=holder).update(lease_until=timezone.now() + LEASE)
    finally:
        connection.close()
