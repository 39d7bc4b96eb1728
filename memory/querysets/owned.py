"""What every question asked of an owner's table has in common: it starts at the owner."""

from __future__ import annotations

from typing import Any, Self, TypeVar
from uuid import UUID

from django.apps import apps
from django.db import models
from django.db.models import Exists, Func, OuterRef, Subquery, UUIDField, Value
from django.db.models.functions import Coalesce

M = TypeVar("M", bound=models.Model)


def blind(owner: UUID | Any) -> Func:
    """The owner's id as the planner must not know it.

    Told the id, it looks it up in its statistics; of an owner they do not hold yet (one who has
    just imported ten thousand memories) it believes that there is a single row, and reads all of
    them again for each. Not told, it plans for an owner of average size, which is good for any.
    """
    return Func(
        Value(getattr(owner, "pk", owner), UUIDField()),
        template="(SELECT %(expressions)s::uuid)",
        output_field=UUIDField(),
    )


class OwnedQuerySet(models.QuerySet[M]):
    """Rows of one owner. Row-level security would hide the others all the same."""

    def of(self, owner: UUID | Any) -> Self:
        """The rows of this owner, given as a person or as an id."""
        return self.filter(owner=blind(owner))


class EpochQuerySet(OwnedQuerySet[M]):
    """Rows that "clear all" takes away: from its commit on they are nowhere to be read.

    The rows are erased afterwards, by a job; until then their epoch is older than the owner's.
    """

    def of(self, owner: UUID | Any) -> Self:
        """The rows of this owner that were not cleared."""
        policies = apps.get_model("memory", "Policy").objects
        current = Subquery(policies.filter(owner=owner).values("epoch")[:1])
        return self.filter(owner=blind(owner), epoch__gte=Coalesce(current, 0))

    def cleared_of(self, owner: UUID) -> Self:
        """The rows of this owner that still have to be erased."""
        policies = apps.get_model("memory", "Policy").objects
        current = Subquery(policies.filter(owner=owner).values("epoch")[:1])
        return self.filter(owner=blind(owner), epoch__lt=Coalesce(current, 0))

    def uncleared(self) -> Self:
        """The rows of all owners that were not cleared; inside `operations`."""
        policies = apps.get_model("memory", "Policy").objects.filter(owner=OuterRef("owner"))
        return self.exclude(Exists(policies.filter(epoch__gt=OuterRef("epoch"))))
