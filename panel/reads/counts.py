"""The counting sentence and the numbers beside the filters, from one statement."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import BooleanField, Case, Q, Value, When

from memory.domain.policy import Policy as Rules
from memory.domain.values import Status
from memory.models import Memory
from panel.reads.cards import count_cards
from panel.reads.filters import FACETS, VISIT, WHEN_DAYS, Filters, remembered
from panel.reads.versions import is_listed_chain

# Beyond this many rows exact numbers come by a second request: the list does not wait for them.
QUICK = 2_000

_COLUMNS = ("status", "source", "agent_id", "project_id", "kind", "tier", "visibility")
# Every choice of time; "" is any time.
_TIMES = ("", VISIT, *WHEN_DAYS)
_COUNTS = """
SELECT grouping({columns}), {columns}, archived,
       count(*), count(*) FILTER (WHERE is_new), {masked}
FROM ({rows}) AS counted
GROUP BY GROUPING SETS ((status, archived), {sets})
"""


@dataclass(slots=True)
class Counts:
    """`exact` False: there are more rows than were counted, and no number may be shown."""

    exact: bool
    total: int = 0
    active: int = 0
    stale: int = 0
    past: int = 0
    archived: int = 0
    new: int = 0
    # Cards of Review, each one question.
    waiting: int = 0
    facets: dict[str, dict[str, int]] = field(default_factory=dict)


def read_counts(
    owner: UUID,
    filters: Filters,
    *,
    rules: Rules,
    now: datetime,
    visit_before: datetime | None,
    exact: bool = False,
) -> Counts:
    """Counts of everything, and per filter of what the others leave. Two statements.

    Where histories are listed, the filters count histories: each by what it came to.
    """
    waiting = count_cards(owner, rules, now)
    groups, seen = _read_groups(owner, filters, now, visit_before, None if exact else QUICK + 1)
    counts = Counts(exact=exact or seen <= QUICK, waiting=waiting)
    if not counts.exact:
        return counts
    facets: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for mask, values, archived, number, new, masked in groups:
        if mask == _STATUS_ONLY:
            _add_status(counts, values[0], archived, number, new)
            by_status = facets["status"]
            by_status[values[0]] = by_status.get(values[0], 0) + masked[0]
            _add_archive(facets["archived"], archived, masked[len(FACETS)])
            for when, count in zip(_TIMES, masked[len(FACETS) + 1 :], strict=True):
                facets["when"][when] = facets["when"].get(when, 0) + count
        else:
            place = next(i for i in range(len(FACETS)) if not mask & _bit(i))
            facets[FACETS[place]][str(values[place] or "")] = masked[place]
    counts.facets = dict(facets)
    return counts


def _bit(place: int) -> int:
    return 1 << (len(_COLUMNS) - 1 - place)


_STATUS_ONLY = (1 << len(_COLUMNS)) - 1 - _bit(0)


def _add_status(counts: Counts, status: str, archived: bool, number: int, new: int) -> None:
    counts.total += number
    counts.new += new
    if archived:
        counts.archived += number
    if status == Status.SUPERSEDED:
        counts.past += number
    elif status == Status.ACTIVE and not archived:
        counts.active += number
    elif status == Status.STALE and not archived:
        counts.stale += number


def _add_archive(numbers: dict[str, int], archived: bool, number: int) -> None:
    for choice in ("with", "only" if archived else ""):
        numbers[choice] = numbers.get(choice, 0) + number


def _read_groups(
    owner: UUID,
    filters: Filters,
    now: datetime,
    visit_before: datetime | None,
    limit: int | None,
) -> tuple[list[Any], int]:
    searched = is_listed_chain(owner, filters) if filters.is_chains else filters.words()

    def in_time(when: str) -> Case:
        return _flag(remembered(when, now=now, visit_before=visit_before))

    rows = (
        Memory.objects.of(owner)
        .kept()
        .order_by()
        .values(*_COLUMNS)
        .annotate(
            archived=_flag(Q(archived_at__isnull=False)),
            is_new=_flag(Q(created_at__gt=visit_before) if visit_before else Q(pk=None)),
            in_search=_flag(searched),
            in_archived=_flag(filters.archive()),
            in_when=in_time(filters.when),
            **{f"since_{when}": in_time(when) for when in _TIMES if when},
            **{f"in_{name}": _flag(filters.facet(name)) for name in FACETS},
        )
    )
    sql, params = rows[:limit].query.sql_with_params()
    masked = ", ".join(
        [
            *(_count_but(name) for name in (*FACETS, "archived")),
            *(_count_but("when", f"since_{when}" if when else "true") for when in _TIMES),
        ]
    )
    query = _COUNTS.format(
        columns=", ".join(_COLUMNS),
        masked=masked,
        rows=sql,
        sets=", ".join(f"({name})" for name in _COLUMNS[1:]),
    )
    with connection.cursor() as cursor:
        cursor.execute(query, params)
        found = cursor.fetchall()
    width = len(_COLUMNS)
    groups = [
        (
            row[0],
            row[1 : 1 + width],
            row[1 + width],
            row[2 + width],
            row[3 + width],
            row[4 + width :],
        )
        for row in found
    ]
    return groups, sum(number for mask, _, _, number, *_ in groups if mask == _STATUS_ONLY)


def _count_but(name: str, also: str = "true") -> str:
    """The number of rows that the search and all filters but this one leave."""
    others = [f"in_{other}" for other in ("search", *FACETS, "archived", "when") if other != name]
    return f"count(*) FILTER (WHERE {' AND '.join([*others, also])})"


def _flag(condition: Q) -> Case:
    if not condition:
        return Case(default=Value(True), output_field=BooleanField())
    return Case(
        When(condition, then=Value(True)), default=Value(False), output_field=BooleanField()
    )
