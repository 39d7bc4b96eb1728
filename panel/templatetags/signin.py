"""What the pages about signing in tell: from where, and what happened."""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.template.context import RequestContext
from django.utils.translation import gettext as _

from accounts.models import SecurityEvent

register = template.Library()

MOST = 20
_BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"),
             ("Safari", "Safari"))  # fmt: skip
_SYSTEMS = (("Windows", "Windows"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"),
            ("Mac OS X", "Mac"), ("Linux", "Linux"))  # fmt: skip


@register.filter
def browser(agent: str) -> str:
    """What a browser says of itself, in two words where they are known."""
    named = next((name for sign, name in _BROWSERS if f"{sign}/" in agent), "")
    system = next((name for sign, name in _SYSTEMS if sign in agent), "")
    return " · ".join(filter(None, (named, system))) or agent[:60] or _("An unknown browser")


@register.simple_tag(takes_context=True)
def security_events(context: RequestContext) -> Sequence[SecurityEvent]:
    """The newest lines of the person who is signed in."""
    user = context["request"].user
    return list(SecurityEvent.objects.filter(user=user).order_by("-at", "-id")[:MOST])
