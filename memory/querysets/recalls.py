"""Questions asked of past recalls."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Self
from zoneinfo import ZoneInfo

from django.db.models import (
    Aggregate,
    Count,
    DateTimeField,
    F,
    FloatField,
    Func,
    IntegerField,
    Sum,
    Value,
)
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from memory.querysets.owned import EpochQuerySet

if TYPE_CHECKING:
    from memory.models.recalls import Recall  # noqa: F401  (types only)

_EVER = datetime(1970, 1, 1, tzinfo=UTC)


class Percentile(Aggregate):
    """What a share of the values does not exceed: PostgreSQL's percentile_cont."""

    function = "percentile_cont"
    template = "%(function)s(%(share)s) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()

    def __init__(self, expression: str, *, share: float, **extra: Any) -> None:
        super().__init__(expression, share=float(share), **extra)


class RecallQuerySet(EpochQuerySet["Recall"]):
    def asked_before(self, moment: datetime) -> Self:
        return self.filter(asked_at__lt=moment)

    def dropped_by_day(self, since: datetime, zone: str) -> dict[date, int]:
        """How many rows each day's recalls dropped for having faded, by the calendar of a zone.

        Added up by the quarter of an hour, since every zone is whole quarters from UTC and the
        database need not know the zone.
        """
        quarter = Func(
            Value(timedelta(minutes=15)),
            F("asked_at"),
            Value(_EVER),
            function="date_bin",
            output_field=DateTimeField(),
        )
        rows = (
            self.filter(asked_at__gte=since)
            .order_by()
            .annotate(quarter=quarter)
            .values("quarter")
            .annotate(dropped=Sum(Cast(KT("stages__dropped_by_decay"), IntegerField())))
        )
        days: Counter[date] = Counter()
        for row in rows:
            days[row["quarter"].astimezone(ZoneInfo(zone)).date()] += row["dropped"] or 0
        return dict(days)

    def latency_since(self, since: datetime) -> tuple[int, float | None, float | None]:
        """How many were timed, and the milliseconds that half and 95 % of them stayed within."""
        found = self.filter(asked_at__gte=since, milliseconds__isnull=False).aggregate(
            timed=Count("pk"),
            half=Percentile("milliseconds", share=0.5),
            most=Percentile("milliseconds", share=0.95),
        )
        return found["timed"], found["half"], found["most"]
