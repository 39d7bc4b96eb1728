"""The candidates for a question: nearest by meaning and best by words, in one statement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from memory.domain import decay
from memory.domain.policy import Policy
from memory.domain.text import is_slight
from memory.domain.values import Anchor, Status, Tier


@dataclass(frozen=True, slots=True)
class Found:
    """A candidate: how near it is, and all of its row that ranking and aggregation look at.

    Not a model instance: of some hundred candidates eight are shown, and only those are loaded.
    """

    memory: UUID
    # Cosine between question and row, None where the row has no vector of this embedder.
    cosine: float | None
    # BM25 of the row, and the most this question could score in the owner's store.
    bm25: float
    most: float
    content: str
    key: str
    value: str
    single_valued: bool
    status: str
    status_reason: str
    source: str
    tier: str
    importance: float
    safety: float
    pinned: bool
    confirmed_at: datetime | None
    created_at: datetime
    said_at: datetime
    valid_from: datetime | None
    valid_to: datetime | None
    invalidated_at: datetime | None
    archived_at: datetime | None
    replaces: UUID | None
    anchor: datetime
    times_served: int
    kind: str

    def anchor_under(self, policy: Policy) -> datetime:
        """The anchor by this owner's setting."""
        return self.created_at if policy.anchor is Anchor.CREATED else self.anchor

    def is_protected(self, policy: Policy) -> bool:
        return decay.is_protected(
            status=Status(self.status),
            safety=self.safety,
            pinned=self.pinned,
            confirmed=self.confirmed_at is not None,
            tier=Tier(self.tier),
            policy=policy,
        )


# The columns of Found after its first four, of `m` (memory) and `u` (its use).
_COLUMNS = """m.content, m.key, m.value, m.single_valued, m.status, m.status_reason, m.source,
       m.tier, m.importance, m.safety, m.pinned, m.confirmed_at, m.created_at, m.said_at,
       m.valid_from, m.valid_to, m.invalidated_at, m.archived_at, m.replaces_id, u.anchor,
       u.times_served, m.kind"""

# `visible` is the caller's own queryset, so that no limit is ever applied before the filters.
# The owner is a subquery for the reason `owned.blind` gives.
# BM25 is summed in whole millionths: a float sum depends on the order of rows, and the same
# question must get the same answer.
_CANDIDATES = """
WITH visible AS NOT MATERIALIZED ({visible}),
-- Everything counted once, whatever the planner believes of tables it has no statistics of yet.
store AS MATERIALIZED (
    SELECT count(*)::float8 AS n, greatest(avg(word_count), 1)::float8 AS average
    FROM memory_memory WHERE owner_id = (SELECT %(owner)s::uuid) AND word_count > 0
),
hits AS MATERIALIZED (
    SELECT token, memory_id, count, length FROM memory_posting
    WHERE owner_id = (SELECT %(owner)s::uuid) AND token = ANY(%(tokens)s)
),
counts AS MATERIALIZED (SELECT token, count(*) AS df FROM hits GROUP BY token),
words AS MATERIALIZED (
    SELECT c.token, ln(1 + (s.n - c.df + .5) / (c.df + .5)) AS idf, s.average
    FROM counts c CROSS JOIN store s
),
most AS MATERIALIZED (
    SELECT coalesce(sum(idf ORDER BY token), 0) * (%(k1)s + 1) AS most FROM words
),
scored AS MATERIALIZED (
    SELECT h.memory_id,
           sum((1000000 * w.idf * h.count * (%(k1)s + 1)
                / (h.count + %(k1)s * (1 - %(b)s + %(b)s * h.length / w.average)))::int) AS micro
    FROM hits h JOIN words w ON w.token = h.token GROUP BY h.memory_id{telling}
),
others AS MATERIALIZED (
    SELECT id, CASE WHEN embedder = %(embedder)s THEN embedding <=> %(vector)s::halfvec END AS apart
    FROM visible WHERE status IN ('conflict', 'superseded')
),
by_words AS (
    -- Best first, one row after the other until enough may be seen: an owner's words match
    -- thousands of rows, of which some dozens are wanted. Each is looked up by its id and nothing
    -- else: `looked_up` takes it from the table before anything is asked of it.
    (SELECT v.id FROM (SELECT * FROM scored ORDER BY micro DESC, memory_id OFFSET 0) s
     CROSS JOIN LATERAL (
         SELECT id FROM ({looked_up}) l WHERE status IN ('active', 'stale') OFFSET 0
     ) v
     LIMIT %(limit)s)
    UNION ALL
    -- Grouped and not joined: a join of two long lists is one loop inside the other where the
    -- planner takes them for short.
    (SELECT id FROM (
         SELECT memory_id AS id, micro, false AS seen FROM scored
         UNION ALL
         SELECT id, 0, true FROM others
     ) b
     GROUP BY id HAVING count(*) = 2 AND bool_or(seen)
     ORDER BY max(micro) DESC, id LIMIT %(limit)s)
),
by_meaning AS (
    (SELECT id FROM visible
     WHERE status IN ('active', 'stale') AND embedder = %(embedder)s AND embedding IS NOT NULL
     ORDER BY embedding <=> %(vector)s::halfvec, id LIMIT %(limit)s)
    UNION ALL
    (SELECT id FROM others WHERE apart IS NOT NULL ORDER BY apart, id LIMIT %(limit)s)
),
found AS MATERIALIZED (SELECT id FROM by_words UNION SELECT id FROM by_meaning)
SELECT m.id, NULL::text AS why,
       CASE WHEN m.embedder = %(embedder)s THEN 1 - (m.embedding <=> %(vector)s::halfvec) END,
       coalesce(s.micro, 0) / 1e6::float8, most.most, {columns}
FROM found JOIN memory_memory m ON m.id = found.id
CROSS JOIN LATERAL (SELECT * FROM memory_memoryuse WHERE memory_id = found.id OFFSET 0) u
LEFT JOIN scored s ON s.memory_id = m.id CROSS JOIN most
{standing}
ORDER BY 2 NULLS FIRST, 1
"""

