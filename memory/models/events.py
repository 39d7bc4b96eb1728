"""What happened: one line each, append-only, without words of its own."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from django.db import models

from accounts.ids import uuid7
from accounts.models import User
from memory.models.choices import choices, known
from memory.models.namespaces import Agent
from memory.querysets.events import EventQuerySet
from memory.querysets.owned import OwnedQuerySet


class Actor(StrEnum):
    OWNER = "owner"
    AGENT = "agent"
    PROGRAM = "program"
    ADMIN = "admin"


class Verb(StrEnum):
    """What was done. The panel has the words for people."""

    WRITTEN = "written"
    SAID_AGAIN = "said_again"
    REFUSED = "refused"
    SUPERSEDED = "superseded"
    HELD = "held"
    CONTESTED = "contested"
    CONFIRMED = "confirmed"
    DENIED = "denied"
    SETTLED = "settled"
    EDITED = "edited"
    CHANGED = "changed"
    OUTDATED = "outdated"
    STILL_TRUE = "still_true"
    DELETED = "deleted"
    RESTORED = "restored"
    PINNED = "pinned"
    ARCHIVED = "archived"
    UNARCHIVED = "unarchived"
    SHARED = "shared"
    CLEARED = "cleared"
    ERASED = "erased"
    PAUSED = "paused"
    RESUMED = "resumed"
    PROMOTED = "promoted"
    TUNED = "tuned"
    POSTPONED = "postponed"
    RENAMED = "renamed"
    CHECKED = "checked"
    # An admin's doings in the queue.
    CLAIMED = "claimed"
    HANDED_BACK = "handed_back"
    SEEN = "seen"
    ESCALATED = "escalated"
    UNDONE = "undone"
    # What the owner settled with agents: who is let in, and what each may use.
    GRANTED = "granted"
    REVOKED = "revoked"
    CONNECTED = "connected"
    KEY_MADE = "key_made"
    KEY_REVOKED = "key_revoked"
    ALLOWED = "allowed"
    BARRED = "barred"
    JOINED = "joined"
    LEFT = "left"


# On agents, grants and the policy, not on a memory.
AGREED = frozenset(
    {
        Verb.PAUSED,
        Verb.RESUMED,
        Verb.GRANTED,
        Verb.REVOKED,
        Verb.CONNECTED,
        Verb.KEY_MADE,
        Verb.KEY_REVOKED,
        Verb.ALLOWED,
        Verb.BARRED,
        Verb.JOINED,
        Verb.LEFT,
    }
)


class Event(models.Model):
    """One line of a memory's history: who, when, what, why.

    `data` holds ids, codes and numbers only: what stood before and after, so that a gesture can be
    undone. Words stay in memories and their revisions.
    """

    id = models.BigAutoField(primary_key=True)
    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    # Events of one gesture share it; undo is the gesture's inverse.
    gesture = models.UUIDField(default=uuid7)
    verb = models.CharField(max_length=16, choices=choices(Verb))
    reason = models.CharField(max_length=40, blank=True)
    actor = models.CharField(max_length=8, choices=choices(Actor))
    agent = models.ForeignKey(Agent, models.PROTECT, null=True, blank=True, related_name="+")
    memory = models.ForeignKey(
        "memory.Memory", models.CASCADE, null=True, blank=True, related_name="events"
    )
    # No constraint: a line may outlive its entry, and lines are never updated.
    conflict = models.ForeignKey(
        "memory.Conflict",
        models.DO_NOTHING,
        null=True,
        blank=True,
        related_name="events",
        db_constraint=False,
    )
    data = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField()
    epoch = models.PositiveIntegerField(default=0)

    objects: ClassVar = EventQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(name="event_owner_recent", fields=["owner", "-id"]),
            models.Index(name="event_owner_gesture", fields=["owner", "gesture"]),
        ]
        constraints = [
            models.CheckConstraint(name="event_verb_is_known", condition=known("verb", Verb)),
            models.CheckConstraint(name="event_actor_is_known", condition=known("actor", Actor)),
        ]

    def __str__(self) -> str:
        return f"{self.verb} {self.memory_id or ''}"


class Operation(models.Model):
    """Who saw all owners' rows, why, whose, how often in this hour (see memory.border)."""

    id = models.BigAutoField(primary_key=True)
    reason = models.CharField(max_length=60)
    by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    owner = models.ForeignKey(User, models.CASCADE, null=True, blank=True, related_name="+")
    hour = models.DateTimeField()
    count = models.PositiveIntegerField(default=1)

    objects: ClassVar = OwnedQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="operation_once_an_hour",
                fields=["reason", "by", "owner", "hour"],
                nulls_distinct=False,
            )
        ]

    def __str__(self) -> str:
        return self.reason
