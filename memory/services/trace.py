"""Trace a fact to what was said: in which message, and whether it stands there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from memory.border import owner_scope
from memory.domain.extraction import Role
from memory.domain.text import match_form
from memory.domain.values import Source
from memory.models import Conversation, Message
from memory.querysets.callers import Caller
from memory.services.errors import InvalidInput

_AT_MOST = {
    Role.USER: Source.USER_STATED,
    Role.ASSISTANT: Source.INFERRED,
    Role.SYSTEM: Source.EXTERNAL,
    Role.TOOL: Source.EXTERNAL,
}
_TRUST = {Source.EXTERNAL: 0, Source.INFERRED: 1, Source.USER_STATED: 2}


class Claim(Protocol):
    """A fact with the place it names."""

    @property
    def source(self) -> Source: ...
    @property
    def quote(self) -> str: ...
    @property
    def conversation(self) -> UUID | None: ...
    @property
    def message(self) -> UUID | None: ...
    @property
    def occurred_at(self) -> datetime | None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a fact comes from, checked.

    `source` is what may be claimed for it at most. `said_at` orders it; `dated` is the date it
    can show for itself: when it happened, else the date its message came with, else None.
    """

    source: Source
    conversation: UUID | None = None
    message: UUID | None = None
    said_at: datetime | None = None
    dated: datetime | None = None


def trace_facts(caller: Caller, claims: Sequence[Claim]) -> list[Origin]:
    """Check each fact's place: two statements at most, none where no fact names one.

    What the assistant said is at most inferred, tool and system text is external, and a quote that
    does not stand in the message it cites makes the fact a conclusion. Raises InvalidInput for a
    place that does not exist for this agent.
    """
    messages: dict[UUID, Message] = {}
    conversations: set[UUID] = set()
    cited = {claim.message for claim in claims if claim.message is not None}
    named = {claim.conversation for claim in claims if claim.conversation is not None}
    if cited or named:
        with owner_scope(caller.owner):
            if cited:
                found = Message.objects.handed_over_by(caller).filter(pk__in=cited)
                messages = {row.pk: row for row in found.defer("found")}
            if named:
                mine = Conversation.objects.handed_over_by(caller).filter(pk__in=named)
                conversations = set(mine.values_list("pk", flat=True))
    return [_trace(claim, number, messages, conversations) for number, claim in enumerate(claims)]


def _trace(
    claim: Claim, number: int, messages: dict[UUID, Message], conversations: set[UUID]
) -> Origin:
    if claim.conversation is not None and claim.conversation not in conversations:
        raise _missing(number, "conversation")
    if claim.message is None:
        return Origin(source=claim.source, conversation=claim.conversation, dated=claim.occurred_at)
    message = messages.get(claim.message)
    if message is None or claim.conversation not in (None, message.conversation_id):
        raise _missing(number, "message")
    source = min(claim.source, _AT_MOST[Role(message.role)], key=_TRUST.__getitem__)
    if source is Source.USER_STATED and not stands_in(claim.quote, message.content):
        source = Source.INFERRED
    return Origin(
        source=source,
        conversation=message.conversation_id,
        message=message.pk,
        said_at=message.at,
        dated=claim.occurred_at or (message.at if message.dated else None),
    )


def stands_in(quote: str, said: str) -> bool:
    """Whether a quote stands in what was said, width, case and spacing aside. No quote does."""
    return match_form(quote) in match_form(said)


def _missing(number: int, name: str) -> InvalidInput:
    return InvalidInput(**{f"facts.{number}.{name}": "there is none with this id"})
