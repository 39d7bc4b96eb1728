"""What the owner does to a memory. Every act is a POST, happens at once and can be undone.

Without JavaScript an act leads back to the page it came from; with htmx it answers with the rows
it changed, read anew, and the counts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRefresh

from memory.border import owner_scope
from memory.domain.values import Status
from memory.models import Event
from memory.models.events import Verb
from memory.services.erase import delete_memory, restore_memory
from memory.services.errors import (
    AlreadySettled,
    CannotUndo,
    InvalidInput,
    NotFound,
    VersionConflict,
)
from memory.services.mark import mark_outdated, mark_still_true
from memory.services.settle import confirm_memory, deny_memory
from memory.services.undo import undo_gesture
from panel import words
from panel.access import get_deleted_memory_for_owner, get_memory_for_owner
from panel.forms import WaitingForm
from panel.notices import say_done, say_refused
from panel.own_words import in_a_row, sentence
from panel.reads.activity import read_since
from panel.reads.effects import read_effects
from panel.reads.memories import read_partners, read_rows, read_sentence
from panel.requests import PanelRequest, way_back

View = Callable[..., HttpResponseBase]
# More rows than these are read again by the whole page.
_MOST_ROWS = 20


def an_act(view: View) -> View:
    """A POST on one memory. Strangers' ids, and rows erased meanwhile, are 404."""

    @wraps(view)
    def checked(request: PanelRequest, memory: UUID, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, memory, **kwargs)
        except NotFound as error:
            raise Http404 from error

    return require_POST(checked)


@an_act
def confirm(request: PanelRequest, memory: UUID) -> HttpResponseBase:
    """Yes, that is so. The version is the one on screen: nobody confirms words he has not seen."""
    return perform(request, memory, confirm_memory, _("Confirmed: %(text)s"), versioned=True)


@an_act
def deny(request: PanelRequest, memory: UUID) -> HttpResponseBase:
    return perform(request, memory, deny_memory, _("Denied: %(text)s"), versioned=True)


@an_act
def mark_as_outdated(request: PanelRequest, memory: UUID) -> HttpResponseBase:
    return perform(request, memory, mark_outdated, _("Marked as out of date: %(text)s"))


@an_act
def mark_as_still_true(request: PanelRequest, memory: UUID) -> HttpResponseBase:
    return perform(request, memory, mark_still_true, _("Still true: %(text)s"))


@an_act
def delete(request: PanelRequest, memory: UUID) -> HttpResponseBase:
    return perform(request, memory, delete_memory, _("Deleted: %(text)s"), gone=memory)


@an_act
def restore(request: PanelRequest, memory: UUID) -> HttpResponseBase:
    """Bring back what was deleted. Answered by its own list, not by a row."""
    with owner_scope(request.user.pk):
        row = get_deleted_memory_for_owner(memory, request.user)
        text = words.shortened(row.value or row.content)
    gesture = restore_memory(owner=request.user.pk, memory=memory, now=timezone.now())
    say_done(request, sentence(_("Restored: %(text)s"), text=text), gesture=gesture)
    return redirect(way_back(request, default=reverse("deleted")))


@require_POST
def undo(request: PanelRequest, gesture: UUID) -> HttpResponseBase:
    """Take a gesture back, or say why that is no longer possible."""
    touched = _touched(request.user.pk, gesture)
    try:
        undo_gesture(owner=request.user.pk, gesture=gesture, now=timezone.now())
    except NotFound as error:
        raise Http404 from error
    except CannotUndo as error:
        since = read_since(request.user.pk, gesture) if error.reason == "changed" else ""
        say_refused(request, format_html("{} {}", words.cannot_undo(error.reason), since))
    else:
        say_done(request, _("Undone."))
    card = _card_of(request, gesture)
    if card is not None:
        return redirect(reverse("card", args=[card]))
    if not request.htmx or request.htmx.target != "messages":
        return redirect(way_back(request))
    on_list = urlsplit(request.htmx.current_url_abs_path or "").path == reverse("memories")
    if len(touched) != 1 or not on_list:
        return HttpResponseClientRefresh()
    return render(request, "memories/_result.html", {**_result(request, touched), "apart": True})


