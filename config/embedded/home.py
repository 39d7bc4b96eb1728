"""MEMOIR_HOME: everything one installation keeps outside the repository.

secrets.json      the secret key and the database passwords, made once
sockets           the name of a short directory for the unix sockets
processes.json    what runs now; left behind only by a crash
postgres/         the database, or a link to where its user can reach it
static/           collected static files
mail/             outgoing mail, where no mail server is configured
log/              output of services started for a single command
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import stat
import tempfile
from pathlib import Path

from config.embedded.account import unprivileged
from config.embedded.errors import EmbeddedError

ROOT = Path(__file__).resolve().parents[2]

# The longest name PostgreSQL makes in the directory is `.s.PGSQL.5432.lock`; a socket's path may
# have 107 bytes.
LONGEST_SOCKET_DIRECTORY = 107 - len("/.s.PGSQL.5432.lock")


def is_wanted() -> bool:
    """Whether this installation lives on the embedded database: nobody named another."""
    return not (os.environ.get("DATABASE_URL") or os.environ.get("DATABASE_URL_FILE"))


class Home:
    """One MEMOIR_HOME. Making the object touches nothing; each property makes what it returns."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()

    @classmethod
    def from_environment(cls) -> Home:
        """MEMOIR_HOME, or `var` in the repository."""
        return cls(Path(os.environ.get("MEMOIR_HOME") or ROOT / "var"))

    def make(self) -> None:
        """Make the directory, closed to everyone else.

        As root its group is that of the database's user, who may pass through but not look.
        """
        account = unprivileged()
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not os.access(self.path, os.W_OK | os.X_OK):
                raise PermissionError(13, "Permission denied")
            if account is not None:
                os.chown(self.path, 0, account.gid)
                self.path.chmod(0o710)
        except OSError as error:
            raise EmbeddedError(
                f"The data directory {self.path} cannot be used ({error.strerror}); "
                "set MEMOIR_HOME to one that can."
            ) from error

    def directory(self, name: str) -> Path:
        """A private directory inside."""
        self.make()
        path = self.path / name
        path.mkdir(mode=0o700, exist_ok=True)
        return path

    @property
    def secrets(self) -> dict[str, str]:
        """The secrets, made on first use.

        Two processes may arrive at once: each writes its own draft, and `link` lets only the first
        become the file.
        """
        path = self.path / "secrets.json"
        try:
            return _read_secrets(path)
        except FileNotFoundError:
            pass
        self.make()
        made = {
            "secret_key": secrets.token_urlsafe(64),
            **{
                name: secrets.token_urlsafe(24)
                for name in ("superuser", "memoir_schema", "memoir_app")
            },
        }
        draft = _draft(self.path, json.dumps(made, indent=2) + "\n")
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
        return _read_secrets(path)

    @property
    def sockets(self) -> Path:
        """Where the sockets are, or will be: the name is settled before the directory exists.

        `addresses` needs it to stay the same from the moment settings are read until the services
        stop.
        """
        note = self.path / "sockets"
        try:
            return Path(note.read_text().strip())
        except FileNotFoundError:
            return self._name_sockets()
        except OSError as error:
            raise EmbeddedError(f"{note} cannot be read ({error.strerror}).") from error

    def make_sockets(self) -> Path:
        """Make the directory anew and empty. Only whoever holds the lock may call this."""
        account = unprivileged()
        self.remove_sockets()
        path = self.sockets
        try:
            path.mkdir(mode=0o700)
        except OSError:  # somebody else's directory took the name, or its parent is gone
            path = self._name_sockets()
            path.mkdir(mode=0o700)
        if account is not None:
            os.chown(path, account.uid, account.gid)
        return path

    def remove_sockets(self) -> None:
        """Take the directory away, if it is ours."""
        path = self.sockets
        try:
            found = path.lstat()
        except OSError:
            return
        account = unprivileged()
        ours = {os.geteuid()} | ({account.uid} if account else set())
        if stat.S_ISDIR(found.st_mode) and found.st_uid in ours:
            shutil.rmtree(path, ignore_errors=True)

    def _name_sockets(self) -> Path:
        self.make()
        parent = _short_directory()
        path = parent / f"memoir-{secrets.token_hex(4)}"
        self.write("sockets", f"{path}\n")
        return path

    def write(self, name: str, text: str) -> None:
        """Replace a file in one step, readable by its owner only."""
        _draft(self.path, text).replace(self.path / name)


def _short_directory() -> Path:
    account = unprivileged()
    for name in (tempfile.gettempdir(), "/tmp", "/var/tmp"):  # noqa: S108 (mkdir refuses what exists)
        parent = Path(name).resolve()
        short = len(os.fsencode(parent / "memoir-00000000")) <= LONGEST_SOCKET_DIRECTORY
        if short and parent.is_dir() and (account is None or account.can_enter(parent)):
            return parent
    raise EmbeddedError(
        "No short temporary directory is usable for unix sockets; set TMPDIR to one."
    )


def _read_secrets(path: Path) -> dict[str, str]:
    try:
        found: dict[str, str] = json.loads(path.read_text())
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        raise EmbeddedError(
            f"{path} cannot be read ({error}); restore it, the database's passwords are in it."
        ) from error
    return found


def _draft(directory: Path, text: str) -> Path:
    descriptor, name = tempfile.mkstemp(prefix=".draft-", dir=directory)  # mkstemp's mode is 0600
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    return Path(name)
