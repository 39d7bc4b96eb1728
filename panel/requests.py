"""What a panel view gets: Django's request with what the middleware put on it."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.middleware import HtmxDetails

from accounts.models import User


class PanelRequest(HttpRequest):
    """A request of somebody who is signed in; LoginRequiredMiddleware sees to that."""

    htmx: HtmxDetails
    user: User
    language: str
    theme: str


def way_back(request: HttpRequest, default: str = "/") -> str:
    """The page the form stood on, if it is one of ours."""
    address = request.POST.get("next", "")
    if address.startswith("/") and url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        return address
    return default


def path_of_referer(request: HttpRequest) -> str:
    """The page of ours that the browser says it comes from, else "/"."""
    parts = urlsplit(request.headers.get("Referer", ""))
    if parts.netloc != request.get_host() or not parts.path.startswith("/"):
        return "/"
    return f"{parts.path}?{parts.query}" if parts.query else parts.path
