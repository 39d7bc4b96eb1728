"""The JSON API, version 1: its parser, its errors, its routes."""

from __future__ import annotations

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from memory.api import conflicts, conversations, me, memories, recall
from memory.api.boundary import StrictParser, StrictRenderer
from memory.api.errors import EXPLAINED, ApiError, explain, not_found, wrong_fields

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
    problems = []
    for problem in error.errors:
        where = [str(part) for part in problem["loc"]]
        # The first parts name the source and the parameter; people know their own fields.
        if where[:1] in (["body"], ["query"], ["path"], ["header"]):
            where = where[2:] if where[1:2] in (["body"], ["query"]) else where[1:]
        problems.append((where, str(problem["msg"])))
    return _answer(request, wrong_fields(problems))


@api.exception_handler(Http404)
def on_not_found(request: HttpRequest, error: Http404) -> HttpResponse:
    return _answer(request, not_found())


@api.exception_handler(RequestDataTooBig)
def on_too_large(request: HttpRequest, error: RequestDataTooBig) -> HttpResponse:
    return _answer(request, ApiError(413, "too_large", "The body is larger than 1 MiB."))


@api.exception_handler(UnreadablePostError)
def on_broken_body(request: HttpRequest, error: UnreadablePostError) -> HttpResponse:
    return _answer(request, ApiError(400, "invalid_json", "The body broke off."))


def on_explained(request: HttpRequest, error: Exception | type[Exception]) -> HttpResponse:
    assert isinstance(error, Exception)
    return _answer(request, explain(error))


for _kind in EXPLAINED:
    api.add_exception_handler(_kind, on_explained)
