"""Files that mean no good are named for what they are, and a spreadsheet runs nothing."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from accounts.models import User
from memory.adapters.formats.reading import MOST_BYTES, Unreadable, read_file
from memory.adapters.formats.writing import as_cell
from tests.exchange.conftest import export, number, preview


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b" \n\t ", "empty"),
        (b"\xff\xfe\x00", "not_utf8"),
        (b'{"memoir": {"format": 1}, "memories": [', "broken_json"),
        (b'[{"memory": NaN}]', "broken_json"),
        (b"[" * 200_000, "too_deep"),
        (b'{"a":' * 60 + b"1" + b"}" * 60, "too_deep"),
        (b'{"memoir": {"format": 2}, "memories": []}', "newer_form"),
        (b'{"memoir": {"format": "1"}, "memories": []}', "unknown_form"),
        (b'{"a": 1}', "unknown_form"),
        (b"[]", "no_rows"),
        (b"[" + b'"a",' * 5_001 + b'"a"]', "too_many_rows"),
        (b"x\n" * 100_001, "too_many_rows"),
        (b"x" * (MOST_BYTES + 1), "too_large"),
    ],
)
def test_a_file_nobody_can_read_says_why(data: bytes, code: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read_file(data)
    assert caught.value.code == code


def test_broken_json_names_its_line() -> None:
    with pytest.raises(Unreadable) as caught:
        read_file(b'[\n"a",\n"b" "c"]')
    assert caught.value.line == 3


def test_ten_megabytes_on_one_line_are_one_row_too_long() -> None:
    upload = read_file(b'["' + b"x" * 10_000_000 + b'"]')
    assert [(p.row, p.code) for p in upload.problems] == [(1, "too_long")]


def test_a_bad_row_is_named_and_its_neighbours_are_read() -> None:
    rows: list[Any] = [
        "good", "nul\u0000", "half \ud800", 7, None, {"memory": ""}, {"content": "x" * 2_001},
        {"content": "dated", "created_at": "yesterday"}, {"content": "odd", "source": "rumour"},
        "\u202eevil\u202c", {"content": "deep", "metadata": {"a": {"b": {"c": {"d": {"e": {}}}}}}},
    ]  # fmt: skip
    rows = [row for row in rows if not (isinstance(row, dict) and "memory" in row)]
    upload = read_file(json.dumps(rows).encode())
    assert [row["content"] for row in upload.rows] == ["good", "evil"]
    assert [(p.row, p.code) for p in upload.problems] == [
        (2, "nul"), (3, "surrogate"), (4, "not_a_memory"), (5, "not_a_memory"), (6, "too_long"),
        (7, "not_a_time"), (8, "unknown_word"), (10, "too_deep"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("status", "sold", "unknown_word"),
        ("importance", 1.5, "out_of_range"),
        ("importance", True, "not_a_number"),
        ("importance", "0.5", "not_a_number"),
        ("created_at", None, "missing"),
        ("created_at", "9999-12-31T23:59:59Z", "not_a_time"),
        ("id", "1; DROP TABLE", "not_an_id"),
        ("pinned", "yes", "not_a_flag"),
        ("version", 10**20, "out_of_range"),
        ("project", "../x", "not_a_slug"),
        ("content", 5, "not_text"),
        ("visibility", "group", "missing"),
        ("use", [], "not_an_object"),
        ("revisions", {}, "not_a_list"),
        ("dimensions", {"safety": -1}, "out_of_range"),
        ("metadata", "x", "not_an_object"),
    ],
)
def test_a_forged_row_of_our_own_form_is_refused(
    alice: User, make_memory: Any, name: str, value: Any, code: str
) -> None:
    make_memory(alice, "I like tea")
    data = json.loads(export(alice))
    data["memories"][0][name] = value
    upload = read_file(json.dumps(data).encode())
    assert [problem.code for problem in upload.problems] == [code]
    assert upload.rows == []


def test_duplicates_and_loops_in_a_forged_file_break_nothing(alice: User, make_memory: Any) -> None:
    make_memory(alice, "I like tea", key="user.drink", value="tea")
    data = json.loads(export(alice))
    [row] = data["memories"]
    row |= {"replaces": row["id"], "superseded_by": row["id"], "single_valued": True}
    twin = {**row, "id": "0" * 8 + row["id"][8:], "content": "I like milk"}
    data["memories"] = [row, row, {**twin, "replaces": row["id"]}]
    parcel = preview(alice, json.dumps(data).encode())
    assert parcel.total == 3


@pytest.mark.parametrize(
    "cell",
    ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1+1", "|cmd", '"=1"', "\n=1"],
)
def test_no_cell_runs_as_a_formula(cell: str) -> None:
    assert as_cell(cell) == "'" + cell


def test_the_spreadsheet_holds_every_row_and_no_formula(store: User) -> None:
    data = export(store, "csv").decode("utf-8-sig")
    head, *rows = csv.reader(io.StringIO(data))
    assert head[0] == "memory"
    assert len(rows) == number(store)
    assert all(len(row) == len(head) for row in rows)
    assert not [cell for row in rows for cell in row if cell[:1] in ("=", "+", "-", "@")]
    assert "'=1+1 is a formula" in {row[0] for row in rows}


def test_markdown_shows_words_as_words(store: User) -> None:
    page = export(store, "markdown").decode()
    assert "\\<b\\>bold\\</b\\>" in page
    assert page.count("\n- ") == number(store)
