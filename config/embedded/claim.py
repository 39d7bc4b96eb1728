"""Who may run services in a MEMOIR_HOME: one process at a time; and what it left if it crashed.

The right is a lock the kernel drops when its holder dies (`flock` on the directory itself), so
there is no stale one. What runs is written down in processes.json; finding that file while holding
the lock means the last holder crashed.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import signal
from typing import Any, Self

from config.embedded.errors import EmbeddedError
from config.embedded.home import Home
from config.embedded.process import Process, end, identify, marked, wait_until_reaped

# In the environment of every process started under a claim, so that grandchildren are found too.
MARK = "SUPERVISED_BY"
REGISTER = "processes.json"


class AlreadyRunning(EmbeddedError):
    """Somebody else holds the claim."""

    def __init__(self, home: Home, register: dict[str, Any]) -> None:
        self.register = register
        purpose, pid = register.get("purpose", "another command"), register.get("pid", "unknown")
        super().__init__(
            f"Memoir already runs in {home.path} ({purpose}, process {pid}); "
            "stop that first, or use it."
        )


class Claim:
    """The right to run services in one MEMOIR_HOME, from `take` to `release`."""

    def __init__(self, home: Home, purpose: str, descriptor: int) -> None:
        self.home = home
        self.mark = secrets.token_hex(8)
        self._descriptor = descriptor
        self._register: dict[str, Any] = {
            "purpose": purpose,
            **vars(identify(os.getpid())),
            "mark": self.mark,
            "ready": False,
            "children": {},
        }

    @classmethod
    def take(cls, home: Home, purpose: str) -> Self:
        """Take the claim, and end what a crashed holder left."""
        home.make()
        descriptor = _locked(home)
        if descriptor is None:
            raise AlreadyRunning(home, read_register(home))
        try:
            _end_leftovers(read_register(home))
            claim = cls(home, purpose, descriptor)
            claim._write()
        except BaseException:
            os.close(descriptor)
            raise
        return claim

    def record(self, name: str, pid: int) -> None:
        """Write a child down, under its name; a restarted one replaces the former."""
        self._register["children"][name] = vars(identify(pid))
        self._write()

    def ready(self) -> None:
        """Let commands use the services from now on."""
        self._register["ready"] = True
        self._write()

    def release(self) -> None:
        (self.home.path / REGISTER).unlink(missing_ok=True)
        os.close(self._descriptor)

    def _write(self) -> None:
        self.home.write(REGISTER, json.dumps(self._register, indent=2) + "\n")


def running(home: Home) -> bool:
    """Whether some living process runs the services, or is starting them."""
    if not home.path.is_dir():
        return False
    descriptor = _locked(home)
    if descriptor is None:
        return True
    os.close(descriptor)
    return False


def read_register(home: Home) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads((home.path / REGISTER).read_text())
    except (OSError, ValueError):
        return {}
    return found


def _locked(home: Home) -> int | None:
    descriptor = os.open(home.path, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def _end_leftovers(register: dict[str, Any]) -> None:
    """End the processes a crashed holder left, and wait until their ids are free.

    PostgreSQL is not among them: it wants another signal and knows its own processes
    (`Postgres.clear`).
    """
    if not register:
        return
    children = {
        name: Process(**child) for name, child in register["children"].items() if name != "database"
    }
    left = {
        Process(register["pid"], register["started"]),
        *children.values(),
        *marked(MARK, register["mark"]),
    }
    left = {process for process in left if process.started and process.pid != os.getpid()}
    stubborn = end(left, (signal.SIGTERM, 2.0), (signal.SIGKILL, 3.0))
    if stubborn:
        raise EmbeddedError(
            f"Process {stubborn[0].pid} of an earlier start does not end; end it, then start again."
        )
    for process in left:
        if process.started == identify(process.pid).started:
            wait_until_reaped(process.pid, 1.0)
