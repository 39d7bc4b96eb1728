"""What agents asked, what they were told and why, and trying a question without being one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from memory.border import owner_scope
from memory.domain.errors import BadText
from memory.domain.text import clean
from memory.domain.values import Status
from memory.models import Agent
from memory.models.recalls import Outcome
from memory.querysets.callers import Caller
from memory.services.consider import Question
from memory.services.errors import NotFound
from memory.services.report import report_memory
from panel.addresses import render_filtered
from panel.cursors import BadCursor
from panel.forms import QUERY_LIMIT
from panel.fragments import render_page
from panel.notices import say_done
from panel.reads.gone import read_gone
from panel.reads.one_recall import read_recall
from panel.reads.recalls import (
    RecallFilters,
    read_agents,
    read_recalls,
    read_where_it_stands,
)
from panel.reads.trial import read_choices, read_trial
from panel.recall_forms import RecallFilterForm, ReportForm, TryForm
from panel.requests import PanelRequest
from panel.visits import read_policy


@require_GET
def show_recalls(request: PanelRequest) -> HttpResponse:
    """The list under the filters in its address; an address that asks for nonsense is 422."""
    owner = request.user.pk
    form = RecallFilterForm(request.GET, agents=read_agents(owner))
    page, filters = None, RecallFilters()
    if form.is_valid():
        filters = RecallFilters(**form.cleaned_data)
        try:
            page = read_recalls(owner, filters, now=timezone.now())
        except BadCursor:
            form.add_error(None, _("This page of the list is no longer there."))
    context = {
        "form": form,
        "filters": filters,
        "page": page,
        "address": request.build_absolute_uri("/api/v1/recall"),
    }
    status = 200 if page else 422
    return render_filtered(request, "recalls/list.html", context, part="recalls", status=status)


@require_GET
def show_recall(request: PanelRequest, recall: UUID) -> HttpResponse:
    """One recall with its reasons. Looking is not using."""
    looked_for = _words(request.GET.get("missing", ""))
    try:
        one = read_recall(request.user, recall, looked_for=looked_for, now=timezone.now())
    except Http404:
        gone = read_gone(request.user.pk, recall)
        return render_page(request, "recalls/gone.html", {"gone": gone}, status=404)
    recall_row = one.recall
    strategy = ":".join(filter(None, [recall_row.strategy, recall_row.preset]))
    again = {
        "q": recall_row.query,
        "agent": recall_row.agent_id or "",
        "strategy": strategy,
        "project": one.question.project or "",
        "max_tokens": one.question.max_tokens or "",
    }
    context = {"one": one, "recall": recall_row, "again": f"{reverse('try')}?{urlencode(again)}"}
    return render_page(request, "recalls/detail.html", context, fragments=["missing"])


@require_GET
def try_recall(request: PanelRequest) -> HttpResponse:
    """Ask as an agent. The question stands in the address; nothing is recorded or counted."""
    owner = request.user.pk
    choices = read_choices(owner)
    asked = "q" in request.GET
    given = _with_defaults(request) if asked else None
    stand_in = _find_agent(given, choices.agents) if given is not None else None
    form = TryForm(given, agents=choices.agents, projects=choices.projects)
    trial = None
    if asked and form.is_valid():
        checked = form.cleaned_data
        trial = read_trial(
            owner,
            Question(
                query=checked["q"],
                project=checked["project"] or None,
                max_tokens=checked["max_tokens"],
                as_of=checked["as_of"],
                include_dropped=True,
                reinforce=False,
            ),
            agent=UUID(checked["agent"]),
            strategies=form.strategies(),
            now=timezone.now(),
        )
    status = 422 if asked and trial is None else 200
    return render_page(
        request,
        "recalls/try.html",
        {"form": form, "choices": choices, "trial": trial, "stand_in": stand_in},
        fragments={"trial": "trial"},
        status=status,
    )


@require_POST
def report(request: PanelRequest, recall: UUID, memory: UUID) -> HttpResponseBase:
    """The owner says that something told was wrong, or of no use. It changes no fact by itself."""
    form = ReportForm(request.POST)
    if not form.is_valid():
        raise Http404
    outcome = Outcome(form.cleaned_data["outcome"])
    caller = Caller(owner=request.user.pk, epoch=_epoch(request))
    try:
        gesture = report_memory(
            caller, recall=recall, memory=memory, outcome=outcome, now=timezone.now()
        )
    except NotFound as error:
        raise Http404 from error
    place = form.cleaned_data["place"]
    back = reverse("recall", args=[recall]) + f"#told-{memory}" + (place and f"-{place}")
    if outcome is Outcome.UNUSED:
        say_done(request, _("Noted: it was of no use here."))
        return redirect(back)
    if gesture is None:
        status, card = read_where_it_stands(request.user.pk, memory)
        if card is not None:
            say_done(request, _("Noted. Here you are asked about it."))
            return redirect("card", card)
        if status == Status.SUPERSEDED:
            say_done(request, _("Noted. It is past already; here you can delete or restore it."))
            return redirect("memory", memory)
    say_done(request, _("Noted. You will be asked what is true."), gesture=gesture)
    return redirect(back)


def _epoch(request: PanelRequest) -> int:
    with owner_scope(request.user.pk):
        return read_policy(request.user.pk).epoch


def _with_defaults(request: HttpRequest) -> Any:
    """The address, with the usual ranking where it names none."""
    given = request.GET.copy()
    given.setdefault("strategy", "tempered")
    return given


def _find_agent(given: Any, agents: Sequence[Agent]) -> Agent | None:
    """The first agent, put into an address that names none of the owner's; else None."""
    if not agents or given.get("agent") in {str(agent.pk) for agent in agents}:
        return None
    given["agent"] = str(agents[0].pk)
    return agents[0]


def _words(text: str) -> str:
    try:
        return clean(text, field="missing", limit=QUERY_LIMIT, multiline=False).strip()
    except BadText:
        return ""
