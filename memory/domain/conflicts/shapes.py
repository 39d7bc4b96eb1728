"""What the router is given and what it answers with."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memory.domain.values import Decision, Reason, Relation, Source, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What is being written.

    `single_valued` None: the key's list decides. `detected`: the key was found in the words, not
    given by the caller. `valid_from` is a date of validity of its own, `occurred_at` and
    `said_at` order it otherwise.
    """

    content: str
    key: str = ""
    value: str = ""
    source: Source = Source.USER_STATED
    single_valued: bool | None = None
    detected: bool = False
    valid_from: datetime | None = None
    occurred_at: datetime | None = None
    said_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A stored memory that the writing agent may see: active, stale or waiting.

    `guarded`: the owner's own work, health or money, which only their explicit words retire; the
    router also finds that in the words. `similarity`: calibrated, 0 to 1, of its vector with the
    new statement's; None where unknown. It is a gate, never the judge.
    """

    id: str
    content: str
    created_at: datetime
    key: str = ""
    value: str = ""
    status: Status = Status.ACTIVE
    source: Source = Source.USER_STATED
    protected: bool = False
    guarded: bool = False
    single_valued: bool | None = None
    valid_from: datetime | None = None
    occurred_at: datetime | None = None
    similarity: float | None = None


class CueKind(StrEnum):
    """What kind of wording settled a routing."""

    REPLACEMENT = "replacement"
    CORRECTION = "correction"
    ENDED = "ended"
    POLARITY = "polarity"
    COEXIST = "coexist"
    NOT_NOW = "not_now"
    PAST = "past"
    TEMPORARY = "temporary"
    VALIDITY = "validity"


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    """The decision about a statement.

    `reason`: of UPDATE and DELETE, why the target is retired; of CONFLICT, why the statement
    waits. `cue` is the wording that settled it, '' for none. `contested`: the target keeps its
    status and is only marked. `should_forget`: the retired target is also weighed down.
    `history`: an ADD that joins the chain as superseded. `single_valued`: what the new row must
    be stored as; False where it stands beside the value of a single-valued key.
    """

    decision: Decision
    relation: Relation
    reason: Reason | None = None
    target_id: str | None = None
    cue: str = ""
    contested: bool = False
    should_forget: bool = False
    history: bool = False
    single_valued: bool = False
