"""Where a list goes on: the sort values of its last row, signed, so that nobody makes one up."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core import signing

_SALT = "panel.cursor"
_LONGEST = 1_000


class BadCursor(ValueError):
    """Not a cursor of ours, or one of another list or owner."""


def write_cursor(owner: UUID, purpose: str, values: list[Any]) -> str:
    return signing.dumps([str(owner), purpose, *values], salt=_SALT, compress=True)


def read_cursor(cursor: str, owner: UUID, purpose: str) -> list[Any]:
    """The values; raises BadCursor."""
    try:
        if len(cursor) > _LONGEST:
            raise BadCursor
        whose, what, *values = signing.loads(cursor, salt=_SALT)
    except (signing.BadSignature, ValueError) as error:
        raise BadCursor from error
    if whose != str(owner) or what != purpose:
        raise BadCursor
    kept: list[Any] = values
    return kept
