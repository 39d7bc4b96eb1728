"""Whom the database runs as.

PostgreSQL refuses to run as root, so root starts it as an unprivileged system user. Whether that
user can reach a directory or a program depends on every parent directory, so it is tried, as that
user, not computed.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from config.embedded.errors import EmbeddedError

NAME = "memoir"


@dataclass(frozen=True)
class Account:
    """A system user, as numbers, because `subprocess` looks names up in every child otherwise."""

    name: str
    uid: int
    gid: int

    def can_enter(self, directory: Path) -> bool:
        """Try to make a file in the directory as this user."""
        script = 'cd -- "$1" && : > .reach && rm .reach'
        return self._succeeds(["/bin/sh", "-c", script, "sh", str(directory)])

    def can_run(self, program: Path) -> bool:
        return self._succeeds([str(program), "--version"])

    def _succeeds(self, command: list[str]) -> bool:
        try:
            done = subprocess.run(  # noqa: S603 (our own commands)
                command,
                user=self.uid,
                group=self.gid,
                extra_groups=[],
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
            )
        except OSError:
            return False
        return done.returncode == 0


@cache
def unprivileged() -> Account | None:
    """The account for the database: None for an ordinary user, who runs it as themselves.

    Root gets the system user `memoir`, made on first use, or `nobody` where users cannot be made.
    """
    if os.geteuid() != 0:
        return None
    for name in (NAME, "nobody"):
        entry = _find(name) or (_make(name) if name == NAME else None)
        if entry is not None and entry.pw_uid != 0:
            return Account(name, entry.pw_uid, entry.pw_gid)
    raise EmbeddedError(
        "PostgreSQL does not run as root, and there is neither a user 'memoir' nor 'nobody' "
        "to run it as."
    )


def _find(name: str) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(name)
    except KeyError:
        return None


def _make(name: str) -> pwd.struct_passwd | None:
    useradd = shutil.which("useradd", path="/usr/sbin:/sbin:/usr/bin:/bin")
    if useradd is None:
        return None
    command = [
        useradd,
        "--system",
        "--user-group",
        "--no-create-home",
        "--shell",
        "/usr/sbin/nologin",
        name,
    ]
    subprocess.run(  # noqa: S603 (our own command)
        command, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    return _find(name)
