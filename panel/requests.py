"""What a panel view gets: Django's request with what the middleware put on it."""

from __future__ import annotations

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from accounts.models import User


class PanelRequest(HttpRequest):
    """A request of somebody who is signed in; LoginRequiredMiddleware sees to that."""

    htmx: HtmxDetails
    user: User
    language: str
    theme: str
