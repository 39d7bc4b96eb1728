"""`manage.py note_backup`: the script that makes the backups reports one that succeeded."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from memory.services.watch_work import note_backup


class Command(BaseCommand):
    help = "Note that a backup was made. The admins' overview shows how old the last one is."

    def handle(self, *args: Any, **options: Any) -> None:
        note_backup()
        self.stdout.write("Noted.")