def perform(
    request: PanelRequest,
    memory: UUID,
    act: Callable[..., UUID],
    said: str,
    *,
    text: str | None = None,
    versioned: bool = False,
    gone: UUID | None = None,
) -> HttpResponseBase:
    """Do it, say so with the way back, and show what came of it; a refusal is 409 with the rows.

    `said` names the memory by `%(text)s`: by `text`, else by what it says before the act.
    """
    form = WaitingForm(request.POST)
    if not form.is_valid():
        raise Http404
    text = text or _text(request, memory)
    touched = read_partners(request.user.pk, memory)
    seen = {"version": form.cleaned_data["version"]} if versioned else {}
    try:
        gesture = act(owner=request.user.pk, memory=memory, now=timezone.now(), **seen)
    except AlreadySettled:
        refusal = _("That was settled already. Here is how it stands now.")
    except VersionConflict:
        refusal = _("It was changed meanwhile. Read it again before you answer.")
    except InvalidInput as error:
        refusal = words.why_refused(error.fields)
    else:
        also = read_effects(request.user.pk, gesture, memory)
        say_done(request, in_a_row(sentence(said, text=text), *also), gesture=gesture)
        return show_result(request, memory, touched, gone=gone)
    say_refused(request, refusal)
    return show_result(request, memory, touched, status=409)


def show_result(
    request: PanelRequest,
    memory: UUID,
    touched: list[UUID],
    *,
    gone: UUID | None = None,
    status: int = 200,
) -> HttpResponse | HttpResponseRedirect:
    """What an act leads to: for htmx the changed rows in place of the old, else the page again."""
    target = (request.htmx.target or "") if request.htmx else ""
    in_place = target.startswith(("memory-", "waits-"))
    if in_place and len(touched) <= _MOST_ROWS:
        context = {**_result(request, touched), "gone": gone}
        return render(request, "memories/_result.html", context, status=status)
    if status == 409:
        # A redirect would turn the refusal into a success.
        shown = read_rows(request.user.pk, touched, now=timezone.now())
        context = {"shown": shown, "back": way_back(request)}
        return render(request, "memories/refused.html", context, status=409)
    address = way_back(request)
    if gone and str(gone) in address:
        address = reverse("memories")
    return redirect(address)


def _result(request: PanelRequest, touched: list[UUID]) -> dict[str, Any]:
    """The rows as they stand now, and the counts."""
    now = timezone.now()
    owner = request.user.pk
    on_list = urlsplit(request.htmx.current_url_abs_path or "").path == reverse("memories")
    return {
        "shown": read_rows(owner, touched, now=now),
        "counts": read_sentence(owner, now=now),
        "picks": on_list,
    }


def _text(request: PanelRequest, memory: UUID) -> str:
    with owner_scope(request.user.pk):
        row = get_memory_for_owner(memory, request.user)
    waits = row.status == Status.CONFLICT
    return words.shortened(row.content if waits else row.value or row.content)


def _card_of(request: PanelRequest, gesture: UUID) -> UUID | None:
    """In Review: the question that an undone answer brings back."""
    here = request.htmx.current_url_abs_path if request.htmx else way_back(request)
    if not (here or "").startswith(reverse("review")):
        return None
    with owner_scope(request.user.pk):
        events = Event.objects.of(request.user.pk).of_gesture(gesture)
        answered = events.filter(verb__in=(Verb.SETTLED, Verb.POSTPONED))
        asked: UUID | None = answered.values_list("conflict", flat=True).first()
        check = None if asked else events.filter(data__has_key="check").first()
    return asked or (UUID(check.data["check"]) if check is not None else None)


def _touched(owner: UUID, gesture: UUID) -> list[UUID]:
    with owner_scope(owner):
        events = Event.objects.of(owner).of_gesture(gesture).exclude(memory=None)
        return list(dict.fromkeys(events.values_list("memory", flat=True)))
