"""Our own pages for what goes wrong, each with the id under which the log knows it.

They read neither session nor database: the database may be what is wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.cache import add_never_cache_headers, patch_vary_headers
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memory.api.errors import ApiError
from panel.fragments import VARY

RETRY_AFTER = 5


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form's token is old (signed in elsewhere, cookies cleared): a reload brings a new one."""
    if _is_htmx(request):
        response = HttpResponse(status=403)
        response["HX-Refresh"] = "true"
        return response
    return _answer(
        request,
        403,
        _("This form is out of date"),
        _("You may have signed in again in another tab. Go back, reload the page and try again."),
    )


def bad_input(request: HttpRequest, *, status: int, fields: Mapping[str, str]) -> HttpResponse:
    """Something in the address or the form cannot be text, or is out of range."""
    if status == 404:
        return not_found(request)
    return _answer(
        request,
        status,
        _("That cannot be read"),
        _(
            "The address or the form holds characters or numbers that cannot be stored. "
            "Nothing was changed."
        ),
    )


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """What Django turns away before any view: more text in a form than it takes, mostly."""
    if isinstance(exception, RequestDataTooBig):
        return _answer(
            request,
            413,
            _("That is too much text"),
            _("Nothing was changed. Long lists can be uploaded as a file instead."),
        )
    return bad_input(request, status=400, fields={})


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _answer(
        request, 403, _("Not for you"), _("Your account may not do this. Nothing was changed.")
    )


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _answer(
        request,
        404,
        _("There is nothing here"),
        _("It may have been deleted, or the address has a slip in it."),
    )


def too_many_requests(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    response = _answer(
        request,
        429,
        _("Too many tries"),
        _("Wait a few minutes, then try again. Nothing was changed."),
        again=_address_again(request),
    )
    response["Retry-After"] = "60"
    return response


def failed(request: HttpRequest) -> HttpResponse:
    """The handler of what no view caught. A database that is away is 503: it comes back."""
    if isinstance(sys.exc_info()[1], OperationalError | InterfaceError):
        return unavailable(request)
    return _answer(
        request,
        500,
        _("Something went wrong on our side"),
        _(
            "Nothing you entered was your fault. Try again; if it keeps happening, give this "
            "number to whoever runs Memoir."
        ),
        again=_address_again(request),
    )


def unavailable(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if request.path_info.startswith("/api/"):
        # A browser asked, whose session could not be read: the API itself never came to answer.
        error = ApiError(503, "unavailable", "Not available right now. Try again shortly.")
        answer = JsonResponse(error.body(), status=503)
        answer["Retry-After"] = str(RETRY_AFTER)
        return answer
    read = request.method in ("GET", "HEAD")
    response = _answer(
        request,
        503,
        _("Memoir is busy or starting"),
        _("Nothing was lost. Try again in a few seconds.")
        if read
        else _("Nothing was changed. Go back in a few seconds and send it again."),
        again=_address_again(request),
    )
    response["Retry-After"] = str(RETRY_AFTER)
    return response


def _is_htmx(request: HttpRequest) -> bool:
    """By the header: the middleware that knows may not have run."""
    return request.headers.get("HX-Request") == "true" and (
        request.headers.get("HX-History-Restore-Request") != "true"
    )


def _address_again(request: HttpRequest) -> str:
    """Where trying again leads; empty where a link cannot do it, as it would send no form."""
    if request.method in ("GET", "HEAD"):
        return request.get_full_path()
    # Each page of an account's shows its form at the address that takes it.
    return request.path if request.path.startswith("/accounts/") else ""


def _answer(
    request: HttpRequest,
    status: int,
    title: Promise | str,
    text: Promise | str,
    *,
    again: str = "",
) -> HttpResponse:
    """A page, or for htmx the sentence that goes to the live region."""
    language = getattr(request, "language", None) or translation.get_language_from_request(request)
    with translation.override(language):
        context = {
            "title": title,
            "text": text,
            "status": status,
            "again": again,
            "request_id": getattr(request, "id", ""),
            "language": language,
            "theme": getattr(request, "theme", "system"),
        }
        name = "errors/page.html#sentence" if _is_htmx(request) else "errors/page.html"
        response = HttpResponse(render_to_string(name, context), status=status)
    patch_vary_headers(response, VARY)
    add_never_cache_headers(response)
    return response
