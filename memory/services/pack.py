"""Write an owner's memories into a file, part by part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.adapters.formats import own, writing
from memory.border import owner_scope
from memory.models import Agent, Conflict, Job, Memory, Parcel, ParcelPart, Project
from memory.models.parcels import ParcelState
from memory.services.lock import read_rules
from memory.services.progress import GaveUp, note_progress

BATCH = 500
JSON, CSV, MARKDOWN = "json", "csv", "markdown"
FORMS = (JSON, CSV, MARKDOWN)


def pack_memories(job: Job) -> None:
    """Write the parcel of this job. Begins anew when it is tried again.

    Every batch is read as it stands then, so memory stays flat whatever the number of rows.
    Raises GaveUp where the owner cleared everything meanwhile: what is left would be half a file.
    """
    owner, parcel_id = job.owner_id, UUID(job.payload["parcel"])
    with owner_scope(owner):
        parcel = Parcel.objects.of(owner).filter(pk=parcel_id).first()
        if parcel is None:
            raise GaveUp("gone")
        ParcelPart.objects.of(owner).filter(parcel=parcel_id).delete()
        wanted = _wanted(owner, job.payload.get("memories"))
        order = ("id",) if parcel.form == JSON else ("key", "created_at", "id")
        ids = list(wanted.order_by(*order).values_list("pk", flat=True))
        head = _head(parcel, owner, len(ids))
        note_progress(job, 0, total=len(ids))
    size = _store(parcel, 0, head)
    number, last = 1, None
    for start in range(0, len(ids), BATCH):
        with owner_scope(owner):
            _check_epoch(parcel)
            rows = _read(owner, ids[start : start + BATCH])
            size += _store(parcel, number, _body(parcel, rows, first=start == 0, after=last))
            note_progress(job, min(len(ids), start + BATCH))
        last = rows[-1]["key"] if rows else last
        number += 1
    with owner_scope(owner):
        _check_epoch(parcel)
        foot = writing.json_foot(_conflicts(owner, ids)) if parcel.form == JSON else ""
        size += _store(parcel, number, foot)
        note_progress(job, len(ids))
        Parcel.objects.of(owner).filter(pk=parcel.pk).update(
            state=ParcelState.READY, total=len(ids), size=size
        )


def _wanted(owner: UUID, chosen: Sequence[str] | None) -> Any:
    """All that is kept, or the chosen ones of it; what was deleted stays deleted."""
    kept = Memory.objects.of(owner).kept()
    return kept if chosen is None else kept.filter(pk__in=chosen)


def _check_epoch(parcel: Parcel) -> None:
    if read_rules(parcel.owner_id)[1] != parcel.epoch:
        Parcel.objects.of(parcel.owner_id).filter(pk=parcel.pk).delete()
        raise GaveUp("cleared")


def _store(parcel: Parcel, number: int, text: str) -> int:
    if not text:
        return 0
    content = text.encode()
    with owner_scope(parcel.owner_id):
        ParcelPart.objects.create(
            owner_id=parcel.owner_id, parcel=parcel, number=number, content=content
        )
    return len(content)


def _head(parcel: Parcel, owner: UUID, count: int) -> str:
    at = parcel.created_at.isoformat(timespec="seconds")
    if parcel.form == CSV:
        return writing.csv_head()
    if parcel.form == MARKDOWN:
        return writing.markdown_head(exported_at=at, count=count)
    return writing.json_head(
        exported_at=at,
        agents=list(Agent.objects.of(owner).order_by("name").values_list("name", flat=True)),
        projects=list(Project.objects.of(owner).order_by("slug").values("slug", "name")),
    )


def _body(parcel: Parcel, rows: list[dict[str, Any]], *, first: bool, after: Any) -> str:
    if parcel.form == CSV:
        return writing.csv_rows(rows)
    if parcel.form == MARKDOWN:
        return writing.markdown_rows(rows, after=after)
    return writing.json_rows(rows, first=first)


def _read(owner: UUID, ids: Sequence[UUID]) -> list[dict[str, Any]]:
    """These rows in this order; what was deleted since is left out. Two statements."""
    found = (
        Memory.objects.of(owner)
        .kept()
        .filter(pk__in=ids)
        .select_related("use", "agent", "project")
        .defer("embedding", "search_text")
        .prefetch_related("revisions")
    )
    by_id = {row.pk: row for row in found}
    return [as_row(by_id[pk]) for pk in ids if pk in by_id]


def as_row(memory: Memory) -> dict[str, Any]:
    """All that is known of a memory, as `own.read_row` reads it again. Reads use and revisions."""
    row: dict[str, Any] = {
        name: getattr(memory, name)
        for name in (
            "content", "kind", "key", "value", "metadata", "quote", "before", "status",
            "status_reason", "source", "tier", "visibility", "importance", "dimensions",
            "scored_by", "safety", "confidence", "sensitivity", "version", *own.FLAGS,
        )
    }  # fmt: skip
    row |= {name: _moment(getattr(memory, name)) for name in own.TIMES}
    row |= {name: _id(getattr(memory, f"{name}_id")) for name in own.LINKS}
    row["id"] = str(memory.pk)
    row["agent"] = memory.agent.name if memory.agent else None
    row["project"] = memory.project.slug if memory.project else None
    row["use"] = {
        "anchor": _moment(memory.use.anchor),
        "times_served": memory.use.times_served,
        "last_served_at": _moment(memory.use.last_served_at),
        "missed_chances": memory.use.missed_chances,
    }
    row["revisions"] = [
        {
            "version": old.version,
            "content": old.content,
            "key": old.key,
            "value": old.value,
            "kind": old.kind,
            "created_at": _moment(old.created_at),
        }
        for old in sorted(memory.revisions.all(), key=lambda old: old.version)
    ]
    return row


def _conflicts(owner: UUID, ids: Sequence[UUID]) -> Iterator[dict[str, Any]]:
    """The open questions about what is in the file."""
    inside = set(ids)
    waiting = Conflict.objects.of(owner).waiting().order_by("id").prefetch_related("members")
    for entry in waiting:
        members = [
            {"memory": str(place.memory_id), "bystander": place.bystander}
            for place in sorted(entry.members.all(), key=lambda place: place.pk)
            if place.memory_id in inside
        ]
        if members:
            yield {
                "reason": entry.reason,
                "key": entry.key,
                "recurrences": entry.recurrences,
                "opened_at": _moment(entry.opened_at),
                "members": members,
            }


def _moment(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


def _id(pk: UUID | None) -> str | None:
    return str(pk) if pk else None
