"""Tell how far a job has come, and notice when it is not to go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import datetime
from uuid import UUID

from django.db import OperationalError, connection

from memory.border import owner_scope
from memory.models import Event, Job, Parcel
from memory.models.events import Verb
from memory.models.jobs import JobKind, JobStatus
from memory.models.parcels import ParcelKind
from memory.services.errors import NotFound

# What may be stopped between two rows: whatever it did so far stands, or can be undone.
STOPPABLE = frozenset({JobKind.EXPORT, JobKind.PREVIEW, JobKind.IMPORT})
# Why a job gave up: trying again would come to the same.
HOPELESS = ("cleared", "gone", "half_told")


class Stopped(Exception):
    """The owner stopped the job, or another worker has taken it over."""


class GaveUp(Exception):
    """The job cannot be done, however often it is tried; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def note_progress(job: Job, done: int, *, total: int | None = None) -> None:
    """Write down how far it has come; inside the owner's scope, with what was done.

    Raises Stopped where the job is no longer this worker's: then nothing of the transaction holds.
    """
    changes = {"done": done} | ({} if total is None else {"total": total})
    mine = Job.objects.filter(pk=job.pk, holder=job.holder, status=JobStatus.RUNNING)
    if mine.update(**changes) != 1:
        raise Stopped
    job.done = done


@contextmanager
def told_apart(job: Job) -> Iterator[Callable[[int], None]]:
    """A way to tell how far a job has come from inside one long transaction.

    What a transaction writes nobody sees before its end, so it is told on a connection of its own,
    by a thread; a telling that fails is left out. Raises Stopped as `note_progress` does: what
    others have committed meanwhile the transaction sees.
    """

    def tell(done: int) -> None:
        teller.submit(_tell, job.owner_id, job.pk, job.holder, done).result()
        mine = Job.objects.filter(pk=job.pk, holder=job.holder, status=JobStatus.RUNNING)
        if not mine.exists():
            raise Stopped

    with ThreadPoolExecutor(max_workers=1) as teller:
        try:
            yield tell
        finally:
            teller.submit(_hang_up).result()


def _tell(owner: UUID, job: UUID, holder: UUID | None, done: int) -> None:
    with suppress(OperationalError), owner_scope(owner):
        Job.objects.filter(pk=job, holder=holder, status=JobStatus.RUNNING).update(done=done)


def _hang_up() -> None:
    # The connection of the thread that runs this.
    connection.close()


def stop_job(*, owner: UUID, job: UUID, now: datetime) -> None:
    """The owner stops a job; its worker notices at the next row. Stopping twice changes nothing.

    Raises NotFound for a job that is not there, is over, or may not be stopped.
    """
    with owner_scope(owner):
        mine = Job.objects.of(owner).filter(pk=job, kind__in=STOPPABLE)
        if mine.unfinished().update(
            status=JobStatus.STOPPED, holder=None, lease_until=None, finished_at=now
        ):
            return
        if not mine.filter(status=JobStatus.STOPPED).exists():
            raise NotFound(str(job))


def retry_job(*, owner: UUID, job: UUID, now: datetime) -> None:
    """The owner has a failed job tried again, from where it came to, as often as a new one.

    Raises NotFound for a job that is not there or did not fail, and where trying again would come
    to nothing: it gave up, its file is gone, or what it took in was undone.
    """
    with owner_scope(owner):
        failed = Job.objects.of(owner).filter(pk=job, status=JobStatus.FAILED)
        row = failed.defer("results").first()
        if row is None or not can_retry(row, find_parcel(row)):
            raise NotFound(str(job))
        if not failed.update(
            status=JobStatus.QUEUED, attempts=0, error="", due_at=now, finished_at=None
        ):
            raise NotFound(str(job))


def find_parcel(job: Job) -> Parcel | None:
    """The file a job is about, while it is kept. Inside owner_scope."""
    if "parcel" not in job.payload:
        return None
    found: Parcel | None = Parcel.objects.of(job.owner_id).filter(pk=job.payload["parcel"]).first()
    return found


def can_retry(job: Job, parcel: Parcel | None) -> bool:
    """Whether a job that failed can be tried again. Running one twice changes nothing.

    Half a story would be told twice. Reads whether an import was undone: inside owner_scope.
    """
    if job.status != JobStatus.FAILED or job.error in HOPELESS or job.kind == JobKind.STORY:
        return False
    if "parcel" in job.payload and parcel is None:
        return False
    return parcel is None or not is_undone(parcel)


def is_undone(parcel: Parcel) -> bool:
    """Whether what was taken in from this file was taken back. Inside owner_scope."""
    if parcel.kind != ParcelKind.IMPORT:
        return False
    undone = Event.objects.of(parcel.owner_id).filter(verb=Verb.UNDONE)
    return bool(undone.filter(data__undid=str(parcel.gesture)).exists())
