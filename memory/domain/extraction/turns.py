"""What goes in, a turn of a conversation, and what comes out, a fact with its quote."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memory.domain.values import Kind, Source

OWNER = "user"


class Role(StrEnum):
    """Who speaks."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message, in the order it was said."""

    role: Role
    content: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """A fact that a message states.

    `quote` stands word for word in the message; `content` is the quote without its opening, with
    relative dates written out. `subject` is `OWNER`, or the words for the relative or pet that
    the fact is about. `occurred_at`: when something happened. `valid_from`, `valid_to`: from when
    to when a state or a plan holds.
    """

    content: str
    kind: Kind
    source: Source
    quote: str
    message_index: int
    subject: str = OWNER
    occurred_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A run of clauses that states one fact. `carried`: a subject said earlier in the sentence."""

    start: int
    end: int
    subject: str
    carried: str
    procedural: bool
