"""Grouping ranked rows by topic: what is served as fact, what is asked, what is history.

The result depends on the rows alone, not on the order they arrive in, and aggregating the facts
again changes nothing (requirements 47 and 48).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from memory.domain.decay import require_aware
from memory.domain.lexicon import (
    DEADLINES_BEFORE_ZH,
    PAST_EN,
    PAST_ZH,
    TIMES_AFTER_BEFORE_EN,
)
from memory.domain.text import estimate_tokens, match_form
from memory.domain.values import Reason, Status

# A denied or corrected memory was never true; a timeline that showed it would state it as past.
_NEVER_TRUE = frozenset({Reason.DENIED, Reason.CORRECTED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A ranked memory as aggregation sees it. `rank` is its place, 1 first.

    `topic` is None where none is known: such a row is its own group, unless `replaces` ties it to
    another. `conflict` is the id of the entry a waiting row belongs to.
    """

    id: str
    rank: int
    created_at: datetime
    content: str
    status: Status = Status.ACTIVE
    topic: str | None = None
    single_valued: bool = False
    value: str = ""
    reason: Reason | None = None
    archived: bool = False
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    invalidated_at: datetime | None = None
    stale_since: datetime | None = None
    replaces: str | None = None
    conflict: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One value of a topic and when it held; `ended` is None while it still does."""

    memory: str
    value: str
    began: datetime
    ended: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The values of one topic in the order they held."""

    topic: str | None
    steps: tuple[Step, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """The waiting rows of one entry, best first; alone, `conflict` may be None."""

    conflict: str | None
    reason: Reason | None
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregate:
    """What recall returns.

    `left_out`: superseded, archived, and stale rows whose topic has an active one. `cut`: facts
    beyond `top_k`. Tokens are estimates over contents, before (all rows) and after (facts).
    """

    facts: tuple[Row, ...]
    waiting: tuple[Waiting, ...]
    history: tuple[History, ...]
    left_out: tuple[Row, ...]
    cut: tuple[Row, ...]
    tokens_before: int
    tokens_after: int


def aggregate(
    rows: Iterable[Row],
    *,
    include_history: bool = False,
    include_archived: bool = False,
    top_k: int | None = None,
    zone: tzinfo = UTC,
) -> Aggregate:
    """Group by topic and decide what each row is.

    1. Active rows are facts: one, or all of a topic in order (requirement 47).
    2. A stale row is a fact only where its topic has no active one; of a single-valued topic
       only the newest.
    3. Waiting rows are asked about, never facts. Quarantined ones are nowhere.
    4. Superseded and archived rows are history, given on request as a timeline.

    `include_archived` lets archived rows that are otherwise active or stale be facts.
    Raises `NaiveTime`.
    """
    unique = {row.id: row for row in rows if row.reason is not Reason.QUARANTINED}
    ordered = sorted(unique.values(), key=_order)
    groups = _group(ordered)

    served: set[str] = set()
    for members in groups.values():
        served |= _served_ids(members, include_archived=include_archived)
    eligible = [row for row in ordered if row.id in served]
    facts = eligible if top_k is None else eligible[: max(0, top_k)]
    return Aggregate(
        facts=tuple(facts),
        waiting=_waiting(ordered),
        history=_histories(groups, zone=zone) if include_history else (),
        left_out=tuple(
            row for row in ordered if row.status is not Status.CONFLICT and row.id not in served
        ),
        cut=tuple(eligible[len(facts) :]),
        tokens_before=sum(estimate_tokens(row.content) for row in ordered),
        tokens_after=sum(estimate_tokens(row.content) for row in facts),
    )


def timeline(steps: Sequence[Step], *, zone: tzinfo = UTC, chained: bool = True) -> str:
    """`Java (2024-03 – 2026-10) → Go (2026-10 –)`, months in `zone` (requirement 52).

    Values that did not replace each other (`chained=False`) are set apart by semicolons.
    """
    return (" → " if chained else "; ").join(_print_step(step, zone=zone) for step in steps)


def asks_about_past(query: str) -> bool:
    """Whether a question is about how things were (以前, 之前, used to, previously; DESIGN).

    "before 5pm", 周五之前 and "tools used to build it" are not. A needless yes costs a timeline,
    a missed one hides the answer, so doubtful cases count as yes.
    """
    form = match_form(query)
    if any(pattern.search(form) for pattern in (*PAST_ZH, *PAST_EN)):
        return True
    for found in re.finditer("之前|以前", form):
        if not DEADLINES_BEFORE_ZH.search(form[: found.start()]):
            return True
    return _asks_what_was_before(form)


def _asks_what_was_before(form: str) -> bool:
    past_tense = re.search(r"\b(did|was|were|had|have|has)\b", form) is not None
    for found in re.finditer(r"\bbefore\b\s*", form):
        rest = form[found.end() :]
        if not rest or rest[0] in "?.,!;":
            return True
        if past_tense and not TIMES_AFTER_BEFORE_EN.match(rest):
            return True
    return False


def _order(row: Row) -> tuple[int, float, str]:
    return (row.rank, -require_aware(row.created_at, name="created_at").timestamp(), row.id)


def _group(ordered: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    """Rows by topic; without one, by the oldest row of their chain."""
    by_id = {row.id: row for row in ordered}
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in ordered:
        name = ("topic", row.topic) if row.topic else ("chain", _chain_root(row, by_id))
        groups.setdefault(name, []).append(row)
    return groups


def _chain_root(row: Row, by_id: dict[str, Row]) -> str:
    seen = {row.id}
    while row.replaces is not None and row.replaces not in seen:
        older = by_id.get(row.replaces)
        if older is None or older.topic:
            break
        seen.add(older.id)
        row = older
    # A damaged chain that bites its own tail still names one group, whichever row asks.
    return min(seen) if row.replaces in seen else row.id


def _served_ids(members: Sequence[Row], *, include_archived: bool) -> set[str]:
    daily = [row for row in members if include_archived or not row.archived]
    active = {row.id for row in daily if row.status is Status.ACTIVE}
    if active:
        return active
    stale = [row for row in daily if row.status is Status.STALE]
    single = [row for row in stale if row.single_valued]
    if single:
        newest = max(single, key=lambda row: (_began(row), row.id))
        stale = [row for row in stale if not row.single_valued or row is newest]
    return {row.id for row in stale}


def _waiting(ordered: Sequence[Row]) -> tuple[Waiting, ...]:
    entries: dict[str, list[Row]] = {}
    for row in ordered:
        if row.status is Status.CONFLICT:
            entries.setdefault(row.conflict or f"alone:{row.id}", []).append(row)
    return tuple(
        Waiting(conflict=members[0].conflict, reason=members[0].reason, rows=tuple(members))
        for members in entries.values()
    )


def _histories(groups: dict[tuple[str, str], list[Row]], *, zone: tzinfo) -> tuple[History, ...]:
    histories = []
    for members in groups.values():
        true_once = [
            row
            for row in members
            if row.status is not Status.CONFLICT and row.reason not in _NEVER_TRUE
        ]
        if not any(row.status is Status.SUPERSEDED or row.archived for row in true_once):
            continue
        true_once.sort(key=lambda row: (_began(row), row.created_at, row.id))
        steps = tuple(
            Step(
                memory=row.id, value=row.value or row.content, began=_began(row), ended=_ended(row)
            )
            for row in true_once
        )
        # Rows of a many-valued topic ended each for itself, unless one names the other.
        chained = all(row.single_valued or row.topic is None for row in true_once)
        histories.append(
            History(
                topic=members[0].topic,
                steps=steps,
                text=timeline(steps, zone=zone, chained=chained),
            )
        )
    return tuple(histories)


def _began(row: Row) -> datetime:
    return row.valid_from or row.created_at


def _ended(row: Row) -> datetime | None:
    if row.status is Status.SUPERSEDED:
        return row.valid_to or row.invalidated_at
    return row.valid_to


def _print_step(step: Step, *, zone: tzinfo) -> str:
    began = f"{step.began.astimezone(zone):%Y-%m}"
    if step.ended is None:
        return f"{step.value} ({began} –)"
    return f"{step.value} ({began} – {step.ended.astimezone(zone):%Y-%m})"
