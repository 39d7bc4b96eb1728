"""What the tests need before Django reads its settings: a home of their own, and its services.

Loaded with `-p tests.services`, so that it comes before pytest-django.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from config.embedded import Home
from config.embedded.services import Services, running

ROOT = Path(__file__).resolve().parent.parent
os.environ.setdefault("MEMOIR_HOME", str(ROOT / "var" / "test"))
os.environ.setdefault("PYTHONDEVMODE", "1")

_services: list[Services] = []


def pytest_configure(config: pytest.Config) -> None:
    """Start PostgreSQL and Valkey once, unless an outside database is named or they run already."""
    home = Home(Path(os.environ["MEMOIR_HOME"]))
    if "DATABASE_URL" in os.environ or hasattr(config, "workerinput") or running(home):
        return
    services = Services(home, "the tests", durable=False)
    services.__enter__()
    _services.append(services)


def pytest_unconfigure() -> None:
    while _services:
        _services.pop().__exit__(None, None, None)
