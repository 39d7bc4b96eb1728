"""`migrate` as the role that owns the tables."""

from django.core.management.base import CommandParser
from django.core.management.commands.migrate import Command as MigrateCommand
from django.db import connections


class Command(MigrateCommand):
    """Django's own, on the `schema` connection where DATABASE_SCHEMA_URL names one."""

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        if "schema" in connections.settings:
            parser.set_defaults(database="schema")
