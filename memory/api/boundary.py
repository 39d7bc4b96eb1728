"""The boundary of the API: one JSON parser and renderer, one text, time, number and page type."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, UTC, datetime
from typing import Annotated, Any
from uuid import UUID

from django.core import signing
from django.http import HttpRequest
from django.utils.datastructures import MultiValueDict
from ninja.parser import Parser
from ninja.renderers import BaseRenderer
from ninja.schema import Schema
from pydantic import BeforeValidator, ConfigDict, Field
from pydantic_core import core_schema

from memory.api.errors import ApiError, invalid, not_found
from memory.domain.errors import BadText
from memory.domain.text import clean

_LARGEST = 2**63 - 1
_DEEPEST = 32
_SURROGATE = re.compile("[\ud800-\udfff]")


# -- JSON ------------------------------------------------------------------------------------------


def _refuse_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return found


def parse_json(body: bytes) -> Any:
    """Strict JSON: UTF-8, no name twice, not too deep; every text and number storable.

    Raises ApiError 400 invalid_json, or 422 with the field where a value cannot be stored.
    """
    try:
        data = json.loads(body.decode("utf-8"), object_pairs_hook=_refuse_doubles)
    except (ValueError, RecursionError) as error:
        why = "nested too deep" if isinstance(error, RecursionError) else str(error)[:200]
        raise ApiError(400, "invalid_json", f"The body is not valid JSON: {why}") from error
    check_values(data)
    return data


def check_values(data: Any) -> None:
    """Refuse what cannot be stored, wherever it stands. Raises ApiError 422."""
    problems: dict[str, str] = {}
    _check_values(data, "", problems, depth=0)
    if problems:
        raise invalid(problems)


def _check_values(value: Any, path: str, problems: dict[str, str], *, depth: int) -> None:
    if len(problems) >= 20:
        return
    if depth > _DEEPEST:
        problems[path] = "nested too deep"
    elif isinstance(value, str):
        # Not `clean`: it also normalises, and its cost is bounded only where a limit is known.
        if "\0" in value:
            problems[path or "body"] = BadText.MESSAGES["nul"]
        elif _SURROGATE.search(value):
            problems[path or "body"] = BadText.MESSAGES["surrogate"]
    elif isinstance(value, float) and not math.isfinite(value):
        problems[path or "body"] = "is not a finite number"
    elif isinstance(value, int | float) and abs(value) > _LARGEST:
        # jsonb keeps 1e308 as 309 digits, which would come out as a number refused here.
        problems[path or "body"] = "is too large"
    elif isinstance(value, dict):
        for name, item in value.items():
            shown = name[:100].encode("ascii", "backslashreplace").decode().replace("\0", "\\0")
            inner = f"{path}.{shown}".lstrip(".")
            if "\0" in name or _SURROGATE.search(name):
                problems[inner] = "is no name that can be stored"
            _check_values(item, inner, problems, depth=depth + 1)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            _check_values(item, f"{path}.{number}".lstrip("."), problems, depth=depth + 1)


class StrictParser(Parser):
    def parse_body(self, request: HttpRequest) -> Any:
        if request.content_type != "application/json":
            raise ApiError(
                415, "unsupported_media_type", "Send JSON, with Content-Type: application/json."
            )
        return parse_json(request.body)

    def parse_querydict(
        self, data: MultiValueDict[str, str], list_fields: list[str], request: HttpRequest
    ) -> Any:
        doubled = [
            name for name, values in data.lists() if len(values) > 1 and name not in list_fields
        ]
        if doubled:
            raise invalid(dict.fromkeys(doubled, "is given more than once"))
        return super().parse_querydict(data, list_fields, request)


class StrictRenderer(BaseRenderer):
    media_type = "application/json"

    def render(self, request: HttpRequest, data: Any, *, response_status: int) -> str:
        return render_json(data)


def render_json(data: Any) -> str:
    """UTF-8 as written, never NaN, times in UTC with Z."""
    return json.dumps(
        data, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain
    )


def _plain(value: Any) -> str:
    if isinstance(value, datetime):
        return show_time(value)
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(type(value).__name__)


def show_time(moment: datetime) -> str:
    """ISO 8601 in UTC with Z; microseconds only where there are any."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


# -- Types -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Text:
    """Marks a field as text (API.md): NFC, without what hides or reorders words.

    Used as `Annotated[str, Text(2000, minimum=1)]`; lengths in characters, after normalising.
    """

    limit: int
    minimum: int = 0
    multiline: bool = True

    def check(self, value: str) -> str:
        return clean(
            value,
            field="text",
            minimum=self.minimum,
            limit=self.limit,
            multiline=self.multiline,
        )

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> core_schema.CoreSchema:
        return core_schema.no_info_after_validator_function(
            self.check, core_schema.str_schema(strict=True)
        )

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        shown: dict[str, Any] = handler(schema)
        return shown | {"minLength": self.minimum, "maxLength": self.limit}


def read_time(value: object) -> datetime:
    """An ISO 8601 time with an offset, in UTC. Raises ValueError."""
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.astimezone(UTC)
    if not isinstance(value, str) or len(value) > 40 or not value.isascii():
        raise ValueError("is no ISO 8601 time")
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise ValueError("is no ISO 8601 time") from None
    if moment.tzinfo is None:
        raise ValueError("has no time zone: end it with Z or an offset")
    try:
        moment = moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("is out of range") from None
    # The calendar's first and last year have days that other zones cannot show.
    if not MINYEAR < moment.year < MAXYEAR:
        raise ValueError("is out of range")
    return moment


Time = Annotated[
    datetime,
    BeforeValidator(read_time),
    Field(json_schema_extra={"type": "string", "format": "date-time"}),
]
Share = Annotated[float, Field(ge=0, le=1, strict=True, allow_inf_nan=False)]
Flag = Annotated[bool, Field(strict=True)]


class Input(Schema):
    """What a caller sends. An unknown field is refused: a misspelt filter must not mean none."""

    model_config = ConfigDict(extra="forbid", protected_namespaces=())


def only(request: HttpRequest, allowed: Iterable[str]) -> None:
    """Refuse query parameters that this address does not know."""
    unknown = sorted(set(request.GET) - set(allowed))
    if unknown:
        raise invalid({name[:100]: "is not a parameter of this address" for name in unknown})


def read_id(value: str) -> UUID:
    """An id from the address; a malformed one is simply not found."""
    try:
        found = UUID(value)
    except ValueError:
        raise not_found() from None
    if str(found) != value.lower():
        raise not_found()
    return found


# -- Pages -----------------------------------------------------------------------------------------

Limit = Annotated[int, Field(ge=1, le=100)]


def write_cursor(*values: Any) -> str:
    return signing.dumps(values, salt="cursor", compress=True)


def read_cursor(cursor: str, *, length: int) -> list[Any]:
    """The values of a cursor this server made. Raises ApiError 422."""
    try:
        values: list[Any] = signing.loads(cursor, salt="cursor")
    except (signing.BadSignature, ValueError):
        values = []
    if len(values) != length:
        raise invalid({"cursor": "is not a cursor of this list"})
    return values
