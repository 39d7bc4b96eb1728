"""Answers kept for callers who ask again because they heard none."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from accounts.ids import uuid7
from accounts.models import User
from memory.models.namespaces import AgentKey
from memory.querysets.idempotency import IdempotencyQuerySet


class Idempotency(models.Model):
    """One `Idempotency-Key` of one caller, what was asked under it and what came of it.

    `results` grows in the transaction of each act, so that a repetition goes on where the first
    request died. `answer` is what was sent, byte for byte; it holds words and is emptied as soon
    as one of its memories is taken away.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    caller = models.ForeignKey(AgentKey, models.CASCADE, related_name="+")
    key_hash = models.CharField(max_length=64)
    body_hash = models.CharField(max_length=64)
    # Ids and codes only.
    results = models.JSONField(default=list, blank=True)
    memories = ArrayField(models.UUIDField(), default=list, blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    answer = models.TextField(null=True, blank=True)  # noqa: DJ001  (None: not answered yet)
    created_at = models.DateTimeField()
    epoch = models.PositiveIntegerField(default=0)

    objects: ClassVar = IdempotencyQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="idempotency_once_a_key", fields=["owner", "caller", "key_hash"]
            )
        ]
        indexes = [models.Index(name="idempotency_owner_age", fields=["owner", "created_at"])]

    def __str__(self) -> str:
        return str(self.id)
