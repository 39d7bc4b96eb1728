"""What an act refuses. Interfaces turn these into their own answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
