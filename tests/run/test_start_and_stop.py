"""`manage.py run` starts everything, says so, and leaves nothing behind."""

import json
import os
import pty
import shlex
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from config.embedded.home import ROOT
from tests.run.product import (
    STARTED,
    environment,
    free_port,
    left_lying,
    left_running,
    started,
)

pytestmark = pytest.mark.run


def test_the_demo_owner_gets_in_by_the_link_and_an_agent_by_the_curl_it_prints(home: Path) -> None:
    with started(home, MEMOIR_DEMO="1") as product:
        lines = [line.strip() for line in product.output]
        link = lines[lines.index("Sign in as the demo owner with one click:") + 1]
        with urllib.request.urlopen(link) as page:
            assert page.status == 200
            assert "/accounts/login" not in page.url
        begin = lines.index("Ask it something, as an agent would:") + 1
        command = " ".join(lines[begin : lines.index("", begin)]).replace("\\ ", "")
        answer = subprocess.run(shlex.split(command), capture_output=True, check=True)
        assert json.loads(answer.stdout)["memories"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_the_group_ends_it_in_order_and_leaves_nothing(
    home: Path, number: signal.Signals
) -> None:
    with started(home) as product:
        assert f"Memoir is running at http://127.0.0.1:{product.port}" in product.said
        assert product.health() == 200
        assert left_running(home)
        begun = time.monotonic()
        product.signal_group(number)
        assert product.wait() == 0, product.said
        assert time.monotonic() - begun < 10
        assert "Traceback" not in product.said
        assert "database system is shut down" in product.said
        assert left_running(home) == []
        assert left_lying(home) == []


def test_ctrl_c_in_a_terminal_ends_it_in_order(home: Path) -> None:
    """A real terminal reads the key and signals its foreground group."""
    master, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "manage.py", "run"],
        cwd=ROOT,
        env=environment(home, MEMOIR_PORT=str(free_port()), MEMOIR_DEMO="0"),
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
        preexec_fn=lambda: os.close(
            os.open(os.ttyname(0), os.O_RDWR)
        ),  # makes it the controlling terminal
    )
    os.close(terminal)
    said = b""
    while STARTED.encode() not in said:
        said += os.read(master, 4096)
    os.write(master, b"\x03")
    assert process.wait(timeout=10) == 0
    os.close(master)
    assert left_running(home) == []
    assert left_lying(home) == []


def test_it_stops_when_nobody_reads_its_output_any_more(home: Path) -> None:
    """`make run | head` must not leave a product running that nobody sees."""
    process = subprocess.Popen(
        [sys.executable, "manage.py", "run"],
        cwd=ROOT,
        env=environment(home, MEMOIR_PORT=str(free_port()), MEMOIR_DEMO="0"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(timeout=30) == 0
    assert left_running(home) == []
    assert left_lying(home) == []
