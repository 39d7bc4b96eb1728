"""How the queue and the site stand, in numbers, for the admins."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from panel.fragments import render_page
from panel.reads.queue_overview import read_overview
from panel.requests import PanelRequest
from panel.views.queue import for_admins


@require_GET
@for_admins
def show_overview(request: PanelRequest) -> HttpResponse:
    overview = read_overview(request.user.pk, now=timezone.now())
    return render_page(request, "queue/overview.html", {"overview": overview})
