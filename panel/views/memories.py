"""The list of memories, one memory, and changing what it says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from memory.border import owner_scope
from memory.domain.values import Status
from memory.models import Memory
from memory.services.apply import MOST_AT_ONCE
from memory.services.errors import AlreadySettled, InvalidInput, NotFound, VersionConflict
from memory.services.revise import edit_memory
from memory.services.settle import confirm_memory
from memory.services.write import add_memory
from panel import words
from panel.access import get_memory_for_owner
from panel.addresses import (
    chosen_filters,
    clean_address,
    filter_groups,
    query_without,
    select_groups,
    view_links,
)
from panel.cursors import BadCursor
from panel.differences import difference
from panel.forms import AddForm, ConfirmWithWordsForm, EditForm, FilterForm, ManyForm
from panel.fragments import render_page
from panel.memory_forms import CompareForm
from panel.notices import say_done, say_refused
from panel.own_words import in_a_row, sentence
from panel.reads.effects import read_effects
from panel.reads.filters import Filters
from panel.reads.guide import LOOKED, Guide, read_guide
from panel.reads.matching import count_matching, read_matching
from panel.reads.memories import ListPage, read_choices, read_list
from panel.reads.one_memory import OneMemory, read_one
from panel.requests import PanelRequest
from panel.rows import day
from panel.views.acts import show_result
from panel.views.many import act_word


@login_not_required
@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """The memories of whoever is signed in; to others, what Memoir is."""
    if not request.user.is_authenticated:
        return render_page(request, "welcome.html")
    return show_list(request)  # type: ignore[arg-type]


def show_list(request: PanelRequest) -> HttpResponse:
    """The list under the filters in its address; an address that asks for nonsense is 422."""
    owner = request.user.pk
    agents, projects = read_choices(owner)
    form = FilterForm(request.GET, agents=agents, projects=projects)
    query = query_without(request, "cursor", "exact", "pick")
    context: dict[str, Any] = {"form": form, "query": query, "picks": True}
    page = None
    if form.is_valid():
        filters = Filters.of(form.cleaned_data)
        try:
            page = read_list(owner, filters, now=timezone.now(), exact="exact" in request.GET)
        except BadCursor:
            form.add_error(None, _("This page of the list is no longer there."))
    if page is None:
        return render_page(
            request, "memories/list.html", context, fragments={"memories": "memories"}, status=422
        )
    chosen = chosen_filters(request, form)
    context |= {
        "page": page,
        "filters": filters,
        "facets": filter_groups(form, page.counts.facets),
        "selects": select_groups(form, page.counts.facets),
        "whole": f"{request.path}?view={filters.view}" if filters.view else request.path,
        "views": view_links(request, form),
        "chosen": chosen,
        "grouped": filters.order == "",
        "guide": _guide(request),
        **_picked(request, page, filters, in_projects=bool(projects)),
    }
    response = render_page(
        request,
        "memories/list.html",
        context,
        fragments={"memories": "memories", "more": "more", "counts": "counts-apart"},
    )
    if request.htmx and request.htmx.target == "memories":
        # The form sends its empty fields too; the address is kept to what was asked for.
        response["HX-Push-Url"] = clean_address(request)
    return response


def _guide(request: PanelRequest) -> Guide | None:
    """The steps of a first visit, on the whole page alone."""
    if request.user.guided_since is None or request.htmx.target:
        return None
    with owner_scope(request.user.pk):
        return read_guide(request.user, looked=LOOKED in request.session)


def _picked(
    request: PanelRequest, page: ListPage, filters: Filters, *, in_projects: bool
) -> dict[str, Any]:
    """What is chosen for an act on many: the state of boxes is the address's, or the browser's.

    All that match are counted by themselves where the numbers beside the filters were not.
    `in_projects`: whether there is a project to share in.
    """
    pick = request.GET.get("pick", "")
    matching = count_matching(filters, page.counts)
    if pick == "all" and matching is None:
        ids = read_matching(request.user.pk, filters, now=timezone.now(), most=MOST_AT_ONCE)
        matching = len(ids)
    here = len(page.rows) + sum(not card.is_pair for card in page.cards)
    chosen = {"page": here, "all": matching or 0}.get(pick, 0)
    return {
        "pick": pick if pick in ("page", "all") else "",
        "matching": matching,
        "most": MOST_AT_ONCE,
        "pickable": here,
        "picked": chosen,
        "many": [
            {"act": act, "word": act_word(act, chosen), "pattern": act_word(act, 987654321)}
            for act in ManyForm.ACTS
            if in_projects or act != ManyForm.IN_PROJECT
        ],
    }


@require_GET
def show_memory(request: PanelRequest, memory: UUID) -> HttpResponse:
    """One memory: what it says, why it is believed, how it changed. Looking is not using."""
    one = read_one(request.user, memory, now=timezone.now())
    compared = _compare(request, one)
    if request.user.guided_since is not None:
        request.session[LOOKED] = True
    return render_page(
        request,
        "memories/detail.html",
        {
            "one": one,
            "row": one.row,
            "shown": [one.card or one.row],
            **compared,
            "scale": "log" if request.GET.get("scale") == "log" else "linear",
        },
        fragments={f"memory-{memory}": "row"},
        status=422 if compared["compare"] and compared["compare"].errors else 200,
    )


def _compare(request: PanelRequest, one: OneMemory) -> dict[str, Any]:
    """Which two of its versions the address asks for, and how they differ."""
    texts = {name: text for name, _since, text in one.wordings}
    if len(texts) < 2:
        return {"compare": None}
    choices = [
        (name, f"{day(since)} · {words.shortened(text)}") for name, since, text in one.wordings
    ]
    asked = "old" in request.GET or "new" in request.GET
    form = CompareForm(request.GET if asked else None, versions=choices)
    if not form.is_valid():
        return {"compare": form}
    old, new = (texts[form.cleaned_data[name]] for name in ("old", "new"))
    query = urlencode({name: form.cleaned_data[name] for name in ("old", "new")})
    return {"compare": form, "compared": difference(old, new), "compare_query": query}


@require_http_methods(["GET", "POST"])
def edit(request: PanelRequest, memory: UUID) -> HttpResponseBase:
    """Change what it says: a mistake corrected, or a change with a history.

    What waits for an answer is confirmed with other words instead. An outdated version is 409
    with both texts, and the box keeps what was typed.
    """
    with owner_scope(request.user.pk):
        row = get_memory_for_owner(memory, request.user)
    if row.status == Status.SUPERSEDED:
        say_refused(request, _("What is past stays as it was. Restore it first."))
        return redirect(reverse("memory", args=[memory]))
    if row.status == Status.CONFLICT:
        return _confirm_with_words(request, row)
    form = EditForm(request.POST if request.method == "POST" else None, memory=row)
    if request.method != "POST":
        return _show_form(request, row, form)
    if not form.is_valid():
        return _show_form(request, row, form, status=422)
    return _save(request, row, form)


@require_http_methods(["GET", "POST"])
def add(request: PanelRequest) -> HttpResponseBase:
    """A memory in the owner's own hand."""
    form = AddForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        outcome = add_memory(
            owner=request.user.pk, content=form.cleaned_data["content"], now=timezone.now()
        )
        if outcome.memory is not None:
            say_done(
                request,
                sentence(_("Remembered: %(text)s"), text=words.shortened(outcome.memory.content)),
            )
            return redirect(reverse("memory", args=[outcome.memory.pk]))
        form.add_error("content", _("This was not remembered: it looks like a password or a key."))
    status = 422 if form.is_bound else 200
    return render_page(request, "memories/add.html", {"form": form}, status=status)


