"""Take memories along and bring them back: files in both directions, each by a job."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from uuid import UUID

from accounts.ids import uuid7
from memory.adapters.formats.reading import Form, Upload
from memory.border import owner_scope
from memory.domain.values import Source
from memory.models import Job, Parcel, ParcelPart
from memory.models.jobs import JobKind
from memory.models.parcels import ParcelKind, ParcelState
from memory.services.errors import AlreadySettled, NotFound, OldEpoch
from memory.services.lock import read_rules
from memory.services.take_in import PART, PART_RESTORED

KEPT = timedelta(days=1)


def start_export(
    *, owner: UUID, form: str, now: datetime, memories: Sequence[UUID] | None = None
) -> Job:
    """Have a file written, of all that is kept or of these memories. Returns its job."""
    with owner_scope(owner):
        _, epoch = read_rules(owner)
        parcel = Parcel(
            owner_id=owner, kind=ParcelKind.EXPORT, form=form, created_at=now,
            expires_at=now + KEPT, epoch=epoch,
        )  # fmt: skip
        payload: dict[str, object] = {"parcel": str(parcel.pk)}
        if memories is not None:
            payload["memories"] = [str(pk) for pk in memories]
        job = _queue(owner, JobKind.EXPORT, payload, epoch=epoch, now=now)
        parcel.job = job.pk
        parcel.save(force_insert=True)
        return job


def start_import(*, owner: UUID, upload: Upload, source: Source, now: datetime) -> Parcel:
    """Keep the rows for a day and have it found out what would become of each.

    `source`: whose word rows are that do not say so themselves.
    """
    size = PART_RESTORED if upload.form is Form.MEMOIR else PART
    rows = [
        row if upload.form is Form.MEMOIR or row.get("source") else {**row, "source": source.value}
        for row in upload.rows
    ]
    with owner_scope(owner):
        _, epoch = read_rules(owner)
        parcel = Parcel(
            owner_id=owner, kind=ParcelKind.IMPORT, form=upload.form, total=len(rows),
            problems=[asdict(problem) for problem in upload.problems], gesture=uuid7(),
            created_at=now, expires_at=now + KEPT, epoch=epoch,
        )  # fmt: skip
        payload = {"parcel": str(parcel.pk)}
        job = _queue(owner, JobKind.PREVIEW, payload, epoch=epoch, now=now, total=len(rows))
        parcel.job = job.pk
        parcel.save(force_insert=True)
        head = json.dumps({"projects": upload.projects, "conflicts": upload.conflicts})
        parts = [head.encode()]
        parts += [
            json.dumps(rows[start : start + size], ensure_ascii=False).encode()
            for start in range(0, len(rows), size)
        ]
        for number, content in enumerate(parts):
            ParcelPart.objects.create(owner_id=owner, parcel=parcel, number=number, content=content)
    return parcel


def run_parcel(*, owner: UUID, parcel: UUID, now: datetime) -> Job:
    """Take the previewed rows in. Returns the job.

    Raises NotFound, AlreadySettled where that was begun before, OldEpoch where the owner cleared
    everything since the preview.
    """
    with owner_scope(owner):
        _, epoch = read_rules(owner)
        mine = Parcel.objects.of(owner).current(now).filter(pk=parcel, kind=ParcelKind.IMPORT)
        row = mine.first()
        if row is None:
            raise NotFound(str(parcel))
        if row.epoch != epoch:
            raise OldEpoch("Everything was cleared meanwhile.")
        # Claimed by the state: of two clicks one begins.
        if not mine.filter(state=ParcelState.READY).update(state=ParcelState.TAKING):
            raise AlreadySettled(str(parcel))
        payload = {"parcel": str(parcel)}
        job = _queue(owner, JobKind.IMPORT, payload, epoch=epoch, now=now, total=row.total)
        Parcel.objects.of(owner).filter(pk=parcel).update(job=job.pk)
        return job


def discard_parcel(*, owner: UUID, parcel: UUID) -> None:
    """Throw a file away before its day is over. Raises NotFound."""
    with owner_scope(owner):
        gone, _ = Parcel.objects.of(owner).filter(pk=parcel).delete()
    if not gone:
        raise NotFound(str(parcel))


def read_file(*, owner: UUID, parcel: UUID) -> Iterator[bytes]:
    """The bytes of a finished export, part by part, each in a scope of its own."""
    with owner_scope(owner):
        parts = ParcelPart.objects.of(owner).of_parcel(parcel)
        numbers = list(parts.values_list("pk", flat=True))
    for pk in numbers:
        with owner_scope(owner):
            content = ParcelPart.objects.of(owner).filter(pk=pk).values_list("content", flat=True)
            piece = bytes(content.first() or b"")
        yield piece


def _queue(
    owner: UUID, kind: JobKind, payload: Mapping[str, object], *, epoch: int, now: datetime,
    total: int = 0,
) -> Job:  # fmt: skip
    job: Job = Job.objects.create(
        owner_id=owner, kind=kind, payload=dict(payload), total=total, due_at=now, created_at=now,
        epoch=epoch,
    )  # fmt: skip
    return job
