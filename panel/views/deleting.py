"""What was deleted, erasing it at once, and clearing everything."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods

from memory.border import owner_scope
from memory.services.erase import clear_all, erase_now
from memory.services.errors import NotFound
from panel.access import get_deleted_memory_for_owner
from panel.cursors import BadCursor
from panel.exchange_forms import EraseForm
from panel.forms import ClearForm
from panel.fragments import render_page
from panel.identity import must_sign_in_again, sign_in_again
from panel.notices import say_done
from panel.reads.deleted import read_clearing, read_deleted
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
    """Clear everything, once the person has signed in again and typed the words.

    It cannot be undone, and the page says so, says how many and what remains, and offers an export.
    """
    here = reverse("clear")
    must_sign_in = must_sign_in_again(request)
    if request.method == "POST" and must_sign_in:
        return sign_in_again(request, here)
    form = ClearForm(request.POST if request.method == "POST" else None, phrase=_("clear all"))
    if request.method == "POST" and form.is_valid():
        count = clear_all(owner=request.user.pk, now=timezone.now())
        say_done(
            request,
            ngettext("%(count)d memory was cleared.", "%(count)d memories were cleared.", count)
            % {"count": count},
        )
        return redirect(reverse("memories"))
    context = {
        "form": form,
        "must_sign_in": must_sign_in,
        "sign_in": sign_in_again(request, here)["Location"] if must_sign_in else "",
        **read_clearing(request.user.pk, now=timezone.now()),
    }
    return render_page(request, "clear.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
def erase(request: PanelRequest, memory: UUID) -> HttpResponseBase:
    """Erase one deleted memory at once, for good, once signed in again and typed."""
    owner = request.user.pk
    here = reverse("erase_now", args=[memory])
    with owner_scope(owner):
        row = get_deleted_memory_for_owner(memory, request.user)
    must_sign_in = must_sign_in_again(request)
    if request.method == "POST" and must_sign_in:
        return sign_in_again(request, here)
    form = EraseForm(request.POST if request.method == "POST" else None, phrase=_("erase"))
    if request.method == "POST" and form.is_valid():
        try:
            erase_now(owner=owner, memory=memory, now=timezone.now())
        except NotFound as error:
            raise Http404 from error
        say_done(request, _("Erased for good."))
        return redirect("deleted")
    context = {
        "form": form,
        "memory": row,
        "must_sign_in": must_sign_in,
        "sign_in": sign_in_again(request, here)["Location"] if must_sign_in else "",
    }
    return render_page(request, "data/erase.html", context, status=422 if form.is_bound else 200)
