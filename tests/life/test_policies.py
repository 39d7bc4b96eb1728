"""An owner's own numbers, the site's, and what keeps both safe."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.checks.registry import registry
from pytest_django import Settings

from accounts.models import User
from config.checks import check_site_policy
from config.guard import refuse_contradictions
from memory.border import owner_scope
from memory.domain.policy import Policy as Rules
from memory.domain.values import Scenario
from memory.models import Event, Policy
from memory.models.policies import rules_of
from memory.services.errors import CannotUndo, InvalidInput
from memory.services.tune import set_policy, try_policy
from memory.services.undo import undo_gesture
from tests.conftest import NOW


def numbers_of(owner: User) -> dict[str, Any]:
    with owner_scope(owner.pk):
        return dict(Policy.objects.get(owner=owner).numbers)


def test_a_change_is_kept_with_its_event(alice: User) -> None:
    gesture = set_policy(alice.pk, {"strength_rate": 3.0, "days_recently_deleted": 0}, NOW)
    assert numbers_of(alice) == {"strength_rate": 3.0, "days_recently_deleted": 0}
    with owner_scope(alice.pk):
        [event] = Event.objects.of(alice)
    assert (event.verb, event.actor, event.gesture) == ("tuned", "owner", gesture)
    assert event.data["before"] == {"numbers": {}}
    assert event.data["after"] == {"numbers": {"strength_rate": 3.0, "days_recently_deleted": 0}}


@pytest.mark.parametrize(
    ("changes", "field", "says"),
    [
        ({"strength_rate": 0}, "strength_rate", "from 0.1 to 20"),
        ({"strength_rate": "fast"}, "strength_rate", "must be a number"),
        ({"archive_line": 0.55}, "archive_line", "must stay below stale_line"),
        ({"archive_line": float("nan")}, "archive_line", "from 0.05 to 0.6"),
        ({"purge_archived_days": 3}, "purge_archived_days", "from 30 to 3650"),
        ({"lambda": 1.5}, "lambda", "set strength_rate instead"),
        ({"colour": 1}, "colour", "is not a setting"),
        ({"scenario": "wild"}, "scenario", "must be one of general, safety, lively"),
    ],
)
def test_what_is_not_safe_is_refused_with_its_range(
    alice: User, changes: dict[str, Any], field: str, says: str
) -> None:
    set_policy(alice.pk, {"strength_rate": 2.0}, NOW)
    with pytest.raises(InvalidInput) as refused:
        set_policy(alice.pk, changes, NOW)
    assert says in refused.value.fields[field]
    assert numbers_of(alice) == {"strength_rate": 2.0}


@pytest.mark.parametrize(
    ("scenario", "rate", "line"),
    [("safety", 3.0, 0.2), ("lively", 1.0, 0.4), ("general", 1.5, 0.3)],
)
def test_a_scenario_brings_its_numbers(
    alice: User, scenario: str, rate: float, line: float
) -> None:
    """Requirements 26 and 27. What was set by hand before gives way to them."""
    set_policy(alice.pk, {"strength_rate": 9.0, "stale_days": 90}, NOW)
    set_policy(alice.pk, {"scenario": scenario}, NOW)
    rules = rules_of(numbers_of(alice))
    assert (rules.strength_rate, rules.archive_line, rules.stale_days) == (rate, line, 90) or (
        # The scenario already in force is no other scenario.
        scenario == "general" and rules.scenario is Scenario.GENERAL
    )


def test_a_scenario_may_be_adjusted(alice: User) -> None:
    set_policy(alice.pk, {"scenario": "safety", "strength_rate": 5.0}, NOW)
    assert numbers_of(alice) == {"scenario": "safety", "strength_rate": 5.0}


def test_setting_the_default_again_keeps_nothing(alice: User) -> None:
    set_policy(alice.pk, {"strength_rate": 2.0}, NOW)
    set_policy(alice.pk, {"strength_rate": 1.5}, NOW)
    assert numbers_of(alice) == {}


def test_trying_stores_nothing(alice: User) -> None:
    numbers, rules = try_policy({"stale_days": 90}, {"strength_rate": 5.0})
    assert (numbers, rules.strength_rate) == ({"stale_days": 90, "strength_rate": 5.0}, 5.0)
    with owner_scope(alice.pk):
        assert not Policy.objects.of(alice).exists()


def test_it_can_be_undone(alice: User) -> None:
    set_policy(alice.pk, {"stale_days": 90}, NOW)
    gesture = set_policy(alice.pk, {"scenario": "lively"}, NOW)
    undo_gesture(owner=alice.pk, gesture=gesture, now=NOW)
    assert numbers_of(alice) == {"stale_days": 90}


def test_undo_is_refused_where_it_was_changed_since(alice: User) -> None:
    gesture = set_policy(alice.pk, {"stale_days": 90}, NOW)
    set_policy(alice.pk, {"stale_days": 60}, NOW)
    with pytest.raises(CannotUndo):
        undo_gesture(owner=alice.pk, gesture=gesture, now=NOW)


def test_nobody_elses_policy_changes(alice: User, bob: User) -> None:
    set_policy(alice.pk, {"strength_rate": 2.0}, NOW)
    with owner_scope(bob.pk):
        assert not Policy.objects.exists()


# -- The site's -----------------------------------------------------------------------------------


def test_the_site_speaks_where_the_owner_does_not(settings: Settings) -> None:
    settings.MEMOIR_POLICY = {"strength_rate": 2.5, "stale_days": 90}
    assert rules_of({}).strength_rate == 2.5
    assert rules_of({"strength_rate": 4.0}) == Rules(strength_rate=4.0, stale_days=90)


def test_an_owners_scenario_goes_before_the_sites_numbers(settings: Settings) -> None:
    settings.MEMOIR_POLICY = {"strength_rate": 2.5, "stale_days": 90}
    rules = rules_of({"scenario": "safety"})
    assert (rules.strength_rate, rules.archive_line, rules.stale_days) == (3.0, 0.2, 90)


@pytest.mark.parametrize(
    ("policy", "ids"),
    [
        ({}, []),
        ({"scenario": "safety"}, []),
        ({"lambda": 1.5}, ["memoir.E001"]),
        ({"archive_line": 0.5, "stale_line": 0.4}, ["memoir.E001"]),
        ({"promotion_days": 100}, ["memoir.W001"]),
        ({"archive_line": 0.08, "purge_enabled": True}, ["memoir.W002"]),
    ],
)
def test_contradictory_site_settings_are_named(
    settings: Settings, policy: dict[str, Any], ids: list[str]
) -> None:
    settings.MEMOIR_POLICY = policy
    assert [problem.id for problem in check_site_policy()] == ids
    assert check_site_policy in registry.get_checks()


def test_the_start_is_refused_in_one_sentence(settings: Settings) -> None:
    settings.MEMOIR_POLICY = {"strength_rate": 99}
    with pytest.raises(SystemExit, match="MEMOIR_POLICY is not safe: strength_rate must be from"):
        refuse_contradictions()
