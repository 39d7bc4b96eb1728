"""`manage.py evaluate`: figures on public data, as one JSON value on standard output."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from accounts.models import User
from memory.domain.ablation import RATES
from memory.domain.errors import UnsafePolicy
from memory.domain.policy import DEFAULT_POLICY
from memory.domain.values import Strategy
from memory.evaluation.alarms import evaluate_alarms, read_cdconv, read_ocnli
from memory.evaluation.decay import (
    TWELVE,
    evaluate_decay,
    rate_dialogues,
    read_owner,
    read_rows,
)
from memory.evaluation.dialogues import read_locomo, read_madial
from memory.evaluation.recall import evaluate_recall
from memory.evaluation.routing import evaluate_routing, read_pairs
from memory.evaluation.slots import evaluate_slots, read_slots


class Command(BaseCommand):
    help = "Measure Memoir. Figures go to standard output as JSON, progress to standard error."

    def add_arguments(self, parser: CommandParser) -> None:
        kinds = parser.add_subparsers(dest="what", required=True)
        recall = kinds.add_parser("recall", help="how often recall finds what answers a question")
        recall.add_argument("file", type=Path)
        recall.add_argument("--format", choices=["locomo", "madial"], default="locomo")
        recall.add_argument("--unit", choices=["turn", "observation"], default="turn")
        recall.add_argument("--strategy", choices=list(Strategy), default=Strategy.TEMPERED)
        recall.add_argument("--rates", type=_read_rates, help="also, per rate, what would fade")

        decay = kinds.add_parser("decay", help="what each strength rate keeps and forgets")
        decay.add_argument("file", type=Path, nargs="?", help="rows (default: twelve of ours)")
        decay.add_argument("--owner", metavar="EMAIL", help="an owner's own memories instead")
        decay.add_argument("--rates", type=_read_rates, default=list(RATES))
        decay.add_argument("--now", metavar="ISO", help="as of this time, with an offset")

        routing = kinds.add_parser("routing", help="whether contradictions are routed rightly")
        routing.add_argument("file", type=Path)
        slots = kinds.add_parser("slots", help="whether the newest value is served, and it alone")
        slots.add_argument("file", type=Path)
        slots.add_argument("--keys", type=Path, help="keys and values that a caller would give")
        alarms = kinds.add_parser("alarms", help="contradictions seen where there are none")
        alarms.add_argument("file", type=Path)
        alarms.add_argument("--format", choices=["ocnli", "cdconv"], required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"] or TWELVE
        for file in (path, options.get("keys")):
            if file is not None and not file.is_file():
                raise CommandError(f"{file} is not a file.")
        measure = {
            "recall": self._recall,
            "decay": self._decay,
            "routing": self._routing,
            "slots": self._slots,
            "alarms": self._alarms,
        }[options["what"]]
        self.stdout.write(json.dumps(measure(path, options), ensure_ascii=False))

    def _recall(self, path: Path, options: dict[str, Any]) -> Any:
        with _reading(path, options["format"]):
            if options["format"] == "madial":
                dialogues = list(read_madial(path))
                options["unit"] = "memory"
            else:
                dialogues = list(read_locomo(path, options["unit"]))
        figures = evaluate_recall(
            dialogues, unit=options["unit"], strategy=Strategy(options["strategy"])
        )
        if options["rates"]:
            with _safe_rates():
                figures["rates"] = rate_dialogues(dialogues, options["rates"])
        return figures

    def _decay(self, path: Path, options: dict[str, Any]) -> Any:
        now = _read_moment(options["now"]) if options["now"] else None
        if options["owner"]:
            owner = User.objects.filter(email=options["owner"].lower()).first()
            if owner is None:
                raise CommandError("There is no owner with this e-mail address.")
            rows, policy = read_owner(owner.pk)
        else:
            with _reading(path, "decay"):
                rows, file_now = read_rows(path)
            policy, now = DEFAULT_POLICY, now or file_now
        with _safe_rates():
            return evaluate_decay(
                rows, now=now or timezone.now(), rates=options["rates"], policy=policy
            )

    def _routing(self, path: Path, options: dict[str, Any]) -> Any:
        with _reading(path, "routing"):
            pairs = list(read_pairs(path))
        return evaluate_routing(pairs)

    def _slots(self, path: Path, options: dict[str, Any]) -> Any:
        keys: Path | None = options["keys"]
        with _reading(path, "FactConsolidation"):
            sets = list(read_slots(path, keys))
        return evaluate_slots(sets, keys="given" if keys is not None else "own")

    def _alarms(self, path: Path, options: dict[str, Any]) -> Any:
        with _reading(path, options["format"]):
            read = read_cdconv if options["format"] == "cdconv" else read_ocnli
            pairs = list(read(path))
        return evaluate_alarms(pairs)


def _read_rates(text: str) -> list[float]:
    return [float(rate) for rate in text.split(",")]


def _read_moment(text: str) -> datetime:
    try:
        found = parse_datetime(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise CommandError("--now takes a time with an offset, such as 2026-06-01T12:00:00Z.")
    return found


@contextmanager
def _safe_rates() -> Iterator[None]:
    try:
        yield
    except UnsafePolicy as error:
        raise CommandError(f"--rates: {error}.") from error


@contextmanager
def _reading(path: Path, format_name: str) -> Iterator[None]:
    """A file of another kind ends in one sentence, not in a traceback."""
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CommandError(f"{path} is not in the {format_name} format.") from error
