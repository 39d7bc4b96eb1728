"""Take in what the owner brings along: find out first what would become of it, then do it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from memory.adapters.formats.reading import Form
from memory.adapters.judges import Budget
from memory.border import owner_scope
from memory.domain.admission import admit
from memory.domain.values import Decision, Kind, Source, Visibility
from memory.models import Job, Parcel, ParcelPart, Policy
from memory.models.events import Actor
from memory.models.parcels import ParcelState
from memory.querysets.callers import Caller
from memory.services.consult import Consultation
from memory.services.errors import OldEpoch
from memory.services.gather import find_key
from memory.services.lock import lock_writes
from memory.services.outcomes import Outcome
from memory.services.place import Fact, Ready
from memory.services.progress import GaveUp, note_progress, told_apart
from memory.services.record import Trail
from memory.services.rename import follow_topics
from memory.services.restore import Seen, find_places, place_rows, restore_rows
from memory.services.tie import open_questions, tie_links
from memory.services.trace import Origin
from memory.services.write import find_bar, keep, make_ready

# Rows of one part, of one transaction, and of one page of the preview.
PART = 50
PART_RESTORED = 500

Decided = dict[str, Any]


def preview_import(job: Job, *, now: datetime) -> None:
    """Note for each row what would become of it, by doing it and taking all of it back.

    The rows see each other as they would: all of it is one transaction, which is rolled back. It
    holds no lock on the owner's writes, so agents go on writing meanwhile.
    """
    parcel = _read_parcel(job)
    expected: list[list[Decided]] = []
    if parcel.form == Form.MEMOIR:
        with owner_scope(job.owner_id):
            seen = Seen()
            for part in _parts(parcel):
                placed = place_rows(job.owner_id, rows_of(part), seen)
                expected.append([place.as_data() for place in placed])
                note_progress(job, sum(map(len, expected)))
    else:
        expected = _rehearse(job, parcel, now)
    with owner_scope(job.owner_id):
        counts: Counter[str] = Counter()
        for part, decided in zip(_parts(parcel), expected, strict=True):
            ParcelPart.objects.filter(pk=part.pk).update(expected=decided)
            counts.update(_group(one) for one in decided)
        note_progress(job, parcel.total)
        Parcel.objects.of(job.owner_id).filter(pk=parcel.pk).update(
            expected=dict(counts), state=ParcelState.READY
        )


def run_import(job: Job, *, now: datetime) -> None:
    """Take the rows in, a part a transaction; a part that is done is not done again.

    Raises GaveUp where the owner cleared everything since the preview.
    """
    parcel = _read_parcel(job)
    try:
        for part in _parts(parcel):
            if part.outcome is None:
                _take_part(job, parcel, part, now)
        _finish(job, parcel, now)
    except OldEpoch:
        raise GaveUp("cleared") from None


def _take_part(job: Job, parcel: Parcel, part: ParcelPart, now: datetime) -> None:
    rows = rows_of(part)
    own = parcel.form == Form.MEMOIR
    ready = [] if own else _make_ready(_caller(parcel), rows)
    with owner_scope(job.owner_id):
        epoch = lock_writes(job.owner_id, epoch=parcel.epoch)
        trail = _trail(parcel, epoch, now)
        if own:
            placed = place_rows(job.owner_id, rows, Seen())
            places = find_places(job.owner_id, rows, parcel_projects(parcel))
            outcome = restore_rows(trail, parcel.pk, rows, placed, places)
        else:
            caller = _caller(parcel)
            outcome = [_as_data(_take_one(caller, one, trail), {}) for one in ready]
        trail.leave()
        ParcelPart.objects.filter(pk=part.pk).update(outcome=outcome)
        note_progress(job, min(parcel.total, job.done + len(rows)))


def _finish(job: Job, parcel: Parcel, now: datetime) -> None:
    """Tie the restored rows together, count what became of all, and forget the file's words."""
    with owner_scope(job.owner_id):
        epoch = lock_writes(job.owner_id, epoch=parcel.epoch)
        parts = list(_parts(parcel))
        outcome = [one for part in parts for one in part.outcome or []]
        if parcel.form == Form.MEMOIR:
            trail = _trail(parcel, epoch, now)
            rows = [row for part in parts for row in rows_of(part)]
            tie_links(trail, rows, outcome)
            open_questions(trail, rows, outcome, parcel_conflicts(parcel))
            trail.leave()
        counts = Counter(_group(one) for one in outcome)
        Parcel.objects.of(job.owner_id).filter(pk=parcel.pk).update(
            outcome=dict(counts), state=ParcelState.DONE
        )
        note_progress(job, parcel.total)


# -- Statements ------------------------------------------------------------------------------------


