"""Every number of the rules, in one frozen value that an owner may tune within safe ranges."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from memory.domain.errors import UnsafePolicy
from memory.domain.values import (
    Anchor,
    ArchiveSignal,
    ConflictPolicy,
    Preset,
    Scenario,
    Source,
    Status,
    Tier,
    TimeSignal,
)

LAMBDA_EXPLANATION = (
    "the sources use this name in two opposite directions; set strength_rate instead "
    "(larger fades slower; the classic rate per hour is 1 / (24 * strength))"
)
_LAMBDA_NAMES = frozenset({"lambda", "lambda_", "λ"})

# Preset -> weights of relevance, freshness, importance (requirements 72 and 73).
WEIGHTS: Mapping[Preset, tuple[float, float, float]] = {
    Preset.STANDARD: (0.5, 0.3, 0.2),
    Preset.KNOWLEDGE: (0.7, 0.2, 0.1),
    Preset.ASSISTANT: (0.4, 0.4, 0.2),
    Preset.BUSINESS: (0.5, 0.2, 0.3),
}

# Lowest and highest safe value of every number. Above an archive line of .6 the protected floor
# (line + margin) would leave nothing to fade; below a rate of .1 a long-term memory dies in days.
RANGES: Mapping[str, tuple[float, float]] = {
    "strength_rate": (0.1, 20.0),
    "multiplier_working": (0.1, 1000.0),
    "multiplier_short_term": (0.1, 1000.0),
    "multiplier_long_term": (0.1, 1000.0),
    "reinforcement_factor": (0.0, 5.0),
    "archive_line": (0.05, 0.6),
    "stale_line": (0.1, 0.9),
    "stale_days": (1, 3650),
    "idle_days_working": (1, 3650),
    "idle_days_short_term": (1, 3650),
    "idle_days_long_term": (1, 3650),
    "quality_line": (0.0, 0.9),
    "decay_floor": (0.0, 0.2),
    "long_term_threshold": (0.05, 1.0),
    "short_term_threshold": (0.0, 0.95),
    "protected_margin": (0.01, 0.3),
    "safety_line": (0.5, 0.95),
    "safety_importance": (0.8, 1.0),
    "caller_importance_cap": (0.0, 0.89),
    "importance_relevance": (0.0, 1.0),
    "importance_factuality": (0.0, 1.0),
    "importance_actionability": (0.0, 1.0),
    "importance_personal": (0.0, 1.0),
    "importance_time": (0.0, 1.0),
    "importance_safety": (0.0, 1.0),
    "promotion_recalls": (1, 1000),
    "promotion_days": (1, 365),
    "status_active": (0.5, 1.0),
    "status_stale": (0.0, 1.0),
    "status_superseded": (0.0, 0.5),
    "conflict_half_life_days": (1.0, 3650.0),
    "conflict_with_evidence": (1.0, 4.0),
    "conflict_without_evidence": (0.0, 1.0),
    "conflict_evidence_days": (1, 365),
    "conflict_recurrence": (0.1, 1.0),
    "conflict_weight_cap": (0.1, 4.0),
    "source_user_stated": (0.5, 1.0),
    "source_inferred": (0.0, 0.9),
    "source_external": (0.0, 0.5),
    "tempered_a": (0.0, 1.0),
    "tempered_b": (0.0, 1.0),
    "freshness_half_life_days": (1.0, 3650.0),
    "forgotten_multiplier": (0.0, 1.0),
    "keyword_weight": (0.0, 1.0),
    "semantic_weight": (0.0, 1.0),
    "keyword_scale": (0.1, 1.0),
    "bm25_k1": (0.0, 5.0),
    "bm25_b": (0.0, 1.0),
    "standing_limit": (1, 100),
    "similarity_candidate": (0.25, 0.35),
    "similarity_update": (0.5, 0.95),
    "similarity_flip": (0.6, 0.99),
    "days_recently_deleted": (0, 365),
    "purge_archived_days": (30, 3650),
    "purge_line": (0.0, 0.1),
    "purge_missed_chances": (3, 1000),
    "purge_unused_days": (7, 365),
    "message_days": (1, 3650),
    "recall_days": (1, 3650),
    "idempotency_hours": (1, 720),
}
# What a scenario decides: choosing one chooses these along with it.
SCENARIO_NUMBERS = ("strength_rate", "archive_line")
# Fields that may also be switched off (None).
OPTIONAL = frozenset({"idle_days_long_term", "conflict_weight_cap"})
_WHOLE = frozenset(
    name for name, (low, high) in RANGES.items() if isinstance(low, int) and isinstance(high, int)
)
_IMPORTANCE = (
    "importance_relevance",
    "importance_factuality",
    "importance_actionability",
    "importance_personal",
    "importance_time",
    "importance_safety",
)
_ENUMS = {
    "anchor": Anchor,
    "archive_signal": ArchiveSignal,
    "time_signal": TimeSignal,
    "conflict_policy": ConflictPolicy,
    "scenario": Scenario,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The numbers of DESIGN section 3. Weights and lines are 0 to 1, durations say their unit.

    Raises `UnsafePolicy`, naming the field and its range, when a number is not safe.
    """

    scenario: Scenario = Scenario.GENERAL

    # Fading (requirements 6 to 10): S = rate * M * (1 + f * ln(1 + n)). Larger fades slower.
    strength_rate: float = 1.5
    multiplier_working: float = 1.0
    multiplier_short_term: float = 7.0
    multiplier_long_term: float = 60.0
    reinforcement_factor: float = 1.0
    anchor: Anchor = Anchor.LAST_REINFORCED

    # Lines of the lifecycle (requirements 27, 32, 118, 5.5 e, k, l).
    archive_line: float = 0.3
    archive_signal: ArchiveSignal = ArchiveSignal.RETENTION
    stale_line: float = 0.5
    stale_days: int = 180
    idle_days_working: int = 30
    idle_days_short_term: int = 30
    idle_days_long_term: int | None = None
    protected_margin: float = 0.05

    # Gates of recall (requirements 33 and 94).
    quality_line: float = 0.15
    decay_floor: float = 0.02

    # Importance and tier (requirements 18, 90; 5.5 m). The six weights sum to 1.
    long_term_threshold: float = 0.8
    short_term_threshold: float = 0.6
    safety_line: float = 0.8
    safety_importance: float = 0.9
    caller_importance_cap: float = 0.89
    importance_relevance: float = 0.25
    importance_factuality: float = 0.2
    importance_actionability: float = 0.15
    importance_personal: float = 0.25
    importance_time: float = 0.1
    importance_safety: float = 0.05
    promotion_recalls: int = 3
    promotion_days: int = 2

    # Status and source weights (requirements 61, 65, 82; 5.5 k2, k3).
    status_active: float = 1.0
    status_stale: float = 0.5
    status_superseded: float = 0.1
    conflict_half_life_days: float = 90.0
    conflict_with_evidence: float = 2.0
    conflict_without_evidence: float = 0.5
    conflict_evidence_days: int = 30
    conflict_recurrence: float = 0.8
    conflict_weight_cap: float | None = 1.0
    source_user_stated: float = 1.0
    source_inferred: float = 0.3
    source_external: float = 0.0

    # Ranking (requirements 31, 72; 5.5 a, j).
    tempered_a: float = 0.2
    tempered_b: float = 0.1
    time_signal: TimeSignal = TimeSignal.RETENTION
    freshness_half_life_days: float = 30.0
    forgotten_multiplier: float = 0.1
    keyword_weight: float = 0.6
    semantic_weight: float = 0.4
    keyword_scale: float = 0.7
    bm25_k1: float = 1.2
    bm25_b: float = 0.75
    standing_limit: int = 10

    # Contradictions (requirements 38, 40; 5.5 d). Similarities are calibrated, 0 to 1.
    conflict_policy: ConflictPolicy = ConflictPolicy.BALANCED
    similarity_candidate: float = 0.3
    similarity_update: float = 0.7
    similarity_flip: float = 0.85

    # Deleting and keeping (requirement 5.5 f). 0 days erases at once.
    days_recently_deleted: int = 7
    purge_enabled: bool = False
    purge_archived_days: int = 30
    purge_line: float = 0.1
    purge_missed_chances: int = 3
    purge_unused_days: int = 7
    message_days: int = 30
    recall_days: int = 90
    idempotency_hours: int = 24

    def __post_init__(self) -> None:
        for name, (low, high) in RANGES.items():
            _check_number(name, getattr(self, name), low=low, high=high)
        for name, enum in _ENUMS.items():
            if not isinstance(getattr(self, name), enum):
                raise UnsafePolicy(name, explanation=f"must be one of {', '.join(enum)}")
        _check_switch("purge_enabled", self.purge_enabled)
        self._check_order("short_term_threshold", "long_term_threshold")
        self._check_order("multiplier_working", "multiplier_short_term")
        self._check_order("multiplier_short_term", "multiplier_long_term")
        self._check_order("decay_floor", "archive_line")
        self._check_order("archive_line", "stale_line")
        _check_sum("keyword_weight", self.keyword_weight, self.semantic_weight)
        _check_sum("importance_relevance", *(getattr(self, name) for name in _IMPORTANCE))

    def _check_order(self, lower: str, upper: str) -> None:
        if getattr(self, lower) >= getattr(self, upper):
            low, _ = RANGES[lower]
            raise UnsafePolicy(
                lower, low=low, high=getattr(self, upper), explanation=f"must stay below {upper}"
            )

    @classmethod
    def for_scenario(cls, scenario: Scenario) -> "Policy":
        """The ready-made policy of a scenario (requirements 26 and 27)."""
        if scenario is Scenario.SAFETY:
            return cls(scenario=scenario, strength_rate=3.0, archive_line=0.2)
        if scenario is Scenario.LIVELY:
            return cls(scenario=scenario, strength_rate=1.0, archive_line=0.4)
        return cls(scenario=scenario)

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, object]) -> "Policy":
        """A policy from stored settings; what is absent keeps the scenario's value.

        Raises `UnsafePolicy` for an unknown key, a number out of range, and for a key named
        `lambda`, whose direction the sources contradict each other about (requirement 5.5 b).
        """
        known = {field.name for field in fields(cls)}
        values: dict[str, Any] = {}
        for name, value in mapping.items():
            if name in _LAMBDA_NAMES:
                raise UnsafePolicy(name, explanation=LAMBDA_EXPLANATION)
            if name not in known:
                raise UnsafePolicy(name, explanation="is not a setting")
            values[name] = _read_enum(name, value) if name in _ENUMS else value
        scenario = values.pop("scenario", Scenario.GENERAL)
        return replace(cls.for_scenario(scenario), **values)

    def multiplier(self, tier: Tier) -> float:
        """How many times slower this tier fades than the rate alone (requirement 9)."""
        if tier is Tier.LONG_TERM:
            return self.multiplier_long_term
        if tier is Tier.SHORT_TERM:
            return self.multiplier_short_term
        return self.multiplier_working

    def idle_days(self, tier: Tier) -> int | None:
        """Days without reinforcement after which a memory is archived; None: never."""
        if tier is Tier.LONG_TERM:
            return self.idle_days_long_term
        if tier is Tier.SHORT_TERM:
            return self.idle_days_short_term
        return self.idle_days_working

    def source_weight(self, source: Source) -> float:
        """How much a source's word counts in ranking (requirement 65)."""
        return {
            Source.USER_STATED: self.source_user_stated,
            Source.INFERRED: self.source_inferred,
            Source.EXTERNAL: self.source_external,
        }[source]

    def settled_weight(self, status: Status) -> float | None:
        """The fixed weight of a status; None for conflict, whose weight depends on its age."""
        return {
            Status.ACTIVE: self.status_active,
            Status.STALE: self.status_stale,
            Status.SUPERSEDED: self.status_superseded,
        }.get(status)


def _check_number(name: str, value: object, *, low: float, high: float) -> None:
    if value is None and name in OPTIONAL:
        return
    # bool is an int to Python; True as a number of days is a mistake, not a choice.
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UnsafePolicy(name, low=low, high=high, explanation="must be a number")
    if name in _WHOLE and not isinstance(value, int):
        raise UnsafePolicy(name, low=low, high=high, explanation="must be a whole number")
    if not math.isfinite(value) or not low <= value <= high:
        raise UnsafePolicy(name, low=low, high=high)


def _check_switch(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise UnsafePolicy(name, explanation="must be true or false")


def _check_sum(name: str, *weights: float) -> None:
    if not math.isclose(sum(weights), 1.0, abs_tol=1e-9):
        raise UnsafePolicy(name, low=0, high=1, explanation="its weights must sum to 1")


def _read_enum(name: str, value: object) -> object:
    enum = _ENUMS[name]
    try:
        return enum(str(value))
    except ValueError:
        raise UnsafePolicy(name, explanation=f"must be one of {', '.join(enum)}") from None


DEFAULT_POLICY = Policy()
