"""What was deleted, and clearing everything."""

from __future__ import annotations

from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods

from memory.border import owner_scope
from memory.models import Memory
from memory.services.erase import clear_all
from panel.cursors import BadCursor
from panel.forms import ClearForm
from panel.fragments import render_page
from panel.notices import say_done
from panel.reads.deleted import read_deleted
from panel.requests import PanelRequest


@require_GET
def show_deleted(request: PanelRequest) -> HttpResponse:
    try:
        page = read_deleted(request.user.pk, request.GET.get("cursor", ""), now=timezone.now())
    except BadCursor as error:
        raise Http404 from error
    return render_page(request, "deleted.html", {"page": page}, fragments=["more"])


@require_http_methods(["GET", "POST"])
def clear(request: PanelRequest) -> HttpResponseBase:
    """Clear everything, once the words are typed. It cannot be undone, and the page says so."""
    form = ClearForm(request.POST if request.method == "POST" else None, phrase=_("clear all"))
    if request.method == "POST" and form.is_valid():
        count = clear_all(owner=request.user.pk, now=timezone.now())
        say_done(
            request,
            ngettext("%(count)d memory was cleared.", "%(count)d memories were cleared.", count)
            % {"count": count},
        )
        return redirect(reverse("memories"))
    with owner_scope(request.user.pk):
        count = Memory.objects.of(request.user.pk).count()
    status = 422 if form.is_bound else 200
    return render_page(request, "clear.html", {"form": form, "count": count}, status=status)
