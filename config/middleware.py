"""The boundary of the web: what no view should ever have to see is turned away here."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote_to_bytes, urlsplit

from django.core.exceptions import SuspiciousOperation
from django.db import DataError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse

from accounts.ids import uuid7
from memory.domain.errors import BadText
from memory.domain.text import clean
from panel.views import errors

log = logging.getLogger(__name__)

API = "/api/"
_SAFE_COOKIE = re.compile(r"[\x20-\x7e]{0,4096}")


def _raw_parameters(request: HttpRequest) -> Iterator[tuple[str, str]]:
    for name, values in request.GET.lists():
        yield name, name
        for value in values:
            yield name, value


def refuse(request: HttpRequest, *, status: int, code: str, fields: dict[str, str]) -> HttpResponse:
    """Bad input, answered in the shape of whoever asked: JSON for programs, a page for people."""
    if request.path_info.startswith(API):
        error = {
            "code": code,
            "message": "; ".join(fields.values()) or code,
            "details": {"fields": fields} if fields else {},
        }
        return JsonResponse({"error": error}, status=status)
    return errors.bad_input(request, status=status, fields=fields)


def _is_address(text: str) -> bool:
    try:
        urlsplit(text)
    except ValueError:
        return False
    return True


def _came_from_address(error: Exception) -> bool:
    """Whether taking an address apart failed: allauth does so with any `next` it is given."""
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    return step is not None and step.tb_frame.f_globals["__name__"] in ("urllib.parse", "ipaddress")


def _refuse_query(request: HttpRequest, why: str) -> HttpResponse:
    fields = {"query": f"the query {why}"}
    return refuse(request, status=422, code="validation_failed", fields=fields)


class BoundaryMiddleware:
    """Gives each request an id, and turns away what PostgreSQL could not even be asked.

    NUL and lone surrogates in the address or the query string; cookies that are no cookies. Values
    in a body are checked where they are parsed (memory.api.boundary, panel.forms). What PostgreSQL
    still refuses becomes 422 here, never 500.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        request.id = str(uuid7())  # type: ignore[attr-defined]
        request.COOKIES = {
            name: value for name, value in request.COOKIES.items() if _SAFE_COOKIE.fullmatch(value)
        }
        if not _is_address(request.META.get("HTTP_HX_CURRENT_URL", "")):
            del request.META["HTTP_HX_CURRENT_URL"]
        response = self._refusal(request) or self.get_response(request)
        response.headers["X-Request-Id"] = request.id  # type: ignore[attr-defined]
        return response

    def _refusal(self, request: HttpRequest) -> HttpResponse | None:
        if "\0" in request.path_info:
            return refuse(request, status=404, code="not_found", fields={})
        try:
            # Django would put U+FFFD where bytes are no UTF-8, and search for that.
            query = request.META.get("QUERY_STRING", "").encode("latin-1")
            unquote_to_bytes(query).decode("utf-8")
            parameters = list(_raw_parameters(request))
        except UnicodeError:
            return _refuse_query(request, "is not UTF-8")
        except SuspiciousOperation:
            return _refuse_query(request, "has too many parameters")
        for name, value in parameters:
            try:
                clean(value, field=name)
            except BadText as error:
                shown = name.encode("ascii", "backslashreplace").decode().replace("\0", "\\0")
                return refuse(
                    request,
                    status=422,
                    code="validation_failed",
                    fields={shown[:100]: f"{shown[:100]} {error.MESSAGES[error.reason]}"},
                )
        return None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Turn what the database refuses, and text it cannot hold, into 422."""
        if isinstance(exception, DataError | UnicodeEncodeError) or (
            isinstance(exception, ValueError)
            and ("NUL" in str(exception) or _came_from_address(exception))
        ):
            log.warning("refused late: %s", type(exception).__name__)
            return refuse(
                request,
                status=422,
                code="validation_failed",
                fields={"input": "a value is out of range or cannot be stored"},
            )
        return None