def _rehearse(job: Job, parcel: Parcel, now: datetime) -> list[list[Decided]]:
    """What the write path makes of each row, taken back at the end.

    Getting the rows ready counts for one half of the progress, trying them out for the other.
    """
    caller = _caller(parcel)
    with owner_scope(job.owner_id):
        contents = [rows_of(part) for part in _parts(parcel)]
    prepared: list[list[Ready]] = []
    for rows in contents:
        prepared.append(_make_ready(caller, rows))
        with owner_scope(job.owner_id):
            note_progress(job, sum(map(len, prepared)) // 2)
    expected: list[list[Decided]] = []
    numbers: dict[UUID, int] = {}
    ready = sum(map(len, prepared))
    with told_apart(job) as tell, owner_scope(job.owner_id), transaction.atomic():
        trail = _trail(parcel, parcel.epoch, now)
        for rows, part in zip(contents, prepared, strict=True):
            decided = []
            for row, one in zip(rows, part, strict=True):
                outcome = _take_one(caller, one, trail)
                decided.append(_as_data(outcome, numbers))
                if not isinstance(outcome, str) and outcome.decision is not Decision.NOOP:
                    assert outcome.memory is not None
                    numbers.setdefault(outcome.memory.pk, row["row"])
            expected.append(decided)
            tell((ready + sum(map(len, expected))) // 2)
        transaction.set_rollback(True)
    return expected


def _make_ready(caller: Caller, rows: Sequence[Mapping[str, Any]]) -> list[Ready]:
    facts = follow_topics(caller.owner, [find_key(_as_fact(row)) for row in rows])
    origins = [
        Origin(source=fact.source, said_at=said, dated=said)
        for fact, said in zip(facts, map(_said_at, rows), strict=True)
    ]
    gates = [
        admit(
            fact.source,
            external_allowed=True,
            content=fact.content,
            others=[fact.key, fact.value, json.dumps(dict(fact.metadata), ensure_ascii=False)],
            kind=fact.kind,
            key=fact.key,
        )
        for fact in facts
    ]
    consultation = _without_judge(caller.owner)
    return make_ready(caller, facts, origins, gates, consultation)


def _without_judge(owner: UUID) -> Consultation:
    """Thousands of rows are scored by the rules: no judge's budget would last for them."""
    return Consultation(owner=owner, judge=None, budget=Budget(0.1), day=datetime.now(UTC))


def _as_fact(row: Mapping[str, Any]) -> Fact:
    return Fact(
        content=row["content"],
        key=row.get("key") or "",
        value=row.get("value") or "",
        kind=Kind(row.get("kind") or Kind.SEMANTIC),
        source=Source(row.get("source") or Source.EXTERNAL),
        metadata=row.get("metadata") or {},
        visibility=Visibility.USER,
    )


def _said_at(row: Mapping[str, Any]) -> datetime | None:
    said = row.get("said_at")
    return datetime.fromisoformat(said) if said else None


def _take_one(caller: Caller, ready: Ready, trail: Trail) -> Outcome | str:
    """What the write path makes of it, or the code of its refusal: that leaves no line, since a
    line that is final would keep the import from being undone."""
    gate = find_bar(caller, ready)
    return keep(caller, ready, None, trail) if gate.accepted else gate.code


def _as_data(outcome: Outcome | str, numbers: Mapping[UUID, int]) -> Decided:
    if isinstance(outcome, str):
        return {"d": Decision.REFUSED.value, "c": outcome, "t": None, "m": None}
    target = outcome.target
    if outcome.decision is Decision.NOOP:
        target = outcome.memory
    data: Decided = {
        "d": outcome.decision.value,
        "c": outcome.code or outcome.relation.value,
        "t": str(target.pk) if target else None,
        "m": str(outcome.memory.pk) if outcome.memory else None,
    }
    if target is not None and target.pk in numbers:
        data |= {"t": None, "n": numbers[target.pk]}
    return data


# -- The parcel ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attached:
    """What stands beside the rows of our own export, in part 0."""

    projects: Mapping[str, str]
    conflicts: Sequence[Mapping[str, Any]]


def _read_parcel(job: Job) -> Parcel:
    with owner_scope(job.owner_id):
        parcel: Parcel | None = (
            Parcel.objects.of(job.owner_id).filter(pk=job.payload["parcel"]).first()
        )
    if parcel is None:
        raise GaveUp("gone")
    return parcel


def _caller(parcel: Parcel) -> Caller:
    with owner_scope(parcel.owner_id):
        policy = Policy.objects.of(parcel.owner_id).first() or Policy(owner_id=parcel.owner_id)
        return Caller(owner=parcel.owner_id, epoch=parcel.epoch, policy=policy.rules())


def _trail(parcel: Parcel, epoch: int, now: datetime) -> Trail:
    assert parcel.gesture is not None
    return Trail(
        owner=parcel.owner_id, actor=Actor.OWNER, at=now, epoch=epoch, gesture=parcel.gesture
    )


def _parts(parcel: Parcel) -> Iterator[ParcelPart]:
    """The parts with rows, in order, each read when its turn comes: one statement a part."""
    with owner_scope(parcel.owner_id):
        parts = ParcelPart.objects.of(parcel.owner_id).filter(parcel=parcel.pk, number__gt=0)
        numbers = list(parts.order_by("number").values_list("pk", flat=True))
    for pk in numbers:
        with owner_scope(parcel.owner_id):
            part = ParcelPart.objects.of(parcel.owner_id).get(pk=pk)
        yield part


def rows_of(part: ParcelPart) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(bytes(part.content))
    return rows


def _attached(parcel: Parcel) -> Attached:
    head = ParcelPart.objects.of(parcel.owner_id).filter(parcel=parcel.pk, number=0).first()
    given = json.loads(bytes(head.content)) if head is not None else {}
    return Attached(
        {one["slug"]: one["name"] for one in given.get("projects", [])}, given.get("conflicts", [])
    )


def parcel_projects(parcel: Parcel) -> Mapping[str, str]:
    """Names of the projects by slug. Inside owner_scope."""
    return _attached(parcel).projects


def parcel_conflicts(parcel: Parcel) -> Sequence[Mapping[str, Any]]:
    """The open questions of the export. Inside owner_scope."""
    return _attached(parcel).conflicts


WAITING_CODES = frozenset({"external", "inferred", "quarantined", "restored_waiting"})


def _group(decided: Decided) -> str:
    """Under which heading a decision is counted: what waits alone is no contradiction."""
    if decided["c"] in WAITING_CODES:
        return "WAITS"
    return str(decided["d"])
