"""What was deleted and can still come back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Q
from django.utils.dateparse import parse_datetime

from memory.border import owner_scope
from memory.models import Memory, Parcel, Tombstone
from memory.models.parcels import ParcelKind
from panel.cursors import BadCursor, read_cursor, write_cursor
from panel.topics import topic_label
from panel.visits import read_policy

PAGE = 50


@dataclass(frozen=True, slots=True)
class Deleted:
    id: UUID
    label: str
    text: str
    at: datetime
    days_left: int


@dataclass(frozen=True, slots=True)
class DeletedPage:
    rows: list[Deleted]
    next: str
    days: int


def read_deleted(owner: UUID, cursor: str, *, now: datetime) -> DeletedPage:
    """One page, latest first. Raises BadCursor."""
    with owner_scope(owner):
        days = read_policy(owner).rules().days_recently_deleted
        deleted = Memory.objects.of(owner).filter(deleted_at__isnull=False)
        if cursor:
            deleted = deleted.filter(_before(read_cursor(cursor, owner, "deleted")))
        found = list(
            deleted.only("id", "content", "key", "deleted_at").order_by("-deleted_at", "-id")[
                : PAGE + 1
            ]
        )
    after = ""
    if len(found) > PAGE:
        end = found[PAGE - 1]
        assert end.deleted_at is not None
        after = write_cursor(owner, "deleted", [end.deleted_at.isoformat(), str(end.pk)])
    return DeletedPage([_row(row, days, now) for row in found[:PAGE]], after, days)


def read_clearing(owner: UUID, *, now: datetime) -> dict[str, int]:
    """How many memories clearing would erase, and what it would leave: three statements."""
    with owner_scope(owner):
        files = Parcel.objects.of(owner).current(now).filter(kind=ParcelKind.EXPORT)
        return {
            "count": Memory.objects.of(owner).count(),
            "buried": Tombstone.objects.of(owner).standing().count(),
            "files": files.count(),
        }


def _row(memory: Memory, days: int, now: datetime) -> Deleted:
    at = memory.deleted_at or now
    left = at + timedelta(days=days) - now
    return Deleted(
        memory.pk,
        topic_label(memory.key),
        memory.content,
        at,
        max(0, -(-int(left.total_seconds()) // 86_400)),
    )


def _before(values: list[str]) -> Q:
    try:
        at, last = parse_datetime(values[0]), UUID(values[1])
    except (IndexError, TypeError, ValueError) as error:
        raise BadCursor from error
    if at is None:
        raise BadCursor
    return Q(deleted_at__lt=at) | Q(deleted_at=at) & Q(id__lt=last)
