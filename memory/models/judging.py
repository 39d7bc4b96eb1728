"""What the judge was asked for an owner on a day: what the ceiling is measured by."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from accounts.models import User
from memory.querysets.owned import OwnedQuerySet


class JudgeUse(models.Model):
    """One line an owner and day (UTC): questions, tokens, and how many came to nothing."""

    id = models.BigAutoField(primary_key=True)
    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    day = models.DateField()
    calls = models.PositiveIntegerField(default=0)
    failures = models.PositiveIntegerField(default=0)
    tokens = models.PositiveIntegerField(default=0)
    # The code of the last failure, and when; never what the judge answered.
    error = models.CharField(max_length=20, blank=True)
    failed_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar = OwnedQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="judge_use_once_a_day", fields=["owner", "day"])
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.calls}"
