"""Several entries of the queue decided alike: first what that would do, then doing it."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.html import escape, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from memory.domain.decisions import Decision
from memory.services.decide_many import Decided, decide_many
from panel import review_words
from panel.fragments import render_page
from panel.notices import say_done, say_refused
from panel.own_words import in_a_row, sentence
from panel.queue_forms import DecideForm, SeveralForm
from panel.reads.queue_many import foresee, read_chosen, read_titles
from panel.requests import PanelRequest
from panel.views.queue import for_admins

# How many of those that were left a notice names.
_NAMED = 8


@require_http_methods(["GET", "HEAD", "POST"])
@for_admins
def decide_together(request: PanelRequest) -> HttpResponseBase:
    """GET: what a decision would do to the chosen entries. POST: do it, as it was shown."""
    given = request.POST if request.method == "POST" else request.GET
    form = SeveralForm(given)
    if not form.is_valid():
        if "act" in form.errors:
            raise Http404
        say_refused(request, _("Choose between 1 and 50 entries first."))
        return redirect(reverse("queue"))
    chosen: list[UUID] = form.cleaned_data["entry"]
    if request.method != "POST":
        return _show(request, chosen, form.decision, DecideForm())
    note = DecideForm(request.POST)
    if form.decision is None or not note.is_valid():
        return _show(request, chosen, form.decision, note, status=422)
    decided = decide_many(
        seen={entry: request.POST.get(f"seen-{entry}", "") for entry in chosen},
        decision=form.decision,
        by=request.user.pk,
        note=note.cleaned_data["note"],
        now=timezone.now(),
    )
    titles = read_titles(request.user.pk, decided.left, now=timezone.now())
    _say_decided(request, form.decision, decided, titles)
    return redirect(reverse("queue"))


def _show(
    request: PanelRequest,
    chosen: list[UUID],
    decision: Decision | None,
    form: DecideForm,
    *,
    status: int = 200,
) -> HttpResponse:
    entries = read_chosen(request.user.pk, chosen, now=timezone.now())
    query = QueryDict(mutable=True)
    query.setlist("entry", [str(entry) for entry in chosen])
    context = {
        "preview": foresee(entries, len(chosen), decision),
        "form": form,
        "query": query.urlencode(),
    }
    return render_page(request, "queue/many.html", context, status=status)


def _say_decided(
    request: PanelRequest, decision: Decision, decided: Decided, titles: dict[UUID, str]
) -> None:
    number = len(decided.done)
    said = [_done_words(decision, number)] if number else []
    left = [
        sentence("%(title)s (%(why)s)", title=titles[entry], why=escape(review_words.LEFT[why]))
        for entry, why in decided.left.items()
        if entry in titles
    ]
    if left:
        named = format_html_join(_("; "), "{}", ((one,) for one in left[:_NAMED]))
        said.append(sentence(_("Left as they are: %(named)s."), named=named))
    if more := len(decided.left) - len(left[:_NAMED]):
        said.append(
            ngettext(
                "%(n)s more was left as it is.",
                "%(n)s more were left as they are.",
                more,
            )
            % {"n": number_format(more)}
        )
    (say_done if number else say_refused)(request, in_a_row(*said))


def _done_words(decision: Decision, number: int) -> str:
    if decision is Decision.ESCALATE:
        words = ngettext("Escalated %(n)s entry.", "Escalated %(n)s entries.", number)
    else:
        words = ngettext(
            "Settled %(n)s entry. Its owner sees it, with your note, and can undo it.",
            "Settled %(n)s entries. Their owners see it, with your note, and can undo it.",
            number,
        )
    return words % {"n": number_format(number)}
