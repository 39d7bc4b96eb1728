"""The JSON API, version 1: its parser, its errors, its routes."""

from __future__ import annotations

import logging
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.db import DataError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from memory.api import conflicts, conversations, me, memories, recall
from memory.api.boundary import StrictParser, StrictRenderer
from memory.api.errors import ApiError, invalid, not_found
from memory.domain.errors import DomainError
from memory.services import errors as refused

log = logging.getLogger(__name__)

api = NinjaAPI(
    title="Memoir",
    version="1.0.0",
    description="What AI agents remember about a person, ranked, faded and open to correction.",
    parser=StrictParser(),
    renderer=StrictRenderer(),
    urls_namespace="api",
)
api.add_router("/memories", memories.router)
api.add_router("/recall", recall.router)
api.add_router("", conversations.router)
api.add_router("", conflicts.router)
api.add_router("", me.router)


def _answer(request: HttpRequest, error: ApiError) -> HttpResponse:
    response = api.create_response(request, error.body(), status=error.status)
    if error.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    if error.status in (429, 503):
        response.headers["Retry-After"] = str(error.details.get("retry_after", 1))
    return response


@api.exception_handler(ApiError)
def on_api_error(request: HttpRequest, error: ApiError) -> HttpResponse:
    return _answer(request, error)


@api.exception_handler(HttpError)
def on_http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    """The framework wraps what the parser says; unwrap it."""
    if isinstance(error.__cause__, ApiError):
        return _answer(request, error.__cause__)
    return _answer(request, ApiError(error.status_code, "invalid_json", str(error)))


@api.exception_handler(ValidationError)
def on_validation_error(request: HttpRequest, error: ValidationError) -> HttpResponse:
    fields: dict[str, str] = {}
    for problem in error.errors:
        where = [str(part) for part in problem["loc"]]
        # The first parts name the source and the parameter; people know their own fields.
        if where[:1] in (["body"], ["query"], ["path"], ["header"]):
            where = where[2:] if where[1:2] in (["body"], ["query"]) else where[1:]
        message = str(problem["msg"]).removeprefix("Value error, ").removeprefix("text ")
        fields.setdefault(".".join(where) or "body", message)
    return _answer(request, invalid(fields))


@api.exception_handler(Http404)
def on_not_found(request: HttpRequest, error: Http404) -> HttpResponse:
    return _answer(request, not_found())


@api.exception_handler(RequestDataTooBig)
def on_too_large(request: HttpRequest, error: RequestDataTooBig) -> HttpResponse:
    return _answer(request, ApiError(413, "too_large", "The body is larger than 1 MiB."))


@api.exception_handler(UnreadablePostError)
def on_broken_body(request: HttpRequest, error: UnreadablePostError) -> HttpResponse:
    return _answer(request, ApiError(400, "invalid_json", "The body broke off."))


@api.exception_handler(DataError)
@api.exception_handler(UnicodeEncodeError)
@api.exception_handler(DomainError)
def on_refused_value(request: HttpRequest, error: Exception) -> HttpResponse:
    """What PostgreSQL or a rule still refuses: the caller's input, so never a 500."""
    log.warning("refused late: %s", type(error).__name__)
    field = getattr(error, "field", None) or getattr(error, "name", None) or "input"
    return _answer(request, invalid({str(field): "is out of range or cannot be stored"}))


@api.exception_handler(OperationalError)
@api.exception_handler(InterfaceError)
def on_database_away(request: HttpRequest, error: Exception) -> HttpResponse:
    log.warning("database unavailable: %s", type(error).__name__)
    return _answer(
        request, ApiError(503, "unavailable", "Not available right now. Try again shortly.")
    )


@api.exception_handler(refused.ServiceError)
def on_service_error(request: HttpRequest, error: refused.ServiceError) -> HttpResponse:
    return _answer(request, _translate(error))


def _translate(error: refused.ServiceError) -> ApiError:
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
    return ApiError(503, "unavailable", "Not available right now. Try again shortly.")
