"""Every question asked of memories, by name."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self
from uuid import UUID

from django.db.models import BooleanField, Case, CharField, Count, F, Func, Q, Value, When
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce, Concat

from memory.domain.keys import GENERAL
from memory.domain.policy import Policy
from memory.domain.values import Kind, Reason, Status, Visibility
from memory.querysets.callers import Caller, Granted
from memory.querysets.decay import protected_condition, retention_expression
from memory.querysets.lifecycle import LifecycleQuerySet
from memory.querysets.owned import OwnedQuerySet

if TYPE_CHECKING:
    from memory.models.memories import Memory, Posting  # noqa: F401  (types only)


# IS TRUE keeps the planner from joining: it would compare each row with each.
_NEWEST = """
(memory_memory.id IN (
WITH RECURSIVE climb (start, above, height) AS (
    SELECT older.start, older.above, 1 FROM ({older}) AS older (start, above)
    UNION ALL
    SELECT climb.start, m.superseded_by_id, climb.height + 1
    FROM climb JOIN memory_memory m ON m.id = climb.above
    WHERE m.superseded_by_id IS NOT NULL AND climb.height < 200
)
SELECT DISTINCT ON (climb.start) climb.above
FROM climb JOIN memory_memory m ON m.id = climb.above AND m.deleted_at IS NULL
ORDER BY climb.start, climb.height DESC
)) IS TRUE
"""


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic, how many rows it has, and how many of them each agent sees."""

    key: str
    total: int
    seen: Mapping[UUID, int]


class MemoryQuerySet(LifecycleQuerySet):
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
        """What this agent may see: its own, its projects', what all the owner's agents share, and
        what the owner granted it besides.

        Quarantined text is never given to any agent, deleted rows to nobody.
        """
        mine = self.of(caller.owner).kept()
        return mine if caller.agent is None else mine.filter(_seen_by(caller))

    def count_visible_to(self, callers: Sequence[Caller]) -> tuple[int, dict[UUID, int]]:
        """How many rows there are, and how many of them each of these agents of one owner sees.

        One statement for all.
        """
        seen = {f"seen{n}": Count("pk", filter=_seen_by(c)) for n, c in enumerate(callers)}
        counts = self.kept().aggregate(total=Count("pk"), **seen)
        total = counts.pop("total")
        agents = [caller.agent for caller in callers if caller.agent is not None]
        return total, dict(zip(agents, counts.values(), strict=True))

    def topics_visible_to(
        self, callers: Sequence[Caller], *, granted: Collection[str], most: int, skip: int = 0
    ) -> list[Topic]:
        """Topics of ordinary rows of which some agent sees less than all, most hidden first, and
        those `granted`; with what each of these agents sees of them. `skip`: those before.

        A topic is a key's first part, its first two where the first only names the owner, as a
        grant names it. One statement, however many rows.
        """
        first, second = (
            Func(F("key"), Value("."), Value(n), function="split_part", output_field=CharField())
            for n in (1, 2)
        )
        seen = {f"seen{n}": Count("pk", filter=_seen_by(c)) for n, c in enumerate(callers)}
        hidden = sum((F("total") - F(name) for name in seen), Value(0))
        rows = (
            self.kept()
            .filter(sensitivity=[])
            .exclude(key="")
            .annotate(first=first, second=second)
            .annotate(
                family=Case(
                    When(
                        Q(first__in=GENERAL) & ~Q(second=""),
                        then=Concat("first", Value("."), "second"),
                    ),
                    default=F("first"),
                )
            )
            .order_by()
            .values("family")
            .annotate(total=Count("pk"), **seen)
            .annotate(hidden=hidden)
            .filter(Q(hidden__gt=0) | Q(family__in=granted))
            .order_by("-hidden", "-total", "family")[skip : skip + most]
        )
        return [
            Topic(
                row["family"],
                row["total"],
                {c.agent: row[f"seen{n}"] for n, c in enumerate(callers) if c.agent is not None},
            )
            for row in rows
        ]

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

    def saying(self, words: str) -> Self:
        """Rows whose words or value contain this text literally, whatever its case."""
        return self.filter(Q(content__icontains=words) | Q(value__icontains=words))

    def for_showing(self) -> Self:
        """With all that an answer or a page shows of a row, without what only search needs."""
        return self.select_related("use", "agent", "project", "message").defer(
            "embedding", "search_text", "message__content", "message__found"
        )

    def dated(self) -> Self:
        """Each row with `dated_at`: when the owner confirmed it, else when it was said."""
        return self.annotate(dated_at=Coalesce("confirmed_at", "said_at"))

    def since(self) -> Self:
        """Each row with `since_at`: from when on it was so, as far as is known."""
        return self.annotate(since_at=Coalesce("valid_from", "occurred_at", "created_at"))

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


def newest_after(older: MemoryQuerySet) -> RawSQL:
    """The condition to be the last row of a history that one of `older` is an earlier part of.

    What was deleted in between is passed over. For a query of memories itself, not a subquery.
    """
    replaced = older.filter(superseded_by__isnull=False).order_by()
    query, given = replaced.values_list("pk", "superseded_by").query.sql_with_params()
    condition = _NEWEST.format(older=query)
    return RawSQL(condition, given, BooleanField())  # noqa: S611  (values are parameters)


def _seen_by(caller: Caller) -> Q:
    """What decides whether an agent sees a row of its owner's: the one place that says so."""
    return ~Q(status=Status.CONFLICT, status_reason=Reason.QUARANTINED) & (
        Q(agent=caller.agent)
        | Q(visibility=Visibility.USER)
        | Q(visibility=Visibility.GROUP, project__in=caller.places)
        | _granted(caller.grants)
    )


def _granted(grants: Sequence[Granted]) -> Q:
    """The rows these grants reach; none for none.

    A sensitive row needs a grant for each of its topics: who may know of health learns nothing of
    money from a row that speaks of both. What a grant says of ordinary topics never reaches one.
    """
    reached = Q(pk__in=[])
    of_anybody = {g.sensitivity for g in grants if g.source is None} - {""}
    for source in {g.source for g in grants if g.sensitivity}:
        kinds = of_anybody | {g.sensitivity for g in grants if g.source == source} - {""}
        rows = Q(sensitivity__contained_by=sorted(kinds)) & ~Q(sensitivity=[])
        reached |= rows if source is None else rows & Q(agent=source)
    for grant in grants:
        if grant.sensitivity:
            continue
        rows = Q(sensitivity=[])
        if grant.topic:
            rows &= Q(key=grant.topic) | Q(key__startswith=f"{grant.topic}.")
        reached |= rows if grant.source is None else rows & Q(agent=grant.source)
    return reached


class PostingQuerySet(OwnedQuerySet["Posting"]):
    pass
