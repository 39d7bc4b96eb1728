"""Why a memory is as important as it is, and fades as fast as it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from memory.domain import tiers
from memory.domain.policy import Policy as Rules
from memory.domain.values import Tier
from memory.models import Event, Memory
from memory.models.events import Actor, Verb

DIMENSIONS: dict[str, str | Promise] = {
    "relevance": gettext_lazy("Useful again later"),
    "personal": gettext_lazy("About you yourself"),
    "factuality": gettext_lazy("A fact, not a passing mood"),
    "actionability": gettext_lazy("Changes what an agent should do"),
    "time": gettext_lazy("Matters for long"),
    "safety": gettext_lazy("Matters for your safety"),
}


@dataclass(frozen=True, slots=True)
class Reasons:
    """`tier`: why it is in its tier. `scored_by`: who gave the importance, by what."""

    tier: str
    scored_by: str
    dimensions: list[tuple[str, int]]


def read_reasons(memory: Memory, rules: Rules) -> Reasons:
    """Inside owner_scope, one statement."""
    changes = list(
        Event.objects.of(memory.owner_id)
        .filter(Q(data__after__has_key="tier") | Q(data__after__has_key="importance"))
        .filter(memory=memory)
        .order_by("-id")[:20]
    )
    moved = next((event for event in changes if _changes(event, "tier")), None)
    weighed = next((event for event in changes if _changes(event, "importance")), None)
    by_owner = weighed is not None and weighed.verb == Verb.CHANGED and weighed.actor == Actor.OWNER
    return Reasons(
        tier=_why_tier(memory, moved, rules),
        scored_by=_who_scored(memory, by_owner=by_owner),
        dimensions=[] if by_owner else _dimensions(memory.dimensions),
    )


def _changes(event: Event, name: str) -> bool:
    before, after = event.data.get("before", {}), event.data["after"]
    return name in after and before.get(name) != after[name]


def _why_tier(memory: Memory, moved: Event | None, rules: Rules) -> str:
    if moved is not None and moved.verb == Verb.CONFIRMED:
        return _("because you confirmed it")
    if moved is not None and moved.verb == Verb.PROMOTED:
        times = int(moved.data.get("recalls", 0))
        return ngettext(
            "because agents were told it %(n)s time",
            "because agents were told it %(n)s times",
            times,
        ) % {"n": times}
    if tiers.classify(memory.importance, rules) != memory.tier:
        return ""
    high, middle = round(rules.long_term_threshold * 100), round(rules.short_term_threshold * 100)
    if memory.tier == Tier.LONG_TERM:
        return _("because its importance is %(n)s or more") % {"n": high}
    if memory.tier == Tier.SHORT_TERM:
        return _("because its importance is between %(low)d and %(high)d") % {
            "low": middle, "high": high,
        }  # fmt: skip
    return _("because its importance is below %(n)s") % {"n": middle}


def _who_scored(memory: Memory, *, by_owner: bool) -> str:
    if by_owner:
        return _("you set it")
    if memory.scored_by == "judge":
        return _("judged by the language model that is set up")
    return _("by Memoir’s own rules")


def _dimensions(scores: Any) -> list[tuple[str, int]]:
    """What it was made from, in percent; an import may bring anything."""
    found = scores if isinstance(scores, dict) else {}
    return [
        (str(word), round(min(1.0, max(0.0, found[name])) * 100))
        for name, word in DIMENSIONS.items()
        if isinstance(found.get(name), int | float)
    ]
