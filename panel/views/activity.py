"""What happened to the memories: by whom, when, and undone where it still can be."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_GET

from panel.cursors import BadCursor
from panel.fragments import render_page
from panel.reads.activity import read_activity
from panel.requests import PanelRequest


@require_GET
def show_activity(request: PanelRequest) -> HttpResponse:
    try:
        page = read_activity(request.user.pk, request.GET.get("cursor", ""))
    except BadCursor as error:
        raise Http404 from error
    return render_page(request, "activity.html", {"page": page}, fragments=["more"])
