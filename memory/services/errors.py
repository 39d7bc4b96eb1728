"""What an act refuses. Interfaces turn these into their own answers."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

if TYPE_CHECKING:
    from memory.models import Memory


class ServiceError(Exception):
    """Any refusal by an act."""


class NotFound(ServiceError):
    """Not there, or not the caller's to see: the two are never told apart."""


class OwnerOnly(ServiceError):
    """The owner has made this row his own, or another agent wrote it."""


class VersionConflict(ServiceError):
    """Somebody else changed the row meanwhile; `current` is what it says now."""

    def __init__(self, current: Memory) -> None:
        super().__init__("This memory was changed meanwhile.")
        self.current = current


class AlreadySettled(ServiceError):
    """Somebody ruled first."""


class Claimed(ServiceError):
    """Another admin is at it, or nobody is: whom it needs is the one who took it up."""

    def __init__(self, by: UUID | None, until: datetime | None) -> None:
        super().__init__("This entry is not yours to settle now.")
        self.by = by
        self.until = until


class CannotUndo(ServiceError):
    """The gesture cannot be taken back; `reason` says why, as a code."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class OldEpoch(ServiceError):
    """The owner cleared everything after this began."""


class InvalidInput(ServiceError):
    """A field that does not fit; `fields` maps its name to what is wrong."""

    def __init__(self, **fields: str) -> None:
        super().__init__(", ".join(fields))
        self.fields = fields


class KeyReused(ServiceError):
    """The same Idempotency-Key came with another request."""


class Unavailable(ServiceError):
    """Something needed is down or too long busy: try again."""