# The row of a posting, in place of the table: a fence, without which the planner may prefer to read
# all of the owner's rows and look for the one among them.
_FROM = 'FROM "memory_memory"'
_FROM_ONE = 'FROM (SELECT * FROM memory_memory WHERE id = s.memory_id OFFSET 0) "memory_memory"'

# Where some of the question's words say nothing by themselves: a row that shares only those does
# not match.
_TELLING = " HAVING bool_or(h.token <> ALL(%(slight)s))"

# Told whatever the question: the newest safety facts, and the newest rules of behaviour.
_STANDING = """
UNION ALL (
    SELECT m.id, 'safety', NULL, 0, 0, {columns}
    FROM ({standing}) a JOIN memory_memory m ON m.id = a.id
    JOIN memory_memoryuse u ON u.memory_id = m.id WHERE a.safety >= %(safety)s
    ORDER BY a.created_at DESC, a.id DESC LIMIT %(standing_limit)s
)
UNION ALL (
    SELECT m.id, 'rule', NULL, 0, 0, {columns}
    FROM ({standing}) a JOIN memory_memory m ON m.id = a.id
    JOIN memory_memoryuse u ON u.memory_id = m.id
    WHERE a.kind = 'procedural' AND a.safety < %(safety)s
    ORDER BY a.created_at DESC, a.id DESC LIMIT %(standing_limit)s
)
"""


def find_candidates(
    rows: Any,
    *,
    owner: UUID,
    tokens: Sequence[str],
    vector: Sequence[float] | None,
    embedder: str,
    policy: Policy,
    limit: int,
    standing: Any = None,
) -> tuple[list[Found], list[tuple[Found, str]]]:
    """The rows of a queryset nearest to a question, by meaning and by words.

    Live rows and others (waiting, superseded) have a limit each, so that no number of past
    versions hides what is true today. `vector` None: by words alone. Along with them the rows of
    `standing`, with why each stands ("safety" before "rule", newest first). One statement.
    """
    named: dict[str, Any] = {}
    slight = [token for token in tokens if is_slight(token)]
    visible = _compile(rows.values("id", "status", "embedding", "embedder"), "v", named)
    always = ""
    if standing is not None:
        told = _compile(standing.values("id", "safety", "kind", "created_at"), "s", named)
        always = _STANDING.format(standing=told, columns=_COLUMNS)
    with connection.cursor() as cursor:
        cursor.execute(
            _CANDIDATES.format(
                visible=visible,
                looked_up=_look_up(visible),
                standing=always,
                columns=_COLUMNS,
                telling=_TELLING if slight else "",
            ),
            {
                **named,
                "owner": owner,
                "tokens": list(tokens),
                "slight": slight,
                "vector": vector_literal(vector) if vector is not None else None,
                "embedder": embedder if vector is not None else "",
                "k1": policy.bm25_k1,
                "b": policy.bm25_b,
                "limit": limit,
                "safety": policy.safety_line,
                "standing_limit": policy.standing_limit,
            },
        )
        found = cursor.fetchall()
    candidates = [Found(row[0], *row[2:]) for row in found if row[1] is None]
    told_rows = [(Found(row[0], *row[2:]), str(row[1])) for row in found if row[1] is not None]
    told_rows.sort(
        key=lambda told: (
            told[1] != "safety",
            -told[0].created_at.timestamp(),
            -told[0].memory.int,
        )
    )
    return candidates, told_rows


def _look_up(visible: str) -> str:
    """The same conditions, of the one row of a posting. Raises ValueError where it has no table."""
    before, found, after = visible.partition(_FROM)
    if not found:
        raise ValueError("the rows are not read from the table of memories")
    return f"{before}{_FROM_ONE}{after}"


def _compile(rows: Any, prefix: str, named: dict[str, Any]) -> str:
    """A queryset as SQL with named parameters, which are added to `named`."""
    # Not elided: an empty filter must find nothing, not fail.
    compiler = rows.order_by().query.get_compiler(rows.db, elide_empty=False)
    sql, params = compiler.as_sql()
    names = [f"{prefix}{number}" for number in range(len(params))]
    named.update(zip(names, params, strict=True))
    return str(sql % tuple(f"%({name})s" for name in names)) if names else str(sql)


def vector_literal(vector: Sequence[float]) -> str:
    """A vector as pgvector reads it."""
    return "[" + ",".join(f"{x:.6g}" for x in vector) + "]"
