"""Refuse to serve where the border between owners would not hold."""

from __future__ import annotations

import sys
import time

from django.db import InterfaceError, OperationalError, connection

from config.checks import check_site_policy
from memory.border import BorderDown, check_border

PATIENCE = 30.0


def refuse_contradictions() -> None:
    """Leave with one sentence where the site's settings contradict each other."""
    for problem in check_site_policy():
        if problem.is_serious():
            sys.exit(f"memoir: {problem.msg}")


def refuse_without_border(patience: float = PATIENCE) -> None:
    """Check the role and the policies before serving; leave with one sentence where they fail.

    A database that is not up yet is waited for: it may be starting beside us.
    """
    refuse_contradictions()
    deadline = time.monotonic() + patience
    while True:
        try:
            check_border()
        except BorderDown as error:
            sys.exit(f"memoir: {error}")
        except (OperationalError, InterfaceError) as error:
            if time.monotonic() > deadline:
                sys.exit(f"memoir: the database did not answer: {error}")
            connection.close()
            time.sleep(0.5)
        else:
            connection.close()
            return
