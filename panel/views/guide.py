"""Ending a first visit."""

from __future__ import annotations

from django.http import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from panel.requests import PanelRequest


@require_POST
def end_guide(request: PanelRequest) -> HttpResponseBase:
    """Done with the three steps, or not interested: they do not come back."""
    request.user.guided_since = None
    request.user.save(update_fields=["guided_since"])
    return redirect(reverse("memories"))
