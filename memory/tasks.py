"""Celery's entry points: fetch, call one service, stop. A message is only a nudge."""

from __future__ import annotations

import logging

from celery import shared_task
from kombu.exceptions import OperationalError

from memory.services import dispatch

log = logging.getLogger(__name__)


@shared_task  # type: ignore[untyped-decorator]  # Celery ships no types
def sweep_jobs() -> int:
    """Run what is due. Beat calls it every ten seconds, writers nudge it."""
    return dispatch.run_due_jobs()


def nudge() -> None:
    """Ask a worker to look now. With the broker down the next sweep finds the work."""
    try:
        sweep_jobs.apply_async(ignore_result=True)
    except (OperationalError, OSError) as error:
        log.warning("no nudge, the broker is away: %s", type(error).__name__)
