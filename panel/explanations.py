"""Why a memory ranked where it did: the parts of its score as lengths, and a sentence.

A score is a product. Each factor takes something away: as much as the negative logarithm of it,
and all of it together is the negative logarithm of the score. `weighted` begins with a sum.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from memory.domain.values import Strategy

# A factor below this is drawn as this, and labelled.
LEAST = 0.001
_MOST_LOST = -math.log(LEAST)
# What takes less than this away is not worth a word in the sentence.
_WORTH_SAYING = -math.log(0.97)
_HOURS_PER_DAY = 24

NAMES: dict[str, str | Promise] = {
    "relevance": gettext_lazy("Relevance"),
    "freshness": gettext_lazy("Freshness"),
    "importance": gettext_lazy("Importance"),
    "sum": gettext_lazy("Relevance, freshness and importance"),
    "forgotten": gettext_lazy("Nearly forgotten"),
    "status": gettext_lazy("Status"),
    "source": gettext_lazy("Source"),
}


@dataclass(frozen=True, slots=True)
class Term:
    """One summand of the sum that `weighted` begins with."""

    name: str
    label: str
    weight: float
    value: float

    @property
    def adds(self) -> float:
        return self.weight * self.value


@dataclass(frozen=True, slots=True)
class Part:
    """A factor of a score. `lost`: what it took away; the parts' sum is that of the score."""

    name: str
    label: str
    factor: float
    terms: Sequence[Term] = ()

    @property
    def lost(self) -> float:
        return -math.log(self.factor) if self.factor > 0 else math.inf

    @property
    def tiny(self) -> bool:
        return self.factor < LEAST

    @property
    def drawn(self) -> float:
        """How long it is drawn, before the scale: never endless."""
        return min(self.lost, _MOST_LOST)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a bar: where it begins and how wide it is, in thousandths of the bar."""

    name: str
    start: float
    width: float


def parts_of(numbers: Mapping[str, Any]) -> list[Part]:
    """The factors of a score, from the numbers stored with the recall."""
    left, importance = numbers["retention"], numbers["importance"]
    trust = numbers["status_weight"] * numbers["source_weight"]
    strategy = numbers["strategy"]
    if strategy == Strategy.WEIGHTED:
        terms = [
            Term(name, str(NAMES[name]), numbers[weight], value)
            for name, weight, value in (
                ("relevance", "w1", numbers["relevance"]),
                ("freshness", "w2", numbers["freshness"]),
                ("importance", "w3", importance),
            )
        ]
        factors = [("sum", sum(term.adds for term in terms))]
    elif strategy == Strategy.TEMPERED:
        a, b = numbers["a"], numbers["b"]
        terms = []
        factors = [
            ("relevance", numbers["relevance"]),
            ("freshness", 1 - a + a * left),
            ("importance", 1 - b + b * importance),
        ]
    else:
        terms = []
        factors = [("relevance", numbers["relevance"]), ("freshness", left)]
        whole = numbers["relevance"] * left * trust
        forgotten = numbers["final"] / whole if whole > 0 else 1.0
        # The multiplier itself is not stored: it is 1, or what the owner's policy made of it.
        if not math.isclose(forgotten, 1.0, rel_tol=1e-9):
            factors.append(("forgotten", forgotten))
    factors += [("status", numbers["status_weight"]), ("source", numbers["source_weight"])]
    return [
        Part(name, str(NAMES[name]), factor, terms if name == "sum" else ())
        for name, factor in factors
    ]


def scale_of(scores: Sequence[Sequence[Part]]) -> float:
    """What the whole width stands for: the most that any score of this recall lost."""
    return max((sum(part.drawn for part in parts) for parts in scores), default=0.0)


def pieces_of(parts: Sequence[Part], scale: float) -> list[Piece]:
    """The bar: one piece after the other. Nothing lost, nothing drawn; tiny, drawn full."""
    pieces: list[Piece] = []
    at = 0.0
    for part in parts:
        width = 1000.0 - at if part.tiny else 1000.0 * part.drawn / scale if scale > 0 else 0.0
        width = min(width, 1000.0 - at)
        if round(width, 2) > 0:
            pieces.append(Piece(part.name, round(at, 2), round(width, 2)))
        at += width
    return pieces


def nth(rank: int) -> str:
    """1st, 2nd, 3rd, 4th."""
    last = 0 if rank % 100 in (11, 12, 13) else rank % 10
    forms = {1: _("%(rank)dst"), 2: _("%(rank)dnd"), 3: _("%(rank)drd")}
    return forms.get(last, _("%(rank)dth")) % {"rank": rank}


def explain_rank(
    numbers: Mapping[str, Any], *, rank: int, highest: bool, confirmed: int | None = None
) -> str:
    """The sentence. `highest`: no other row was more relevant. `confirmed`: its place then."""
    first = (
        _("%(nth)s: relevance %(value)s (highest)")
        if highest
        else _("%(nth)s: relevance %(value)s")
    )
    said = first % {"nth": nth(rank), "value": _number(numbers["relevance"])}
    reasons = _reasons(numbers)
    if reasons:
        said += _(", but %(reasons)s") % {"reasons": _(", ").join(reasons)}
    if confirmed is not None and confirmed < rank:
        said += _("; if confirmed today it would rank %(nth)s") % {"nth": nth(confirmed)}
    return said + ("。" if (get_language() or "").startswith("zh") else ".")


def _reasons(numbers: Mapping[str, Any]) -> list[str]:
    """What else held it down, most first as the score multiplies it."""
    parts = {part.name: part.lost for part in parts_of(numbers)}
    reasons = []
    faded = numbers["strategy"] == Strategy.WEIGHTED and numbers["freshness"] < 0.9
    if faded or parts.get("freshness", 0.0) + parts.get("forgotten", 0.0) > _WORTH_SAYING:
        reasons.append(_faded(numbers))
    if parts.get("importance", 0.0) > _WORTH_SAYING:
        reasons.append(_("importance only %(value)s") % {"value": _number(numbers["importance"])})
    if numbers["status_weight"] < 1:
        reasons.append(_("it may be out of date"))
    if numbers["source_weight"] < 1:
        reasons.append(_("you never said it yourself"))
    return reasons


def _faded(numbers: Mapping[str, Any]) -> str:
    days = int(numbers["hours"] // _HOURS_PER_DAY)
    left = _number(numbers["retention"])
    if days < 1:
        return _("%(left)s left") % {"left": left}
    return ngettext(
        "unused for %(days)d day, %(left)s left", "unused for %(days)d days, %(left)s left", days
    ) % {"days": days, "left": left}


def _number(value: float) -> str:
    return f"{value:.2f}"
