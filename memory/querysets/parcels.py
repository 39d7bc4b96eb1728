"""Questions asked of exports and imports."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Self
from uuid import UUID

from memory.querysets.owned import OwnedQuerySet

if TYPE_CHECKING:
    from memory.models.parcels import Parcel, ParcelPart  # noqa: F401  (types only)


class ParcelQuerySet(OwnedQuerySet["Parcel"]):
    """An export outlives "clear all": it is made so that something is left."""

    def current(self, now: datetime) -> Self:
        """Those whose day is not over, newest first."""
        return self.filter(expires_at__gt=now).order_by("-created_at", "-id")

    def imports_before(self, epoch: int) -> Self:
        """What was brought along before everything was cleared, and never taken in."""
        return self.filter(kind="import", epoch__lt=epoch)

    def over(self, now: datetime) -> Self:
        return self.filter(expires_at__lte=now)


class ParcelPartQuerySet(OwnedQuerySet["ParcelPart"]):
    def of_parcel(self, parcel: UUID) -> Self:
        """In order, without the bytes."""
        return self.filter(parcel=parcel).order_by("number").defer("content")
