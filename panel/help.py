"""What the help page says of sources, tiers and the score, by the owner's own numbers."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.domain.decay import hours_until
from memory.domain.policy import Policy
from memory.domain.values import Source, Strategy, Tier
from panel.words import SOURCE, STRATEGY, TIER, Words

_SOURCES: Words = {
    Source.USER_STATED: gettext_lazy("In your own words, in a talk or in the panel."),
    Source.INFERRED: gettext_lazy("An agent drew it from other things. It waits for you first."),
    Source.EXTERNAL: gettext_lazy(
        "From a web page, a mail, a document. It is refused, or waits for you where you let it."
    ),
}
_TIERS: Words = {
    Tier.LONG_TERM: gettext_lazy("What matters most, and what you have confirmed."),
    Tier.SHORT_TERM: gettext_lazy("What is of use for some weeks."),
    Tier.WORKING: gettext_lazy("What is of the day."),
}


@dataclass(frozen=True, slots=True)
class SourceHelp:
    word: str
    meaning: str
    percent: int


@dataclass(frozen=True, slots=True)
class TierHelp:
    """A tier, with the days a memory lasts in it that nobody uses."""

    word: str
    meaning: str
    half: int
    archived: int


@dataclass(frozen=True, slots=True)
class Help:
    sources: list[SourceHelp]
    tiers: list[TierHelp]
    formula: str
    # In percent: what makes up relevance, and what each other part may take away or counts.
    keyword: int
    semantic: int
    fading: int
    importance: int
    stale: int
    weighted: str
    fully: str


def make_help(rules: Policy) -> Help:
    weights = {
        Source.USER_STATED: rules.source_user_stated,
        Source.INFERRED: rules.source_inferred,
        Source.EXTERNAL: rules.source_external,
    }
    return Help(
        sources=[
            SourceHelp(str(SOURCE[source]), str(_SOURCES[source]), _percent(weight))
            for source, weight in weights.items()
        ],
        tiers=[_make_tier(tier, rules) for tier in (Tier.LONG_TERM, Tier.SHORT_TERM, Tier.WORKING)],
        formula=_(
            "score = relevance × (%(a)s + %(b)s × left) × (%(c)s + %(d)s × importance)"
            " × status × source"
        )
        % {
            "a": _number(1 - rules.tempered_a),
            "b": _number(rules.tempered_a),
            "c": _number(1 - rules.tempered_b),
            "d": _number(rules.tempered_b),
        },
        keyword=_percent(rules.keyword_weight),
        semantic=_percent(rules.semantic_weight),
        fading=_percent(rules.tempered_a),
        importance=_percent(rules.tempered_b),
        stale=_percent(rules.status_stale),
        weighted=str(STRATEGY[Strategy.WEIGHTED]),
        fully=str(STRATEGY[Strategy.MULTIPLICATIVE]),
    )


def _make_tier(tier: Tier, rules: Policy) -> TierHelp:
    faded = hours_until(rules.archive_line, tier=tier, policy=rules)
    idle = rules.idle_days(tier)
    if idle is not None:
        faded = min(faded, 24.0 * idle)
    half = hours_until(0.5, tier=tier, policy=rules)
    return TierHelp(str(TIER[tier]), str(_TIERS[tier]), _days(half), _days(faded))


def _days(hours: float) -> int:
    return max(1, round(hours / 24))


def _percent(share: float) -> int:
    return round(share * 100)


def _number(value: float) -> str:
    return f"{value:.2g}"
