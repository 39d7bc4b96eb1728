"""What was said to whom: the dialogues memories are drawn from, kept as long as they are needed."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from accounts.ids import uuid7
from accounts.models import User
from memory.domain.extraction import Role
from memory.models.choices import choices, known
from memory.models.namespaces import Agent, Project
from memory.querysets.conversations import ConversationQuerySet, MessageQuerySet


class Conversation(models.Model):
    """A dialogue an agent handed over, until the messages nobody quotes are erased."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    agent = models.ForeignKey(Agent, models.PROTECT, related_name="+")
    project = models.ForeignKey(Project, models.PROTECT, null=True, blank=True, related_name="+")
    # Words, like the messages', and erased with them.
    title = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField()
    extracted_at = models.DateTimeField(null=True, blank=True)
    epoch = models.PositiveIntegerField(default=0)

    objects: ClassVar = ConversationQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(name="conversation_owner_recent", fields=["owner", "-created_at"])]

    def __str__(self) -> str:
        return str(self.id)


class Message(models.Model):
    """One turn, as it was said but for secrets, which are cut out before it is first stored."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="messages")
    position = models.PositiveSmallIntegerField()
    role = models.CharField(max_length=9, choices=choices(Role))
    content = models.TextField(blank=True)
    at = models.DateTimeField()
    # Whether the agent said when, or `at` is only when it came.
    dated = models.BooleanField(default=False)
    # What the agent calls it.
    external_id = models.CharField(max_length=200, blank=True)
    # What was found in it, from the finding until all of it is written: a worker that takes over
    # goes on with the same facts, whatever a judge would answer the second time.
    found = models.JSONField(null=True, blank=True)
    epoch = models.PositiveIntegerField(default=0)

    objects: ClassVar = MessageQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="message_once_per_place", fields=["conversation", "position"]
            ),
            models.CheckConstraint(name="message_role_is_known", condition=known("role", Role)),
        ]

    def __str__(self) -> str:
        return f"{self.role} {self.position}"
