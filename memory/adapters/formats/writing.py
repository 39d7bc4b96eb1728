"""Memories as files: JSON to be read again, CSV for a spreadsheet, Markdown to be read by people.

Each is written piece by piece, so that a hundred thousand rows need no more room than a hundred.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

VERSION = 1
# What a spreadsheet may take for a formula, also in full width; and what hides such a beginning.
_FORMULA = re.compile(r"^[\s'\"]*[=+\-@\uff1d\uff0b\uff0d\uff20|%]|^[\t\r\n]")
_MARKDOWN = re.compile(r"([\\`*_\[\]<>#~|&$!])")
COLUMNS = (
    "memory", "in short", "topic", "status", "source", "kind", "tier", "agent", "project",
    "visibility", "importance", "pinned", "remembered", "said", "confirmed", "valid from",
    "valid until", "archived", "id",
)  # fmt: skip
_FIELDS = (
    "content", "value", "key", "status", "source", "kind", "tier", "agent", "project",
    "visibility", "importance", "pinned", "created_at", "said_at", "confirmed_at", "valid_from",
    "valid_to", "archived_at", "id",
)  # fmt: skip

Row = Mapping[str, Any]


def _dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def json_head(*, exported_at: str, agents: Sequence[str], projects: Sequence[Row]) -> str:
    head = {"format": VERSION, "exported_at": exported_at}
    return (
        f'{{"memoir":{_dumps(head)},\n"agents":{_dumps(list(agents))},\n'
        f'"projects":{_dumps(list(projects))},\n"memories":['
    )


def json_rows(rows: Iterable[Row], *, first: bool) -> str:
    """One row a line; the comma stands before all but the very first."""
    lines = [_dumps(row) for row in rows]
    return ("\n" if first else ",\n") + ",\n".join(lines) if lines else ""


def json_foot(conflicts: Iterable[Row]) -> str:
    return '\n],\n"conflicts":' + _dumps(list(conflicts)) + "}\n"


def csv_head() -> str:
    """With a byte order mark: without one Excel takes UTF-8 for something else."""
    return "\ufeff" + _csv_lines([COLUMNS])


def csv_rows(rows: Iterable[Row]) -> str:
    return _csv_lines([as_cell(row.get(name)) for name in _FIELDS] for row in rows)


def as_cell(value: Any) -> str:
    """The value as a cell that no spreadsheet runs as a formula."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, int | float):
        return f"{value:g}"
    text = str(value)
    return f"'{text}" if _FORMULA.search(text) else text


def _csv_lines(rows: Iterable[Iterable[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerows(rows)
    return out.getvalue()


def markdown_head(*, exported_at: str, count: int) -> str:
    return f"# Memoir\n\n{exported_at[:10]} · {count}\n"


def markdown_rows(rows: Sequence[Row], *, after: str | None) -> str:
    """A heading a topic, a line a memory. `after`: the topic the piece before ended in."""
    out = []
    for row in rows:
        key = str(row["key"])
        if key != after:
            out.append(f"\n## {_plain(key) or '·'}\n\n")
            after = key
        marks = [str(row["status"]), str(row["source"]), str(row["said_at"])[:10]]
        struck = "~~" if row["status"] == "superseded" else ""
        content = _plain(" ".join(str(row["content"]).split()))
        out.append(f"- {struck}{content}{struck} ({', '.join(marks)})\n")
    return "".join(out)


def _plain(text: str) -> str:
    """Words that stay words, whatever they would mean to a renderer."""
    return _MARKDOWN.sub(r"\\\1", text)
