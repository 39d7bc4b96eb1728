"""What every question asked of an owner's table has in common: it starts at the owner."""

from __future__ import annotations

from typing import Any, Self, TypeVar
from uuid import UUID

from django.apps import apps
from django.db import models
from django.db.models import Subquery
from django.db.models.functions import Coalesce

M = TypeVar("M", bound=models.Model)


class OwnedQuerySet(models.QuerySet[M]):
    """Rows of one owner. Row-level security would hide the others all the same."""

    def of(self, owner: UUID | Any) -> Self:
        """The rows of this owner, given as a person or as an id."""
        return self.filter(owner=owner)


class EpochQuerySet(OwnedQuerySet[M]):
    """Rows that "clear all" takes away: from its commit on they are nowhere to be read.

    The rows are erased afterwards, by a job; until then their epoch is older than the owner's.
    """

    def of(self, owner: UUID | Any) -> Self:
        """The rows of this owner that were not cleared."""
        policies = apps.get_model("memory", "Policy").objects
        current = Subquery(policies.filter(owner=owner).values("epoch")[:1])
        return self.filter(owner=owner, epoch__gte=Coalesce(current, 0))

    def cleared_of(self, owner: UUID) -> Self:
        """The rows of this owner that still have to be erased."""
        policies = apps.get_model("memory", "Policy").objects
        current = Subquery(policies.filter(owner=owner).values("epoch")[:1])
        return self.filter(owner=owner, epoch__lt=Coalesce(current, 0))
