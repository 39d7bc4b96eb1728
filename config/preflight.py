"""What can be known to be wrong before anything is started, each in one sentence."""

from __future__ import annotations

import errno
import os
import socket
from pathlib import Path
from typing import Any

from config.embedded import EmbeddedError, Home, is_wanted

OLDEST_POSTGRES = 15
OLDEST_PGVECTOR = (0, 7)
SHORTEST_KEY = 32

QUESTION = """
SELECT current_user::text,
       current_setting('server_version_num')::int / 10000,
       (SELECT extversion FROM pg_extension WHERE extname = 'vector'),
       rolsuper OR rolbypassrls,
       EXISTS (SELECT FROM pg_roles WHERE rolname = 'memoir_ops' AND pg_has_role(oid, 'MEMBER'))
  FROM pg_roles
 WHERE rolname = current_user
"""


def setting(name: str, default: str = "") -> str:
    """A variable, or the content of the file that NAME_FILE names, as in the settings."""
    path = os.environ.get(f"{name}_FILE")
    if path and name not in os.environ:
        try:
            return Path(path).read_text().strip()
        except OSError as error:
            raise EmbeddedError(
                f"{name}_FILE names {path}, which cannot be read ({error.strerror})."
            ) from error
    return os.environ.get(name) or default


def host() -> str:
    return setting("MEMOIR_HOST", "127.0.0.1")


def port() -> int:
    written = setting("MEMOIR_PORT", "8000")
    if not written.isdecimal() or not 1 <= int(written) <= 65535:
        raise EmbeddedError(f"MEMOIR_PORT must be a number from 1 to 65535, not {written!r}.")
    return int(written)


def wants_demo() -> bool:
    return setting("MEMOIR_DEMO", "true").lower() in {"1", "true", "t", "yes", "y", "on"}


def check_everything(home: Home) -> None:
    """Refuse to start where it could not end well. Starts nothing."""
    home.make()
    check_port(host(), port())
    if not is_wanted():
        check_outside_settings()
        check_outside_database()


def check_port(name: str, number: int) -> None:
    family = socket.AF_INET6 if ":" in name else socket.AF_INET
    with socket.socket(family) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((name, number))
        except OSError as error:
            reason = (
                "is taken by another program"
                if error.errno == errno.EADDRINUSE
                else f"cannot be used ({error.strerror})"
            )
            raise EmbeddedError(
                f"Port {number} on {name} {reason}; set MEMOIR_PORT to another."
            ) from error


def check_outside_settings() -> None:
    """With a database of one's own, nothing secret is made up."""
    if len(setting("SECRET_KEY")) < SHORTEST_KEY:
        raise EmbeddedError(
            f"SECRET_KEY must be set, with at least {SHORTEST_KEY} characters, "
            "when DATABASE_URL names the database."
        )
    for name, purpose in (
        ("DATABASE_SCHEMA_URL", "the address of the role that owns the tables"),
        ("BROKER_URL", "the address of the broker"),
    ):
        if not setting(name):
            raise EmbeddedError(
                f"{name}, {purpose}, must be set when DATABASE_URL names the database."
            )


def check_outside_database() -> None:
    """Ask the database, as both roles, whether Memoir can live there."""
    role, version, vector, above_the_rules, may_operate = _ask("DATABASE_URL", QUESTION)
    if version < OLDEST_POSTGRES:
        problem = f"is PostgreSQL {version}; Memoir needs {OLDEST_POSTGRES} or later"
    elif vector is None:
        problem = "has no pgvector; run `CREATE EXTENSION vector` there as a superuser"
    elif tuple(int(part) for part in vector.split(".")[:2]) < OLDEST_PGVECTOR:
        problem = f"has pgvector {vector}; Memoir needs 0.7 or later"
    elif above_the_rules:
        problem = (
            f"is signed in to as {role}, for whom row-level security does not hold; make the roles "
            "of config/embedded/roles.sql and sign in as memoir_app"
        )
    elif not may_operate:
        problem = (
            f"does not let {role} become memoir_ops; make the roles of config/embedded/roles.sql"
        )
    elif _ask("DATABASE_SCHEMA_URL", "SELECT has_schema_privilege('public', 'CREATE')") != (True,):
        problem = "does not let the role of DATABASE_SCHEMA_URL make tables"
    else:
        return
    raise EmbeddedError(f"The database of DATABASE_URL {problem} (docs/configuration.md).")


def _ask(name: str, question: str) -> tuple[Any, ...]:
    """One row. psycopg is imported here only, since the embedded way needs none of it."""
    import psycopg

    try:
        with psycopg.connect(setting(name), connect_timeout=5) as connection:
            return connection.execute(question).fetchone() or ()
    except psycopg.Error as error:
        reason = (str(error).strip().splitlines() or ["no reason given"])[-1].strip()
        raise EmbeddedError(f"The database of {name} cannot be reached: {reason}") from error
