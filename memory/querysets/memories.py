"""Every question asked of memories, by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self
from uuid import UUID

from django.db import connection
from django.db.models import Q

from memory.domain.policy import Policy
from memory.domain.values import Kind, Reason, Status, Visibility
from memory.querysets.callers import Caller
from memory.querysets.decay import protected_condition, retention_expression
from memory.querysets.owned import EpochQuerySet, OwnedQuerySet

if TYPE_CHECKING:
    from memory.models.memories import Memory, Posting  # noqa: F401  (types only)


@dataclass(frozen=True, slots=True)
class Found:
    """A candidate for a question: how near in meaning, how good by its words."""

    memory: UUID
    # Cosine between question and row, None where the row has no vector of this embedder.
    cosine: float | None
    # BM25 of the row, and the most this question could score in the owner's store.
    bm25: float
    most: float


# Nearest by meaning (exact order) together with best by words, in one statement. `%(visible)s` is
# the caller's own queryset, so that no limit is ever applied before the filters.
# BM25 is summed in whole millionths: a float sum depends on the order of rows, and the same
# question must get the same answer.
_CANDIDATES = """
WITH visible AS NOT MATERIALIZED ({visible}),
store AS (
    SELECT count(*)::float8 AS n, greatest(avg(word_count), 1)::float8 AS average
    FROM memory_memory WHERE owner_id = %(owner)s AND word_count > 0
),
hits AS MATERIALIZED (
    SELECT token, memory_id, count, length FROM memory_posting
    WHERE owner_id = %(owner)s AND token = ANY(%(tokens)s)
),
words AS (
    SELECT h.token, ln(1 + (s.n - count(*) + .5) / (count(*) + .5)) AS idf, s.average
    FROM hits h, store s GROUP BY h.token, s.n, s.average
),
most AS (SELECT coalesce(sum(idf), 0) * (%(k1)s + 1) AS most FROM words),
scored AS MATERIALIZED (
    SELECT h.memory_id,
           sum((1000000 * w.idf * h.count * (%(k1)s + 1)
                / (h.count + %(k1)s * (1 - %(b)s + %(b)s * h.length / w.average)))::int) AS micro
    FROM hits h JOIN words w ON w.token = h.token GROUP BY h.memory_id
),
by_words AS (
    -- Best first, looking at one row after the other until enough may be seen: an owner's words
    -- match thousands of rows, of which a hundred are wanted.
    (SELECT v.id FROM (SELECT * FROM scored ORDER BY micro DESC, memory_id OFFSET 0) s
     CROSS JOIN LATERAL (
         SELECT id FROM visible WHERE id = s.memory_id AND status IN ('active', 'stale') OFFSET 0
     ) v
     LIMIT %(limit)s)
    UNION ALL
    (SELECT v.id FROM scored s JOIN visible v ON v.id = s.memory_id
     WHERE v.status IN ('conflict', 'superseded') ORDER BY s.micro DESC, v.id LIMIT %(limit)s)
),
by_meaning AS (
    (SELECT id FROM visible
     WHERE status IN ('active', 'stale') AND embedder = %(embedder)s AND embedding IS NOT NULL
     ORDER BY embedding <=> %(vector)s::halfvec, id LIMIT %(limit)s)
    UNION ALL
    (SELECT id FROM visible
     WHERE status IN ('conflict', 'superseded') AND embedder = %(embedder)s
       AND embedding IS NOT NULL
     ORDER BY embedding <=> %(vector)s::halfvec, id LIMIT %(limit)s)
),
found AS (SELECT id FROM by_words UNION SELECT id FROM by_meaning)
SELECT m.id, NULL::text AS why,
       CASE WHEN m.embedder = %(embedder)s THEN 1 - (m.embedding <=> %(vector)s::halfvec) END,
       coalesce(s.micro, 0) / 1e6::float8, most.most
