"""`manage.py sweep`: the lifecycle sweeps, now or as of a given time. One JSON value: counts."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from memory.services.retain import Sweep, SweepRunning, sweep

WAIT_SECONDS = 60.0


class Command(BaseCommand):
    help = "Run the lifecycle sweeps. Counts go to standard output as JSON."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--now", metavar="ISO", help="as of this time, with an offset (default: now)"
        )
        parser.add_argument("--only", metavar="NAME", choices=list(Sweep), help="one sweep alone")
        parser.add_argument(
            "--dry-run", action="store_true", help="count what each would change; change nothing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now() if options["now"] is None else _read_moment(options["now"])
        only = None if options["only"] is None else [Sweep(options["only"])]
        try:
            counts = sweep(now=now, only=only, dry_run=options["dry_run"], wait=WAIT_SECONDS)
        except SweepRunning as error:
            raise CommandError("Another sweep is still running; try again later.") from error
        self.stdout.write(json.dumps(counts))


def _read_moment(text: str) -> datetime:
    try:
        found = parse_datetime(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise CommandError("--now takes a time with an offset, such as 2026-06-01T12:00:00Z.")
    return found
