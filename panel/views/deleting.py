"""What was deleted, erasing it at once, clearing everything, and leaving."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth import logout
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods

from memory.border import owner_scope
from memory.services.erase import clear_all, erase_now
from memory.services.errors import NotFound
from memory.services.leave import leave
from memory.tasks import nudge
from panel.access import get_deleted_memory_for_owner
from panel.cursors import BadCursor
from panel.fragments import render_page
from panel.identity import ask_for_words
from panel.notices import say_begun, say_done
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
    question = ask_for_words(request, _("clear all"))
    if request.method == "POST" and question.sign_in:
        return question.sign_in
    if question.answered:
        job = clear_all(owner=request.user.pk, now=timezone.now())
        nudge()
        cleared = ngettext(
            "%(count)s memory was cleared.", "%(count)s memories were cleared.", job.total
        )
        say_begun(request, cleared % {"count": number_format(job.total)}, job=job.pk)
        return redirect(reverse("memories"))
    context = question.context() | read_clearing(request.user.pk, now=timezone.now())
    return render_page(request, "clear.html", context, status=question.status)


@require_http_methods(["GET", "POST"])
def erase(request: PanelRequest, memory: UUID) -> HttpResponseBase:
    """Erase one deleted memory at once, for good, once signed in again and typed."""
    owner = request.user.pk
    with owner_scope(owner):
        row = get_deleted_memory_for_owner(memory, request.user)
    question = ask_for_words(request, _("erase"))
    if request.method == "POST" and question.sign_in:
        return question.sign_in
    if question.answered:
        try:
            erase_now(owner=owner, memory=memory, now=timezone.now())
        except NotFound as error:
            raise Http404 from error
        say_done(request, _("Erased for good."))
        return redirect("deleted")
    context = question.context() | {"memory": row}
    return render_page(request, "data/erase.html", context, status=question.status)


@require_http_methods(["GET", "POST"])
def delete_account(request: PanelRequest) -> HttpResponseBase:
    """Delete the account and all there is of its owner, once signed in again and typed."""
    question = ask_for_words(request, _("delete my account"))
    if request.method == "POST" and question.sign_in:
        return question.sign_in
    if question.answered:
        leave(owner=request.user.pk, now=timezone.now())
        nudge()
        logout(request)
        say_done(request, _("Your account was deleted."))
        return redirect("memories")
    context = question.context() | read_clearing(request.user.pk, now=timezone.now())
    return render_page(request, "settings/leave.html", context, status=question.status)
