"""A MEMOIR_HOME of its own for the tests that start the whole product."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.run.product import wait_until_nothing_runs


def remove(home: Path) -> None:
    elsewhere = (home / "postgres").resolve()
    shutil.rmtree(home, ignore_errors=True)
    if not elsewhere.is_relative_to(home):
        shutil.rmtree(elsewhere, ignore_errors=True)


@pytest.fixture(scope="session")
def home() -> Iterator[Path]:
    """One for all: the first start makes and migrates the database, the others find it."""
    path = Path(tempfile.mkdtemp(prefix="memoir-test-")).resolve()
    yield path
    wait_until_nothing_runs(path)
    remove(path)


@pytest.fixture
def fresh_home() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="memoir-test-")).resolve()
    yield path
    remove(path)
