"""Tie restored memories to each other: which took whose place, and what waits with what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from memory.domain.values import Decision, Status
from memory.models import Conflict, ConflictMember, Memory
from memory.models.events import Verb
from memory.services.record import Trail
from memory.services.restore import moment

BATCH = 500
Row = Mapping[str, Any]


def _stored(rows: Sequence[Row], outcome: Sequence[Row]) -> dict[str, UUID]:
    """What stands for each id of the file by now: the row that came back, or its twin."""
    return {
        row["id"]: UUID(done["m"]) for row, done in zip(rows, outcome, strict=True) if done.get("m")
    }


def _fresh(outcome: Sequence[Row]) -> set[UUID]:
    made = (Decision.ADD, Decision.CONFLICT)
    return {UUID(done["m"]) for done in outcome if done["d"] in made and done.get("m")}


def tie_links(trail: Trail, rows: Sequence[Row], outcome: Sequence[Row]) -> None:
    """Set the chains of versions. A row that has another successor by now keeps it.

    Under the write lock. Links of rows that were there already are left alone.
    """
    stored, fresh = _stored(rows, outcome), _fresh(outcome)
    linked = []
    for row in rows:
        pk = stored.get(row["id"])
        if pk in fresh and (row["replaces"] or row["superseded_by"]):
            linked.append((pk, stored.get(row["replaces"]), stored.get(row["superseded_by"])))
    for start in range(0, len(linked), BATCH):
        batch = linked[start : start + BATCH]
        targets = [older for _pk, older, _newer in batch if older]
        taken = set(
            Memory.objects.filter(owner=trail.owner, replaces__in=targets).values_list(
                "replaces", flat=True
            )
        )
        changed = []
        for pk, older, newer in batch:
            if older in taken or older == pk:
                older = None
            elif older:
                taken.add(older)
            if older or (newer and newer != pk):
                memory = Memory(pk=pk, replaces_id=older)
                memory.superseded_by_id = newer if newer != pk else None
                changed.append(memory)
        Memory.objects.filter(owner=trail.owner).bulk_update(changed, ["replaces", "superseded_by"])


def open_questions(
    trail: Trail, rows: Sequence[Row], outcome: Sequence[Row], conflicts: Sequence[Row]
) -> None:
    """Open the export's questions again, and see that nothing waits without one.

    A question none of whose waiting rows came back just now is one that is still open here, or was
    answered since.
    """
    stored, fresh = _stored(rows, outcome), _fresh(outcome)
    waiting = {
        stored[row["id"]]: row
        for row, done in zip(rows, outcome, strict=True)
        if done["d"] == Decision.ADD and row["status"] == Status.CONFLICT and row["id"] in stored
    }
    asked: set[UUID] = set()
    entries: list[Conflict] = []
    places: list[ConflictMember] = []
    for given in conflicts:
        members: dict[UUID, bool] = {}
        for member in given["members"]:
            pk = stored.get(member["memory"])
            if pk is not None:
                members[pk] = bool(member["bystander"])
        asks = [pk for pk, aside in members.items() if not aside] or list(members)
        if not any(pk in waiting or (members[pk] and pk in fresh) for pk in asks):
            continue
        asked |= members.keys()
        _open(trail, given, members, waiting, entries, places)
    for pk, row in waiting.items():
        if pk not in asked:
            given = {
                "reason": row["status_reason"], "key": row["key"], "recurrences": 1,
                "opened_at": row["created_at"],
            }  # fmt: skip
            _open(trail, given, {pk: False}, waiting, entries, places)
    Conflict.objects.bulk_create(entries, BATCH)
    ConflictMember.objects.bulk_create(places, BATCH)
    _contest(trail, {p.memory_id for p in places if p.bystander} - fresh)


def _open(
    trail: Trail,
    given: Row,
    members: Mapping[UUID, bool],
    waiting: Mapping[UUID, Row],
    entries: list[Conflict],
    places: list[ConflictMember],
) -> None:
    entry = Conflict(
        owner_id=trail.owner,
        reason=given["reason"],
        key=given["key"],
        recurrences=given["recurrences"],
        opened_at=moment(given["opened_at"]) or trail.at,
        epoch=trail.epoch,
    )
    entries.append(entry)
    reasons: dict[bool, list[UUID]] = defaultdict(list)
    for pk, aside in members.items():
        # Who waited then and holds now stays as it is, and is merely contradicted.
        bystander = aside or pk not in waiting
        reasons[bystander].append(pk)
        places.append(
            ConflictMember(owner_id=trail.owner, conflict=entry, memory_id=pk, bystander=bystander)
        )
    for pk in reasons[False]:
        trail.note(Verb.HELD, memory=pk, conflict=entry.pk, reason="imported")


def _contest(trail: Trail, bystanders: set[UUID]) -> None:
    """What was here already and is contradicted by what came back says so."""
    rows = Memory.objects.filter(owner=trail.owner, pk__in=bystanders, contested=False)
    for row in rows.select_for_update(of=("self",)):
        trail.change(row, Verb.CONTESTED, reason="imported", contested=True)
