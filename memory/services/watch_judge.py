"""Say how the judge is, for the health page."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TypedDict

from django.db.models import Max, Sum

from memory.adapters.judges import circuit_state
from memory.border import operations
from memory.models import JudgeUse


class JudgeHealth(TypedDict):
    """`state`: off (the rules judge), closed (all is well), open or half_open, of this process.

    The numbers are today's (UTC), of all owners and processes; `error` is a code.
    """

    state: str
    error: str
    calls: int
    failures: int
    failed_at: datetime | None


def read_judge_health(*, now: datetime) -> JudgeHealth:
    with operations("judge_health"):
        today = JudgeUse.objects.filter(day=now.astimezone(UTC).date())
        sums = today.aggregate(Sum("calls"), Sum("failures"), Max("failed_at"))
        last = today.exclude(error="").order_by("-failed_at").values_list("error", flat=True)
        last_error = last.first() or ""
    circuit = circuit_state()
    return {
        "state": circuit["state"],
        "error": circuit["error"] or last_error,
        "calls": sums["calls__sum"] or 0,
        "failures": sums["failures__sum"] or 0,
        "failed_at": sums["failed_at__max"],
    }
