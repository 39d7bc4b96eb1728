"""Every error of the API: one shape, stable codes (API.md)."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import DataError, InterfaceError, OperationalError

from memory.domain.errors import DomainError
from memory.services import errors as refused

log = logging.getLogger(__name__)


class ApiError(Exception):
    """An answer that is an error. `details` holds field names and ids, never secrets."""

    def __init__(
        self, status: int, code: str, message: str, details: dict[str, Any] | None = None
    ) -> None:
        super().__init__(code)
        self.status, self.code, self.message = status, code, message
        self.details = details or {}

    def body(self) -> dict[str, Any]:
        return {"error": {"code": self.code, "message": self.message, "details": self.details}}


def not_found() -> ApiError:
    """Also for what exists but is not the caller's to see: the two are never told apart."""
    return ApiError(404, "not_found", "There is nothing here.")


_MOST_FIELDS = 20
_LONGEST_NAME = 100


def invalid(fields: dict[str, str]) -> ApiError:
    """What is wrong, field by field; a flood of unknown names is not echoed whole."""
    fields = {name[:_LONGEST_NAME]: why[:1000] for name, why in list(fields.items())[:_MOST_FIELDS]}
    message = "; ".join(f"{name}: {why}" for name, why in fields.items())
    return ApiError(422, "validation_failed", message, {"fields": fields})


def wrong_fields(problems: Iterable[tuple[Sequence[Any], str]]) -> ApiError:
    """What a schema found wrong: where, and in which words."""
    fields: dict[str, str] = {}
    for where, message in problems:
        said = message.removeprefix("Value error, ").removeprefix("text ")
        fields.setdefault(".".join(str(part) for part in where) or "body", said)
    return invalid(fields)


# -- What acts and the database refuse -------------------------------------------------------------

REFUSED_VALUES = (DataError, UnicodeEncodeError, DomainError)
DATABASE_AWAY = (OperationalError, InterfaceError)
EXPLAINED = (*REFUSED_VALUES, *DATABASE_AWAY, refused.ServiceError)


def explain(error: Exception) -> ApiError:
    """The answer to one of EXPLAINED, for whichever interface."""
    if isinstance(error, REFUSED_VALUES):
        # What PostgreSQL or a rule still refuses: the caller's input, so never a 500.
        log.warning("refused late: %s", type(error).__name__)
        field = getattr(error, "field", None) or getattr(error, "name", None) or "input"
        return invalid({str(field): "is out of range or cannot be stored"})
    if isinstance(error, refused.NotFound):
        return not_found()
    if isinstance(error, refused.OwnerOnly):
        return ApiError(403, "owner_only", "Only the owner may change this memory.")
    if isinstance(error, refused.VersionConflict):
        details: dict[str, Any] = {
            "version": error.current.version,
            "content": error.current.content,
        }
        message = "The memory was changed meanwhile. Read it again and decide."
        return ApiError(409, "version_conflict", message, details)
    if isinstance(error, refused.AlreadySettled):
        return ApiError(409, "already_settled", "Somebody ruled on this first.")
    if isinstance(error, refused.InvalidInput):
        return invalid(error.fields)
    if isinstance(error, DATABASE_AWAY):
        log.warning("database unavailable: %s", type(error).__name__)
    return ApiError(503, "unavailable", "Not available right now. Try again shortly.")
