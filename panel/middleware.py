"""What every panel response has in common: how htmx is answered, and whose taste applies."""

from __future__ import annotations

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.contrib.auth.views import redirect_to_login
from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import resolve_url
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.cache import add_never_cache_headers, patch_vary_headers
from django.utils.translation import gettext as _

from accounts.models import User
from panel.notices import say_refused
from panel.requests import path_of_referer, way_back

GetResponse = Callable[[HttpRequest], HttpResponseBase]
# Beside success, what htmx is told to put in place (the htmx-config in base.html).
SWAPPED_ERRORS = (409, 422)
# Addresses that show the box their words are typed in.
_WRITTEN_ON = ("edit", "add")


class HtmxResponseMiddleware:
    """Redirects become HX-Redirect, and a fragment carries the messages its page would show."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        htmx = request.htmx  # type: ignore[attr-defined]
        if not htmx or htmx.history_restore_request:
            return response
        if 300 <= response.status_code < 400 and response.has_header("Location"):
            return _redirect_client(request, response)
        if isinstance(response, HttpResponse) and _has_room_for_messages(response):
            _append_messages(request, response)
        return response


def _redirect_client(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """The same response, as an order to the browser; cookies and Vary stay on it."""
    response.status_code = 200
    response["HX-Redirect"] = response["Location"]
    del response["Location"]
    return response


class SignInMiddleware(LoginRequiredMiddleware):
    """Whoever is not signed in any more comes back, after signing in, to the page they saw.

    Not to the address a form or a part of a page has for itself: that shows nothing. Where words
    were typed, to the page with their box: the browser has kept them (static/js/unsaved.js).
    """

    def handle_no_permission(
        self, request: HttpRequest, view_func: Callable[..., HttpResponseBase]
    ) -> HttpResponseRedirect:
        refused = super().handle_no_permission(request, view_func)
        reads = request.method in ("GET", "HEAD")
        if not reads:
            say_refused(request, _("You had been signed out, so nothing was changed."))
        if reads and not request.htmx:  # type: ignore[attr-defined]
            return refused
        there = resolve_url(self.get_login_url(view_func))
        return redirect_to_login(_page_seen(request), there)


def _page_seen(request: HttpRequest) -> str:
    match = request.resolver_match
    if request.method == "POST" and match is not None and match.url_name in _WRITTEN_ON:
        return request.path
    if request.htmx:  # type: ignore[attr-defined]
        return request.htmx.current_url_abs_path or "/"  # type: ignore[attr-defined]
    return way_back(request, path_of_referer(request))


def _has_room_for_messages(response: HttpResponse) -> bool:
    return (
        (200 <= response.status_code < 300 or response.status_code in SWAPPED_ERRORS)
        and response.status_code != 204
        and response.get("Content-Type", "").startswith("text/html")
        and not response.has_header("HX-Redirect")
        and not response.has_header("HX-Refresh")
    )


def _append_messages(request: HttpRequest, response: HttpResponse) -> None:
    messages = get_messages(request)
    # `used`: the view answered with a whole page, which has shown them already.
    if getattr(messages, "used", True) or not len(messages):
        return
    with translation.override(getattr(request, "language", None) or settings.LANGUAGE_CODE):
        response.content += render_to_string("_messages_apart.html", request=request).encode()


class PreferencesMiddleware:
    """Language, time zone and theme of the person, for the length of the request.

    Language: the one chosen in Settings, else the browser's, else English. Agents' requests
    have no session and are left alone.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path.startswith("/api/"):
            return self.get_response(request)
        user = request.user if isinstance(request.user, User) else None
        chosen = user.language if user else ""
        language = chosen or translation.get_language_from_request(request)
        request.language = language  # type: ignore[attr-defined]
        request.theme = user.theme if user else User.Theme.SYSTEM  # type: ignore[attr-defined]
        zone = ZoneInfo(user.zone) if user else timezone.get_default_timezone()
        with translation.override(language), timezone.override(zone):
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        if not chosen:
            patch_vary_headers(response, ["Accept-Language"])
        if user and not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response
