"""Letting agents use more than is theirs: shown first, then granted, and taken back at once."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from memory.services.errors import InvalidInput, NotFound
from memory.services.grant import grant as grant_wish
from memory.services.grant import revoke as revoke_grant
from panel import own_words
from panel.agent_forms import WishForm
from panel.fragments import render_page
from panel.notices import say_done
from panel.reads.sharing import SharingPage, read_preview, read_sharing
from panel.requests import PanelRequest


@require_GET
def show_sharing(request: PanelRequest) -> HttpResponse:
    number = request.GET.get("page", "1")
    if not (number.isdecimal() and len(number) < 6 and int(number)):
        raise Http404
    page = read_sharing(request.user.pk, int(number))
    return _show(request, page, WishForm(agents=page.agents, projects=page.projects))


def _show(
    request: PanelRequest, page: SharingPage, form: WishForm, *, status: int = 200
) -> HttpResponse:
    return render_page(request, "agents/sharing.html", {"page": page, "form": form}, status=status)


@require_GET
def preview(request: PanelRequest) -> HttpResponse:
    """“Cursor would see 12 more”, before anything is granted."""
    page = read_sharing(request.user.pk)
    form = WishForm(request.GET, agents=page.agents, projects=page.projects)
    if not form.is_valid():
        return _show(request, page, form, status=422)
    try:
        more, sentence = read_preview(request.user.pk, form.wish())
    except InvalidInput:
        form.add_error("source", _("It sees its own memories already. Choose another."))
        return _show(request, page, form, status=422)
    except NotFound as error:
        raise Http404 from error
    context = {"more": more, "sentence": sentence, "given": form.cleaned_data}
    return render_page(request, "agents/preview.html", context)


@require_POST
def grant(request: PanelRequest) -> HttpResponseBase:
    page = read_sharing(request.user.pk)
    form = WishForm(request.POST, agents=page.agents, projects=page.projects)
    if not form.is_valid():
        return _show(request, page, form, status=422)
    try:
        gesture = grant_wish(owner=request.user.pk, wish=form.wish(), now=timezone.now())
    except (InvalidInput, NotFound) as error:
        raise Http404 from error
    _more, sentence = read_preview(request.user.pk, form.wish())
    say_done(
        request,
        own_words.sentence(_("Done: %(sentence)s."), sentence=sentence.text),
        gesture=gesture,
    )
    return redirect(reverse("sharing"))


@require_POST
def revoke(request: PanelRequest, grant: UUID) -> HttpResponseBase:
    try:
        gesture = revoke_grant(owner=request.user.pk, grant=grant, now=timezone.now())
    except NotFound as error:
        raise Http404 from error
    said = _("Taken back. It holds from the next question on.")
    say_done(request, said, gesture=gesture)
    return redirect(reverse("sharing"))
