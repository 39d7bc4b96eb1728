"""Single values of a stranger's file, each checked as strictly as the API checks its own."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from memory.domain.errors import BadText
from memory.domain.text import clean
from memory.domain.values import Source

CONTENT_LIMIT = 2_000
KEY_LIMIT = 200
_METADATA_BYTES = 4_096
_METADATA_DEPTH = 5
_LARGEST = 2**63 - 1


class RowProblem(ValueError):
    """This row cannot be used."""

    def __init__(self, code: str, name: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.name = name


def text_of(
    raw: Any, name: str, *, limit: int = CONTENT_LIMIT, minimum: int = 0, multiline: bool = True
) -> str:
    """A text as it may be stored. Raises RowProblem."""
    # Four times the limit cannot shrink below it by cleaning alone, and is not worth normalising.
    if isinstance(raw, str) and len(raw) > 4 * limit:
        raise RowProblem("too_long", name)
    try:
        return clean(raw, field=name, limit=limit, minimum=minimum, multiline=multiline)
    except BadText as error:
        raise RowProblem(error.reason, name) from None


def word_of(raw: Any, name: str, words: type[StrEnum], *, empty: bool = False) -> str:
    """One of the words of a closed vocabulary."""
    if empty and raw in ("", None):
        return ""
    try:
        return str(words(raw))
    except ValueError:
        raise RowProblem("unknown_word", name) from None


def source_of(raw: Any) -> str | None:
    return None if raw in ("", None) else word_of(raw, "source", Source)


def time_of(raw: Any, name: str) -> str | None:
    """A moment as ISO 8601 in UTC; a bare day or a time without a zone counts as UTC."""
    if raw in ("", None):
        return None
    if not isinstance(raw, str) or len(raw) > 40:
        raise RowProblem("not_a_time", name)
    try:
        moment = datetime.fromisoformat(raw.strip())
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise RowProblem("not_a_time", name) from None
    if not 1900 <= moment.year <= 2200:
        raise RowProblem("not_a_time", name)
    return moment.isoformat()


def number_of(raw: Any, name: str, *, low: float, high: float, whole: bool = False) -> float:
    if isinstance(raw, bool) or not isinstance(raw, int | float) or not math.isfinite(raw):
        raise RowProblem("not_a_number", name)
    if not low <= raw <= high or (whole and raw != int(raw)):
        raise RowProblem("out_of_range", name)
    return int(raw) if whole else float(raw)


def metadata_of(raw: Any) -> dict[str, Any]:
    """What the API would take as metadata. Raises RowProblem."""
    if raw is None:
        return {}
    if not isinstance(raw, dict):
        raise RowProblem("not_an_object", "metadata")
    _check_plain(raw, 0)
    if len(json.dumps(raw, ensure_ascii=False).encode()) > _METADATA_BYTES:
        raise RowProblem("too_long", "metadata")
    return raw


def _check_plain(value: Any, depth: int) -> None:
    if depth >= _METADATA_DEPTH and isinstance(value, Mapping | list):
        raise RowProblem("too_deep", "metadata")
    if isinstance(value, str):
        if "\0" in value:
            raise RowProblem("nul", "metadata")
        if any("\ud800" <= char <= "\udfff" for char in value):
            raise RowProblem("surrogate", "metadata")
    elif isinstance(value, int | float) and abs(value) > _LARGEST:
        raise RowProblem("out_of_range", "metadata")
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            _check_plain(name, depth)
            _check_plain(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            _check_plain(inner, depth + 1)
