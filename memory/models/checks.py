"""Extractions drawn at random, for the owner to say whether they are right."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from django.db import models

from accounts.ids import uuid7
from accounts.models import User
from memory.models.choices import choices, known
from memory.models.memories import Memory
from memory.querysets.checks import SpotCheckQuerySet


class CheckState(StrEnum):
    OPEN = "open"
    RIGHT = "right"
    WRONG = "wrong"


class SpotCheck(models.Model):
    """ "Did we get this right?" about one memory that was drawn from a conversation."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    memory = models.ForeignKey(Memory, models.CASCADE, related_name="spot_checks")
    state = models.CharField(max_length=5, choices=choices(CheckState), default=CheckState.OPEN)
    # The Monday of the week it was drawn for: so many a week, however often the draw runs.
    week = models.DateField()
    drawn_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)
    # "Later": not asked again before then, or before it is mentioned again.
    later_until = models.DateTimeField(null=True, blank=True)
    later_on_mention = models.BooleanField(default=False)
    epoch = models.PositiveIntegerField(default=0)

    objects: ClassVar = SpotCheckQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(name="spot_check_owner_week", fields=["owner", "week"])]
        constraints = [
            models.UniqueConstraint(name="spot_check_once_a_memory", fields=["memory"]),
            models.CheckConstraint(
                name="spot_check_state_is_known", condition=known("state", CheckState)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.state} {self.memory_id}"
