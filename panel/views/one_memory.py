"""What the page of one memory offers besides its status: pin, archive, who sees it, what it was.

Each is a POST, happens at once and can be undone. Only letting more agents see what is sensitive
is asked about first, once.
"""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.http import Http404
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memory.border import owner_scope
from memory.domain.values import Status, Visibility
from memory.models import MemoryRevision
from memory.services.archive import archive_memory, unarchive_memory
from memory.services.errors import NotFound
from memory.services.pin import pin_memory
from memory.services.reinstate import reinstate_memory
from memory.services.revise import edit_memory
from memory.services.settle import confirm_memory
from memory.services.share import share_memory
from panel import words
from panel.access import get_memory_for_owner
from panel.fragments import render_page
from panel.memory_forms import OldWordsForm, ShareForm, audiences_of
from panel.notices import say_refused
from panel.requests import PanelRequest
from panel.views.acts import an_act, perform


@an_act
def pin(request: PanelRequest, memory: UUID) -> HttpResponseBase:
    said = _("Pinned, so it does not fade: %(text)s")
    return perform(request, memory, partial(pin_memory, pinned=True), said)


@an_act
def unpin(request: PanelRequest, memory: UUID) -> HttpResponseBase:
    said = _("No longer pinned: %(text)s")
    return perform(request, memory, partial(pin_memory, pinned=False), said)


@an_act
def archive(request: PanelRequest, memory: UUID) -> HttpResponseBase:
    said = _("Archived, no agent is told it now: %(text)s")
    return perform(request, memory, archive_memory, said)


@an_act
def unarchive(request: PanelRequest, memory: UUID) -> HttpResponseBase:
    return perform(request, memory, unarchive_memory, _("Back from the archive: %(text)s"))


@an_act
def reinstate(request: PanelRequest, memory: UUID) -> HttpResponseBase:
    """What is past is true again."""
    return perform(request, memory, reinstate_memory, _("True again: %(text)s"))


@an_act
def bring_words_back(request: PanelRequest, memory: UUID) -> HttpResponseBase:
    """It says again what it said in an earlier version: a correction, or what is confirmed."""
    form = OldWordsForm(request.POST)
    if not form.is_valid():
        raise Http404
    wanted = form.cleaned_data["revision"]
    with owner_scope(request.user.pk):
        row = get_memory_for_owner(memory, request.user)
        old = MemoryRevision.objects.of(request.user.pk).filter(memory=memory, version=wanted)
        revision = old.first()
    if revision is None:
        raise Http404
    if row.status == Status.SUPERSEDED:
        say_refused(request, _("What is past stays as it was. Restore it first."))
        return redirect(reverse("memory", args=[memory]))
    text = words.shortened(revision.value or revision.content)
    said = _("In these words again: %(text)s")
    act = partial(confirm_memory, content=revision.content)
    if row.status != Status.CONFLICT:
        act = partial(
            edit_memory,
            how="correct",
            content=revision.content,
            key=revision.key,
            value=revision.value,
            valid_from=row.valid_from,
            valid_to=row.valid_to,
        )
    return perform(request, memory, act, said, text=text, versioned=True)


@require_http_methods(["GET", "POST"])
def share(request: PanelRequest, memory: UUID) -> HttpResponseBase:
    """Let more or fewer agents see it; more of what is sensitive only after the question."""
    with owner_scope(request.user.pk):
        row = get_memory_for_owner(memory, request.user)
    form = ShareForm(request.POST if request.method == "POST" else request.GET)
    if not form.is_valid():
        raise Http404
    wanted = Visibility(form.cleaned_data["to"])
    audience = next((one for one in audiences_of(row) if one.visibility is wanted), None)
    if audience is None:
        return redirect(reverse("memory", args=[memory]))
    if request.method == "GET":
        topics = [str(words.SENSITIVITY.get(name, name)) for name in row.sensitivity]
        context = {"memory": row, "audience": audience, "topics": topics}
        return render_page(request, "memories/share.html", context)
    if audience.asks and not form.cleaned_data["sure"]:
        return redirect(f"{reverse('share', args=[memory])}?to={wanted}")
    try:
        act = partial(share_memory, visibility=wanted)
        return perform(request, memory, act, _SHARED[wanted]())
    except NotFound as error:
        raise Http404 from error


_SHARED = {
    Visibility.USER: lambda: _("All your agents see it now: %(text)s"),
    Visibility.GROUP: lambda: _("The agents of its project see it now: %(text)s"),
    Visibility.PRIVATE: lambda: _("No other agent sees it now: %(text)s"),
}
