"""`/conversations`: remember from a dialogue; `/jobs`: what came of it."""

from __future__ import annotations

import threading
import time
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router
from ninja import Status as Answer
from pydantic import Field

from memory.api.boundary import Input, only, read_id
from memory.api.errors import not_found
from memory.api.keys import KeyAuth, caller_of
from memory.api.repeats import IdempotencyKey, answer_once
from memory.api.schemas import EVERY_ERROR, ConversationIn, JobOut, ReceivedOut, errors
from memory.api.shapes import show_outcomes
from memory.border import owner_scope
from memory.models import Job
from memory.models.jobs import JobKind, JobStatus
from memory.querysets.callers import Caller
from memory.services.admit import read_caller
from memory.services.outcomes import recall_outcomes
from memory.services.receive import Said, receive_conversation
from memory.services.replay import Repeat
from memory.tasks import nudge

router = Router(tags=["conversations"])

POLL = 0.2
# Waiting holds a thread of the server: no more than half of a worker's.
_waiting = threading.BoundedSemaphore(2)


class WaitIn(Input):
    wait: Annotated[int, Field(ge=0, le=20)] = 0


@router.post(
    "/conversations",
    auth=KeyAuth("write"),
    response={200: JobOut | ReceivedOut, 202: ReceivedOut, **errors(*EVERY_ERROR)},
    exclude_unset=True,
    summary="Remember from a dialogue",
)
def receive(
    request: HttpRequest,
    body: ConversationIn,
    query: Query[WaitIn],
    idempotency_key: IdempotencyKey = None,
) -> Any:
    caller, now = caller_of(request), timezone.now()
    only(request, WaitIn.model_fields)
    if caller.paused:
        return Answer(202, {"conversation": None, "job": None, "paused": True})
    if body.incognito:
        return Answer(200, {"conversation": None, "job": None, "incognito": True})

    def act(repeat: Repeat | None) -> tuple[int, dict[str, Any]]:
        received = receive_conversation(
            caller,
            [
                Said(role=m.role, content=m.content, at=m.at, external_id=m.id or "")
                for m in body.messages
            ],
            project=body.project,
            title=body.title or "",
            ledger=repeat.ledger if repeat is not None else None,
            now=now,
        )
        nudge()
        if query.wait and _wait(caller, received.job, seconds=query.wait):
            return 200, _show(_as_of_now(caller), received.job, now=timezone.now())
        job = {"id": received.job, "status": JobStatus.QUEUED}
        return 202, {"conversation": received.conversation, "job": job}

    return answer_once(request, caller, idempotency_key, act, now=now)


def _as_of_now(caller: Caller) -> Caller:
    """The same agent, after it waited: what was granted may be revoked, all may be paused."""
    assert caller.agent is not None
    with owner_scope(caller.owner):
        return read_caller(caller.owner, caller.agent)


def _wait(caller: Caller, job: UUID, *, seconds: int) -> bool:
    """Wait for a job to end; False at once where too many wait already.

    Each look is a transaction of its own: nothing is held open between them.
    """
    if not _waiting.acquire(blocking=False):
        return False
    try:
        deadline = time.monotonic() + seconds
        while True:
            with owner_scope(caller.owner):
                unfinished = Job.objects.of(caller.owner).unfinished().filter(pk=job).exists()
            if not unfinished or time.monotonic() >= deadline:
                return True
            time.sleep(POLL)
    finally:
        _waiting.release()


@router.get(
    "/jobs/{job}",
    auth=KeyAuth("write"),
    response={200: JobOut, **errors(401, 403, 404, 422, 429, 503)},
    summary="How far a conversation has been worked through",
)
def read_job(request: HttpRequest, job: str) -> Any:
    caller, now = caller_of(request), timezone.now()
    only(request, ())
    return _show(caller, read_id(job), now=now)


def _show(caller: Caller, pk: UUID, *, now: datetime) -> dict[str, Any]:
    """A job of this agent's; while paused without its results. Raises 404."""
    with owner_scope(caller.owner):
        row = (
            Job.objects.of(caller.owner)
            .filter(pk=pk, kind=JobKind.EXTRACT, payload__agent=str(caller.agent))
            .first()
        )
        if row is None:
            raise not_found()
        noted = [] if caller.paused else row.results
        results = show_outcomes(recall_outcomes(caller, noted), caller, now=now)
    return {
        "id": row.pk,
        "status": row.status,
        "progress": {"done": row.done, "total": row.total},
        "results": results,
        "error": row.error or None,
    }
