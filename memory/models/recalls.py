"""Every recall, with what it returned and why: so that the owner can ask."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from django.db import models

from accounts.ids import uuid7
from accounts.models import User
from memory.domain.values import Strategy
from memory.models.choices import choices, known
from memory.models.memories import Memory
from memory.models.namespaces import Agent, AgentKey
from memory.querysets.owned import OwnedQuerySet
from memory.querysets.recalls import RecallQuerySet


class Place(StrEnum):
    STANDING = "standing"
    MEMORY = "memory"
    ASKED = "asked"
    HISTORY = "history"


class Outcome(StrEnum):
    """What an agent says of a memory it was served."""

    USED = "used"
    UNUSED = "unused"
    WRONG = "wrong"


class Recall(models.Model):
    """One question by one agent. The question's words are erased with it."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    agent = models.ForeignKey(Agent, models.CASCADE, null=True, blank=True, related_name="+")
    query = models.TextField()
    strategy = models.CharField(max_length=16, choices=choices(Strategy))
    preset = models.CharField(max_length=16, blank=True)
    asked_at = models.DateTimeField()
    as_of = models.DateTimeField()
    reinforced = models.BooleanField()
    top_k = models.PositiveSmallIntegerField()
    # How it was asked beside that, where it differs from the default: project, filters, limits.
    options = models.JSONField(default=dict, blank=True)
    stages = models.JSONField(default=dict)
    tokens_before = models.PositiveIntegerField(default=0)
    tokens_after = models.PositiveIntegerField(default=0)
    milliseconds = models.FloatField(null=True, blank=True)
    epoch = models.PositiveIntegerField(default=0)

    objects: ClassVar = RecallQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(name="recall_owner_recent", fields=["owner", "-asked_at"])]
        constraints = [
            models.CheckConstraint(
                name="recall_strategy_is_known", condition=known("strategy", Strategy)
            )
        ]

    def __str__(self) -> str:
        return str(self.id)


class RecallItem(models.Model):
    """One memory in a recall's answer.

    `parts`: the numbers of its explanation, and under "told" the version of its words and the
    dates with which the context told it. Ids, codes, numbers and dates, never words.
    """

    id = models.BigAutoField(primary_key=True)
    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    recall = models.ForeignKey(Recall, models.CASCADE, related_name="items")
    memory = models.ForeignKey(Memory, models.CASCADE, related_name="servings")
    place = models.CharField(max_length=8, choices=choices(Place))
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    score = models.FloatField(null=True, blank=True)
    parts = models.JSONField(default=dict, blank=True)
    outcome = models.CharField(max_length=6, choices=choices(Outcome), blank=True)

    objects: ClassVar = OwnedQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="memory_once_per_place", fields=["recall", "place", "memory"]
            ),
            models.CheckConstraint(name="recall_place_is_known", condition=known("place", Place)),
        ]

    def __str__(self) -> str:
        return f"{self.place} {self.rank or ''}"


class Reading(models.Model):
    """An agent's lists and look-ups in one hour, by one key: how often, and how many rows."""

    id = models.BigAutoField(primary_key=True)
    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    agent = models.ForeignKey(Agent, models.CASCADE, related_name="+")
    key = models.ForeignKey(AgentKey, models.CASCADE, related_name="+")
    hour = models.DateTimeField()
    requests = models.PositiveIntegerField(default=1)
    rows = models.PositiveIntegerField(default=0)

    objects: ClassVar = OwnedQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(name="reading_owner_recent", fields=["owner", "-hour"])]
        constraints = [
            models.UniqueConstraint(name="reading_once_a_key_and_hour", fields=["key", "hour"])
        ]

    def __str__(self) -> str:
        return f"{self.rows} rows"
