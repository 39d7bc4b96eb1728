"""The worker's application. Its one schedule, in UTC, is in the settings."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("memoir")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect  # type: ignore[untyped-decorator]  # Celery ships no types
def check_before_work(**_: Any) -> None:
    """A worker sees owners' rows as the web does, and is bound by the same border."""
    from config.guard import refuse_without_border

    refuse_without_border()
