"""One decision for many questions: which it answers, and which memory it keeps."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from memory.domain.decisions import Decision, Side, fits, kept_by, stamp_of

AT = datetime(2026, 6, 1, tzinfo=UTC)
FIRST, SECOND, THIRD = (
    Side(UUID(int=number), version=1, said_at=AT + timedelta(days=days))
    for number, days in ((1, 0), (2, 2), (3, 1))
)
PAIR = [FIRST, SECOND]


@pytest.mark.parametrize(
    ("reason", "sides", "answered"),
    [
        ("contradiction", PAIR, {"newer", "older", "both", "neither", "escalate"}),
        ("elsewhere", PAIR, {"newer", "older", "both", "neither", "escalate"}),
        ("contradiction", [FIRST], {"true", "neither", "escalate"}),
        ("inferred", [FIRST], {"true", "neither", "escalate"}),
        ("inferred", PAIR, {"true", "neither", "escalate"}),
        ("suggestion", PAIR, {"true", "neither", "escalate"}),
        ("inferred", [], set()),
    ],
)
def test_a_decision_is_offered_only_where_it_answers(
    reason: str, sides: list[Side], answered: set[str]
) -> None:
    assert {one.value for one in Decision if fits(one, reason, sides)} == answered


def test_the_newer_is_what_was_said_last_wherever_it_stands() -> None:
    assert kept_by(Decision.NEWER, [FIRST, SECOND, THIRD]) == SECOND.memory
    assert kept_by(Decision.NEWER, [SECOND, FIRST]) == SECOND.memory
    assert kept_by(Decision.OLDER, [SECOND, THIRD, FIRST]) == FIRST.memory


def test_of_a_guess_the_one_that_is_asked_about_is_kept() -> None:
    assert kept_by(Decision.TRUE, [SECOND, FIRST]) == SECOND.memory
    for decision in (Decision.BOTH, Decision.NEITHER, Decision.ESCALATE):
        assert kept_by(decision, PAIR) is None


def test_the_stamp_tells_every_change_that_matters() -> None:
    seen = stamp_of(PAIR)
    assert stamp_of([SECOND, FIRST]) == seen
    reworded = Side(SECOND.memory, version=2, said_at=SECOND.said_at)
    said_again = Side(SECOND.memory, version=1, said_at=SECOND.said_at + timedelta(days=1))
    for other in ([FIRST], [FIRST, SECOND, THIRD], [FIRST, reworded], [FIRST, said_again]):
        assert stamp_of(other) != seen
