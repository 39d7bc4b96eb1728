"""The product's own processes on the tests' database: gunicorn, a Celery worker, beat."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from django.conf import settings

ROOT = Path(__file__).resolve().parent.parent


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Product:
    """Starts on entering, answers at `address`, stops on leaving. `log` is what they printed."""

    def __init__(self, database: str, *, worker: bool = True) -> None:
        wanted = settings.DATABASES["default"]
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = Path(settings.MEMOIR_HOME) / f"product-{database}.log"
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("DATABASE_", "PYTEST_"))},
            "DATABASE_URL": (
                f"postgresql://{wanted['USER']}:{quote(wanted['PASSWORD'], safe='')}"
                f"@{quote(wanted['HOST'], safe='')}/{database}"
            ),
            "BROKER_URL": settings.BROKER_URL,
            "SECRET_KEY": settings.SECRET_KEY,
            "MEMOIR_PORT": str(self.port),
            "PYTHONWARNINGS": "ignore:You're running the worker with superuser",
            "COVERAGE_PROCESS_START": "",
        }
        self.environment.pop("PYTHONDEVMODE", None)
        celery = ["-m", "celery", "--app", "config", "--quiet"]
        self.commands = {
            "web": ["-m", "gunicorn", "config.wsgi:application", "--config",
                    "python:config.gunicorn", "--bind", f"127.0.0.1:{self.port}"],
            **({"worker": [*celery, "worker", "--concurrency", "1", "--without-gossip",
                           "--without-mingle", "--loglevel", "WARNING"],
                "beat": [*celery, "beat", "--pidfile=", "--loglevel", "WARNING", "--schedule",
                         str(Path(settings.MEMOIR_HOME) / f"beat-{database}")]} if worker else {}),
        }  # fmt: skip
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Self:
        self.log.write_bytes(b"")
        for name in self.commands:
            self.start(name)
        self.wait()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def start(self, name: str) -> None:
        with self.log.open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [sys.executable, *self.commands[name]],
                cwd=ROOT, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True,
            )  # fmt: skip

    def kill(self, name: str) -> None:
        """kill -9 of a process and all its children, and not another word."""
        process = self.processes[name]
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def wait(self, patience: float = 30) -> None:
        """Until health answers."""
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            self.check()
            try:
                with urllib.request.urlopen(f"{self.address}/api/v1/health", timeout=5) as answer:
                    if answer.status == 200:
                        return
            except (OSError, urllib.error.URLError):
                time.sleep(0.1)
        raise AssertionError(f"not up within {patience} s:\n{self.log.read_text()[-2000:]}")

    def check(self) -> None:
        """All processes are there, or the test fails with what they last said."""
        for name, process in self.processes.items():
            if process.poll() is not None:
                raise AssertionError(f"{name} ended:\n{self.log.read_text()[-2000:]}")
