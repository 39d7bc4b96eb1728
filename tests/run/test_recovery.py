"""What dies is started again; what was killed leaves nothing the next start cannot deal with."""

import signal
from pathlib import Path

import pytest

from tests.run.product import left_lying, left_running, sql, started

pytestmark = pytest.mark.run


def test_after_kill_9_of_the_whole_group_the_next_start_finds_the_data(home: Path) -> None:
    with started(home) as product:
        sql(
            home,
            "CREATE TABLE IF NOT EXISTS kept (word text); INSERT INTO kept VALUES ('still here')",
        )
        product.signal_group(signal.SIGKILL)
        product.process.wait(5)
    with started(home) as product:
        assert product.health() == 200
        assert "still here" in sql(home, "SELECT word FROM kept")
        sql(home, "DROP TABLE kept")


def test_after_kill_9_of_the_supervisor_alone_the_next_start_recovers(home: Path) -> None:
    with started(home) as product:
        product.process.kill()
        product.process.wait(5)
        with started(home) as again:
            assert again.health() == 200
    assert left_running(home) == []
    assert left_lying(home) == []


def test_what_is_killed_comes_back_and_what_keeps_dying_ends_all(home: Path) -> None:
    with started(home) as product:
        said = len(product.output)
        product.kill("database")
        product.wait_for("ready to accept connections", since=said)
        product.wait_until_healthy()

        product.kill("web")
        product.wait_for("web died")
        product.wait_until_healthy()
        for _ in range(3):
            pid = product.pid_of("web")
            product.kill("web")
            product.wait_for_another("web", pid)
        product.kill("web")
        assert product.wait(15) == 1
        assert "web died 5 times within 60 s" in product.said
    assert left_running(home) == []
    assert left_lying(home) == []
