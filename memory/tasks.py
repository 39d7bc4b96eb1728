"""Celery's entry points: fetch, call one service, stop. A message is only a nudge."""

from __future__ import annotations

import logging

from celery import shared_task
from django.utils import timezone
from kombu.exceptions import OperationalError

from memory.services import check, dispatch, retain
from memory.services import expire as expiry
from memory.services import reflect as reflection

log = logging.getLogger(__name__)


@shared_task  # type: ignore[untyped-decorator]  # Celery ships no types
def sweep_jobs() -> int:
    """Run what is due. Beat calls it every ten seconds, writers nudge it."""
    return dispatch.run_due_jobs()


@shared_task  # type: ignore[untyped-decorator]  # Celery ships no types
def sweep_memories() -> dict[str, int]:
    """What has risen, ended, faded or been taken away. Beat calls it every hour."""
    try:
        return retain.sweep(now=timezone.now())
    except retain.SweepRunning:
        return {}


@shared_task  # type: ignore[untyped-decorator]  # Celery ships no types
def reflect() -> int:
    """Suggest what weeks of weak memories point to. Beat calls it every night."""
    return reflection.reflect(now=timezone.now())


@shared_task  # type: ignore[untyped-decorator]  # Celery ships no types
def draw_spot_checks() -> int:
    """A few extractions a week for each owner to look at."""
    return check.draw_for_all(timezone.now())


@shared_task  # type: ignore[untyped-decorator]  # Celery ships no types
def expire() -> int:
    """Erase what is kept for a while only."""
    return expiry.expire_all(timezone.now())


def nudge() -> None:
    """Ask a worker to look now. With the broker down the next sweep finds the work."""
    try:
        sweep_jobs.apply_async(ignore_result=True)
    except (OperationalError, OSError) as error:
        log.warning("no nudge, the broker is away: %s", type(error).__name__)
