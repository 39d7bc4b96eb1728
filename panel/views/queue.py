"""The admins' queue: what waits for owners who let admins help. Needs a permission."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import permission_required
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from memory.services.assist import claim_entry, hand_back, look_at_words, settle_for_owner
from memory.services.errors import AlreadySettled, Claimed, InvalidInput, NotFound
from memory.services.pass_on import pass_entry_on, take_back
from panel.cursors import BadCursor
from panel.fragments import render_page
from panel.notices import say_done, say_done_in_queue, say_refused
from panel.queue_forms import LookForm, PassOnForm, RulingForm, WhichForm
from panel.reads.queue import Entry, read_entry, read_queue
from panel.requests import PanelRequest
from panel.review_words import age_name, taken_up

View = Callable[..., HttpResponseBase]
MAY_HELP = "memory.review_conflicts"


def for_admins(view: View) -> View:
    """403 without the permission; 404 for what is not there or not shown to admins."""

    @wraps(view)
    def checked(request: PanelRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except NotFound as error:
            raise Http404 from error

    return permission_required(MAY_HELP, raise_exception=True)(checked)


@require_GET
@for_admins
def show_queue(request: PanelRequest) -> HttpResponse:
    form = WhichForm(request.GET)
    if not form.is_valid():
        raise Http404
    which = form.which
    cursor = request.GET.get("cursor", "")
    try:
        page = read_queue(request.user.pk, which, cursor, now=timezone.now())
    except BadCursor as error:
        raise Http404 from error
    context = {"page": page, "which": which, "age_name": age_name(which.age)}
    return render_page(request, "queue/list.html", context, fragments=["more"])


@require_GET
@for_admins
def show_entry(request: PanelRequest, entry: UUID) -> HttpResponse:
    return _show(request, entry)


@require_POST
@for_admins
def claim(request: PanelRequest, entry: UUID) -> HttpResponseBase:
    """Take it up for five minutes; the open page renews that by itself."""
    try:
        claim_entry(conflict=entry, by=request.user.pk, now=timezone.now())
    except (Claimed, AlreadySettled) as error:
        return _refuse(request, entry, error)
    if request.htmx:
        return HttpResponse(status=204)
    say_done_in_queue(
        request, _("Taken up. It is yours for five minutes."), way_back="queue_release", entry=entry
    )
    return redirect(reverse("queue_entry", args=[entry]))


@require_POST
@for_admins
def release(request: PanelRequest, entry: UUID) -> HttpResponseBase:
    try:
        hand_back(conflict=entry, by=request.user.pk, now=timezone.now())
    except Claimed as error:
        return _refuse(request, entry, error)
    say_done(request, _("Handed back."))
    return redirect(reverse("queue"))


@require_POST
@for_admins
def look(request: PanelRequest, entry: UUID) -> HttpResponseBase:
    """The words, once: every look is a line in the owner's Activity, with its reason."""
    form = LookForm(request.POST)
    if not form.is_valid():
        return _show(request, entry, look_form=form, status=422)
    try:
        look_at_words(
            conflict=entry,
            by=request.user.pk,
            reason=form.cleaned_data["reason"],
            now=timezone.now(),
        )
    except Claimed as error:
        return _refuse(request, entry, error)
    return _show(request, entry, revealed=True)


@require_POST
@for_admins
def settle(request: PanelRequest, entry: UUID) -> HttpResponseBase:
    """Rule for the owner, who is told so with the note and may undo it."""
    found = _find(request, entry)
    form = RulingForm(request.POST, entry=found)
    if not form.is_valid():
        return _show(request, entry, form=form, status=422)
    ruling, keep = form.cleaned_data["answer"]
    try:
        settle_for_owner(
            conflict=entry,
            by=request.user.pk,
            ruling=ruling,
            keep=keep,
            note=form.cleaned_data["note"],
            now=timezone.now(),
        )
    except (Claimed, AlreadySettled, InvalidInput) as error:
        return _refuse(request, entry, error)
    say_done(request, _("Settled. The owner sees it, with your note, and can undo it."))
    return redirect(reverse("queue"))


@require_POST
@for_admins
def pass_on(request: PanelRequest, entry: UUID) -> HttpResponseBase:
    """Leave it to the other admins, with a note that the owner reads too."""
    form = PassOnForm(request.POST)
    if not form.is_valid():
        return _show(request, entry, pass_on_form=form, status=422)
    try:
        pass_entry_on(
            conflict=entry, by=request.user.pk, note=form.cleaned_data["why"], now=timezone.now()
        )
    except Claimed as error:
        return _refuse(request, entry, error)
    say_done_in_queue(
        request,
        _("Passed on. It stands under Escalated, with your note."),
        way_back="queue_take_back",
        entry=entry,
    )
    return redirect(reverse("queue"))


@require_POST
@for_admins
def take_entry_back(request: PanelRequest, entry: UUID) -> HttpResponseBase:
    """Among the others again."""
    try:
        take_back(conflict=entry, by=request.user.pk, now=timezone.now())
    except (Claimed, AlreadySettled) as error:
        return _refuse(request, entry, error)
    say_done(request, _("It waits with the others again."))
    return redirect(reverse("queue_entry", args=[entry]))


def _find(request: PanelRequest, entry: UUID, *, revealed: bool = False) -> Entry:
    found = read_entry(request.user.pk, entry, now=timezone.now(), revealed=revealed)
    if found is None:
        raise Http404
    return found


def _refuse(request: PanelRequest, entry: UUID, error: Exception) -> HttpResponse:
    found = _find(request, entry)
    if isinstance(error, Claimed) and found.claimed_until and not found.mine:
        say_refused(request, taken_up(found.claimed_by, found.claimed_until))
    elif isinstance(error, Claimed):
        say_refused(request, _("Take it up first: nobody has it now."))
    else:
        say_refused(request, _("That was settled already. Here is how it stands now."))
    return _show(request, entry, status=409)


def _show(
    request: PanelRequest,
    entry: UUID,
    *,
    look_form: LookForm | None = None,
    form: RulingForm | None = None,
    pass_on_form: PassOnForm | None = None,
    revealed: bool = False,
    status: int = 200,
) -> HttpResponse:
    found = _find(request, entry, revealed=revealed)
    context = {
        "entry": found,
        "look_form": look_form or LookForm(),
        "form": form or RulingForm(entry=found),
        "pass_on_form": pass_on_form or PassOnForm(),
        "revealed": revealed,
    }
    return render_page(request, "queue/entry.html", context, status=status)
