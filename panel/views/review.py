"""One question after the other: what waits for the owner, and his answers.

Every answer is a POST, happens at once and can be undone. Without JavaScript it leads to the next
card; with htmx the next card takes its place.
"""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from memory.domain.values import Ruling
from memory.services.check import answer_spot_check
from memory.services.errors import AlreadySettled, InvalidInput, NotFound, VersionConflict
from memory.services.postpone import postpone_conflict, postpone_spot_check
from memory.services.settle import answer_sharing, settle_conflict
from panel import words
from panel.fragments import render_page
from panel.notices import say_done, say_refused
from panel.own_words import sentence
from panel.reads.review import ReviewPage, read_card, read_members, read_review
from panel.requests import PanelRequest
from panel.review import ReviewCard
from panel.review_forms import Answer, AnswerForm
from panel.views.acts import show_result


@require_GET
def show_review(request: PanelRequest, card: UUID | None = None) -> HttpResponse:
    """The queue with one card open. A card that was answered meanwhile says how."""
    postponed = "later" in request.GET
    page = read_review(
        request.user.pk,
        card,
        postponed=postponed,
        start=_first_named(request),
        now=timezone.now(),
    )
    if card is not None and page.card is None and page.settled is None:
        raise Http404
    return _show(request, page)


@require_POST
def answer_card(request: PanelRequest, card: UUID) -> HttpResponseBase:
    """The owner's answer. Answered elsewhere, or changed since it was shown: 409, nothing done."""
    now = timezone.now()
    asked = read_card(request.user.pk, card, now=now)
    if asked is None:
        page = read_review(request.user.pk, card, now=now)
        if page.settled is None:
            raise Http404
        say_refused(request, _("That was settled already. Here is how it stands now."))
        return _refuse(request, page, card)
    form = AnswerForm(request.POST, card=asked)
    if not form.is_valid():
        return _show(request, read_review(request.user.pk, card, now=now), form=form, status=422)
    answer = form.as_answer()
    try:
        gesture = _perform(request.user.pk, asked, answer, now)
    except AlreadySettled:
        refusal = _("That was settled already. Here is how it stands now.")
    except (VersionConflict, InvalidInput):
        refusal = _("It was changed meanwhile. Read it again before you answer.")
    except NotFound as error:
        raise Http404 from error
    else:
        say_done(request, _say(asked, answer), gesture=gesture)
        return _go_on(request, card)
    say_refused(request, refusal)
    return _refuse(request, read_review(request.user.pk, card, now=now), card)


def _perform(owner: UUID, card: ReviewCard, answer: Answer, now: Any) -> UUID:
    """Do what was answered; returns the gesture."""
    word = answer.word
    if word.startswith("later:"):
        until = answer.later_until(now)
        if card.is_check:
            return postpone_spot_check(owner=owner, check=card.id, until=until, now=now)
        return postpone_conflict(owner=owner, conflict=card.id, until=until, now=now)
    if card.is_check:
        text = answer.text if word == "correct" else None
        return answer_spot_check(owner, card.id, word == "right", now, text)
    if word in ("share", "keep_private"):
        return answer_sharing(owner=owner, conflict=card.id, share=word == "share", now=now)
    given: dict[str, Any] = {"owner": owner, "conflict": card.id, "now": now}
    given["versions"] = answer.versions
    if word in ("confirm", "reword"):
        text = answer.text if word == "reword" and answer.text != card.first.memory.content else ""
        return settle_conflict(ruling=Ruling.KEPT, keep=card.first.id, text=text or None, **given)
    if word == "keep":
        return settle_conflict(ruling=Ruling.KEPT, keep=answer.keep, **given)
    if word == "both":
        return settle_conflict(
            ruling=Ruling.BOTH, contexts=answer.contexts, spans=answer.spans, **given
        )
    if word == "merge":
        return settle_conflict(ruling=Ruling.MERGED, text=answer.text, **given)
    return settle_conflict(ruling=Ruling.NEITHER, **given)


def _say(card: ReviewCard, answer: Answer) -> str:
    """What was done, for the toast."""
    word = answer.word
    kept = next((side for side in card.sides if side.id == answer.keep), card.first)
    text = words.shortened(answer.text or kept.memory.content)
    said = {
        "keep": _("Kept: %(text)s"),
        "merge": _("Written down: %(text)s"),
        "confirm": _("Confirmed: %(text)s"),
        "reword": _("Confirmed: %(text)s"),
        "deny": _("Denied: %(text)s"),
        "both": _("Both are true now."),
        "neither": _("Neither is kept."),
        "share": _("All your agents may know it now: %(text)s"),
        "keep_private": _("It stays with the one agent: %(text)s"),
        "right": _("Good. It stays as it is: %(text)s"),
        "wrong": _("Taken back: %(text)s"),
        "correct": _("Corrected: %(text)s"),
        "later:day": _("Asked again tomorrow."),
        "later:week": _("Asked again in a week."),
        "later:mention": _("Asked again when it is mentioned."),
    }
    return sentence(said[word], text=text)


def _go_on(request: PanelRequest, card: UUID) -> HttpResponseBase:
    """To the next card, or back to the list the answer came from."""
    target = (request.htmx.target or "") if request.htmx else ""
    back = request.POST.get("next", "")
    if target.startswith(("memory-", "waits-")) or (back and not _is_review(back)):
        members = read_members(request.user.pk, card)
        return show_result(request, members[0] if members else card, members)
    following = _following(request)
    if not request.htmx:
        return redirect(reverse("card", args=[following]) if following else reverse("review"))
    page = read_review(request.user.pk, following, now=timezone.now())
    if page.card is None:
        page = read_review(request.user.pk, now=timezone.now())
    response = _show(request, page)
    here = reverse("card", args=[page.card.id]) if page.card else reverse("review")
    response["HX-Push-Url"] = here
    return response


def _following(request: PanelRequest) -> UUID | None:
    """The card that stood next, if it still waits."""
    try:
        wanted = UUID(request.POST.get("following", ""))
    except ValueError:
        return None
    return wanted if read_card(request.user.pk, wanted, now=timezone.now()) else None


def _first_named(request: PanelRequest) -> int | None:
    """The number of the card the queue shall begin with, where the address says one."""
    given = request.GET.get("from", "")
    return int(given) if re.fullmatch("[1-9][0-9]{0,3}", given) else None


def _refuse(request: PanelRequest, page: ReviewPage, card: UUID) -> HttpResponse | HttpResponseBase:
    target = (request.htmx.target or "") if request.htmx else ""
    if target.startswith("waits-"):
        members = read_members(request.user.pk, card)
        return show_result(request, members[0], members, status=409)
    return _show(request, page, status=409)


def _is_review(address: str) -> bool:
    return address.startswith(reverse("review"))


def _show(
    request: PanelRequest, page: ReviewPage, *, form: AnswerForm | None = None, status: int = 200
) -> HttpResponse:
    if page.card is not None and form is None:
        text = "" if page.card.is_pair else page.card.first.memory.content
        form = AnswerForm(None, card=page.card, initial={"text": text})
    sides: list[Any] = []
    if page.card is not None and form is not None and page.card.is_pair:
        sides = [(side, form.fields_of(side)) for side in page.card.sides]
    context = {"page": page, "card": page.card, "form": form, "contexts": sides}
    return render_page(request, "review/page.html", context, fragments=["review"], status=status)
