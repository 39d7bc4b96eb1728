"""Read a conversation: find the facts it states, with their words, and write each of them once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import structlog
from django.conf import settings

from accounts.models import User
from memory.adapters.judges import FoundFact
from memory.adapters.judges import Turn as Shown
from memory.border import owner_scope
from memory.domain import extraction, text
from memory.domain.conflicts import is_negative
from memory.domain.extraction import Extracted, Role, Turn
from memory.domain.secrets import BLOT
from memory.domain.tombstones import loose_fingerprint
from memory.domain.values import Kind, Source
from memory.models import Conversation, Job, Message, RecallItem
from memory.querysets.callers import Caller
from memory.services.admit import read_caller
from memory.services.consult import Consultation, consult
from memory.services.errors import OldEpoch
from memory.services.lock import lock_writes
from memory.services.replay import Ledger
from memory.services.suggest import is_feedback, suggest_rules
from memory.services.trace import stands_in
from memory.services.write import Fact, write_facts

log = structlog.get_logger(__name__)

# What a judge is shown at once, and of the turn before for the search text.
MOST_CHARACTERS = 12_000
MOST_MESSAGES = 40
BEFORE = 500
# How long what an agent recalled counts as what it may be quoting.
RECALLED = timedelta(days=30)
MOST_RECALLED = 1_000
# A content of which less than this stands in the dialogue was made up.
LEAST_SUPPORT = 0.6


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


# -- Finding ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A fact found in one message, by the rules or by a judge."""

    content: str
    kind: Kind
    source: Source
    quote: str
    key: str = ""
    value: str = ""
    occurred_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    by: str = "rules"
    # Why it was not a judge, where there is one.
    fallback: str = ""


def find_facts(
    messages: Sequence[Message],
    *,
    zone: str,
    known: Collection[str],
    consultation: Consultation,
) -> None:
    """Set `found` of each message. Never inside a transaction.

    The rules read everything. A judge may say it better and find more; what the rules found and it
    left out stays, and an answer of which half does not stand in the dialogue counts for nothing.
    """
    by_rules: dict[int, list[Found]] = {}
    turns = [
        Turn(role=Role(message.role), content=message.content, at=message.at)
        for message in messages
    ]
    for fact in extraction.extract_facts(turns, zone=ZoneInfo(zone), known=known):
        by_rules.setdefault(fact.message_index, []).append(_from_rules(fact))
    for batch in _batches(messages):
        judged = _ask(messages, batch, zone=zone, known=known, consultation=consultation)
        for place in batch:
            found = by_rules.get(place, [])
            if judged is None:
                found = [replace(fact, fallback=consultation.fallback) for fact in found]
            else:
                found = _merge(messages[place].content, found, judged.get(place, []))
            messages[place].found = [_as_json(fact) for fact in found]


def _from_rules(fact: Extracted) -> Found:
    return Found(
        content=fact.content,
        kind=fact.kind,
        source=fact.source,
        quote=fact.quote,
        occurred_at=fact.occurred_at,
        valid_from=fact.valid_from,
        valid_to=fact.valid_to,
    )


def _batches(messages: Sequence[Message]) -> Iterator[range]:
    """The places of the messages, so many at a time as a judge can read at once."""
    start, size = 0, 0
    for place, message in enumerate(messages):
        length = len(message.content)
        if place > start and (size + length > MOST_CHARACTERS or place - start >= MOST_MESSAGES):
            yield range(start, place)
            start, size = place, 0
        size += length
    if messages:
        yield range(start, len(messages))


def _ask(
    messages: Sequence[Message],
    batch: range,
    *,
    zone: str,
    known: Collection[str],
    consultation: Consultation,
) -> dict[int, list[Found]] | None:
    """A judge's facts by place, each checked; None where there are none to go by.

    Its numbers are places in the dialogue from 1, and only what the batch shows may be cited.
    """
    shown = [
        Shown(
            number=place + 1,
            role=messages[place].role,
            content=messages[place].content,
            at=messages[place].at,
        )
        for place in batch
    ]
    answer = consultation.extract(shown, zone=zone)
    if answer is None:
        return None
    missing = sum(not stands_in(fact.quote, messages[fact.message - 1].content) for fact in answer)
    if missing * 2 > len(answer):
        consultation.fallback = "quotes"
        return None
    checked: dict[int, list[Found]] = {}
    forms = {loose_fingerprint(content) for content in known}
    for fact in answer:
        place = fact.message - 1
        before = messages[place - 1].content if place else ""
        kept = _check(fact, messages[place], before)
        if kept is not None and loose_fingerprint(kept.content) not in forms:
            checked.setdefault(place, []).append(kept)
    return checked


