"""`Idempotency-Key`: the same key and body are done once and answered with the same bytes."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Header
from ninja import Status as Answer
from pydantic import AfterValidator, Field

from memory.api.boundary import render_json
from memory.api.errors import ApiError
from memory.querysets.callers import Caller
from memory.services.errors import InvalidInput, KeyReused
from memory.services.replay import Repeat, drop_repeat, keep_answer, open_repeat

_VISIBLE = re.compile(r"[\x21-\x7e]{1,255}")


def _check(value: str | None) -> str | None:
    if value is not None and _VISIBLE.fullmatch(value) is None:
        raise ValueError("must be 1 to 255 visible ASCII characters without spaces")
    return value


IdempotencyKey = Annotated[
    str | None,
    AfterValidator(_check),
    Field(
        description=(
            "Send the same key and body again and get the same answer; kept for a day, a caller's "
            "own. The same key with another body is refused (409). Not kept while paused."
        )
    ),
    # The framework looks for it in the last place.
    Header(None, alias="Idempotency-Key"),
]
Act = Callable[[Repeat | None], tuple[int, dict[str, Any]]]


def answer_once(
    request: HttpRequest, caller: Caller, key: str | None, act: Act, *, now: datetime
) -> Any:
    """Do the act and answer; under a key, once, and from then on with the bytes of the first time.

    A request that died in between is finished by its repetition: what it did is noted with each
    act, and only the answer is made anew.
    """
    if key is None:
        status, shown = act(None)
        return Answer(status, shown)
    try:
        repeat = open_repeat(caller, key, request.body, path=request.path, now=now)
    except KeyReused:
        raise ApiError(
            409,
            "idempotency_mismatch",
            "This Idempotency-Key was used with another body. Use a new key for a new request.",
        ) from None
    if repeat.answer is None or repeat.status is None:
        try:
            status, shown = act(repeat)
        except InvalidInput:
            drop_repeat(caller, repeat)
            raise
        repeat = keep_answer(caller, repeat, status=status, answer=render_json(shown))
    return HttpResponse(
        repeat.answer, status=repeat.status, content_type="application/json; charset=utf-8"
    )