def _confirm_with_words(request: PanelRequest, row: Memory) -> HttpResponseBase:
    if request.method != "POST":
        initial = {"content": row.content, "version": row.version}
        return _show_form(request, row, ConfirmWithWordsForm(initial=initial))
    form = ConfirmWithWordsForm(request.POST)
    if not form.is_valid():
        return _show_form(request, row, form, status=422)
    content = form.cleaned_data["content"]
    try:
        gesture = confirm_memory(
            owner=request.user.pk,
            memory=row.pk,
            version=form.cleaned_data["version"],
            content=content if content != row.content else None,
            now=timezone.now(),
        )
    except VersionConflict as error:
        return _show_clash(request, error.current, form)
    except AlreadySettled:
        say_refused(request, _("That was settled already. Here is how it stands now."))
        return redirect(reverse("memory", args=[row.pk]))
    except InvalidInput as error:
        _take_errors(form, error)
        return _show_form(request, row, form, status=422)
    said = sentence(_("Confirmed: %(text)s"), text=words.shortened(content))
    also = read_effects(request.user.pk, gesture, row.pk)
    say_done(request, in_a_row(said, *also), gesture=gesture)
    return show_result(request, row.pk, [row.pk])


def _save(request: PanelRequest, row: Memory, form: EditForm) -> HttpResponseBase:
    given = form.cleaned_data
    try:
        gesture = edit_memory(
            owner=request.user.pk,
            memory=row.pk,
            version=given["version"],
            how=given["how"],
            now=timezone.now(),
            **form.changed_words(),
        )
    except VersionConflict as error:
        return _show_clash(request, error.current, form)
    except NotFound as error:
        raise Http404 from error
    except InvalidInput as error:
        _take_errors(form, error)
        return _show_form(request, row, form, status=422)
    said = _("Corrected: %(text)s") if given["how"] == "correct" else _("Changed: %(text)s")
    say_done(request, sentence(said, text=words.shortened(given["content"])), gesture=gesture)
    with owner_scope(request.user.pk):
        current = get_memory_for_owner(row.pk, request.user)
    successor = current.superseded_by_id
    if not request.htmx and successor and str(row.pk) in request.POST.get("next", ""):
        return redirect(reverse("memory", args=[successor]))
    return show_result(request, row.pk, [successor or row.pk])


def _show_form(
    request: PanelRequest,
    row: Memory,
    form: Any,
    *,
    status: int = 200,
    extra: Mapping[str, Any] | None = None,
) -> HttpResponse:
    context = {"memory": row, "form": form, "waits": row.status == Status.CONFLICT, **(extra or {})}
    return render_page(
        request,
        "memories/edit.html",
        context,
        fragments={f"memory-{row.pk}": "form"},
        status=status,
    )


def _show_clash(request: PanelRequest, current: Memory, form: Any) -> HttpResponse:
    """Somebody saved first: both texts and their difference; saving again is then deliberate."""
    mine = form.cleaned_data["content"]
    form.data = form.data.copy()
    form.data["version"] = str(current.version)
    with owner_scope(request.user.pk):
        row = get_memory_for_owner(current.pk, request.user)
    extra = {"theirs": row.content, "mine": mine, "difference": difference(row.content, mine)}
    return _show_form(request, row, form, status=409, extra=extra)


def _take_errors(form: Any, error: InvalidInput) -> None:
    for name in error.fields:
        form.add_error(name if name in form.fields else None, words.why_refused([name]))
