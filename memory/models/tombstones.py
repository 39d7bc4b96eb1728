"""What the owner took away and does not want learned again, without a word of it."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from django.db import models

from accounts.ids import uuid7
from accounts.models import User
from memory.models.choices import choices, known
from memory.models.namespaces import Agent
from memory.querysets.tombstones import TombstoneQuerySet


class Buried(StrEnum):
    """Why the owner took it away."""

    DELETED = "deleted"
    DENIED = "denied"


class Tombstone(models.Model):
    """The keyed fingerprints of a memory that agents may not write again.

    `strict` is made of the words, `loose` of what paraphrases have in common; both with a key of
    this installation, so that the row alone confirms no guess. It outlives the memory and "clear
    all", which leaves those of single deletions.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    strict = models.CharField(max_length=64)
    loose = models.CharField(max_length=64, blank=True)
    reason = models.CharField(max_length=8, choices=choices(Buried), default=Buried.DELETED)
    # Who had written it; None: the owner in person.
    agent = models.ForeignKey(Agent, models.SET_NULL, null=True, blank=True, related_name="+")
    # No constraint: the memory is erased, its tombstone stays.
    memory = models.ForeignKey(
        "memory.Memory",
        models.DO_NOTHING,
        null=True,
        blank=True,
        related_name="+",
        db_constraint=False,
    )
    deleted_at = models.DateTimeField()
    lifted_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar = TombstoneQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(
                name="tombstone_strict",
                fields=["owner", "strict"],
                condition=models.Q(lifted_at__isnull=True),
            ),
            models.Index(
                name="tombstone_loose",
                fields=["owner", "loose"],
                condition=models.Q(lifted_at__isnull=True),
            ),
        ]
        constraints = [
            models.CheckConstraint(
                name="tombstone_reason_is_known", condition=known("reason", Buried)
            )
        ]

    def __str__(self) -> str:
        return f"{self.reason} {self.deleted_at:%Y-%m-%d}"
