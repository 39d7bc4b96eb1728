"""The database and the broker for the length of a `with` block, for single commands and tests."""

from __future__ import annotations

import contextlib
import fcntl
import subprocess
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Self

from config.embedded.claim import AlreadyRunning, Claim, read_register, running
from config.embedded.errors import EmbeddedError
from config.embedded.home import Home
from config.embedded.postgres import Postgres
from config.embedded.valkey import Valkey

PATIENCE = 60.0


class Services:
    """PostgreSQL and Valkey, started on entering and stopped on leaving."""

    def __init__(self, home: Home, purpose: str = "a command", *, durable: bool = True) -> None:
        self.home = home
        self.purpose = purpose
        self.database = Postgres(home, durable=durable)
        self.broker = Valkey(home)
        self.claim: Claim | None = None
        self._started: list[tuple[Postgres | Valkey, subprocess.Popen[bytes]]] = []

    def __enter__(self) -> Self:
        claim = self.claim = Claim.take(self.home, self.purpose)
        try:
            self.home.make_sockets()
            for server in (self.database, self.broker):
                self._start(server, claim)
            self.database.make_roles()
            claim.ready()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # Another command may have come to use what we started: it keeps its shared lock until it is
        # done.
        try:
            with _users_lock(self.home, fcntl.LOCK_EX):
                self._stop()
        finally:
            self._stop()

    def _start(self, server: Postgres | Valkey, claim: Claim) -> None:
        log = self.home.directory("log") / f"{server.name}.log"
        with log.open("wb") as output:
            process = server.start(output.fileno())
        self._started.append((server, process))
        claim.record(server.name, process.pid)
        try:
            server.wait(process)
        except EmbeddedError as error:
            raise EmbeddedError(
                f"{error} Its last words: {_last_line(log.read_text(errors='replace'))}"
            ) from error

    def _stop(self) -> None:
        if self.claim is None:
            return
        claim, self.claim = self.claim, None
        for server, process in reversed(self._started):
            stop(server, process)
        self._started.clear()
        self.home.remove_sockets()
        claim.release()


def stop(server: Postgres | Valkey, process: subprocess.Popen[bytes]) -> None:
    """Stop one server, each of its signals a little less polite."""
    for number in server.stop_signals:
        if process.poll() is None:
            process.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=3)
            return


@contextlib.contextmanager
def use(
    home: Home, purpose: str, report: Callable[[str], None], *, durable: bool = True
) -> Iterator[None]:
    """Use the services that run, or start them for the length of the block."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if not running(home):
            report("starting the database and the broker for this command")
            try:
                with Services(home, purpose, durable=durable):
                    yield
                return
            except AlreadyRunning:
                continue  # another command was quicker
        with contextlib.suppress(BlockingIOError), _users_lock(home, fcntl.LOCK_SH | fcntl.LOCK_NB):
            if running(home) and read_register(home).get("ready"):
                yield
                return
        time.sleep(0.1)
    raise EmbeddedError(f"What runs in {home.path} was not ready within {PATIENCE:.0f} s.")


@contextlib.contextmanager
def _users_lock(home: Home, operation: int) -> Iterator[None]:
    """A lock that all users of the services share, and whoever started them wants alone to stop.

    It is on secrets.json only because that file is always there and never replaced.
    """
    with (home.path / "secrets.json").open() as file:
        fcntl.flock(file, operation)
        yield


def _last_line(text: str) -> str:
    return next((line for line in reversed(text.splitlines()) if line.strip()), "none.")
