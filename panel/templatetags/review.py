"""What Review's templates need: the badge, a card's kind by name, and words that differ."""

from __future__ import annotations

from typing import Any

from django import template
from django.http import HttpRequest
from django.template.context import RequestContext
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.models import User
from panel.differences import Piece
from panel.own_words import shown
from panel.reads.cards import Place
from panel.reads.review import read_badge
from panel.review_words import KIND

register = template.Library()


@register.simple_tag(takes_context=True)
def review_badge(context: RequestContext) -> str:
    """The number of cards, in the rail: one statement a page."""
    request: HttpRequest = context["request"]
    user: Any = getattr(request, "user", None)
    if not isinstance(user, User):
        return ""
    count = read_badge(user.pk, now=timezone.now())
    return render_to_string("review/_badge.html", {"count": count})


@register.filter
def card_kind(place: Place) -> str:
    """What kind of question stands at this place of the queue."""
    return str(KIND[place.kind])


@register.filter
def marked(pieces: list[Piece]) -> SafeString:
    """One side's words, with those marked that the other side does not have."""
    return format_html_join(
        "",
        "{}",
        (
            (
                shown(piece.text)
                if piece.kind == "same"
                else format_html(
                    '<mark><span class="unseen-word">{} </span>{}</mark>',
                    _("differs:"),
                    shown(piece.text),
                ),
            )
            for piece in pieces
        ),
    )
