"""What waits for the owner, with the question to ask."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from django.db import models

from accounts.ids import uuid7
from accounts.models import User
from memory.domain.values import Reason
from memory.models.choices import choices, known
from memory.models.memories import Memory
from memory.querysets.conflicts import ConflictQuerySet
from memory.querysets.owned import EpochQuerySet, OwnedQuerySet


class ConflictState(StrEnum):
    OPEN = "open"
    SETTLED = "settled"


class Conflict(models.Model):
    """One or more memories that wait together: a contradiction has two, a guess one."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    reason = models.CharField(max_length=16, choices=choices(Reason))
    state = models.CharField(
        max_length=8, choices=choices(ConflictState), default=ConflictState.OPEN
    )
    key = models.CharField(max_length=200, blank=True)
    recurrences = models.PositiveIntegerField(default=1)
    opened_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    ruling = models.CharField(max_length=16, blank=True)
    # "Later": not asked again before then, or before it is mentioned again.
    later_until = models.DateTimeField(null=True, blank=True)
    later_on_mention = models.BooleanField(default=False)
    # Who of the admins is at it, and until when nobody else may be.
    claimed_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    claimed_until = models.DateTimeField(null=True, blank=True)
    # Since when it is for another admin than the one who could not decide it.
    escalated_at = models.DateTimeField(null=True, blank=True)
    epoch = models.PositiveIntegerField(default=0)

    objects: ClassVar = ConflictQuerySet.as_manager()

    class Meta:
        permissions = [("review_conflicts", "May help owners with what waits for them")]
        indexes = [
            models.Index(name="conflict_owner_state", fields=["owner", "state", "-opened_at"])
        ]
        constraints = [
            models.CheckConstraint(
                name="conflict_state_is_known", condition=known("state", ConflictState)
            ),
            models.CheckConstraint(
                name="conflict_reason_is_known", condition=known("reason", Reason)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reason} {self.id}"


class ConflictMember(models.Model):
    """A memory's place in a conflict. A `bystander` is contradicted but keeps its status."""

    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    conflict = models.ForeignKey(Conflict, models.CASCADE, related_name="members")
    memory = models.ForeignKey(Memory, models.CASCADE, related_name="conflict_places")
    bystander = models.BooleanField(default=False)

    objects: ClassVar = OwnedQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="memory_once_per_conflict", fields=["conflict", "memory"])
        ]

    def __str__(self) -> str:
        return f"{self.memory_id} in {self.conflict_id}"


class AdminNote(models.Model):
    """What an admin wrote to the owner about one act: why he looked, or how he settled it."""

    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    conflict = models.ForeignKey(Conflict, models.CASCADE, related_name="notes")
    # The gesture in the owner's Activity that it belongs to.
    gesture = models.UUIDField()
    by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    text = models.CharField(max_length=500)
    at = models.DateTimeField()
    epoch = models.PositiveIntegerField(default=0)

    objects: ClassVar = EpochQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(name="admin_note_gesture", fields=["owner", "gesture"])]

    def __str__(self) -> str:
        return f"note to {self.gesture}"
