"""`/conflicts`: what waits for the owner, and what an agent says of what it was served."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router
from ninja import Status as Answer

from memory.api.boundary import only, read_cursor, read_id, write_cursor
from memory.api.keys import KeyAuth, caller_of
from memory.api.schemas import (
    EVERY_ERROR,
    ConflictPageOut,
    FeedbackIn,
    IgnoredOut,
    PageIn,
    errors,
)
from memory.api.shapes import show_memory
from memory.border import owner_scope
from memory.domain import questions
from memory.domain.values import Reason
from memory.models import Conflict, ConflictMember, Memory
from memory.services.note_reading import note_reading
from memory.services.report import report_memory

router = Router(tags=["conflicts"])


@router.get(
    "/conflicts",
    auth=KeyAuth("recall"),
    response={200: ConflictPageOut, **errors(401, 403, 422, 429, 503)},
    summary="What waits for the owner and this agent may see, with the question to ask",
)
def list_conflicts(request: HttpRequest, query: Query[PageIn]) -> Any:
    caller, now = caller_of(request), timezone.now()
    only(request, PageIn.model_fields)
    if caller.paused:
        return {"results": [], "next": None, "total": 0, "paused": True}
    with owner_scope(caller.owner):
        seen = Memory.objects.visible_to(caller)
        # Only entries in which this agent sees somebody wait: another's guess stays its own.
        waiting = ConflictMember.objects.filter(bystander=False, memory__in=seen.values("pk"))
        entries = (
            Conflict.objects.of(caller.owner).waiting().filter(pk__in=waiting.values("conflict"))
        )
        total = entries.count()
        if query.cursor is not None:
            [last] = read_cursor(query.cursor, length=1)
            entries = entries.filter(pk__lt=UUID(last))
        page = list(entries.order_by("-pk")[: query.limit + 1])
        more, page = len(page) > query.limit, page[: query.limit]
        members = (
            ConflictMember.objects.filter(conflict__in=page)
            .filter(Q(memory__in=seen.values("pk")))
            .select_related("memory__use", "memory__agent", "memory__project")
            .defer("memory__embedding", "memory__search_text")
            .order_by("id")
        )
        by_entry: dict[UUID, list[Memory]] = {}
        for member in members:
            by_entry.setdefault(member.conflict_id, []).append(member.memory)
        note_reading(caller, rows=len(page), now=now)
    results = [
        {
            "conflict": entry.pk,
            "reason": entry.reason,
            "question": questions.ask(
                Reason(entry.reason), [memory.content for memory in by_entry[entry.pk]]
            ),
            "opened_at": entry.opened_at,
            "recurrences": entry.recurrences,
            "memories": [
                show_memory(memory, policy=caller.policy, now=now) for memory in by_entry[entry.pk]
            ],
        }
        for entry in page
    ]
    cursor = write_cursor(str(page[-1].pk)) if more else None
    return {"results": results, "next": cursor, "total": total, "paused": False}


@router.post(
    "/recalls/{recall}/feedback",
    auth=KeyAuth("recall"),
    response={204: None, 202: IgnoredOut, **errors(*EVERY_ERROR)},
    summary="Say whether what was served was of use, or wrong",
)
def give_feedback(request: HttpRequest, recall: str, body: FeedbackIn) -> Any:
    caller = caller_of(request)
    only(request, ())
    if caller.paused:
        return Answer(202, {"decision": "IGNORED", "paused": True})
    report_memory(
        caller, recall=read_id(recall), memory=body.memory, outcome=body.outcome, now=timezone.now()
    )
    return Answer(204, None)
