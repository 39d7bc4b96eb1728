"""The table of requirement 24, on twelve rows with the spread of requirement 5.6."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from memory.domain.ablation import _weigh, ablate
from memory.domain.policy import Policy
from memory.domain.values import Anchor
from memory.evaluation.decay import TWELVE, read_rows
from tests.conftest import NOW
from tests.life.conftest import Put


def evaluate(capsys: pytest.CaptureFixture[str], *args: str) -> Any:
    call_command("evaluate", *args)
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("rate", "kept", "forgotten_important", "mean"),
    [(0.5, 2, 2, 0.1245), (1.0, 3, 1, 0.2240), (1.5, 5, 1, 0.3005), (2.0, 6, 1, 0.3585),
     (3.0, 8, 0, 0.4399), (5.0, 8, 0, 0.5374)],
)  # fmt: skip
def test_our_rows_give_the_sources_table(
    rate: float, kept: int, forgotten_important: int, mean: float
) -> None:
    """S0's formula, counted from creation."""
    rows, now = read_rows(TWELVE, policy=Policy(anchor=Anchor.CREATED))
    assert now is not None
    [outcome] = ablate(rows, now=now, rates=[rate], policy=Policy(anchor=Anchor.CREATED))
    assert (outcome.kept, outcome.forgotten) == (kept, 12 - kept)
    assert outcome.forgotten_important == forgotten_important
    assert outcome.mean_retention == pytest.approx(mean, abs=2e-3)
    assert outcome.wrongly_forgotten == 0


def test_the_unprotected_formula_forgets_an_allergy_that_memoir_keeps() -> None:
    """沉默死亡 at the default rate, and what protection makes of it (requirements 35 and 98)."""
    rows, now = read_rows(TWELVE)
    assert now is not None
    [allergy] = [row for row in rows if row.importance == 0.95]
    [outcome] = ablate([allergy], now=now, rates=[1.5])
    assert 0.2 < outcome.mean_retention < 0.3
    assert (outcome.forgotten_important, outcome.wrongly_forgotten) == (1, 0)
    assert allergy.protected


def test_a_broken_floor_would_be_seen() -> None:
    """wrongly_forgotten is no constant: a floor below the line shows in it."""

    rows, now = read_rows(TWELVE)
    assert now is not None
    broken = Policy()
    object.__setattr__(broken, "protected_margin", -0.2)
    [allergy] = [row for row in rows if row.protected]
    assert _weigh([allergy], broken, now=now).wrongly_forgotten == 1


def test_the_conservative_line_forgets_none_of_the_important() -> None:
    """Requirement 28's advice: rate 3.0, or a line of .2."""
    rows, now = read_rows(TWELVE)
    assert now is not None
    [outcome] = ablate(rows, now=now, rates=[1.5], policy=Policy(archive_line=0.2))
    assert outcome.forgotten_important == 0


def test_the_command_prints_one_json_value(capsys: pytest.CaptureFixture[str]) -> None:
    figures = evaluate(capsys, "decay")
    assert (figures["rows"], figures["archive_line"]) == (12, 0.3)
    assert [entry["rate"] for entry in figures["rates"]] == [0.5, 1, 1.5, 3, 5]
    assert [entry["forgotten_important"] for entry in figures["rates"]] == [2, 1, 1, 0, 0]
    assert {entry["wrongly_forgotten"] for entry in figures["rates"]} == {0}
    assert all(0 <= entry["noise"] <= 100 for entry in figures["rates"])


def test_a_file_of_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(
        '{"content": "drank tea", "created_at": "2026-06-01T12:00:00Z", "access_count": 2}\n'
        '{"content": "likes Go", "importance": 0.85, "created_at": "2026-05-01T12:00:00+08:00"}\n'
    )
    figures = evaluate(capsys, "decay", str(file), "--rates", "1.5", "--now", NOW.isoformat())
    [entry] = figures["rates"]
    assert (figures["rows"], entry["kept"], entry["noise"]) == (2, 2, 50.0)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--rates", "0"], "strength_rate must be from 0.1 to 20"),
        (["--now", "2026-06-01T12:00:00"], "a time with an offset"),
        (["--owner", "nobody@example.com"], "no owner with this e-mail"),
    ],
)
def test_what_it_cannot_do_it_says_in_a_sentence(db: None, args: list[str], says: str) -> None:
    with pytest.raises(CommandError, match=says):
        call_command("evaluate", "decay", *args)


@pytest.mark.parametrize(
    "text", ["[1]", "words", '{"content": "x", "created_at": "2026-06-01T12:00:00"}']
)
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "rows.json"
    file.write_text(text)
    with pytest.raises(CommandError, match="not in the decay format"):
        call_command("evaluate", "decay", str(file))


def test_an_owners_own_memories(
    alice: User, bob: User, put: Put, capsys: pytest.CaptureFixture[str]
) -> None:
    put(alice, "对花生过敏", tier="long_term", importance=0.95, safety=0.9, days=400)
    put(alice, "coffee", days=40)
    put(bob, "not hers", days=1)
    figures = evaluate(capsys, "decay", "--owner", "alice@example.com", "--now", NOW.isoformat())
    assert figures["rows"] == 2
    assert {entry["wrongly_forgotten"] for entry in figures["rates"]} == {0}
    assert figures["rates"][0]["forgotten_important"] == 1


def test_rates_on_a_public_dialogue(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], db: None
) -> None:
    talk = {
        "session_1_date_time": "1:00 pm on 1 January, 2025",
        "session_1": [
            {"speaker": "A", "dia_id": "D1:1", "text": "I adopted a grey cat"},
            {"speaker": "B", "dia_id": "D1:2", "text": "How lovely"},
        ],
        "session_2_date_time": "1:00 pm on 1 June, 2025",
        "session_2": [{"speaker": "A", "dia_id": "D2:1", "text": "We moved to Lyon"}],
    }
    sample = {
        "sample_id": "one",
        "conversation": talk,
        "qa": [{"question": "Which pet?", "category": 1, "evidence": ["D1:1"]}],
    }
    file = tmp_path / "locomo.json"
    file.write_text(json.dumps([sample]))
    figures = evaluate(capsys, "recall", str(file), "--rates", "1.5,3")
    assert figures["rates"] == [
        # 152 days: past the 108 at rate 1.5, before the 217 at rate 3.
        {"rate": 1.5, "evidence_below_line": 100.0, "others_above_line": 50.0},
        {"rate": 3.0, "evidence_below_line": 0.0, "others_above_line": 100.0},
    ]
