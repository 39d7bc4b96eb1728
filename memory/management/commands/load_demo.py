"""`manage.py load_demo`: the demo owner and their story, once. One JSON value."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from memory.demo import count_memories, load_demo


class Command(BaseCommand):
    help = "Make the demo owner with fourteen months of memories; does nothing if they exist."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--now", metavar="ISO", help="when the story ends, with an offset (default: now)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        owner = load_demo(_read_moment(options["now"]) if options["now"] else timezone.now())
        self.stdout.write(json.dumps({"owner": str(owner), "memories": count_memories(owner)}))


def _read_moment(text: str) -> datetime:
    try:
        found = parse_datetime(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise CommandError("--now takes a time with an offset, such as 2026-06-01T12:00:00Z.")
    return found
