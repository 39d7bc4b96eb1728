"""How far a job has come, in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.http import Http404
from django.utils.translation import gettext as _

from memory.border import owner_scope
from memory.models import Job, Parcel
from memory.models.jobs import JobKind, JobStatus
from memory.services.dispatch import LEASE
from memory.services.progress import STOPPABLE, can_retry, find_parcel, is_undone
from panel import exchange_words as words

# A worker renews its lease every ten seconds: after this much without, something is wrong.
SILENCE = timedelta(seconds=60)
_OVER = frozenset({JobStatus.DONE, JobStatus.FAILED, JobStatus.STOPPED})


@dataclass(frozen=True, slots=True)
class JobView:
    """Everything the page of a job shows."""

    id: UUID
    kind: str
    name: str
    state: str
    done: int
    total: int
    over: bool
    failed: bool
    stalled: bool
    stoppable: bool
    # Whether trying it again can come to something; whether what it took in can be taken back.
    retryable: bool
    undoable: bool
    parcel: Parcel | None

    @property
    def percent(self) -> int:
        return min(100, round(100 * self.done / self.total)) if self.total else 0

    @property
    def succeeded(self) -> bool:
        return self.over and not self.failed


def read_job(owner: UUID, job: UUID, *, now: datetime) -> JobView:
    """The job, of this owner. Two statements, four of an import that failed. Raises Http404."""
    with owner_scope(owner):
        row = Job.objects.of(owner).filter(pk=job).defer("results").first()
        if row is None:
            raise Http404
        parcel = find_parcel(row)
        failed = row.status in (JobStatus.FAILED, JobStatus.STOPPED)
        undoable = (
            failed
            and row.kind == JobKind.IMPORT
            and parcel is not None
            and parcel.gesture is not None
            and not is_undone(parcel)
        )
        retryable = can_retry(row, parcel)
    over = row.status in _OVER
    stalled = is_silent(row, now)
    return JobView(
        id=row.pk,
        kind=row.kind,
        name=str(words.JOB[row.kind]),
        state=_say(row, stalled),
        done=row.done,
        total=row.total,
        over=over,
        failed=failed,
        stalled=stalled,
        stoppable=not over and row.kind in STOPPABLE,
        retryable=retryable,
        undoable=undoable,
        parcel=parcel,
    )


def is_silent(job: Job, now: datetime) -> bool:
    """Whether its worker, or the queue, has said nothing for too long."""
    if job.status == JobStatus.RUNNING and job.lease_until is not None:
        return now - (job.lease_until - LEASE) >= SILENCE
    return job.status == JobStatus.QUEUED and now - job.due_at >= SILENCE


def _say(job: Job, stalled: bool) -> str:
    if job.status == JobStatus.DONE:
        return _("Done.")
    if job.status == JobStatus.STOPPED:
        return _("Stopped. What was done so far stands.")
    if job.status == JobStatus.FAILED:
        gave_up = words.GAVE_UP.get(job.error)
        return str(gave_up) if gave_up else _("It did not work. What was done so far stands.")
    if stalled:
        return _("Stalled, retrying.")
    if job.status == JobStatus.QUEUED and job.error:
        return _("That did not work yet; it is tried again by itself.")
    if job.status == JobStatus.QUEUED:
        return _("Waiting for its turn.")
    if job.kind == JobKind.PREVIEW:
        return _("Finding out what would become of each row.")
    return _("At work.")
