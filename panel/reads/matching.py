"""Which memories a list's address means: what an act on all that match is about."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from memory.border import owner_scope
from memory.domain.values import Status
from memory.models import Memory
from panel.reads.counts import Counts
from panel.reads.filters import Filters
from panel.visits import read_policy


def read_matching(owner: UUID, filters: Filters, *, now: datetime, most: int) -> list[UUID]:
    """The ids of all that match, on whichever page; `most` and one more at most."""
    with owner_scope(owner):
        policy = read_policy(owner)
        matching = (
            Memory.objects.of(owner)
            .kept()
            .filter(filters.all(now=now, visit_before=policy.visit_before))
            .filter(filters.facet("status"))
        )
        return list(matching.order_by("id").values_list("pk", flat=True)[: most + 1])


def read_kept(owner: UUID, memories: Iterable[UUID]) -> list[UUID]:
    """Those of them that are still there."""
    with owner_scope(owner):
        kept = Memory.objects.of(owner).kept().filter(pk__in=set(memories))
        return list(kept.order_by("id").values_list("pk", flat=True))


def count_matching(filters: Filters, counts: Counts) -> int | None:
    """How many match, from the numbers beside the filters; None where they were not counted."""
    if not counts.exact:
        return None
    by_status = counts.facets.get("status", {})
    shown = [*filters.listed, *([Status.CONFLICT] if filters.shows_waiting else [])]
    return sum(by_status.get(str(status), 0) for status in set(shown))
