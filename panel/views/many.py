"""One act on many memories: the chosen ones, or all that match the list's filters."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from memory.services.apply import MOST_AT_ONCE, Act, Applied, apply_to_many
from memory.services.exchange import start_export
from memory.services.pack import JSON
from memory.tasks import nudge
from panel.forms import FilterForm, ManyForm
from panel.fragments import render_page
from panel.notices import say_done, say_refused
from panel.reads.filters import Filters
from panel.reads.matching import read_kept, read_matching
from panel.reads.memories import read_choices
from panel.requests import PanelRequest

EXPORT = "export"


@require_POST
def act_on_many(request: PanelRequest) -> HttpResponseBase:
    """Do it at once, with one undo for all; 409 with the new number where the number has moved."""
    form = ManyForm(request.POST)
    if not form.is_valid():
        raise Http404
    given = form.cleaned_data
    way_back = _way_back(given["query"])
    if given["everything"]:
        memories = _find_all(request, given["query"])
    else:
        memories = read_kept(request.user.pk, given["memory"])
    seen = given["count"] if given["everything"] else len(set(given["memory"]))
    if not seen:
        say_refused(request, _("Choose some memories first."))
        return redirect(way_back)
    if len(memories) > MOST_AT_ONCE:
        say_refused(
            request,
            _("That is more than %(most)s at once. Narrow the list first.")
            % {"most": number_format(MOST_AT_ONCE)},
        )
        return redirect(way_back)
    if seen != len(memories):
        return _say_moved(request, given, memories, seen)
    if given["act"] == EXPORT:
        job = start_export(owner=request.user.pk, form=JSON, now=timezone.now(), memories=memories)
        nudge()
        return redirect("job", job.pk)
    act = Act(given["act"])
    applied = apply_to_many(owner=request.user.pk, memories=memories, act=act, now=timezone.now())
    _say_applied(request, act, applied)
    return redirect(way_back)


def _find_all(request: PanelRequest, query: str) -> list[UUID]:
    """All that match the filters in this query, checked as the list checks them."""
    agents, projects = read_choices(request.user.pk)
    form = FilterForm(QueryDict(query), agents=agents, projects=projects)
    if not form.is_valid():
        raise Http404
    filters = Filters.of(form.cleaned_data)
    return read_matching(request.user.pk, filters, now=timezone.now(), most=MOST_AT_ONCE)


def _say_moved(
    request: PanelRequest, given: dict[str, Any], memories: list[UUID], seen: int
) -> HttpResponseBase:
    context = {
        "seen": seen,
        "count": len(memories),
        "memories": [] if given["everything"] else memories,
        "everything": given["everything"],
        "query": given["query"],
        "act": given["act"],
        "word": act_word(given["act"], len(memories)),
        "back": _way_back(given["query"]),
    }
    return render_page(request, "memories/moved.html", context, status=409)


def act_word(act: str, number: int) -> str:
    """What the button says, with its number."""
    words = {
        Act.CONFIRM: _("Confirm %(count)s"),
        Act.DELETE: _("Delete %(count)s"),
        Act.ARCHIVE: _("Archive %(count)s"),
        Act.PIN: _("Pin %(count)s"),
        Act.SHARE: _("Show %(count)s to all agents"),
        Act.SHARE_IN_PROJECT: _("Show %(count)s to their own project"),
        Act.KEEP_PRIVATE: _("Show %(count)s to their own agent only"),
        EXPORT: _("Export %(count)s"),
    }
    return words[act] % {"count": number_format(number)}


def _say_applied(request: PanelRequest, act: Act, applied: Applied) -> None:
    said = [_done_words(act, applied.done)] if applied.done else []
    said += [_left_words(why, number) for why, number in sorted(applied.left.items())]
    text = " ".join(said) or _("There was nothing to do.")
    if applied.gesture is None:
        say_refused(request, text)
    else:
        say_done(request, text, gesture=applied.gesture)


def _done_words(act: Act, number: int) -> str:
    words = {
        Act.CONFIRM: ngettext("Confirmed %(n)s memory.", "Confirmed %(n)s memories.", number),
        Act.DELETE: ngettext("Deleted %(n)s memory.", "Deleted %(n)s memories.", number),
        Act.ARCHIVE: ngettext("Archived %(n)s memory.", "Archived %(n)s memories.", number),
        Act.PIN: ngettext("Pinned %(n)s memory.", "Pinned %(n)s memories.", number),
        Act.SHARE: ngettext(
            "All your agents now see %(n)s memory more.",
            "All your agents now see %(n)s memories more.",
            number,
        ),
        Act.SHARE_IN_PROJECT: ngettext(
            "%(n)s memory is now seen by the agents of its project.",
            "%(n)s memories are now seen by the agents of their project.",
            number,
        ),
        Act.KEEP_PRIVATE: ngettext(
            "%(n)s memory is now seen by its own agent only.",
            "%(n)s memories are now seen by their own agent only.",
            number,
        ),
    }
    return words[act] % {"n": number_format(number)}


def _left_words(why: str, number: int) -> str:
    words = {
        "past": ngettext("%(n)s is past and was left.", "%(n)s are past and were left.", number),
        "contradiction": ngettext(
            "%(n)s is part of a contradiction: answer that by itself.",
            "%(n)s are part of contradictions: answer those one by one.",
            number,
        ),
        "sensitive": ngettext(
            "%(n)s is sensitive: share it under Agents.",
            "%(n)s are sensitive: share those under Agents.",
            number,
        ),
        "no_project": ngettext(
            "%(n)s belongs to no project and was left.",
            "%(n)s belong to no project and were left.",
            number,
        ),
        "already": ngettext("%(n)s was so already.", "%(n)s were so already.", number),
    }
    return words[why] % {"n": number_format(number)}


def _way_back(query: str) -> str:
    """The list as it was, with nothing chosen."""
    kept = QueryDict(query, mutable=True)
    for name in ("pick", "exact"):
        kept.pop(name, None)
    address = reverse("memories")
    return f"{address}?{kept.urlencode()}" if kept else address
