"""What the pages of recalls draw and name."""

from __future__ import annotations

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from panel import words
from panel.reads.served import Fact

register = template.Library()


@register.simple_tag
def score_bar(fact: Fact) -> SafeString:
    """What each part of a score took away, one after the other. The numbers stand below it."""
    return format_html(
        '<svg class="score" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true" '
        'focusable="false"><rect class="score-ground" width="1000" height="10"/>{}</svg>',
        format_html_join(
            "",
            '<rect class="score-{}" x="{}" width="{}" height="10"/>',
            ((piece.name, piece.start, piece.width) for piece in fact.pieces),
        ),
    )


@register.filter
def share(value: float) -> str:
    """A share as people read it: two digits, three where it is small."""
    return f"{value:.3f}" if 0 < value < 0.095 else f"{value:.2f}"


@register.simple_tag
def gate(rule: str) -> str:
    return words.gate_name(rule)


@register.simple_tag
def strategy_of(strategy: str, preset: str = "") -> str:
    return words.strategy_name(strategy, preset or None)


@register.simple_tag
def standing_why(why: str) -> str:
    return str(words.STANDING.get(why, ""))
