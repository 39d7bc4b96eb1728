"""`manage.py run` as a person meets it: a process with output, signals and an exit code."""

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from config.embedded.claim import MARK, read_register
from config.embedded.home import ROOT, Home
from config.embedded.postgres import Postgres
from config.embedded.process import Process, marked, working_in

STARTED = "Ctrl-C stops it."
RECOVERY = 15  # seconds after which requests must succeed again


def environment(home: Path, **changes: str) -> dict[str, str]:
    """The environment of a fresh shell: nothing of the test run's own settings."""
    ours = ("MEMOIR_", "DATABASE_", "BROKER_", "SECRET_KEY", "DJANGO_", "COV_", "PYTHON", MARK)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**kept, "MEMOIR_HOME": str(home), **changes}


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def manage(home: Path, *arguments: str, **changes: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment(home, **changes),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


class Product:
    """One `manage.py run` in a process group of its own, as a terminal makes it."""

    def __init__(self, home: Path, **changes: str) -> None:
        self.home = home
        self.port = free_port()
        self.output: list[str] = []
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "run"],
            cwd=ROOT,
            env=environment(home, **{"MEMOIR_PORT": str(self.port), "MEMOIR_DEMO": "0", **changes}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            process_group=0,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.output.append(line.rstrip("\n"))

    def wait_for(self, words: str, seconds: float = 60, *, since: int = 0) -> None:
        deadline = time.monotonic() + seconds
        while not any(words in line for line in self.output[since:]):
            ended = self.process.poll() is not None
            assert not ended, f"it ended before saying {words!r}:\n{self.said}"
            assert time.monotonic() < deadline, f"it never said {words!r}:\n{self.said}"
            time.sleep(0.05)

    @property
    def said(self) -> str:
        return "\n".join(self.output)

    def health(self) -> int | None:
        """The status of the health endpoint; None if nobody answers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/api/v1/health")
            return connection.getresponse().status
        except OSError:
            return None
        finally:
            connection.close()

    def wait_until_healthy(self, seconds: float = RECOVERY) -> None:
        deadline = time.monotonic() + seconds
        while self.health() != 200:
            assert time.monotonic() < deadline, (
                f"health was not good again in {seconds} s:\n{self.said}"
            )
            time.sleep(0.1)

    def signal_group(self, number: signal.Signals) -> None:
        """What Ctrl-C in a terminal does: the signal goes to every process of the group."""
        os.killpg(self.process.pid, number)

    def wait(self, seconds: float = 10) -> int:
        """Wait for the end and give the exit code."""
        code = self.process.wait(timeout=seconds)
        self._reader.join(timeout=5)
        return code

    def kill(self, name: str) -> None:
        """Kill a child as the system does when memory runs out."""
        os.kill(self.pid_of(name), signal.SIGKILL)

    def wait_for_another(self, name: str, pid: int, seconds: float = 20) -> None:
        deadline = time.monotonic() + seconds
        while self.pid_of(name) == pid:
            assert time.monotonic() < deadline, f"{name} was not started again:\n{self.said}"
            time.sleep(0.05)

    def close(self) -> None:
        assert self.process.stdout is not None
        self.process.stdout.close()

    def pid_of(self, name: str) -> int:
        return int(read_register(Home(self.home))["children"][name]["pid"])


def left_running(home: Path) -> list[Process]:
    """Every process that still belongs to this MEMOIR_HOME."""
    data = (home / "postgres").resolve() / "data"
    supervised = [process for process in marked("MEMOIR_HOME", str(home)) if process.alive]
    return [*supervised, *working_in(data)]


def left_lying(home: Path) -> list[Path]:
    """Files that would tell the next start that somebody runs."""
    sockets = Home(home).sockets
    candidates = [
        home / "processes.json",
        (home / "postgres").resolve() / "data" / "postmaster.pid",
        sockets,
        ROOT / "celerybeat.pid",
    ]
    return [path for path in candidates if path.exists()]


def wait_until_nothing_runs(home: Path, seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while left := left_running(home):
        assert time.monotonic() < deadline, f"still running: {left}"
        time.sleep(0.1)


@contextlib.contextmanager
def started(home: Path, **changes: str) -> Iterator[Product]:
    """The product, up and greeting. Whatever the test did, nothing of it stays."""
    product = Product(home, **changes)
    try:
        product.wait_for(STARTED)
        yield product
    finally:
        if product.process.poll() is None:
            product.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                product.wait(15)
        with contextlib.suppress(ProcessLookupError):
            product.signal_group(signal.SIGKILL)
        product.wait(10)
        product.close()


def sql(home: Path, statement: str) -> str:
    return Postgres(Home(home)).psql("--command", statement, database="memoir")
