"""`manage.py provision`: an owner, an agent, its project, and a new key."""

from __future__ import annotations

import json
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.validators import validate_email, validate_slug

from memory.domain.errors import BadText
from memory.domain.text import clean
from memory.models import SCOPES
from memory.services.provision import provision


class Command(BaseCommand):
    help = "Make what is missing, and always a new key; prints it once, as JSON."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--email", required=True, help="the owner's address")
        parser.add_argument("--agent", required=True, help="the agent's name")
        parser.add_argument("--project", help="slug of a project the agent takes part in")
        parser.add_argument(
            "--scopes", default="recall,write", help="what the key may do (default: recall,write)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        scopes = [scope.strip() for scope in options["scopes"].split(",") if scope.strip()]
        unknown = sorted(set(scopes) - set(SCOPES))
        if unknown or not scopes:
            known = ", ".join(SCOPES)
            raise CommandError(f"--scopes takes {known}, separated by commas.")
        try:
            validate_email(options["email"])
            if options["project"] is not None:
                validate_slug(options["project"])
            name = clean(options["agent"], field="--agent", minimum=1, limit=100, multiline=False)
        except (ValidationError, BadText) as error:
            said = error.message if isinstance(error, ValidationError) else str(error)
            raise CommandError(str(said)) from error
        made = provision(
            email=options["email"], agent=name, project=options["project"], scopes=scopes
        )
        self.stdout.write(
            json.dumps({"owner": str(made.owner), "agent": str(made.agent), "key": made.key})
        )
