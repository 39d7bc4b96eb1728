"""Every error of the API: one shape, stable codes (API.md)."""

from __future__ import annotations

from typing import Any


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
