"""`/memories`: write, list, read, change, delete."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import F, Q
from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router
from ninja import Status as Answer

from memory.api.boundary import only, read_cursor, read_id, read_time, show_time, write_cursor
from memory.api.errors import invalid, not_found
from memory.api.keys import KeyAuth, caller_of
from memory.api.repeats import IdempotencyKey, answer_once
from memory.api.schemas import (
    EVERY_ERROR,
    ChangesOut,
    FactIn,
    FactsIn,
    IgnoredOut,
    ListIn,
    MemoryOut,
    PageOut,
    PatchIn,
    ResultsOut,
    errors,
)
from memory.api.shapes import show_memory, show_outcomes
from memory.border import owner_scope
from memory.domain.kinds import kind_of
from memory.domain.values import DecidedBy, Decision, Relation
from memory.models import Event, Memory
from memory.querysets.callers import Caller
from memory.querysets.memories import MemoryQuerySet
from memory.services.erase import withdraw_memory
from memory.services.note_reading import note_reading
from memory.services.recall import Filters
from memory.services.replay import Ledger, Repeat
from memory.services.revise import revise_memory
from memory.services.write import Fact, write_facts
from memory.tasks import nudge

router = Router(tags=["memories"])

IGNORED = {"decision": "IGNORED", "paused": True}
PAUSED = "Everything is paused; nothing was kept."


@router.post(
    "",
    auth=KeyAuth("write"),
    response={201: ResultsOut, 202: ResultsOut, **errors(*EVERY_ERROR)},
    summary="Write facts",
)
def write_memories(
    request: HttpRequest, body: FactsIn, idempotency_key: IdempotencyKey = None
) -> Any:
    caller, now = caller_of(request), timezone.now()
    only(request, ())
    if caller.paused:
        return Answer(202, ignore_facts(body))
    facts = read_facts(body)

    def act(repeat: Repeat | None) -> tuple[int, dict[str, Any]]:
        ledger = repeat.ledger if repeat is not None else None
        return 201, store_facts(caller, facts, now=now, ledger=ledger)

    return answer_once(request, caller, idempotency_key, act, now=now)


def store_facts(
    caller: Caller, facts: Sequence[Fact], *, now: datetime, ledger: Ledger | None = None
) -> dict[str, Any]:
    """Write them, and what became of each."""
    outcomes = write_facts(caller, facts, now=now, ledger=ledger)
    if any(outcome.unembedded for outcome in outcomes):
        nudge()
    with owner_scope(caller.owner):
        return {"results": show_outcomes(outcomes, caller, now=now)}


def read_facts(body: FactsIn) -> list[Fact]:
    """As the services take them. Raises ApiError for an answer without a quote."""
    return [_read_fact(fact, number) for number, fact in enumerate(body.facts)]


def _read_fact(fact: FactIn, number: int) -> Fact:
    if fact.resolves is not None and not fact.quote:
        raise invalid({f"facts.{number}.quote": "an answer needs the user's own words"})
    return Fact(
        content=fact.content,
        kind=fact.kind if "kind" in fact.model_fields_set else kind_of(fact.content),
        key=fact.key or "",
        value=fact.value or "",
        source=fact.source,
        quote=fact.quote or "",
        conversation=fact.conversation,
        message=fact.message,
        importance=fact.importance,
        occurred_at=fact.occurred_at,
        valid_from=fact.valid_from,
        valid_to=fact.valid_to,
        project=fact.project,
        visibility=fact.visibility,
        metadata=fact.metadata,
        resolves=fact.resolves,
    )


def ignore_facts(body: FactsIn) -> dict[str, Any]:
    """What a paused agent is answered."""
    ignored = {
        "decision": Decision.IGNORED,
        "relation": Relation.NEW,
        "reason": PAUSED,
        "decided_by": DecidedBy.POLICY,
        "memory": None,
        "target": None,
        "conflict": None,
    }
    return {"results": [ignored for _ in body.facts]}


@router.get(
    "",
    auth=KeyAuth("recall"),
    response={200: PageOut, **errors(401, 403, 422, 429, 503)},
    summary="List what this agent may see",
)
def list_memories(request: HttpRequest, query: Query[ListIn]) -> Any:
    caller, now = caller_of(request), timezone.now()
    only(request, ListIn.model_fields)
    return show_list(caller, query, now=now)


def show_list(caller: Caller, query: ListIn, *, now: datetime, note: bool = True) -> dict[str, Any]:
    """One page of what this agent may see, as it gets it. Raises ApiError.

    `note`: that it was read goes into the owner's record; not where the owner looks on.
    """
    if caller.paused:
        return {"results": [], "next": None, "total": 0, "paused": True}
    if query.project is not None and query.project not in caller.projects:
        raise invalid({"project": "there is no project with this slug"})
    with owner_scope(caller.owner):
        rows = _filtered(caller, query)
        total = rows.count()
        page, cursor = _page(rows, query, caller, now=now)
        if note:
            note_reading(caller, rows=len(page), now=now)
    shown = [show_memory(row, policy=caller.policy, now=now) for row in page]
    return {"results": shown, "next": cursor, "total": total, "paused": False}


def _filtered(caller: Caller, query: ListIn) -> MemoryQuerySet:
    filters = Filters(
        **{
            name: getattr(query, name)
            for name in (
                "status", "kind", "tier", "source", "key", "topic", "created_after",
                "created_before",
            )
        }
    )  # fmt: skip
    rows = filters.apply(Memory.objects.visible_to(caller))
    if query.visibility:
        rows = rows.filter(visibility__in=query.visibility)
    if query.project is not None:
        rows = rows.filter(project=caller.projects[query.project])
    if query.q:
        rows = rows.saying(query.q)
    return rows


def _page(
    rows: MemoryQuerySet, query: ListIn, caller: Caller, *, now: datetime
) -> tuple[list[Memory], str | None]:
    """One page by keyset: agents write meanwhile, and an offset would skip or repeat rows."""
    down, name = query.sort.startswith("-"), query.sort.lstrip("-")
    field = {"retention": "retention_now"}.get(name, name)
    last: Any = None
    if query.cursor is not None:
        sort, at, last, pk = read_cursor(query.cursor, length=4)
        if sort != query.sort:
            raise invalid({"cursor": "belongs to another order"})
        # Retention moves with the clock: all pages of a list are as of its first.
        now = read_time(at)
        last = read_time(last) if name.endswith("_at") else last
    if name == "retention":
        rows = rows.with_retention(now, caller.policy)
    if query.cursor is not None:
        beyond = "lt" if down else "gt"
        rows = rows.filter(
            Q(**{f"{field}__{beyond}": last}) | Q(**{field: last, f"id__{beyond}": pk})
        )
    order = F(field).desc() if down else F(field).asc()
    found = list(rows.order_by(order, "-id" if down else "id").for_showing()[: query.limit + 1])
    if len(found) <= query.limit:
        return found, None
    found = found[: query.limit]
    value = getattr(found[-1], field)
    shown = show_time(value) if isinstance(value, datetime) else value
    return found, write_cursor(query.sort, show_time(now), shown, str(found[-1].pk))


@router.get(
    "/{memory}",
    auth=KeyAuth("recall"),
    response={200: MemoryOut, **errors(401, 403, 404, 422, 429, 503)},
    summary="Read one memory",
)
def read_memory(request: HttpRequest, memory: str) -> Any:
    caller, now = caller_of(request), timezone.now()
    only(request, ())
    with owner_scope(caller.owner):
        row = _find(caller, memory)
        note_reading(caller, rows=1, now=now)
    return show_memory(row, policy=caller.policy, now=now)


def _find(caller: Caller, memory: str) -> Memory:
    pk = read_id(memory)
    row: Memory | None = (
        None
        if caller.paused
        else Memory.objects.visible_to(caller).filter(pk=pk).for_showing().first()
    )
    if row is None:
        raise not_found()
    return row


@router.get(
    "/{memory}/history",
    auth=KeyAuth("recall"),
    response={200: ChangesOut, **errors(401, 403, 404, 422, 429, 503)},
    exclude_unset=True,
    summary="What it said before and what happened to it",
)
def read_history(request: HttpRequest, memory: str) -> Any:
    caller, now = caller_of(request), timezone.now()
    only(request, ())
    with owner_scope(caller.owner):
        row = _find(caller, memory)
        revisions = list(row.revisions.order_by("version"))
        events = list(Event.objects.of(caller.owner).about(row.pk).select_related("agent"))
        note_reading(caller, rows=1, now=now)
    lines: list[dict[str, Any]] = [
        {
            "type": "revision",
            "at": revision.created_at,
            "version": revision.version,
            "content": revision.content,
            "key": revision.key or None,
            "value": revision.value or None,
            "kind": revision.kind,
        }
        for revision in revisions
    ]
    lines += [
        {
            "type": "event",
            "at": event.at,
            "verb": event.verb,
            "reason": event.reason or None,
            "actor": event.actor,
            "agent": event.agent.name if event.agent else None,
            "gesture": event.gesture,
        }
        for event in events
    ]
    return {"results": sorted(lines, key=lambda line: line["at"])}


@router.patch(
    "/{memory}",
    auth=KeyAuth("write"),
    response={200: MemoryOut, 202: IgnoredOut, **errors(*EVERY_ERROR)},
    summary="Change a memory this agent wrote",
)
def change_memory(request: HttpRequest, memory: str, body: PatchIn) -> Any:
    caller, now = caller_of(request), timezone.now()
    only(request, ())
    if caller.paused:
        return Answer(202, IGNORED)
    pk = read_id(memory)
    given = body.model_fields_set
    for name in ("content", "kind", "visibility", "metadata"):
        if name in given and getattr(body, name) is None:
            raise invalid({name: "cannot be null"})
    revise_memory(
        caller,
        pk,
        version=body.version,
        content=body.content,
        # An explicit null empties a key or a value.
        key=(body.key or "") if "key" in given else None,
        value=(body.value or "") if "value" in given else None,
        kind=body.kind,
        visibility=body.visibility,
        metadata=body.metadata,
        now=now,
    )
    nudge()
    with owner_scope(caller.owner):
        row = _find(caller, memory)
    return show_memory(row, policy=caller.policy, now=now)


@router.delete(
    "/{memory}",
    auth=KeyAuth("delete"),
    response={204: None, 202: IgnoredOut, **errors(401, 403, 404, 422, 429, 503)},
    summary="Delete a memory this agent wrote",
)
def delete_memory(request: HttpRequest, memory: str) -> Any:
    caller = caller_of(request)
    only(request, ())
    if caller.paused:
        return Answer(202, IGNORED)
    withdraw_memory(caller, read_id(memory), now=timezone.now())
    return Answer(204, None)
