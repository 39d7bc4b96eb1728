"""What `manage.py run` runs: the steps that come first, and the programs that stay.

Django is imported by the children only. A step whose outcome is already there is skipped without
asking Django, which would take as long as doing it.
"""

from __future__ import annotations

import functools
import hashlib
import os
import signal
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from config.embedded import MARK, Home
from config.embedded.home import ROOT
from config.embedded.postgres import Postgres
from config.preflight import setting

PYTHON = sys.executable
GRACE = 4  # seconds for requests and tasks in flight; the whole stop has ten

# What may only be known to the process that changes tables.
OWNERS_ONLY = ("DATABASE_SCHEMA_URL", "DATABASE_SCHEMA_URL_FILE")


@dataclass(frozen=True)
class Program:
    """One command, the environment it gets beyond the usual, and how it ends without us."""

    name: str
    command: list[str]
    as_owner: bool = False
    extra: dict[str, str] = field(default_factory=dict)
    death_signal: signal.Signals = signal.SIGTERM

    def environment(self, home: Home, mark: str) -> dict[str, str]:
        hidden = () if self.as_owner else OWNERS_ONLY
        return {
            **{name: value for name, value in os.environ.items() if name not in hidden},
            "MEMOIR_HOME": str(home.path),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONUNBUFFERED": "1",
            **self.extra,
            MARK: mark,
        }


# -- The programs that stay ------------------------------------------------------------------------


def web(host: str, port: int) -> Program:
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    options = f"--config python:config.gunicorn --graceful-timeout {GRACE} --bind".split()
    return Program(
        "web",
        [PYTHON, "-m", "gunicorn", "config.wsgi:application", *options, address],
        death_signal=signal.SIGQUIT,  # at once: without a supervisor there is no database either
    )


def worker() -> Program:
    # One machine, one worker: nobody to gossip with, and mingling delays the start.
    options = [
        "--concurrency",
        "2",
        "--without-gossip",
        "--without-mingle",
        "--loglevel",
        "WARNING",
    ]
    return Program(
        "worker",
        [PYTHON, "-m", "celery", "--app", "config", "--quiet", "worker", *options],
        # Celery warns root because pickled messages could run code; ours are JSON.
        extra={"PYTHONWARNINGS": "ignore:You're running the worker with superuser"},
        death_signal=signal.SIGQUIT,
    )


def beat() -> Program:
    # No pid file: a stale one would stop the next start, and the supervisor knows its children.
    options = ["--pidfile=", "--loglevel=WARNING"]
    return Program("beat", [PYTHON, "-m", "celery", "--app", "config", "--quiet", "beat", *options])


# -- The steps that come first ---------------------------------------------------------------------


def command_exists(name: str) -> bool:
    return any(ROOT.glob(f"*/management/commands/{name}.py"))


def command(name: str, *arguments: str, as_owner: bool = False) -> Program:
    call = [PYTHON, str(ROOT / "manage.py"), name, *arguments]
    return Program(name.replace("_", "-"), call, as_owner=as_owner)


@dataclass(frozen=True)
class Step:
    """A command that need not run again while its stamp says what `state` says."""

    purpose: str
    program: Program
    stamp: Path | None
    state: Callable[[], str]

    @property
    def due(self) -> bool:
        try:
            return self.stamp is None or self.stamp.read_text() != self.state()
        except OSError:
            return True

    def done(self) -> None:
        if self.stamp is not None:
            self.stamp.write_text(self.state())


def steps(home: Home, database: Postgres | None, *, demo: bool) -> list[Step]:
    """In order; `database` is the embedded one, if that is used."""
    found = [migrate(database), collect_static(home)]
    if demo and command_exists("load_demo"):
        found.append(load_demo(home, database))
    return found


def migrate(database: Postgres | None) -> Step:
    """Skipped while neither the files nor the list of what was applied changed since last time.

    Only for the embedded database, whose stamp lives and dies with its data.
    """

    def state() -> str:
        if database is None:
            return ""
        ask = functools.partial(database.psql, "--command", database="memoir")
        count = "SELECT count(*), max(applied) FROM django_migrations"
        applied = ask("SELECT to_regclass('django_migrations')") and ask(count)
        return f"{applied}\n{fingerprint(ROOT.glob('*/migrations/*.py'))}"

    program = command("migrate", "--no-input", "--verbosity=0", as_owner=True)
    stamp = database.directory / "migrated" if database else None
    return Step("bringing the database up to date", program, stamp, state)


def collect_static(home: Home) -> Step:
    def state() -> str:
        folders = [*ROOT.glob("static"), *ROOT.glob("*/static")]
        return fingerprint(path for folder in folders for path in folder.rglob("*"))

    program = command("collectstatic", "--no-input", "--verbosity=0")
    return Step("collecting static files", program, home.path / "static.stamp", state)


def load_demo(home: Home, database: Postgres | None) -> Step:
    """The demo owner: loaded once a database, so that what people delete from it stays deleted."""
    known_by = "embedded" if database else setting("DATABASE_URL")
    stamp = (database.directory if database else home.path) / "demo.stamp"
    state = hashlib.sha256(known_by.encode()).hexdigest()
    return Step("loading the demo owner", command("load_demo"), stamp, lambda: state)


def fingerprint(paths: Iterable[Path]) -> str:
    """A digest of the files, and of the locked packages, which bring such files too."""
    digest = hashlib.sha256()
    for path in (ROOT / "requirements" / "core.txt", *sorted(paths)):
        if path.is_file():
            digest.update(f"{path.relative_to(ROOT)}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()
