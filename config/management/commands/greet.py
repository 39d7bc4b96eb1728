"""`manage.py greet`: how the person in front of this machine gets in. One JSON value."""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from config.signin import make_link
from memory.demo import OWNER_EMAIL
from memory.services.provision import provision


class Command(BaseCommand):
    help = "A sign-in link and a recall by curl for the demo owner (embedded mode only)."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.EMBEDDED:
            raise CommandError("Only where Memoir runs on its own embedded database.")
        owner = User.objects.filter(email=OWNER_EMAIL).first()
        if owner is None:
            raise CommandError("There is no demo owner. Start with MEMOIR_DEMO=1.")
        made = provision(email=OWNER_EMAIL, agent="curl", scopes=["recall"], fresh=True)
        curl = (
            f"curl -s {settings.MEMOIR_BASE_URL}/api/v1/recall"
            f" -H 'Authorization: Bearer {made.key}' -H 'Content-Type: application/json'"
            """ -d '{"query": "推荐一个后端框架"}'"""
        )
        self.stdout.write(
            json.dumps({"sign_in": make_link(owner.pk), "key": made.key, "curl": curl})
        )
