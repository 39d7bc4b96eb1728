"""What templates need beyond Django's own: icons, bars, moments, and text shown as it is."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from django import template
from django.contrib.auth.models import Permission
from django.db.models import Exists, Q
from django.http import HttpRequest
from django.template.context import RequestContext
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.timesince import TIME_STRINGS, timesince
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from accounts.models import User
from memory.border import owner_scope
from memory.models import Policy
from panel.differences import Piece
from panel.exchange_words import FORM
from panel.notices import WayBack, read_begun, read_gesture, read_way_back
from panel.own_words import isolated, plain, shown, tongue
from panel.words import actor_name

register = template.Library()
for own in (isolated, plain, shown, tongue):
    register.filter(own.__name__, own)

_NAMESPACE = ' xmlns:ns0="http://www.w3.org/2000/svg"'
_ICONS = Path(__file__).resolve().parent.parent / "icons"


@cache
def _drawing(name: str) -> str:
    """What is inside an icon's <svg>. The files are ours (Lucide's), so their markup is trusted."""
    root = ElementTree.parse(_ICONS / f"{name}.svg").getroot()  # noqa: S314  (own files)
    shapes = []
    for shape in root:
        shape.tail = ""
        drawn = ElementTree.tostring(shape, encoding="unicode")
        shapes.append(
            drawn.replace("ns0:", "").replace(' xmlns:ns0="http://www.w3.org/2000/svg"', "")
        )
    return "".join(shapes)


@register.simple_tag
def icon(name: str, size: int = 16) -> SafeString:
    """A Lucide icon beside its word; it says nothing by itself."""
    return format_html(
        '<svg class="icon icon-{}" viewBox="0 0 24 24" aria-hidden="true" '
        'focusable="false">{}</svg>',
        size,
        mark_safe(_drawing(name)),  # noqa: S308  (own files)
    )


@register.simple_tag
def bar(percent: int) -> SafeString:
    """A share as a short bar. The number stands beside it, so the bar is hidden from readers."""
    return format_html(
        '<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" '
        'focusable="false"><rect class="bar-ground" width="100" height="6" rx="3"/>'
        '<rect class="bar-fill" width="{}" height="6" rx="3"/></svg>',
        max(2, min(100, percent)),
    )


# Django's Chinese says 日 and 月, as in a date, where a length is meant.
_AGES: dict[str, Any] = {
    **TIME_STRINGS,
    "month": ngettext_lazy("%(num)d month", "%(num)d months", "num"),
    "day": ngettext_lazy("%(num)d day", "%(num)d days", "num"),
}


@register.simple_tag
def moment(at: datetime | None, *, bare: bool = False) -> SafeString:
    """How long ago, with the exact time of the owner's zone in the title."""
    if at is None:
        return SafeString("")
    local = timezone.localtime(at)
    exact = date_format(local, "DATETIME_FORMAT")
    age = timesince(at, timezone.now(), time_strings=_AGES, depth=1)
    seconds = (timezone.now() - at).total_seconds()
    words = _("just now") if seconds < 60 else age if bare else _("%(age)s ago") % {"age": age}
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        local.isoformat(timespec="seconds"),
        exact,
        words,
    )


@register.filter
def month(at: datetime | None) -> str:
    """2026-10, in the owner's zone."""
    return timezone.localtime(at).strftime("%Y-%m") if at else ""


@register.filter
def day(at: datetime | None) -> str:
    """2026-10-03, in the owner's zone."""
    return timezone.localtime(at).strftime("%Y-%m-%d") if at else ""


@register.filter
def differing(pieces: list[Piece]) -> SafeString:
    """A difference with words for those who cannot see it."""
    marked = {"gone": ("del", _("removed:")), "come": ("ins", _("added:"))}
    told = format_html_join(
        "",
        "{}",
        (
            (
                format_html(
                    '<{0}><span class="unseen-word">{1} </span>{2}</{0}>',
                    mark_safe(marked[piece.kind][0]),  # noqa: S308  (one of two of ours)
                    marked[piece.kind][1],
                    shown(piece.text),
                )
                if piece.kind in marked
                else shown(piece.text),
            )
            for piece in pieces
        ),
    )
    return format_html("<bdi{}>{}</bdi>", tongue("".join(piece.text for piece in pieces)), told)


@register.simple_tag(takes_context=True)
def here(context: RequestContext) -> str:
    """The page's own address, also while a part of it is being made."""
    request: HttpRequest = context["request"]
    htmx = getattr(request, "htmx", None)
    if htmx:
        return htmx.current_url_abs_path or "/"
    return request.get_full_path() if request.method == "GET" else "/"


@register.simple_tag(takes_context=True)
def is_here(context: RequestContext, prefix: str) -> bool:
    """Whether the page is this one, or lies under it."""
    path = context["request"].path
    return path == prefix or (prefix != "/" and path.startswith(prefix))


@register.simple_tag(takes_context=True)
def pause_banner(context: RequestContext) -> str:
    """Said on every page while the owner has paused everything."""
    request: HttpRequest = context["request"]
    return render_to_string("_paused.html", {}, request) if _read_frame(request).paused else ""


@register.simple_tag(takes_context=True)
def may_help(context: RequestContext) -> bool:
    """Whether the person helps others with what waits, and finds the way there on every page."""
    return _read_frame(context["request"]).helps


class _Frame(NamedTuple):
    """What the frame of every page asks about the person."""

    paused: bool = False
    helps: bool = False


def _read_frame(request: HttpRequest) -> _Frame:
    """One statement a page, however much of it is asked for."""
    user = getattr(request, "user", None)
    if not isinstance(user, User):
        return _Frame()
    known: _Frame | None = getattr(request, "_frame", None)
    if known is not None:
        return known
    helping = Permission.objects.filter(
        Q(user=user.pk) | Q(group__user=user.pk),
        codename="review_conflicts",
        content_type__app_label="memory",
    )
    with owner_scope(user.pk):
        paused = Policy.objects.of(user.pk).filter(paused=True)
        row = User.objects.filter(pk=user.pk).values_list(Exists(paused), Exists(helping)).get()
    frame = _Frame(row[0], row[1] or user.is_superuser)
    request._frame = frame  # type: ignore[attr-defined]
    return frame


@register.filter
def gesture_of(message: Any) -> str:
    """The gesture a message offers to undo, or nothing."""
    return read_gesture(message)


@register.filter
def way_back_of(message: Any) -> WayBack | None:
    """The address a message offers to take it back by, or nothing."""
    return read_way_back(message)


@register.filter
def job_of(message: Any) -> str:
    """The job a message leads to, or nothing."""
    return read_begun(message)


@register.filter
def by_whom(event: Any) -> str:
    """Who did it. Reads the event's agent."""
    return actor_name(event.actor, event.agent.name if event.agent else "")


@register.filter
def form_words(form: str) -> str:
    """What kind of file it is, in words."""
    return str(FORM[form])


@register.filter
def get(mapping: dict[str, Any], name: Any) -> Any:
    """One entry of a mapping, or nothing."""
    return mapping.get(str(name))