def _check(fact: FoundFact, message: Message, before: str) -> Found | None:
    """A judge's fact as far as it can be believed; None where it is made up.

    Words that say the opposite of their quote, or that stand nowhere in the dialogue, give way to
    the quote itself. Without a quote in the message a fact is a conclusion at most.
    """
    content, key, value = text.clean(fact.content, field="content"), fact.key, fact.value
    quoted = stands_in(fact.quote, message.content)
    supported = _support(content, f"{message.content}\n{before}") >= LEAST_SUPPORT
    if quoted and (not supported or is_negative(content) != is_negative(fact.quote)):
        content, key, value = fact.quote, "", ""
    elif not supported:
        return None
    if value and _support(value, message.content) < LEAST_SUPPORT:
        key, value = "", ""
    source: Source = fact.source if quoted and message.role == Role.USER else Source.INFERRED
    if message.role in (Role.SYSTEM, Role.TOOL):
        source = Source.EXTERNAL
    return Found(
        content=content,
        kind=fact.kind,
        source=source,
        quote=fact.quote if quoted else "",
        key=key,
        value=value,
        by="judge",
    )


def _support(content: str, said: str) -> float:
    """The share of a text's words that stand in another."""
    words = text.tokens(content)
    if not words:
        return 0.0
    there = set(text.tokens(said))
    return sum(word in there for word in words) / len(words)


def _merge(content: str, by_rules: Sequence[Found], judged: Sequence[Found]) -> list[Found]:
    """A judge's facts, with the dates the rules read, and what only the rules found.

    Where both speak about the same words and the judge trusts them less, the rules' fact stays.
    """
    kept: list[Found] = []
    better = list(judged)
    for rule in by_rules:
        same = [fact for fact in better if _overlap(content, rule.quote, fact.quote)]
        if not same or (
            rule.source is Source.USER_STATED
            and all(fact.source is not Source.USER_STATED for fact in same)
        ):
            better = [fact for fact in better if fact not in same]
            kept.append(rule)
            continue
        for fact in same:
            better[better.index(fact)] = replace(
                fact,
                occurred_at=rule.occurred_at,
                valid_from=rule.valid_from,
                valid_to=rule.valid_to,
            )
    return sorted(kept + better, key=lambda fact: _span(content, fact.quote))


def _span(content: str, quote: str) -> tuple[int, int]:
    """Where a quote stands, by the matching form; nowhere is at the end."""
    said, wanted = text.match_form(content), text.match_form(quote)
    at = said.find(wanted) if wanted else -1
    return (at, at + len(wanted)) if at >= 0 else (len(said), len(said))


def _overlap(content: str, one: str, other: str) -> bool:
    (a, b), (c, d) = _span(content, one), _span(content, other)
    return a < d and c < b


# -- Writing ---------------------------------------------------------------------------------------


def _as_facts(messages: Sequence[Message], project: str | None) -> Iterator[Fact]:
    """What was found, in order, as facts to be written."""
    for place, message in enumerate(messages):
        before = _turn_before(messages, place)
        for found in message.found or ():
            fact = _from_json(found)
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


_DATES = ("occurred_at", "valid_from", "valid_to")


def _as_json(fact: Found) -> dict[str, Any]:
    data = {name: getattr(fact, name) for name in Found.__slots__}
    return {k: v.isoformat() if isinstance(v, datetime) else v for k, v in data.items() if v}


def _from_json(data: dict[str, Any]) -> Found:
    dates = {name: datetime.fromisoformat(data[name]) for name in _DATES if name in data}
    return Found(
        **{
            "quote": "",
            **data,
            "kind": Kind(data["kind"]),
            "source": Source(data["source"]),
            **dates,
        }
    )
