"""What the tests need before Django reads its settings: a home of their own, and its services.

Loaded with `-p tests.services`, so that it comes before pytest-django.
"""

from __future__ import annotations

import os
import signal
from contextlib import ExitStack
from pathlib import Path

import pytest

from config.embedded import Home
from config.embedded.services import use

ROOT = Path(__file__).resolve().parent.parent
os.environ.setdefault("MEMOIR_HOME", str(ROOT / "var" / "test"))
if worker := os.environ.get("PYTEST_XDIST_WORKER"):
    # Tests side by side (-n) share nothing: each process has a database and a broker of its own.
    os.environ["MEMOIR_HOME"] = str(Path(os.environ["MEMOIR_HOME"]) / worker)
os.environ.setdefault("PYTHONDEVMODE", "1")
# Tests ask more often than any program; those of the limit set their own.
os.environ.setdefault("MEMOIR_REQUESTS_A_MINUTE", "0")

# Whoever starts the tests in the background of a script has them ignore SIGINT, and with them all
# they start; the tests of being interrupted would wait in vain.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

_services = ExitStack()


def pytest_configure(config: pytest.Config) -> None:
    """Start PostgreSQL and Valkey once, unless an outside database is named.

    Where they run already they are used; whoever started them waits for the others before
    stopping them.
    """
    shares_out = config.getoption("numprocesses", None) and not worker
    if "DATABASE_URL" in os.environ or shares_out:
        return
    home = Home(Path(os.environ["MEMOIR_HOME"]))
    _services.enter_context(use(home, "the tests", lambda message: None, durable=False))


def pytest_unconfigure() -> None:
    _services.close()
