"""The programs that act for the owner: who they are, their keys, and what each of them sees."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from memory.api.errors import ApiError
from memory.api.memories import show_list
from memory.api.schemas import ListIn
from memory.border import owner_scope
from memory.models import Agent
from memory.services.admit import read_caller
from memory.services.connect import (
    add_key,
    add_project,
    allow_external,
    connect_agent,
    place_agent,
    revoke_key,
    rotate_key,
)
from memory.services.errors import InvalidInput, NotFound
from memory.services.pause import set_paused
from panel.agent_forms import ConnectForm, KeyForm, ProjectForm, RotateForm, SwitchForm
from panel.forms import QUERY_LIMIT
from panel.fragments import render_page, requested_fragment
from panel.mcp_text import mcp_text
from panel.notices import say_done
from panel.own_words import sentence
from panel.reads.agents import read_agent, read_agents
from panel.requests import PanelRequest, way_back


@require_GET
def show_agents(request: PanelRequest) -> HttpResponse:
    page = read_agents(request.user.pk, timezone.now())
    return render_page(request, "agents/list.html", {"page": page})


@require_http_methods(["GET", "POST"])
def connect(request: PanelRequest) -> HttpResponse:
    """A new agent. Its key is shown with the answer and never again, so nothing redirects."""
    form = ConnectForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            agent, key = connect_agent(
                owner=request.user.pk,
                name=form.cleaned_data["name"],
                scopes=form.cleaned_data["scopes"],
                now=timezone.now(),
            )
        except InvalidInput:
            form.add_error("name", _("You have an agent of this name. Choose another."))
        else:
            return _show_key(request, agent, key)
    status = 422 if form.is_bound else 200
    return render_page(request, "agents/connect.html", {"form": form}, status=status)


@require_GET
def show_agent(request: PanelRequest, agent: UUID) -> HttpResponse:
    return _agent_page(request, agent, KeyForm())


def _agent_page(
    request: PanelRequest, agent: UUID, form: KeyForm, *, status: int = 200
) -> HttpResponse:
    page = read_agent(request.user.pk, agent, timezone.now())
    if page is None:
        raise Http404
    context = {"page": page, "form": form, "rotate": RotateForm(), "project": ProjectForm()}
    return render_page(request, "agents/detail.html", context, status=status)


@require_GET
def see_as(request: PanelRequest, agent: UUID) -> HttpResponse:
    """Exactly what this agent gets, by the code that answers it; nothing is noted as read."""
    try:
        with owner_scope(request.user.pk):
            caller = read_caller(request.user.pk, agent)
        query = ListIn(
            q=request.GET.get("q") or None, cursor=request.GET.get("cursor") or None, limit=50
        )
        answer = show_list(caller, query, now=timezone.now(), note=False)
    except (Agent.DoesNotExist, ApiError, ValueError) as error:
        raise Http404 from error
    context = {
        "caller": caller,
        "answer": answer,
        "q": query.q or "",
        "limit": QUERY_LIMIT,
        "places": [slug for slug, pk in caller.projects.items() if pk in caller.places],
    }
    return render_page(request, "agents/see.html", context, fragments=["more"])


@require_POST
def pause_all(request: PanelRequest) -> HttpResponseBase:
    paused = _switch(request)
    gesture = set_paused(owner=request.user.pk, paused=paused, now=timezone.now())
    said = _("Everything is paused.") if paused else _("Your agents go on.")
    say_done(request, said, gesture=gesture)
    return redirect(way_back(request, default=reverse("agents")))


@require_POST
def pause(request: PanelRequest, agent: UUID) -> HttpResponseBase:
    owner, paused = request.user.pk, _switch(request)
    try:
        gesture = set_paused(owner=owner, paused=paused, now=timezone.now(), agent=agent)
    except NotFound as error:
        raise Http404 from error
    said = _("Paused: %(agent)s") if paused else _("%(agent)s goes on.")
    say_done(request, sentence(said, agent=_name(owner, agent)), gesture=gesture)
    place = f"agent-{agent}"
    if requested_fragment(request, [place]):
        page = read_agents(owner, timezone.now())
        [card] = [card for card in page.cards if card.agent.pk == agent]
        context = {"card": card, "page": page}
        return render_page(request, "agents/_card.html", context)
    return redirect(way_back(request, default=reverse("agent", args=[agent])))


@require_POST
def allow_outside(request: PanelRequest, agent: UUID) -> HttpResponseBase:
    """Whether text from outside waits for the owner here instead of being refused."""
    allowed = _switch(request)
    said = (
        _("Text from outside now waits for you.")
        if allowed
        else _("Text from outside is refused again.")
    )
    return _settle(request, agent, said, allow_external, agent=agent, allowed=allowed)


@require_POST
def place(request: PanelRequest, agent: UUID, project: UUID) -> HttpResponseBase:
    inside = _switch(request)
    said = _("Put into the project.") if inside else _("Taken out of the project.")
    return _settle(request, agent, said, place_agent, agent=agent, project=project, inside=inside)


@require_POST
def make_project(request: PanelRequest, agent: UUID) -> HttpResponseBase:
    """A new project, with this agent in it."""
    form = ProjectForm(request.POST)
    if not form.is_valid():
        return _agent_page(request, agent, KeyForm(), status=422)
    _name(request.user.pk, agent)
    try:
        project = add_project(owner=request.user.pk, name=form.cleaned_data["name"])
    except InvalidInput:
        say_done(request, _("You have a project of this name already."))
        return redirect(reverse("agent", args=[agent]))
    said = sentence(_("Made the project “%(project)s”."), project=project.name)
    return _settle(request, agent, said, place_agent, agent=agent, project=project.pk, inside=True)


@require_POST
def make_key(request: PanelRequest, agent: UUID) -> HttpResponse:
    form = KeyForm(request.POST)
    if not form.is_valid():
        return _agent_page(request, agent, form, status=422)
    now, days = timezone.now(), form.cleaned_data["days"]
    try:
        key = add_key(
            owner=request.user.pk,
            agent=agent,
            scopes=form.cleaned_data["scopes"],
            expires_at=now + timedelta(days=days) if days else None,
            now=now,
        )
    except NotFound as error:
        raise Http404 from error
    with owner_scope(request.user.pk):
        row = Agent.objects.of(request.user.pk).get(pk=agent)
    return _show_key(request, row, key)


@require_POST
def rotate(request: PanelRequest, agent: UUID, key: UUID) -> HttpResponse:
    form = RotateForm(request.POST)
    if not form.is_valid():
        raise Http404
    overlap = timedelta(days=form.cleaned_data["overlap"])
    try:
        row, text = rotate_key(
            owner=request.user.pk, agent=agent, key=key, overlap=overlap, now=timezone.now()
        )
    except NotFound as error:
        raise Http404 from error
    return _show_key(request, row, text, overlap=form.cleaned_data["overlap"])


@require_POST
def revoke(request: PanelRequest, agent: UUID, key: UUID) -> HttpResponseBase:
    said = _("The key is revoked. It cannot be brought back; make a new one.")
    return _settle(request, agent, said, revoke_key, final=True, agent=agent, key=key)


def _settle(
    request: PanelRequest,
    shown: UUID,
    said: str,
    act: Any,
    *,
    final: bool = False,
    **given: Any,
) -> HttpResponseBase:
    """Do it, say so with the way back, and return to the page of the agent shown."""
    try:
        gesture = act(owner=request.user.pk, now=timezone.now(), **given)
    except NotFound as error:
        raise Http404 from error
    say_done(request, said, gesture=None if final else gesture)
    return redirect(reverse("agent", args=[shown]))


def _switch(request: PanelRequest) -> bool:
    form = SwitchForm(request.POST)
    if not form.is_valid():
        raise Http404
    return form.is_on()


def _name(owner: UUID, agent: UUID) -> str:
    with owner_scope(owner):
        row = Agent.objects.of(owner).filter(pk=agent).first()
    if row is None:
        raise Http404
    return str(row.name)


def _show_key(
    request: PanelRequest, agent: Agent, key: str, *, overlap: int | None = None
) -> HttpResponse:
    """The one page that ever shows a key."""
    context = {
        "agent": agent,
        "key": key,
        "overlap": overlap,
        "base": settings.MEMOIR_BASE_URL,
        "mcp": mcp_text(key),
        "mcp_starts_here": not settings.MEMOIR_MCP_URL,
    }
    return render_page(request, "agents/key.html", context)
