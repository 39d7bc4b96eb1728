"""Words for what the API hands over as codes, on the pages about agents."""

from __future__ import annotations

from django import template

from panel import words
from panel.topics import topic_label

register = template.Library()


@register.filter
def scope_word(scope: str) -> str:
    """What a key may do."""
    return str(words.SCOPE[scope])


@register.filter
def status_word(status: str) -> str:
    return words.status_name(status)


@register.filter
def label(key: str | None) -> str:
    """The name of a topic in the language of the page."""
    return topic_label(key or "")
