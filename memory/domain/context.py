"""The text an agent puts into its prompt: one line a fact, with its dates."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from memory.domain.values import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A fact as the context tells it."""

    id: str
    content: str
    status: Status
    said_at: datetime
    confirmed_at: datetime | None = None
    began: datetime | None = None
    ended: datetime | None = None
    contested: bool = False


def make_context(lines: Iterable[Line]) -> str:
    """Each fact once, one line each. Line breaks inside a fact cannot forge another line."""
    once = {line.id: line for line in reversed(list(lines))}
    return "\n".join(
        f"- {' '.join(line.content.split())} ({_dates(line)})" for line in reversed(once.values())
    )


def _dates(line: Line) -> str:
    if line.status is Status.STALE:
        return f"may be out of date, said {line.said_at:%Y-%m-%d}"
    parts = []
    if line.began is not None:
        parts.append(f"since {line.began:%Y-%m-%d}")
    if line.ended is not None:
        parts.append(f"until {line.ended:%Y-%m-%d}")
    if line.confirmed_at is not None:
        parts.append(f"confirmed {line.confirmed_at:%Y-%m-%d}")
    else:
        parts.append(f"said {line.said_at:%Y-%m-%d}")
    if line.contested:
        parts.append("contested")
    return ", ".join(parts)
