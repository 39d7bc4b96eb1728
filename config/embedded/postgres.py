"""The embedded PostgreSQL: made once, started as a child, given its roles.

MEMOIR_HOME/postgres/        a directory of the database's user, or a link to one that user can
reach
    data/                    the cluster
    migrated, demo           stamps of steps that need not be repeated while these data live
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from config.embedded.account import unprivileged
from config.embedded.binaries import postgres_programs
from config.embedded.errors import EmbeddedError
from config.embedded.home import Home
from config.embedded.process import (
    LINUX,
    Process,
    blink,
    end,
    running_with,
    spawn,
    wait_until_reaped,
    working_in,
)

PATIENCE = 60.0
ELSEWHERE = Path("/var/lib/memoir")
ROLES = Path(__file__).with_name("roles.sql")
SUPERUSER = "postgres"

SETTINGS = {
    "listen_addresses": "",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "",
    "log_checkpoints": "off",
    # Statements and the details of errors carry people's words; logs must not.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
}
# For tests, whose data nobody will miss after a power cut.
CARELESS = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


class Postgres:
    """One cluster in one MEMOIR_HOME."""

    name = "database"
    # Fast shutdown, then immediate. SIGTERM would wait for every client to leave.
    stop_signals = (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL)

    def __init__(self, home: Home, *, durable: bool = True) -> None:
        self.home = home
        self.durable = durable
        self.account = unprivileged()

    @cached_property
    def programs(self) -> Path:
        return postgres_programs(self.account)

    @cached_property
    def directory(self) -> Path:
        """Where the cluster is: inside MEMOIR_HOME if the database's user can get there."""
        place = self.home.path / "postgres"
        if not place.is_dir():
            self.home.make()
            if place.is_symlink():
                raise EmbeddedError(
                    f"The database of {self.home.path} was in {place.readlink()}, which is gone."
                )
            self._make_directory(place)
        owner = place.stat().st_uid
        if owner != (self.account.uid if self.account else os.geteuid()):
            raise EmbeddedError(
                f"{place} belongs to another user (number {owner}): start Memoir as that user, "
                "or set MEMOIR_HOME to a directory of your own."
            )
        return place.resolve()

    def _make_directory(self, place: Path) -> None:
        place.mkdir(mode=0o700)
        if self.account is None:
            return
        os.chown(place, self.account.uid, self.account.gid)
        if self.account.can_enter(place):
            return
        place.rmdir()
        ELSEWHERE.mkdir(mode=0o755, parents=True, exist_ok=True)
        reachable = Path(tempfile.mkdtemp(prefix="", dir=ELSEWHERE))
        os.chown(reachable, self.account.uid, self.account.gid)
        if not self.account.can_enter(reachable):
            raise EmbeddedError(
                f"The user '{self.account.name}', whom the database runs as, can enter neither "
                f"{self.home.path} nor {ELSEWHERE}; set MEMOIR_HOME to a directory it can reach."
            )
        place.symlink_to(reachable)

    @property
    def data(self) -> Path:
        return self.directory / "data"

    def prepare(self) -> None:
        """Make the cluster if there is none.

        `initdb` works in a draft that becomes the cluster by one rename, so a start that dies
        midway leaves none.
        """
        if (self.data / "PG_VERSION").exists():
            return
        draft = self.directory / "draft"
        shutil.rmtree(draft, ignore_errors=True)
        with tempfile.NamedTemporaryFile("w", dir=self.directory) as password:
            password.write(self.home.secrets["superuser"])
            password.flush()
            if self.account is not None:
                os.chown(password.name, self.account.uid, self.account.gid)
            self._run(
                [
                    *("initdb", "--pgdata", str(draft), "--username", SUPERUSER),
                    *("--pwfile", password.name, "--auth", "scram-sha-256"),
                    *("--encoding", "UTF8", "--locale", "C"),
                    *("--locale-provider", "builtin", "--builtin-locale", "C.UTF-8"),
                    *("--data-checksums", "--no-instructions"),
                    *(() if self.durable else ("--no-sync",)),
                ]
            )
        draft.replace(self.data)

    def clear(self) -> None:
        """End what still works on these data; a stale `postmaster.pid` must not stop the start.

        Only for whoever holds the lock: nobody else may start a server here. PostgreSQL refuses
        when the id in its file is taken, even by a zombie or by a stranger that got the number
        later.
        """
        pid_file = self.data / "postmaster.pid"
        try:
            pid = int(pid_file.read_text().split("\n", 1)[0])
        except (OSError, ValueError):
            pid = 0
        servers = self._processes()
        main = [server for server in servers if server.pid == pid]
        end(main, (signal.SIGINT, 5.0), (signal.SIGQUIT, 2.0))
        end(servers, (signal.SIGTERM, 1.0), (signal.SIGKILL, 3.0))
        if main:
            wait_until_reaped(pid)
        if servers := self._processes():
            raise EmbeddedError(
                f"A former PostgreSQL (process {servers[0].pid}) does not end; "
                "end it, then start again."
            )
        pid_file.unlink(missing_ok=True)

    def _processes(self) -> list[Process]:
        """PostgreSQL's processes on these data, ours or left over: all of them live in there."""
        return working_in(self.data) if LINUX else running_with("-D", str(self.data))

    def start(self, output: int) -> subprocess.Popen[bytes]:
        """Start the server. `wait` tells when it is ready."""
        self.prepare()
        self.clear()
        settings = {
            **SETTINGS,
            **({} if self.durable else CARELESS),
            "unix_socket_directories": str(self.home.sockets),
            "unix_socket_permissions": "0700",
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return spawn(
            [str(self.programs / "postgres"), "-D", str(self.data), *options],
            account=self.account,
            environment=_plain_environment(),
            output=output,
            directory=self.data,
            # PostgreSQL unblocks SIGINT and takes it for an order to shut down, while the web is
            # still answering: so no Ctrl-C may reach it, and it alone gets a group of its own.
            own_group=True,
            death_signal=signal.SIGINT,
        )

    def wait(self, process: subprocess.Popen[bytes], pause: Callable[[], None] = blink) -> None:
        """Wait until the server takes connections; after a crash that includes its recovery."""
        pid_file = self.data / "postmaster.pid"
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if process.poll() is not None:
                raise EmbeddedError(f"PostgreSQL did not start (exit code {process.returncode}).")
            try:
                lines = pid_file.read_text().splitlines()
            except OSError:
                lines = []
            if len(lines) >= 8 and lines[0] == str(process.pid) and lines[7].strip() == "ready":
                return
            pause()
        raise EmbeddedError(f"PostgreSQL was not ready within {PATIENCE:.0f} s.")

    def make_roles(self) -> None:
        """Bring roles, rights and extension up to date.

        template1 first: databases made from it, those of the tests, then have the same.
        """
        for database in ("template1", "memoir"):
            self.psql("--file", str(ROLES), "--set", f"database={database}", "--set", "for_tests=1")

    def psql(self, *arguments: str, database: str = "postgres") -> str:
        """Run psql as the superuser, and give back what it printed."""
        secrets = self.home.secrets
        environment = {
            **_plain_environment(),
            "PGHOST": str(self.home.sockets),
            "PGUSER": SUPERUSER,
            "PGPASSWORD": secrets["superuser"],
            "PGDATABASE": database,
            "SCHEMA_PASSWORD": secrets["memoir_schema"],
            "APP_PASSWORD": secrets["memoir_app"],
        }
        command = [
            str(self.programs / "psql"),
            "--no-psqlrc",
            "--quiet",
            "--tuples-only",
            "--no-align",
            *arguments,
        ]
        done = subprocess.run(  # noqa: S603 (our own command)
            command,
            env=environment,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        if done.returncode != 0:
            if "password authentication failed" in done.stderr:
                raise EmbeddedError(
                    f"The database in {self.directory} was made with other passwords than those in "
                    f"{self.home.path / 'secrets.json'}; restore that file, or set MEMOIR_HOME to "
                    "a new directory."
                )
            raise EmbeddedError(f"PostgreSQL refused: {done.stderr.strip()}")
        return done.stdout.strip()

    def _run(self, command: list[str]) -> None:
        process = spawn(
            [str(self.programs / command[0]), *command[1:]],
            account=self.account,
            environment=_plain_environment(),
            output=subprocess.PIPE,
            directory=self.directory,
        )
        output, _ = process.communicate()
        if process.returncode != 0:
            raise EmbeddedError(f"{command[0]} failed: {output.decode(errors='replace').strip()}")


def _plain_environment() -> dict[str, str]:
    """The environment without PG… variables, which steer PostgreSQL's programs elsewhere."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")}
