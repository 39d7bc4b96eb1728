"""How the site does its work: how quick recall is, what waits for a worker, what lacks a vector.

Numbers, names of programs and codes alone: no owner, no word of anybody's. Reading changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Count, Max, Q

from memory.adapters.embedders import get_embedder
from memory.border import operations
from memory.models import Job, Memory, Operation, Recall
from memory.models.jobs import JobKind, JobStatus

# A nudge or beat brings a worker within ten seconds: after this much nobody seems to come.
SILENCE = timedelta(seconds=60)
LATELY = timedelta(days=7)
# Whose coming leaves a record every hour (memory.border.operations).
WORKER, SWEEP = "queue", "sweep"
# Backups are made by others, who report them.
BACKUP = "backup"
BACKUP_IS_OLD = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Latency:
    """Of the recalls that were timed, the milliseconds half and 95 % of them stayed within."""

    recalls: int
    half: float | None
    most: float | None


@dataclass(frozen=True, slots=True)
class Work:
    """`worker_seen`, `swept`, `backed_up`: the hour in which they came last; None where no record
    says so.

    `failed`: jobs given up in the last week. `without_vector`: rows that are found by their words
    alone, `embedder_error`: the code of what a job that should change that met last.
    """

    day: Latency
    week: Latency
    waiting: int
    running: int
    failed: int
    oldest_kind: str
    oldest_since: datetime | None
    worker_seen: datetime | None
    swept: datetime | None
    backed_up: datetime | None
    job_ended: datetime | None
    embedder: str
    without_vector: int
    embedder_error: str

    def is_stuck(self, now: datetime) -> bool:
        """Whether the oldest job has been due so long that nobody seems to be there for it."""
        return self.oldest_since is not None and now - self.oldest_since >= SILENCE

    def backup_is_old(self, now: datetime) -> bool:
        return self.backed_up is not None and now - self.backed_up >= BACKUP_IS_OLD


def note_backup() -> None:
    """Record that a backup was made just now. Looks at nothing."""
    with operations("backup"):
        pass


def read_work(*, now: datetime, by: UUID | None = None) -> Work:
    """Always as many statements. The last hour's records are the only sign a worker gives."""
    embedder = get_embedder().name
    with operations("work_health", by=by):
        day = Latency(*Recall.objects.latency_since(now - timedelta(days=1)))
        week = Latency(*Recall.objects.latency_since(now - LATELY))
        due = Job.objects.claimable_at(now)
        oldest = due.order_by("due_at", "id").values_list("kind", "due_at").first()
        counted = Job.objects.aggregate(
            running=Count("pk", Q(status=JobStatus.RUNNING, lease_until__gte=now)),
            failed=Count("pk", Q(status=JobStatus.FAILED, finished_at__gte=now - LATELY)),
            ended=Max("finished_at", filter=Q(status=JobStatus.DONE)),
        )
        seen = _last_seen()
        lacking = (
            Memory.objects.kept()
            .uncleared()
            .filter(Q(embedding__isnull=True) | ~Q(embedder=embedder))
        )
        errors = Job.objects.unfinished().filter(kind=JobKind.EMBED).exclude(error="")
        return Work(
            day=day,
            week=week,
            waiting=due.count(),
            running=counted["running"],
            failed=counted["failed"],
            oldest_kind=oldest[0] if oldest else "",
            oldest_since=oldest[1] if oldest else None,
            worker_seen=seen.get(WORKER),
            swept=seen.get(SWEEP),
            backed_up=seen.get(BACKUP),
            job_ended=counted["ended"],
            embedder=embedder,
            without_vector=lacking.count(),
            embedder_error=errors.order_by("-due_at").values_list("error", flat=True).first() or "",
        )


def _last_seen() -> Mapping[str, datetime]:
    records = Operation.objects.filter(reason__in=(WORKER, SWEEP, BACKUP)).order_by()
    return dict(records.values("reason").annotate(last=Max("hour")).values_list("reason", "last"))
