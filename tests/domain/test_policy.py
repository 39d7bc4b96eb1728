import math

import pytest

from memory.domain.errors import UnsafePolicy
from memory.domain.policy import DEFAULT_POLICY, RANGES, Policy
from memory.domain.values import Anchor, Scenario, Tier


def test_the_defaults_are_the_design():
    policy = DEFAULT_POLICY
    assert policy.strength_rate == 1.5
    assert [policy.multiplier(tier) for tier in Tier] == [1, 7, 60]
    assert (policy.archive_line, policy.stale_line, policy.stale_days) == (0.3, 0.5, 180)
    assert [policy.idle_days(tier) for tier in Tier] == [30, 30, None]
    assert (policy.tempered_a, policy.tempered_b) == (0.2, 0.1)
    assert policy.purge_enabled is False


@pytest.mark.parametrize(
    ("scenario", "rate", "line"),
    [(Scenario.GENERAL, 1.5, 0.3), (Scenario.SAFETY, 3.0, 0.2), (Scenario.LIVELY, 1.0, 0.4)],
)
def test_scenarios(scenario, rate, line):
    policy = Policy.for_scenario(scenario)
    assert (policy.strength_rate, policy.archive_line) == (rate, line)


@pytest.mark.parametrize("name", sorted(RANGES))
@pytest.mark.parametrize("bad", [math.nan, math.inf, -1, 1e9, "1", True])
def test_a_number_outside_its_range_is_refused_by_name(name, bad):
    with pytest.raises(UnsafePolicy) as refused:
        Policy(**{name: bad})
    assert refused.value.field == name
    assert (refused.value.low, refused.value.high) == RANGES[name]


@pytest.mark.parametrize(
    "values",
    [
        {"archive_line": 0.6},
        {"short_term_threshold": 0.85},
        {"keyword_weight": 0.5},
        {"importance_safety": 0.5},
        {"multiplier_working": 8.0},
        {"anchor": "created"},
        {"purge_enabled": 1},
        {"stale_days": 1.5},
    ],
)
def test_numbers_that_disagree_are_refused(values):
    with pytest.raises(UnsafePolicy):
        Policy(**values)


@pytest.mark.parametrize("name", ["lambda", "λ"])
def test_the_name_lambda_is_refused_with_an_explanation(name):
    with pytest.raises(UnsafePolicy, match="strength_rate"):
        Policy.from_mapping({name: 1.5})


def test_from_mapping_reads_stored_settings():
    policy = Policy.from_mapping(
        {"scenario": "safety", "anchor": "created", "conflict_weight_cap": None}
    )
    assert policy.strength_rate == 3.0
    assert policy.anchor is Anchor.CREATED
    assert policy.conflict_weight_cap is None
    assert Policy.from_mapping({}) == DEFAULT_POLICY


@pytest.mark.parametrize("values", [{"colour": 1}, {"anchor": "moon"}, {"strength_rate": 99}])
def test_from_mapping_refuses_what_it_does_not_know(values):
    with pytest.raises(UnsafePolicy):
        Policy.from_mapping(values)
