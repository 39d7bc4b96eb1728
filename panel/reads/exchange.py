"""What the Data page and the page of an import read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.http import Http404

from memory.border import owner_scope
from memory.models import Job, Memory, Parcel, ParcelPart, Tombstone
from memory.models.jobs import JobKind, JobStatus
from memory.models.parcels import ParcelKind, ParcelState
from memory.services.bury import find_tombstone
from memory.services.take_in import WAITING_CODES, rows_of
from panel import exchange_words as words
from panel import words as plain
from panel.cursors import read_cursor, write_cursor

PAGE = 50
# The order of the headings: what needs a look first.
_GROUPS = ("CONFLICT", "UPDATE", "DELETE", "REFUSED", "WAITS", "ADD", "NOOP")


@dataclass(frozen=True, slots=True)
class DataPage:
    """Files on their way, and how much lies in the other rooms."""

    files: list[Parcel]
    imports: list[Parcel]
    memories: int
    deleted: int
    buried: int
    # What was cleared and is not erased yet.
    erasing: Job | None


@dataclass(frozen=True, slots=True)
class ImportRow:
    """One row with what would become, or became, of it."""

    number: int
    text: str
    group: str
    word: str
    why: str
    target: str
    memory: UUID | None


@dataclass(frozen=True, slots=True)
class ImportPage:
    """The decisions of an import, a page of them, with how many there are of each."""

    parcel: Parcel
    form: str
    done: bool
    counts: list[tuple[str, str, int]]
    rows: list[ImportRow]
    problems: list[str]
    show: str
    page: int
    pages: int
    takes: int


def read_data(owner: UUID, *, now: datetime) -> DataPage:
    """Five statements, whatever there is."""
    with owner_scope(owner):
        parcels = list(Parcel.objects.of(owner).current(now)[:40])
        memories = Memory.objects.of(owner)
        clearings = Job.objects.of(owner).filter(kind=JobKind.ERASE)
        return DataPage(
            [one for one in parcels if one.kind == ParcelKind.EXPORT],
            [one for one in parcels if one.kind == ParcelKind.IMPORT],
            memories.kept().count(),
            memories.filter(deleted_at__isnull=False).count(),
            Tombstone.objects.of(owner).standing().count(),
            clearings.exclude(status=JobStatus.DONE).order_by("-created_at").first(),
        )


def get_parcel(owner: UUID, parcel: UUID, kind: ParcelKind, *, now: datetime) -> Parcel:
    """A file of this owner whose day is not over. Raises Http404."""
    with owner_scope(owner):
        found: Parcel | None = (
            Parcel.objects.of(owner).current(now).filter(pk=parcel, kind=kind).first()
        )
    if found is None:
        raise Http404
    return found


def read_import(owner: UUID, parcel: Parcel, *, show: str, page: int) -> ImportPage:
    """One page of decisions: of a finished import what became of each row, else what would."""
    done = parcel.state == ParcelState.DONE
    with owner_scope(owner):
        parts = ParcelPart.objects.of(owner).of_parcel(parcel.pk).filter(number__gt=0)
        decided = [
            (part.pk, place, one)
            for part in parts
            for place, one in enumerate((part.outcome if done else part.expected) or [])
            if not show or _group(one) == show
        ]
        pages = max(1, -(-len(decided) // PAGE))
        page = min(max(1, page), pages)
        chosen = decided[(page - 1) * PAGE : page * PAGE]
        contents = {
            part.pk: rows_of(part)
            for part in ParcelPart.objects.of(owner).filter(pk__in={pk for pk, _, _ in chosen})
        }
        targets = _targets(owner, [one for _, _, one in chosen])
    rows = [_row(contents[pk][place], one, targets) for pk, place, one in chosen]
    counts = Counter(parcel.outcome if done else parcel.expected)
    return ImportPage(
        parcel,
        str(words.FORM[parcel.form]),
        done,
        [(group, str(words.GROUP[group]), counts[group]) for group in _GROUPS if counts[group]],
        rows,
        [words.say_problem(**problem) for problem in parcel.problems],
        show,
        page,
        pages,
        sum(number for group, number in counts.items() if group not in ("NOOP", "REFUSED")),
    )


def _group(decided: Mapping[str, Any]) -> str:
    return "WAITS" if decided["c"] in WAITING_CODES else str(decided["d"])


def _targets(owner: UUID, decided: list[Mapping[str, Any]]) -> dict[str, str]:
    """The words of the rows that are replaced, contradicted or said again. One statement."""
    named = {one["t"] for one in decided if one.get("t")}
    found = Memory.objects.of(owner).kept().filter(pk__in=named).values_list("pk", "content")
    return {str(pk): plain.shortened(content, 120) for pk, content in found}


def _row(
    row: Mapping[str, Any], decided: Mapping[str, Any], targets: Mapping[str, str]
) -> ImportRow:
    group = _group(decided)
    said = decided.get("n")
    return ImportRow(
        row["row"],
        row["content"],
        group,
        str(words.GROUP[group]),
        str(words.WHY.get(decided["c"], "")),
        targets.get(decided.get("t") or "", f"#{said}" if said else ""),
        UUID(decided["m"]) if decided.get("m") and group != "NOOP" else None,
    )


# -- Not to be learned again -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stone:
    """One thing no agent may write again: when it was taken away, and who had written it."""

    id: UUID
    at: datetime
    agent: str
    denied: bool


def read_tombstones(owner: UUID, cursor: str) -> tuple[list[Stone], str]:
    """One page, latest first, and where it goes on. Raises BadCursor."""
    with owner_scope(owner):
        standing = Tombstone.objects.of(owner).standing().select_related("agent")
        if cursor:
            at, last = read_cursor(cursor, owner, "tombstones")
            moment = datetime.fromisoformat(at)
            standing = standing.filter(
                Q(deleted_at__lt=moment) | Q(deleted_at=moment) & Q(id__lt=UUID(last))
            )
        found = list(standing.order_by("-deleted_at", "-id")[: PAGE + 1])
    after = ""
    if len(found) > PAGE:
        end = found[PAGE - 1]
        after = write_cursor(owner, "tombstones", [end.deleted_at.isoformat(), str(end.pk)])
    return [_stone(one) for one in found[:PAGE]], after


def find_stone(owner: UUID, sentence: str) -> Stone | None:
    """The stone over these words or a paraphrase of them."""
    with owner_scope(owner):
        found = find_tombstone(owner, sentence)
        return _stone(found) if found is not None else None


def _stone(tombstone: Tombstone) -> Stone:
    """Reads the agent."""
    agent = tombstone.agent.name if tombstone.agent else ""
    return Stone(tombstone.pk, tombstone.deleted_at, agent, tombstone.reason == "denied")
