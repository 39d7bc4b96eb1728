"""Files of memories read with suspicion: ours, mem0's, or a plain list.

Everything is checked before anything is stored. What is wrong with the whole file is `Unreadable`;
what is wrong with one row is a `Problem` of that row, and its neighbours are read all the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from memory.adapters.formats.own import read_conflict, read_project, read_row
from memory.adapters.formats.values import (
    KEY_LIMIT,
    RowProblem,
    metadata_of,
    source_of,
    text_of,
    time_of,
    word_of,
)
from memory.adapters.formats.writing import VERSION
from memory.domain.values import Kind

MOST_BYTES = 64 * 1024 * 1024
MOST_ROWS = 100_000
# Rows without a decision of their own are compared with everything known: a minute for these.
MOST_STATEMENTS = 5_000
MOST_PROBLEMS = 200
_DEEPEST = 32
_BULLET = re.compile(r"^(?:[-*+•·–—]|\d{1,4}[.)、])\s+")


class Form(StrEnum):
    MEMOIR = "memoir"
    MEM0 = "mem0"
    LIST = "list"


class Unreadable(ValueError):
    """Nothing of the file can be used; `code` says why, `line` where, if that is known."""

    def __init__(self, code: str, *, line: int | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.line = line


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with which row: its number from 1, a code, the field. No words of it."""

    row: int
    code: str
    name: str = ""


@dataclass(slots=True)
class Upload:
    """A file's rows, each a mapping that JSON can hold, under the number it had in the file."""

    form: Form
    rows: list[dict[str, Any]] = field(default_factory=list)
    conflicts: list[dict[str, Any]] = field(default_factory=list)
    projects: list[dict[str, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def take(self, rows: list[Any], read: Callable[[Any], dict[str, Any] | None]) -> None:
        if len(rows) > MOST_ROWS:
            raise Unreadable("too_many_rows")
        for number, raw in enumerate(rows, 1):
            try:
                row = read(raw)
            except RowProblem as problem:
                if len(self.problems) < MOST_PROBLEMS:
                    self.problems.append(Problem(number, problem.code, problem.name))
            else:
                if row is not None:
                    self.rows.append({**row, "row": number})


def read_file(data: bytes) -> Upload:
    """What is in a file or a box of text. Raises Unreadable."""
    if len(data) > MOST_BYTES:
        raise Unreadable("too_large")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("not_utf8") from None
    stripped = text.lstrip()
    if not stripped:
        raise Unreadable("empty")
    upload = _read_json(text) if stripped[0] in "{[" else _read_lines(text)
    if not upload.rows and not upload.problems:
        raise Unreadable("no_rows")
    if upload.form is not Form.MEMOIR and len(upload.rows) > MOST_STATEMENTS:
        raise Unreadable("too_many_rows")
    return upload


# -- A plain list ----------------------------------------------------------------------------------


def _read_lines(text: str) -> Upload:
    upload = Upload(Form.LIST)
    upload.take(text.splitlines(), _read_line)
    return upload


def _read_line(line: str) -> dict[str, Any] | None:
    said = _BULLET.sub("", line.strip())
    return {"content": text_of(said, "memory", minimum=1)} if said else None


# -- JSON ------------------------------------------------------------------------------------------


def _read_json(text: str) -> Upload:
    try:
        data = json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        raise Unreadable("too_deep") from None
    except json.JSONDecodeError as error:
        raise Unreadable("broken_json", line=error.lineno) from None
    except ValueError:
        # A number of thousands of digits, NaN or an infinity.
        raise Unreadable("broken_json") from None
    _check_depth(data)
    if isinstance(data, dict) and "memoir" in data:
        return _read_own(data)
    rows = _rows_of(data)
    if any(isinstance(row, dict) and "memory" in row for row in rows):
        upload = Upload(Form.MEM0)
        upload.take(rows, _read_mem0)
    else:
        upload = Upload(Form.LIST)
        upload.take(rows, _read_item)
    return upload


def _refuse_constant(name: str) -> Any:
    raise ValueError(name)


def _check_depth(data: Any) -> None:
    """Level by level: what is nested without end must not be walked by recursion."""
    level = [data]
    for _ in range(_DEEPEST):
        level = [
            inner
            for value in level
            if isinstance(value, dict | list)
            for inner in (value.values() if isinstance(value, dict) else value)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return
    raise Unreadable("too_deep")


def _rows_of(data: Any) -> list[Any]:
    """The list in it: bare, under a name, or as the values of a dictionary by id."""
    if isinstance(data, list):
        return data
    assert isinstance(data, dict)
    for name in ("results", "memories", "facts", "data"):
        if isinstance(data.get(name), list):
            rows: list[Any] = data[name]
            return rows
    if "memory" in data or "content" in data:
        return [data]
    values = list(data.values())
    if values and all(isinstance(value, dict) for value in values):
        return values
    raise Unreadable("unknown_form")


def _read_own(data: dict[str, Any]) -> Upload:
    """Our own export. Its rows are checked one by one by whoever restores them."""
    head = data["memoir"]
    version = head.get("format") if isinstance(head, dict) else None
    if not isinstance(version, int) or not isinstance(data.get("memories"), list):
        raise Unreadable("unknown_form")
    if version > VERSION:
        raise Unreadable("newer_form")
    upload = Upload(Form.MEMOIR)
    upload.take(data["memories"], read_row)
    for name, read, kept in (
        ("projects", read_project, upload.projects),
        ("conflicts", read_conflict, upload.conflicts),
    ):
        given = data.get(name, [])
        for one in given if isinstance(given, list) else []:
            try:
                kept.append(read(one))
            except RowProblem as problem:
                upload.problems.append(Problem(0, problem.code, name))
    return upload


def _read_mem0(raw: Any) -> dict[str, Any]:
    """{id, memory, hash, metadata, created_at, updated_at, user_id}"""
    if not isinstance(raw, dict):
        raise RowProblem("not_a_memory")
    metadata = {
        **metadata_of(raw.get("metadata")),
        **{
            f"mem0_{name}": text_of(raw[name], name, limit=200)
            for name in ("id", "user_id", "agent_id", "hash")
            if isinstance(raw.get(name), str) and raw[name]
        },
    }
    said = time_of(raw.get("updated_at"), "updated_at") or time_of(
        raw.get("created_at"), "created_at"
    )
    return {
        "content": text_of(raw.get("memory"), "memory", minimum=1).strip(),
        "metadata": metadata_of(metadata),
        "said_at": said,
        "source": source_of(raw.get("source")),
    }


def _read_item(raw: Any) -> dict[str, Any]:
    """A string, or an object as the API takes it."""
    if isinstance(raw, str):
        return {"content": text_of(raw, "memory", minimum=1).strip()}
    if not isinstance(raw, dict):
        raise RowProblem("not_a_memory")
    content = next((raw[n] for n in ("content", "text", "fact") if n in raw), None)
    kind = raw.get("kind") or Kind.SEMANTIC.value
    return {
        "content": text_of(content, "content", minimum=1).strip(),
        "key": text_of(raw.get("key") or "", "key", limit=KEY_LIMIT, multiline=False),
        "value": text_of(raw.get("value") or "", "value"),
        "kind": word_of(kind, "kind", Kind),
        "metadata": metadata_of(raw.get("metadata")),
        "said_at": time_of(raw.get("said_at") or raw.get("created_at"), "created_at"),
        "source": source_of(raw.get("source")),
    }
