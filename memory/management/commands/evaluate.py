"""`manage.py evaluate`: figures on public data, as one JSON value on standard output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory.domain.values import Strategy
from memory.evaluation.dialogues import read_locomo, read_madial
from memory.evaluation.recall import evaluate_recall


class Command(BaseCommand):
    help = "Measure Memoir. Figures go to standard output as JSON, progress to standard error."

    def add_arguments(self, parser: CommandParser) -> None:
        kinds = parser.add_subparsers(dest="what", required=True)
        recall = kinds.add_parser("recall", help="how often recall finds what answers a question")
        recall.add_argument("file", type=Path)
        recall.add_argument("--format", choices=["locomo", "madial"], default="locomo")
        recall.add_argument("--unit", choices=["turn", "observation"], default="turn")
        recall.add_argument("--strategy", choices=list(Strategy), default=Strategy.TEMPERED)

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        if not path.is_file():
            raise CommandError(f"{path} is not a file.")
        try:
            if options["format"] == "madial":
                dialogues = list(read_madial(path))
                options["unit"] = "memory"
            else:
                dialogues = list(read_locomo(path, options["unit"]))
        except (ValueError, KeyError, TypeError) as error:
            raise CommandError(f"{path} is not in the {options['format']} format.") from error
        figures = evaluate_recall(
            dialogues, unit=options["unit"], strategy=Strategy(options["strategy"])
        )
        self.stdout.write(json.dumps(figures))
