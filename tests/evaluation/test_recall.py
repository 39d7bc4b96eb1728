"""`manage.py evaluate recall` on a small dialogue of our own."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from tests.conftest import outside_the_border

SAMPLE = {
    "sample_id": "own-1",
    "conversation": {
        "speaker_a": "Ana",
        "speaker_b": "Ben",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ana", "dia_id": "D1:1", "text": "What did you do last weekend?"},
            {"speaker": "Ben", "dia_id": "D1:2", "text": "I planted three apple trees."},
            {"speaker": "Ana", "dia_id": "D1:3", "text": "Nice!"},
            {"speaker": "Ben", "dia_id": "D1:4", "text": "Nice!"},
        ],
        "session_2_date_time": "9:00 am on 1 June, 2023",
        "session_2": [
            {"speaker": "Ana", "dia_id": "D2:1", "text": "My violin teacher moved to Porto."}
        ],
    },
    "observation": {
        "session_1_observation": {"Ben": [["Ben planted apple trees.", "D1:2"]]},
        "session_2_observation": {"Ana": [["Ana's violin teacher lives in Porto.", ["D2:1"]]]},
    },
    "qa": [
        {"question": "What did Ben plant?", "answer": "x", "evidence": ["D1:2"], "category": 4},
        {"question": "Where does Ana's violin teacher live?", "answer": "x",
         "evidence": ["D2:1"], "category": 1},
        {"question": "Who sang?", "answer": "x", "evidence": ["D1:1"], "category": 5},
        {"question": "Nothing?", "answer": "x", "evidence": [], "category": 4},
    ],
}  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "own.json"
    path.write_text(json.dumps([SAMPLE]))
    return path


@pytest.mark.parametrize("unit", ["turn", "observation"])
def test_what_answers_is_found_and_nothing_stays_behind(
    database: None, file: Path, unit: str
) -> None:
    out = StringIO()
    with outside_the_border():
        call_command("evaluate", "recall", str(file), "--unit", unit, stdout=out)
    figures = json.loads(out.getvalue())
    assert list(figures) == [
        "unit", "strategy", "questions", "recall@5", "recall@10", "recall@20", "mrr", "decay_off",
    ]  # fmt: skip
    assert (figures["unit"], figures["strategy"], figures["questions"]) == (unit, "tempered", 2)
    assert figures["recall@5"] == figures["decay_off"]["recall@5"] == 100.0
    assert 0.5 <= figures["mrr"] <= 1.0
    assert User.objects.count() == 0


def test_a_file_of_another_kind_is_one_clear_sentence(database: None, tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text('{"nothing": 1}')
    with pytest.raises(CommandError, match="not in the locomo format"):
        call_command("evaluate", "recall", str(path))
    with pytest.raises(CommandError, match="is not a file"):
        call_command("evaluate", "recall", str(tmp_path / "missing.json"))
