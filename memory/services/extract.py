"""Read a conversation: find the facts it states, with their words, and write each of them once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from django.conf import settings

from accounts.models import User
from memory.border import owner_scope
from memory.domain.extraction import Role
from memory.domain.secrets import BLOT
from memory.models import Conversation, Job, Message, RecallItem
from memory.querysets.callers import Caller
from memory.services.admit import read_caller
from memory.services.consult import consult
from memory.services.errors import OldEpoch
from memory.services.find import find_facts, from_json
from memory.services.lock import lock_writes
from memory.services.replay import Ledger
from memory.services.suggest import is_feedback, suggest_rules
from memory.services.write import Fact, write_facts

log = structlog.get_logger(__name__)

# How much of the turn before is kept for the search text.
BEFORE = 500
# How long what an agent recalled counts as what it may be quoting.
RECALLED = timedelta(days=30)
MOST_RECALLED = 1_000


class Paused(Exception):
    """Everything is paused: to be done when it is not."""


def extract_conversation(job: Job, *, now: datetime) -> None:
    """Work through the conversation of a job. Running it twice changes nothing.

    1. Find the facts, and keep them in their messages: whoever takes the job over goes on with
       the same ones, whatever a judge would say the second time.
    2. Write each; its outcome is noted in the job in the same transaction.
    3. Suggest what repeated feedback comes to, then forget what was found.

    Raises Paused. A conversation cleared meanwhile is left alone.
    """
    owner, conversation = job.owner_id, UUID(job.payload["conversation"])
    with owner_scope(owner):
        row = Conversation.objects.of(owner).filter(pk=conversation).first()
        if row is None:
            return
        caller = replace(read_caller(owner, row.agent_id), epoch=row.epoch)
        if caller.paused:
            raise Paused
        messages = list(row.messages.order_by("position"))
        project = row.project.slug if row.project is not None else None
        zone = User.objects.values_list("zone", flat=True).get(pk=owner)
        recalled = _read_recalled(caller, now=now)
    try:
        if any(message.found is None for message in messages):
            consultation = consult(owner, now=now, seconds=settings.MEMOIR_JUDGE_JOB_SECONDS)
            try:
                find_facts(messages, zone=zone, known=recalled, consultation=consultation)
            finally:
                consultation.close()
            messages = _keep_found(row, messages)
        facts = list(_as_facts(messages, project))
        with owner_scope(owner):
            Job.objects.filter(pk=job.pk, total__lt=len(facts)).update(total=len(facts))
        write_facts(
            caller,
            facts,
            now=now,
            ledger=Ledger(Job, job.pk),
            seconds=settings.MEMOIR_JUDGE_JOB_SECONDS,
        )
        if any(m.role == Role.USER and is_feedback(m.content) for m in messages):
            suggest_rules(caller, now=now)
    except OldEpoch:
        # Cleared while it ran: nothing of it is wanted any more.
        return
    with owner_scope(owner):
        row.messages.update(found=[])
        Conversation.objects.filter(pk=row.pk, extracted_at__isnull=True).update(extracted_at=now)


def _keep_found(conversation: Conversation, messages: Sequence[Message]) -> list[Message]:
    """Store what was found, unless another worker stored its own first; returns what counts."""
    with owner_scope(conversation.owner_id):
        lock_writes(conversation.owner_id, epoch=conversation.epoch)
        stored = list(conversation.messages.order_by("position"))
        if all(message.found is not None for message in stored):
            return stored
        Message.objects.bulk_update(messages, ["found"])
    return list(messages)


def _read_recalled(caller: Caller, *, now: datetime) -> list[str]:
    """What this agent was given lately: quoted back, it is no news."""
    served = (
        RecallItem.objects.of(caller.owner)
        .filter(recall__agent=caller.agent, recall__asked_at__gt=now - RECALLED)
        .order_by("-id")
        .values_list("memory__content", flat=True)[:MOST_RECALLED]
    )
    return list(dict.fromkeys(served))


def _as_facts(messages: Sequence[Message], project: str | None) -> Iterator[Fact]:
    """What was found, in order, as facts to be written."""
    for place, message in enumerate(messages):
        before = _turn_before(messages, place)
        for found in message.found or ():
            fact = from_json(found)
            if BLOT in fact.content or BLOT in fact.value:
                continue  # what is left of a secret says nothing
            yield Fact(
                content=fact.content[:2000],
                kind=fact.kind,
                key=fact.key,
                value=fact.value,
                source=fact.source,
                quote=fact.quote,
                conversation=message.conversation_id,
                message=message.pk,
                occurred_at=fact.occurred_at,
                valid_from=fact.valid_from,
                valid_to=fact.valid_to,
                project=project,
                before=before,
                found_by=fact.by,
                fallback=fact.fallback,
            )


def _turn_before(messages: Sequence[Message], place: int) -> str:
    """What a message answers; text from outside is no part of a dialogue."""
    if not place or messages[place - 1].role not in (Role.USER, Role.ASSISTANT):
        return ""
    return messages[place - 1].content[:BEFORE]