FROM found JOIN memory_memory m ON m.id = found.id
LEFT JOIN scored s ON s.memory_id = m.id CROSS JOIN most
{standing}
ORDER BY 2 NULLS FIRST, 1
"""

# Told whatever the question: the newest safety facts, and the newest rules of behaviour.
_STANDING = """
UNION ALL (
    SELECT id, 'safety', NULL, NULL, NULL FROM ({standing}) safe WHERE safety >= %(safety)s
    ORDER BY created_at DESC, id DESC LIMIT %(standing_limit)s
)
UNION ALL (
    SELECT id, 'rule', NULL, NULL, NULL FROM ({standing}) rules
    WHERE kind = 'procedural' AND safety < %(safety)s
    ORDER BY created_at DESC, id DESC LIMIT %(standing_limit)s
)
"""


class MemoryQuerySet(EpochQuerySet["Memory"]):
    def kept(self) -> Self:
        """Not deleted by the owner. Every read path but "Recently deleted" starts here."""
        return self.filter(deleted_at__isnull=True)

    def everyday(self) -> Self:
        """Not archived."""
        return self.filter(archived_at__isnull=True)

    def live(self) -> Self:
        """Kept rows that count as true today or may do so: active, stale or waiting."""
        return self.kept().exclude(status=Status.SUPERSEDED)

    def servable(self) -> Self:
        """Rows that may be served as facts."""
        return self.filter(status__in=[Status.ACTIVE, Status.STALE])

    def waiting(self) -> Self:
        """Rows that wait for the owner."""
        return self.kept().filter(status=Status.CONFLICT)

    def visible_to(self, caller: Caller) -> Self:
        """What this agent may see: its own, its projects', and what all the owner's agents share.

        Quarantined text is never given to any agent, deleted rows to nobody.
        """
        mine = self.of(caller.owner).kept()
        if caller.agent is None:
            return mine
        return mine.exclude(status=Status.CONFLICT, status_reason=Reason.QUARANTINED).filter(
            Q(agent=caller.agent)
            | Q(visibility=Visibility.USER)
            | Q(visibility=Visibility.GROUP, project__in=caller.places)
        )

    def in_project(self, project: UUID) -> Self:
        """Rows of that project and rows of no project."""
        return self.filter(Q(project=project) | Q(project__isnull=True))

    def changeable_by(self, caller: Caller) -> Self:
        """Rows this agent wrote and the owner has not made his own (API.md, PATCH)."""
        return self.visible_to(caller).filter(agent=caller.agent)

    def standing(self, policy: Policy) -> Self:
        """Safety facts and rules of behaviour: told whatever the question, newest first."""
        return (
            self.everyday()
            .filter(status=Status.ACTIVE)
            .filter(Q(safety__gte=policy.safety_line) | Q(kind=Kind.PROCEDURAL))
            .order_by("-created_at", "-id")
        )

    def with_retention(self, now: datetime, policy: Policy) -> Self:
        """Each row with `retention`: raw R at `now`, 0 to 1."""
        return self.annotate(retention_now=retention_expression(now, policy))

    def protected(self, policy: Policy) -> Self:
        return self.filter(protected_condition(policy))

    def candidates(
        self,
        *,
        owner: UUID,
        tokens: Sequence[str],
        vector: Sequence[float] | None,
        embedder: str,
        policy: Policy,
        limit: int,
        standing: Self | None = None,
    ) -> tuple[list[Found], list[tuple[UUID, str]]]:
        """The rows of this queryset nearest to a question, by meaning and by words.

        Live rows and others (waiting, superseded) have a limit each, so that no number of past
        versions hides what is true today. `vector` None: by words alone. Along with them, the
        ids of the `standing` rows with why each stands ("safety" or "rule"). One statement.
        """
        named: dict[str, Any] = {}
        visible = _compile(self.values("id", "status", "embedding", "embedder"), "v", named)
        always = ""
        if standing is not None:
            columns = standing.values("id", "safety", "kind", "created_at")
            always = _STANDING.format(standing=_compile(columns, "s", named))
        with connection.cursor() as cursor:
            cursor.execute(
                _CANDIDATES.format(visible=visible, standing=always),
                {
                    **named,
                    "owner": owner,
                    "tokens": list(tokens),
                    "vector": _vector_literal(vector) if vector is not None else None,
                    "embedder": embedder if vector is not None else "",
                    "k1": policy.bm25_k1,
                    "b": policy.bm25_b,
                    "limit": limit,
                    "safety": policy.safety_line,
                    "standing_limit": policy.standing_limit,
                },
            )
            rows = cursor.fetchall()
        found = [Found(pk, cosine, bm25, most) for pk, why, cosine, bm25, most in rows if not why]
        return found, [(pk, why) for pk, why, *_ in rows if why]

    def saying(self, words: str) -> Self:
        """Rows whose words or value contain this text literally, whatever its case."""
        return self.filter(Q(content__icontains=words) | Q(value__icontains=words))

    def for_showing(self) -> Self:
        """With all that an answer or a page shows of a row, without what only search needs."""
        return self.select_related("use", "agent", "project").defer("embedding", "search_text")

    def in_batches(self, size: int) -> Iterator[list[Any]]:
        """The rows in id order, `size` at a time, each batch read anew: memory stays flat."""
        last: UUID | None = None
        while True:
            rows = self.order_by("id")
            batch = list((rows.filter(id__gt=last) if last else rows)[:size])
            if not batch:
                return
            yield batch
            last = batch[-1].id


def _compile(rows: Any, prefix: str, named: dict[str, Any]) -> str:
    """A queryset as SQL with named parameters, which are added to `named`."""
    # Not elided: an empty filter must find nothing, not fail.
    compiler = rows.order_by().query.get_compiler(rows.db, elide_empty=False)
    sql, params = compiler.as_sql()
    names = [f"{prefix}{number}" for number in range(len(params))]
    named.update(zip(names, params, strict=True))
    return str(sql % tuple(f"%({name})s" for name in names)) if names else str(sql)


def _vector_literal(vector: Sequence[float]) -> str:
    return "[" + ",".join(f"{x:.6g}" for x in vector) + "]"


class PostingQuerySet(OwnedQuerySet["Posting"]):
    pass
