"""`manage.py reembed`: move every memory to the configured embedder. May be stopped and resumed."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User
from memory.adapters.embedders import EmbedderDown, get_embedder
from memory.services.reembed import BATCH, embed_missing


class Command(BaseCommand):
    help = (
        "Give every memory a vector of the configured embedder. The service stays up: until a row "
        "has its new vector it is found by its words."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--batch", type=int, default=BATCH, help="rows embedded at once")

    def handle(self, *args: Any, **options: Any) -> None:
        if not 1 <= options["batch"] <= 1000:
            raise CommandError("--batch takes 1 to 1000.")
        owners = list(User.objects.order_by("pk").values_list("pk", flat=True))
        moved = 0
        for number, owner in enumerate(owners, start=1):
            try:
                moved += embed_missing(owner, batch=options["batch"])
            except EmbedderDown as error:
                raise CommandError(
                    f"The embedder is down ({error}). {moved} memories were moved; "
                    "run the command again to go on."
                ) from error
            self.stderr.write(f"{number} of {len(owners)} owners, {moved} memories moved")
        self.stdout.write(json.dumps({"embedder": get_embedder().name, "moved": moved}))
