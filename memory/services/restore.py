"""Put memories of our own export back exactly as they were."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.adapters.formats import own
from memory.domain import text
from memory.domain.values import Decision, Reason, Status
from memory.models import (
    Agent,
    AgentProject,
    Memory,
    MemoryRevision,
    MemoryUse,
    Project,
)
from memory.models.events import Verb
from memory.models.tombstones import Buried
from memory.services.bury import CODES, find_tombstones
from memory.services.hold import open_conflict
from memory.services.index import count_words, put_words, queue_embedding
from memory.services.lock import read_rules
from memory.services.record import Trail

Row = Mapping[str, Any]
Space = tuple[str, str]


@dataclass(slots=True)
class Placed:
    """What would become of a row: its decision, why, and the row that stands in its place."""

    decision: Decision
    code: str = ""
    target: UUID | None = None

    def as_data(self, memory: UUID | None = None) -> dict[str, Any]:
        return {
            "d": self.decision.value,
            "c": self.code,
            "t": str(self.target) if self.target else None,
            "m": str(memory) if memory else None,
        }


@dataclass(slots=True)
class Seen:
    """What rows before this one have taken: none may say the same or hold the same topic twice."""

    said: dict[tuple[Space, str], UUID | None] = field(default_factory=dict)
    held: dict[tuple[Space, str], UUID | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Places:
    """Agents by name and projects by slug, made where they were missing."""

    agents: Mapping[str, UUID]
    projects: Mapping[str, UUID]


def place_rows(owner: UUID, rows: Sequence[Row], seen: Seen) -> list[Placed]:
    """Decide about each row, changing nothing. Inside owner_scope; six statements.

    The same words in the same space: known already. Its topic taken by another value: both wait.
    Deleted or denied by the owner: refused. Else it comes back as it was.
    """
    prints = {row["id"]: text.fingerprint(row["content"]) for row in rows}
    _look(owner, rows, set(prints.values()), seen)
    past = {
        (row.fingerprint, row.created_at): row.pk
        for row in Memory.objects.of(owner)
        .kept()
        .filter(fingerprint__in=set(prints.values()))
        .only("fingerprint", "created_at")
    }
    same = set(
        Memory.objects.of(owner)
        .kept()
        .filter(pk__in=[row["id"] for row in rows])
        .values_list("pk", flat=True)
    )
    live = [row["content"] for row in rows if row["status"] != Status.SUPERSEDED]
    buried = find_tombstones(owner, live)
    placed = []
    for row in rows:
        made = moment(row["created_at"])
        pk, print_ = UUID(row["id"]), prints[row["id"]]
        known = pk if pk in same else past.get((print_, made)) if made else None
        placed.append(_place(row, print_, known, buried, seen))
    return placed


def _look(owner: UUID, rows: Sequence[Row], prints: set[str], seen: Seen) -> None:
    """Add to `seen` what the store has of these words and topics."""
    kept = Memory.objects.of(owner).live()
    names = ("agent__name", "project__slug")
    for agent, project, print_, pk in kept.filter(fingerprint__in=prints).values_list(
        *names, "fingerprint", "pk"
    ):
        seen.said.setdefault(((agent or "", project or ""), print_), pk)
    keys = {row["key"] for row in rows if row["key"]}
    held = kept.filter(key__in=keys, status=Status.ACTIVE, single_valued=True)
    for agent, project, key, pk in held.values_list(*names, "key", "pk"):
        seen.held.setdefault(((agent or "", project or ""), key), pk)


def _place(
    row: Row, print_: str, known: UUID | None, buried: Mapping[str, Any], seen: Seen
) -> Placed:
    space = (row["agent"], row["project"])
    if known is not None:
        return Placed(Decision.NOOP, "known", known)
    if row["status"] == Status.SUPERSEDED:
        return Placed(Decision.ADD, "restored_past")
    if (space, print_) in seen.said:
        return Placed(Decision.NOOP, "known", seen.said[space, print_])
    tombstone = buried.get(row["content"])
    if tombstone is not None:
        return Placed(Decision.REFUSED, CODES[Buried(tombstone.reason)])
    seen.said[space, print_] = None
    if row["status"] == Status.ACTIVE and row["single_valued"]:
        if (space, row["key"]) in seen.held:
            return Placed(Decision.CONFLICT, "contradiction", seen.held[space, row["key"]])
        seen.held[space, row["key"]] = None
    waits = row["status"] == Status.CONFLICT
    return Placed(Decision.ADD, "restored_waiting" if waits else "restored")


def restore_rows(
    trail: Trail, parcel: UUID, rows: Sequence[Row], placed: Sequence[Placed], places: Places
) -> list[dict[str, Any]]:
    """Store the rows that are to be stored; what became of each. Under the write lock.

    Links between rows are tied when all are there (`tie_links`).
    """
    memories: list[tuple[Memory, Row, Placed]] = []
    outcome = []
    for row, place in zip(rows, placed, strict=True):
        if place.decision not in (Decision.ADD, Decision.CONFLICT):
            outcome.append(place.as_data(place.target))
            continue
        memory = _make(trail, restored_id(parcel, row), row, places)
        memories.append((memory, row, place))
        outcome.append(place.as_data(memory.pk))
    _store(trail, memories)
    for memory, _row, place in memories:
        if place.decision is Decision.CONFLICT and place.target is not None:
            _let_wait(memory, place.target, trail)
    return outcome


def restored_id(parcel: UUID, row: Row) -> UUID:
    """A new id, the same each time this import is tried, in the order in which rows were made."""
    made = moment(row["created_at"])
    assert made is not None
    digest = hashlib.sha256(parcel.bytes + UUID(row["id"]).bytes).digest()
    number = int.from_bytes(digest[:16])
    number = (max(0, int(made.timestamp() * 1000)) & (2**48 - 1)) << 80 | number & (2**80 - 1)
    return UUID(int=number & ~(0xF << 76) & ~(0x3 << 62) | 0x7 << 76 | 0x2 << 62)


def find_places(owner: UUID, rows: Sequence[Row], named: Mapping[str, str]) -> Places:
    """The agents and projects the rows name. An agent made here has no key: nobody gets in."""
    agents, projects = {}, {}
    for name in sorted({row["agent"] for row in rows if row["agent"]}):
        agents[name] = Agent.objects.get_or_create(owner_id=owner, name=name)[0].pk
    for slug in sorted({row["project"] for row in rows if row["project"]}):
        defaults = {"name": named.get(slug, slug)}
        made = Project.objects.get_or_create(owner_id=owner, slug=slug, defaults=defaults)
        projects[slug] = made[0].pk
    for agent, project in sorted({(row["agent"], row["project"]) for row in rows}):
        if agent and project:
            AgentProject.objects.get_or_create(
                owner_id=owner, agent_id=agents[agent], project_id=projects[project]
            )
    return Places(agents, projects)


def _make(trail: Trail, pk: UUID, row: Row, places: Places) -> Memory:
    search = text.search_text(
        row["content"],
        key=row["key"] or None,
        value=row["value"] or None,
        before=row["before"] or None,
    )
    return Memory(
        id=pk,
        owner_id=trail.owner,
        agent_id=places.agents.get(row["agent"]),
        project_id=places.projects.get(row["project"]),
        search_text=search,
        fingerprint=text.fingerprint(row["content"]),
        epoch=trail.epoch,
        **{
            name: row[name]
            for name in (
                "content", "kind", "key", "value", "metadata", "quote", "before", "status",
                "status_reason", "source", "tier", "visibility", "importance", "dimensions",
                "scored_by", "safety", "confidence", "sensitivity", "version", *own.FLAGS,
            )
        },
        **{name: moment(row[name]) for name in own.TIMES},
    )  # fmt: skip


def _store(trail: Trail, made: Sequence[tuple[Memory, Row, Placed]]) -> None:
    words = []
    for memory, _row, place in made:
        if place.decision is Decision.CONFLICT:
            memory.status, memory.status_reason = Status.CONFLICT, Reason.CONTRADICTION
        counts, length = count_words(memory.search_text)
        memory.word_count = length
        words.append((memory.pk, counts, length))
        trail.note(Verb.WRITTEN, memory=memory.pk, reason="imported")
    Memory.objects.bulk_create([memory for memory, _row, _place in made])
    uses = [_use(memory, row["use"]) for memory, row, _place in made]
    MemoryUse.objects.bulk_create(uses)
    for (memory, _row, _place), use in zip(made, uses, strict=True):
        memory.use = use
    MemoryRevision.objects.bulk_create(
        MemoryRevision(
            owner_id=trail.owner, memory=memory, **{**old, "created_at": moment(old["created_at"])}
        )
        for memory, row, _place in made
        for old in row["revisions"]
    )
    put_words(trail.owner, words)
    if made:
        queue_embedding(trail.owner, epoch=trail.epoch, now=trail.at)


def _use(memory: Memory, use: Row) -> MemoryUse:
    return MemoryUse(
        memory=memory,
        owner_id=memory.owner_id,
        anchor=moment(use["anchor"]) or memory.created_at,
        last_served_at=moment(use["last_served_at"]),
        times_served=use["times_served"],
        missed_chances=use["missed_chances"],
    )


def _let_wait(memory: Memory, target: UUID, trail: Trail) -> None:
    """Its topic has another value by now: the owner is asked which holds."""
    other = Memory.objects.of(trail.owner).select_related("use").get(pk=target)
    rules, _ = read_rules(trail.owner)
    open_conflict(memory, other, contested=other.is_protected(rules), trail=trail)


def moment(text_: str | None) -> datetime | None:
    return datetime.fromisoformat(text_) if text_ else None
