"""Commands beside `manage.py run`, and without it."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from config.embedded import Home, running
from config.embedded.home import ROOT
from tests.run.product import environment, left_lying, left_running, manage, started

pytestmark = pytest.mark.run

ASK = """
import json
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("SELECT current_user, pg_postmaster_start_time()::text")
    print(json.dumps(cursor.fetchone()))
"""


def ask(home: Path) -> tuple[str, str]:
    """Whom a command is signed in as, and at which server."""
    done = manage(home, "shell", "--verbosity", "0", "--command", ASK)
    assert done.returncode == 0, done.stderr
    role, server = json.loads(done.stdout)  # one JSON value and nothing else
    return role, server


def begin(home: Path, code: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "manage.py", "shell", "--verbosity", "0", "--command", code],
        cwd=ROOT,
        env=environment(home),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_while_memoir_runs_a_command_uses_its_database(home: Path) -> None:
    with started(home) as product:
        role, server = ask(home)
        assert role == "memoir_app"
        assert ask(home) == (role, server)
        assert product.health() == 200


def test_while_it_does_not_a_command_brings_a_database_for_itself(home: Path) -> None:
    role, server = ask(home)
    assert role == "memoir_app"
    assert ask(home)[1] != server
    assert left_running(home) == []
    assert left_lying(home) == []


def test_a_command_that_fails_stops_what_it_started(home: Path) -> None:
    done = manage(home, "shell", "--command", "raise SystemExit('no')")
    assert done.returncode != 0
    assert left_running(home) == []
    assert left_lying(home) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_command_that_is_told_to_stop_stops_what_it_started(
    home: Path, number: signal.Signals
) -> None:
    command = begin(home, "import time; print('ready', flush=True); time.sleep(60)")
    assert command.stdout is not None
    assert command.stdout.readline() == "ready\n"
    command.send_signal(number)
    assert command.wait(timeout=10) != 0
    command.communicate()
    assert left_running(home) == []
    assert left_lying(home) == []


def test_two_commands_share_and_the_first_waits_for_the_second_to_finish(home: Path) -> None:
    first = begin(home, "print('ready', flush=True); import time; time.sleep(2)")
    assert first.stdout is not None
    assert first.stdout.readline() == "ready\n"
    second = begin(home, f"import time; time.sleep(3)\n{ASK}")
    said, trouble = second.communicate(timeout=30)
    assert json.loads(said)[0] == "memoir_app", trouble
    assert "starting" not in trouble
    first.communicate(timeout=10)
    assert left_running(home) == []


@pytest.mark.parametrize("command", ["check", "help", "--version"])
def test_a_command_that_asks_no_database_starts_none(fresh_home: Path, command: str) -> None:
    begun = time.monotonic()
    done = manage(fresh_home, command)
    assert done.returncode == 0, done.stderr
    assert "starting" not in done.stderr
    assert not (fresh_home / "postgres").exists()
    assert not running(Home(fresh_home))
    assert time.monotonic() - begun < 30
