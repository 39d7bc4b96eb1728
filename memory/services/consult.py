"""Ask the judge, within the request's time and the owner's day; the rules go on without it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TypeVar
from uuid import UUID

import structlog
from django.conf import settings
from django.db import connection

from memory.adapters.answers import FoundFact
from memory.adapters.judges import (
    Budget,
    Candidate,
    Cost,
    Judge,
    JudgeDown,
    Scored,
    Turn,
    Verdict,
    get_judge,
)
from memory.border import owner_scope
from memory.domain.importance import Dimensions
from memory.models import JudgeUse

log = structlog.get_logger(__name__)

T = TypeVar("T")


@dataclass(slots=True, kw_only=True)
class Consultation:
    """One request's talk with the judge. Never inside a transaction.

    Each question gives None where there is no judge or no usable answer; `fallback` is then the
    code of the last reason, for the event.
    """

    owner: UUID
    judge: Judge | None
    budget: Budget
    day: datetime
    fallback: str = ""
    cost: Cost = field(default_factory=Cost)

    def score(self, facts: Sequence[Scored]) -> list[Dimensions] | None:
        return self._ask(lambda j: j.score(facts, budget=self.budget, cost=self.cost))

    def extract(self, turns: Sequence[Turn], *, zone: str) -> list[FoundFact] | None:
        return self._ask(lambda j: j.extract(turns, zone=zone, budget=self.budget, cost=self.cost))

    def route(self, new: Candidate, known: Sequence[Candidate]) -> Verdict | None:
        return self._ask(lambda j: j.route(new, known, budget=self.budget, cost=self.cost))

    def _ask(self, question: Callable[[Judge], T]) -> T | None:
        if self.judge is None:
            return None
        try:
            answer = question(self.judge)
        except JudgeDown as down:
            self.fallback = down.code
            return None
        except Exception as error:
            # A judge must never stop a write, whatever is wrong with it.
            log.error("judge failed", error=type(error).__name__)
            self.fallback = "error"
            return None
        self.fallback = ""
        return answer

    def close(self) -> None:
        """Add what was spent to the owner's day. Opens a scope of its own."""
        if not self.cost.calls:
            return
        with owner_scope(self.owner), connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO memory_judgeuse AS u"
                " (owner_id, day, calls, failures, tokens, error, failed_at)"
                " VALUES (%s, %s, %s, %s, %s, %s, %s)"
                " ON CONFLICT (owner_id, day) DO UPDATE SET calls = u.calls + excluded.calls,"
                " failures = u.failures + excluded.failures, tokens = u.tokens + excluded.tokens,"
                " error = CASE WHEN excluded.failures > 0 THEN excluded.error ELSE u.error END,"
                " failed_at = coalesce(excluded.failed_at, u.failed_at)",
                [
                    self.owner, self.day.date(), self.cost.calls, self.cost.failures,
                    self.cost.tokens, self.cost.error[:20],
                    self.day if self.cost.failures else None,
                ],
            )  # fmt: skip
        self.cost = Cost()


def consult(owner: UUID, *, now: datetime, seconds: float | None = None) -> Consultation:
    """Begin to ask for one request. `seconds`: all it may take; MEMOIR_JUDGE_SECONDS by default.

    With a judge: one statement, in a scope of its own, for what the owner's day has cost so far.
    """
    day = now.astimezone(UTC)
    # First: making the client takes longer than some budgets.
    judge = get_judge()
    budget = Budget(settings.MEMOIR_JUDGE_SECONDS if seconds is None else seconds)
    consultation = Consultation(owner=owner, judge=judge, budget=budget, day=day)
    if judge is None or not settings.MEMOIR_JUDGE_TOKENS_A_DAY:
        return consultation
    with owner_scope(owner):
        today = JudgeUse.objects.of(owner).filter(day=day.date())
        spent = today.values_list("tokens", flat=True).first() or 0
    if spent >= settings.MEMOIR_JUDGE_TOKENS_A_DAY:
        consultation.judge, consultation.fallback = None, "ceiling"
    return consultation
