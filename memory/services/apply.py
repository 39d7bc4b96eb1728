"""Do one thing to many memories at once: one gesture, one undo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from memory.border import owner_scope
from memory.domain.values import Status, Visibility
from memory.models import Memory
from memory.models.events import Actor, Verb
from memory.models.tombstones import Buried
from memory.services.bury import bury
from memory.services.erase import delete_row, leave_deleted
from memory.services.errors import InvalidInput
from memory.services.hold import open_entries, waiting_members
from memory.services.lock import lock_writes
from memory.services.record import Trail
from memory.services.rule import close_for, confirm_row
from memory.services.settle import answered_by

# One request's worth; more is narrowed first.
MOST_AT_ONCE = 1_000


class Act(StrEnum):
    CONFIRM = "confirm"
    DELETE = "delete"
    ARCHIVE = "archive"
    PIN = "pin"
    SHARE = "share"
    SHARE_IN_PROJECT = "share_in_project"
    KEEP_PRIVATE = "keep_private"


@dataclass(frozen=True, slots=True)
class Applied:
    """What was done, and how many rows were left alone, by the code of why."""

    gesture: UUID | None
    done: int
    left: Mapping[str, int] = field(default_factory=dict)


def apply_to_many(*, owner: UUID, memories: Sequence[UUID], act: Act, now: datetime) -> Applied:
    """Confirm, delete, archive, pin or share these memories in one transaction, as one gesture.

    A row the act does not fit is left alone and counted: nobody's contradiction is answered in
    passing, nothing sensitive shared. Rows that are no longer there are passed over. Raises
    InvalidInput for more than MOST_AT_ONCE.
    """
    if len(memories) > MOST_AT_ONCE:
        raise InvalidInput(memories=f"at most {MOST_AT_ONCE} at once")
    with owner_scope(owner):
        epoch = lock_writes(owner)
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        rows = (
            Memory.objects.of(owner)
            .kept()
            .filter(pk__in=memories)
            .select_for_update(of=("self",))
            .select_related("use")
            .defer("embedding", "search_text")
            .order_by("id")
        )
        left: Counter[str] = Counter()
        done: list[Memory] = []
        for row in rows:
            why = _ACTS[act](row, trail)
            if why:
                left[why] += 1
            else:
                done.append(row)
        if not done:
            return Applied(None, 0, dict(left))
        gesture = leave_deleted(done, trail) if act is Act.DELETE else trail.leave()
        return Applied(gesture, len(done), dict(left))


def _confirm(row: Memory, trail: Trail) -> str:
    if row.status == Status.SUPERSEDED:
        return "past"
    if row.status == Status.CONFLICT and any(
        len(waiting_members(entry)) > 1 or entry.members.filter(bystander=True).exists()
        for entry in open_entries(row)
    ):
        return "contradiction"
    for entry in answered_by(row):
        close_for(entry, row, trail, chosen=False)
    confirm_row(row, trail)
    return ""


def _delete(row: Memory, trail: Trail) -> str:
    bury(row, Buried.DELETED, now=trail.at)
    delete_row(row, trail)
    return ""


def _archive(row: Memory, trail: Trail) -> str:
    if row.archived_at is not None:
        return "already"
    trail.change(row, Verb.ARCHIVED, archived_at=trail.at)
    return ""


def _pin(row: Memory, trail: Trail) -> str:
    if row.pinned:
        return "already"
    trail.change(row, Verb.PINNED, bump=True, pinned=True)
    return ""


def _share(row: Memory, trail: Trail) -> str:
    if row.visibility == Visibility.USER:
        return "already"
    if row.sensitivity:
        return "sensitive"
    trail.change(row, Verb.SHARED, bump=True, visibility=Visibility.USER)
    return ""


def _share_in_project(row: Memory, trail: Trail) -> str:
    """With the agents of the row's own project: another cannot be chosen."""
    if row.project_id is None:
        return "no_project"
    if row.visibility == Visibility.GROUP:
        return "already"
    if row.sensitivity and row.visibility == Visibility.PRIVATE:
        return "sensitive"
    trail.change(row, Verb.SHARED, bump=True, visibility=Visibility.GROUP)
    return ""


def _keep_private(row: Memory, trail: Trail) -> str:
    if row.visibility == Visibility.PRIVATE:
        return "already"
    trail.change(row, Verb.SHARED, bump=True, visibility=Visibility.PRIVATE)
    return ""


_ACTS: Mapping[Act, Callable[[Memory, Trail], str]] = {
    Act.CONFIRM: _confirm,
    Act.DELETE: _delete,
    Act.ARCHIVE: _archive,
    Act.PIN: _pin,
    Act.SHARE: _share,
    Act.SHARE_IN_PROJECT: _share_in_project,
    Act.KEEP_PRIVATE: _keep_private,
}
