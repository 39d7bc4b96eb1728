"""What happened to the memories: by whom, when, why, and undone where it still can be."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from panel.activity_form import ActivityFilterForm
from panel.addresses import render_filtered
from panel.cursors import BadCursor
from panel.reads.activity import ActivityFilters, read_activity
from panel.reads.recalls import read_agents
from panel.requests import PanelRequest


@require_GET
def show_activity(request: PanelRequest) -> HttpResponse:
    """The list under the filters in its address; an address that asks for nonsense is 422."""
    owner = request.user.pk
    form = ActivityFilterForm(request.GET, agents=read_agents(owner))
    page, filters = None, ActivityFilters()
    if form.is_valid():
        filters = ActivityFilters(**form.cleaned_data)
        try:
            page = read_activity(owner, filters, now=timezone.now())
        except BadCursor:
            form.add_error(None, _("This page of the list is no longer there."))
    return render_filtered(
        request,
        "activity.html",
        {"form": form, "filters": filters, "page": page},
        part="activity",
        status=200 if page else 422,
    )
