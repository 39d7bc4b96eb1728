"""Questions asked of the spot checks."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Self

from django.db.models import Q

from memory.domain.values import Status
from memory.querysets.owned import EpochQuerySet

if TYPE_CHECKING:
    from memory.models.checks import SpotCheck  # noqa: F401  (types only)


class SpotCheckQuerySet(EpochQuerySet["SpotCheck"]):
    def waiting(self) -> Self:
        """Open ones whose memory can still be judged: kept, and not overtaken meanwhile."""
        return self.filter(
            Q(state="open", memory__deleted_at__isnull=True) & ~Q(memory__status=Status.SUPERSEDED)
        )

    def asked(self, now: datetime) -> Self:
        """What the owner is asked today: waiting, and not put off."""
        return self.waiting().exclude(_put_off(now))

    def postponed(self, now: datetime) -> Self:
        """What the owner put off and is not asked yet."""
        return self.waiting().filter(_put_off(now))


def _put_off(now: datetime) -> Q:
    # Not a bare comparison: where there is no day, NOT of it would be neither true nor false.
    return Q(later_on_mention=True) | Q(later_until__isnull=False, later_until__gt=now)
