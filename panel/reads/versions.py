"""What came before: earlier versions of one memory, and histories as lines from old to new."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from uuid import UUID

from django.db import connection
from django.db.models import Q

from memory.domain.policy import Policy as Rules
from memory.domain.values import Status
from memory.models import Memory
from memory.querysets.memories import MemoryQuerySet, newest_after
from panel.reads.filters import Filters
from panel.reads.orders import by_moment
from panel.rows import Earlier, Row, make_row

# Of a longer history the line shows the last steps; the whole stands on the memory's page.
STEPS_SHOWN = 8
_DEEPEST_CHAIN = 20

_CHAINS = """
WITH RECURSIVE chain AS (
    SELECT id AS root, id, 0 AS depth FROM memory_memory WHERE id = ANY(%(ids)s)
    UNION ALL
    SELECT chain.root, older.id, chain.depth + 1
    FROM chain JOIN memory_memory older
        ON older.superseded_by_id = chain.id AND older.owner_id = %(owner)s
    WHERE chain.depth < %(deepest)s
)
SELECT chain.root, m.id, CASE WHEN m.value = '' THEN m.content ELSE m.value END,
       coalesce(m.valid_from, m.occurred_at, m.created_at), coalesce(m.valid_to, m.invalidated_at),
       chain.depth
FROM chain JOIN memory_memory m ON m.id = chain.id
WHERE chain.depth > 0 AND m.deleted_at IS NULL
ORDER BY chain.root, chain.depth, m.created_at DESC, m.id
"""


# The whole history a memory is part of, from what it came to down to its first: later ones too.
_LINE = """
WITH RECURSIVE climb AS (
    SELECT id, superseded_by_id, 0 AS height FROM memory_memory
    WHERE id = %(id)s AND owner_id = %(owner)s
    UNION ALL
    SELECT m.id, m.superseded_by_id, climb.height + 1
    FROM climb JOIN memory_memory m ON m.id = climb.superseded_by_id AND m.owner_id = %(owner)s
    WHERE climb.height < %(deepest)s
), line AS (
    (SELECT id, 0 AS depth FROM climb ORDER BY height DESC LIMIT 1)
    UNION ALL
    SELECT older.id, line.depth + 1
    FROM line JOIN memory_memory older
        ON older.superseded_by_id = line.id AND older.owner_id = %(owner)s
    WHERE line.depth < 2 * %(deepest)s
)
SELECT m.id, m.content, CASE WHEN m.value = '' THEN m.content ELSE m.value END,
       coalesce(m.valid_from, m.occurred_at, m.created_at),
       CASE WHEN m.status = 'superseded' THEN coalesce(m.valid_to, m.invalidated_at) END
FROM line JOIN memory_memory m ON m.id = line.id
WHERE m.deleted_at IS NULL
ORDER BY line.depth, m.created_at DESC, m.id
LIMIT %(most)s
"""
_MOST_OF_A_LINE = 50


@dataclass(frozen=True, slots=True)
class Version:
    """One memory of a history: all it says, what stands large, and when it held."""

    id: UUID
    content: str
    text: str
    since: datetime
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Chain:
    """A history: what it came to, and the steps before, oldest first.

    A step has several versions where one took the place of them all. `cut`: there were more.
    """

    row: Row
    since: datetime
    steps: list[list[Earlier]]
    cut: bool

    @property
    def versions(self) -> int:
        return 1 + len(self.row.earlier)

    @property
    def first(self) -> datetime:
        return min((version.since for version in self.row.earlier), default=self.since)


def fold_versions(rows: Iterable[Row], owner: UUID) -> None:
    """Put earlier versions under the rows that took their place: one statement for all."""
    _read_earlier({row.id: row for row in rows if row.status != Status.SUPERSEDED}, owner)


def read_line(memory: Memory) -> list[Version]:
    """The history a memory is part of, newest first; itself alone where it has none.

    Inside owner_scope, one statement.
    """
    given: dict[str, UUID | int] = {
        "id": memory.pk,
        "owner": memory.owner_id,
        "deepest": _DEEPEST_CHAIN,
        "most": _MOST_OF_A_LINE,
    }
    with connection.cursor() as cursor:
        cursor.execute(_LINE, given)
        return [Version(*row) for row in cursor.fetchall()]


def read_chains(
    owner: UUID,
    shown: MemoryQuerySet,
    filters: Filters,
    *,
    rules: Rules,
    now: datetime,
    visit_before: datetime | None,
) -> tuple[list[Chain], str]:
    """One page of histories, the latest change first. Two statements. Inside owner_scope.

    The filters are about what each came to; the search finds any of its versions.
    """
    ends = (
        shown.filter(replace(filters, q="").all(now=now, visit_before=visit_before))
        .filter(status__in=filters.listed)
        .filter(is_listed_chain(owner, filters))
    )
    memories, after = by_moment(owner, ends.since(), "since_at", "chains", filters.cursor)
    rows = {memory.pk: make_row(memory, rules=rules, now=now) for memory in memories}
    _read_earlier(rows, owner)
    return [_make_chain(row) for row in rows.values()], after


def is_listed_chain(owner: UUID, filters: Filters) -> Q:
    """The condition to be the last row of a history that the search finds.

    What waits for the owner is no version yet. For a query of memories itself, not a subquery.
    """
    older = Memory.objects.of(owner).kept()
    condition = Q(newest_after(older)) & ~Q(status=Status.CONFLICT)
    if filters.q:
        condition &= filters.words() | Q(newest_after(older.filter(filters.words())))
    return condition


def _make_chain(row: Row) -> Chain:
    by_depth = [list(step) for _, step in groupby(row.earlier, key=lambda one: one.depth)]
    steps = [step[::-1] for step in reversed(by_depth[:STEPS_SHOWN])]
    since = row.memory.since_at  # type: ignore[attr-defined]  # annotated
    return Chain(row, since, steps, cut=len(by_depth) > STEPS_SHOWN)


def _read_earlier(rows: dict[UUID, Row], owner: UUID) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_CHAINS, {"ids": list(rows), "owner": owner, "deepest": _DEEPEST_CHAIN})
        for root, *version in cursor.fetchall():
            rows[root].earlier.append(Earlier(*version))
