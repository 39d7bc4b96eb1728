"""Our own export: what is written of a memory, and how it is checked when it comes back."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from memory.adapters.formats.values import (
    CONTENT_LIMIT,
    KEY_LIMIT,
    RowProblem,
    metadata_of,
    number_of,
    text_of,
    time_of,
    word_of,
)
from memory.domain.values import Kind, Reason, Source, Status, Tier, Visibility

QUOTE_LIMIT = 4_000
MOST_REVISIONS = 1_000
TIMES = (
    "occurred_at", "valid_from", "valid_to", "created_at", "updated_at", "said_at",
    "confirmed_at", "archived_at", "invalidated_at",
)  # fmt: skip
_NEEDED_TIMES = ("created_at", "updated_at", "said_at")
FLAGS = ("single_valued", "pinned", "contested", "should_forget")
LINKS = ("replaces", "superseded_by")
_TEXTS = (
    ("content", CONTENT_LIMIT, 1), ("value", CONTENT_LIMIT, 0), ("quote", QUOTE_LIMIT, 0),
    ("before", 20_000, 0),
)  # fmt: skip
_WORDS = (
    ("kind", Kind, False), ("status", Status, False), ("status_reason", Reason, True),
    ("source", Source, False), ("tier", Tier, False), ("visibility", Visibility, False),
)  # fmt: skip


def read_row(raw: Any) -> dict[str, Any]:
    """A memory of our export, checked field by field. Raises RowProblem."""
    if not isinstance(raw, dict):
        raise RowProblem("not_a_memory")
    row: dict[str, Any] = {"id": id_of(raw.get("id"), "id")}
    for name, limit, minimum in _TEXTS:
        row[name] = text_of(raw.get(name, ""), name, limit=limit, minimum=minimum)
    row["key"] = text_of(raw.get("key", ""), "key", limit=KEY_LIMIT, multiline=False)
    for name, words, empty in _WORDS:
        row[name] = word_of(raw.get(name), name, words, empty=empty)
    for name in TIMES:
        row[name] = time_of(raw.get(name), name)
        if row[name] is None and name in _NEEDED_TIMES:
            raise RowProblem("missing", name)
    for name in FLAGS:
        row[name] = flag_of(raw.get(name, False), name)
    for name in LINKS:
        row[name] = id_of(raw[name], name) if raw.get(name) else None
    row["metadata"] = metadata_of(raw.get("metadata"))
    row["importance"] = number_of(raw.get("importance"), "importance", low=0, high=1)
    row["safety"] = number_of(raw.get("safety", 0.0), "safety", low=0, high=1)
    given = raw.get("confidence")
    row["confidence"] = None if given is None else number_of(given, "confidence", low=0, high=1)
    row["dimensions"] = shares_of(raw.get("dimensions", {}))
    row["scored_by"] = text_of(raw.get("scored_by", "rules"), "scored_by", limit=8)
    row["sensitivity"] = topics_of(raw.get("sensitivity", []))
    row["version"] = number_of(raw.get("version", 1), "version", low=1, high=2**31 - 2, whole=True)
    agent, project = raw.get("agent"), raw.get("project")
    row["agent"] = _line(agent, "agent", 100) if agent else ""
    row["project"] = slug_of(project) if project else ""
    row["use"] = _read_use(raw.get("use", {}), row)
    row["revisions"] = _read_revisions(raw.get("revisions", []), row)
    _check_together(row)
    return row


def _check_together(row: dict[str, Any]) -> None:
    """What no row of ours would be."""
    if row["status"] == Status.CONFLICT and not row["status_reason"]:
        raise RowProblem("missing", "status_reason")
    if row["single_valued"] and not row["key"]:
        raise RowProblem("missing", "key")
    if row["visibility"] == Visibility.GROUP and not row["project"]:
        raise RowProblem("missing", "project")


def _read_use(raw: Any, row: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise RowProblem("not_an_object", "use")
    most = 2**31 - 1
    return {
        "anchor": time_of(raw.get("anchor"), "use.anchor") or row["created_at"],
        "last_served_at": time_of(raw.get("last_served_at"), "use.last_served_at"),
        "times_served": number_of(
            raw.get("times_served", 0), "use.times_served", low=0, high=most, whole=True
        ),
        "missed_chances": number_of(
            raw.get("missed_chances", 0), "use.missed_chances", low=0, high=most, whole=True
        ),
    }


def _read_revisions(raw: Any, row: dict[str, Any]) -> list[dict[str, Any]]:
    if not isinstance(raw, list) or len(raw) > MOST_REVISIONS:
        raise RowProblem("not_a_list", "revisions")
    found: dict[float, dict[str, Any]] = {}
    for one in raw:
        if not isinstance(one, dict):
            raise RowProblem("not_an_object", "revisions")
        version = number_of(one.get("version"), "version", low=1, high=2**31 - 2, whole=True)
        found[version] = {
            "version": version,
            "content": text_of(one.get("content"), "revisions.content"),
            "key": text_of(one.get("key", ""), "key", limit=KEY_LIMIT, multiline=False),
            "value": text_of(one.get("value", ""), "revisions.value"),
            "kind": word_of(one.get("kind"), "revisions.kind", Kind),
            "created_at": time_of(one.get("created_at"), "created_at") or row["updated_at"],
        }
    return list(found.values())


def read_project(raw: Any) -> dict[str, str]:
    if not isinstance(raw, dict):
        raise RowProblem("not_an_object", "projects")
    slug = slug_of(raw.get("slug"))
    return {"slug": slug, "name": _line(raw.get("name") or slug, "name", 100)}


def read_conflict(raw: Any) -> dict[str, Any]:
    """An open question of our export. Raises RowProblem."""
    if not isinstance(raw, dict) or not isinstance(raw.get("members"), list):
        raise RowProblem("not_an_object", "conflicts")
    opened = time_of(raw.get("opened_at"), "opened_at")
    if opened is None:
        raise RowProblem("missing", "opened_at")
    return {
        "reason": word_of(raw.get("reason"), "reason", Reason),
        "key": text_of(raw.get("key", ""), "key", limit=KEY_LIMIT, multiline=False),
        "opened_at": opened,
        "recurrences": number_of(
            raw.get("recurrences", 1), "recurrences", low=1, high=2**31 - 1, whole=True
        ),
        "members": [
            {
                "memory": id_of(one.get("memory"), "memory"),
                "bystander": flag_of(one.get("bystander", False), "bystander"),
            }
            for one in raw["members"][:100]
            if isinstance(one, dict)
        ],
    }


def id_of(raw: Any, name: str) -> str:
    try:
        return str(UUID(raw)) if isinstance(raw, str) else _refuse(name)
    except ValueError:
        return _refuse(name)


def _refuse(name: str) -> str:
    raise RowProblem("not_an_id", name)


def flag_of(raw: Any, name: str) -> bool:
    if not isinstance(raw, bool):
        raise RowProblem("not_a_flag", name)
    return raw


def shares_of(raw: Any) -> dict[str, float]:
    if not isinstance(raw, dict) or len(raw) > 12:
        raise RowProblem("not_an_object", "dimensions")
    return {
        text_of(name, "dimensions", limit=40): number_of(value, "dimensions", low=0, high=1)
        for name, value in raw.items()
    }


def topics_of(raw: Any) -> list[str]:
    if not isinstance(raw, list) or len(raw) > 20:
        raise RowProblem("not_a_list", "sensitivity")
    return [_line(one, "sensitivity", 20) for one in raw]


def slug_of(raw: Any) -> str:
    slug = _line(raw, "project", 50)
    if not all(char.isalnum() or char in "-_" for char in slug) or not slug.isascii():
        raise RowProblem("not_a_slug", "project")
    return slug


def _line(raw: Any, name: str, limit: int) -> str:
    return text_of(raw, name, limit=limit, minimum=1, multiline=False)
