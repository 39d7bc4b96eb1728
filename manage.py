#!/usr/bin/env python
"""Commands. `manage.py run` starts everything; every other command is Django's or one of ours.

Standard output belongs to the command's one JSON value: whatever is said here goes to standard
error.
"""

import os
import signal
import sys
from pathlib import Path
from types import FrameType

from config.embedded import MARK, EmbeddedError, Home, is_wanted, use

# These never ask the database anything, so they need none.
WITHOUT_DATABASE = {
    "check",
    "collectstatic",
    "compilemessages",
    "diffsettings",
    "help",
    "makemessages",
    "makemigrations",
    "version",
}

# It stays as long as whoever started it: it uses what runs, and must not keep that from stopping.
GUESTS = {"mcp"}

ABOUT_MIGRATIONS = {"dbshell", "migrate", "showmigrations", "sqlmigrate"}


def main(arguments: list[str]) -> int:
    """Run one command, with the embedded services around it if it needs them."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    command = arguments[1] if len(arguments) > 1 else "help"
    try:
        if command == "run":
            from config.supervisor import run

            return run()
        if needs_services(command, arguments):
            signal.signal(signal.SIGTERM, leave)
            with use(Home.from_environment(), f"manage.py {command}", report):
                if command not in ABOUT_MIGRATIONS:
                    bring_up_to_date()
                return run_django(arguments)
        return run_django(arguments)
    except EmbeddedError as error:
        report(str(error))
        return 1
    except KeyboardInterrupt:
        return 130


def needs_services(command: str, arguments: list[str]) -> bool:
    """Not for commands of the supervisor: it knows what runs, and waits for the command."""
    if not is_wanted() or MARK in os.environ:
        return False
    asks_for_help = command.startswith("-") or not {"-h", "--help"}.isdisjoint(arguments)
    return not asks_for_help and command not in WITHOUT_DATABASE | GUESTS


def bring_up_to_date() -> None:
    """A database that came along new has no tables yet: make them, or add what is missing."""
    import django
    from django.core.management import call_command
    from django.db import connections
    from django.db.migrations.executor import MigrationExecutor

    django.setup()
    owner = connections["schema"]
    executor = MigrationExecutor(owner)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        report("bringing the database up to date")
        call_command("migrate", verbosity=0, interactive=False)
    owner.close()


def run_django(arguments: list[str]) -> int:
    from django.core.management import execute_from_command_line

    execute_from_command_line(arguments)
    return 0


def report(sentence: str) -> None:
    print(f"memoir: {sentence}", file=sys.stderr)  # noqa: T201 (this is the terminal)


def leave(number: int, frame: FrameType | None) -> None:
    """Turn SIGTERM into an exception, so that what was started is stopped."""
    sys.exit(128 + number)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    sys.exit(main(sys.argv))
