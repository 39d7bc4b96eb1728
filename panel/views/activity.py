"""What happened to the memories: by whom, when, why, and undone where it still can be."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from panel.activity_form import ActivityFilterForm
from panel.addresses import query_without
from panel.cursors import BadCursor
from panel.fragments import render_page
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
    context = {
        "form": form,
        "filters": filters,
        "page": page,
        "query": query_without(request, "cursor"),
    }
    response = render_page(
        request,
        "activity.html",
        context,
        fragments={"activity": "activity", "more": "more"},
        status=200 if page else 422,
    )
    if request.htmx and request.htmx.target == "activity":
        query = query_without(request)
        response["HX-Push-Url"] = f"{request.path}?{query}" if query else request.path
    return response
