"""Memories, what they said before, how they are used, and the words they are found by."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _
from pgvector.django import HalfVectorField

from accounts.ids import uuid7
from accounts.models import User
from memory.domain import decay
from memory.domain.policy import Policy as Rules
from memory.domain.values import Kind, Reason, Source, Status, Tier, Visibility
from memory.models.choices import choices, known
from memory.models.conversations import Conversation, Message
from memory.models.namespaces import Agent, Project
from memory.querysets.memories import MemoryQuerySet, PostingQuerySet
from memory.querysets.owned import OwnedQuerySet


class Memory(models.Model):
    """One distilled fact about its owner, in the owner's own words and language."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    # Every index below begins with the owner.
    owner = models.ForeignKey(User, models.CASCADE, related_name="+", db_index=False)
    # None: written by the owner in the panel.
    agent = models.ForeignKey(Agent, models.PROTECT, null=True, blank=True, related_name="+")
    project = models.ForeignKey(Project, models.PROTECT, null=True, blank=True, related_name="+")

    content = models.TextField(_("memory"))
    kind = models.CharField(max_length=12, choices=choices(Kind), default=Kind.SEMANTIC)
    key = models.CharField(_("topic"), max_length=200, blank=True)
    value = models.TextField(_("value"), blank=True)
    single_valued = models.BooleanField(default=False)
    metadata = models.JSONField(default=dict, blank=True)
    # Where it came from: what was said, in which message of which conversation.
    quote = models.TextField(blank=True)
    conversation = models.ForeignKey(
        Conversation, models.SET_NULL, null=True, blank=True, related_name="memories"
    )
    message = models.ForeignKey(
        Message, models.SET_NULL, null=True, blank=True, related_name="memories"
    )
    # What makes it findable: the fact, its key in words, its subject, and the turn it answers.
    before = models.TextField(blank=True)
    search_text = models.TextField()
    fingerprint = models.CharField(max_length=64)
    word_count = models.PositiveIntegerField(default=0)
    embedding = HalfVectorField(null=True, blank=True)
    embedder = models.CharField(max_length=200, blank=True)

    status = models.CharField(max_length=12, choices=choices(Status), default=Status.ACTIVE)
    status_reason = models.CharField(max_length=16, choices=choices(Reason), blank=True)
    source = models.CharField(max_length=12, choices=choices(Source), default=Source.USER_STATED)
    tier = models.CharField(max_length=12, choices=choices(Tier), default=Tier.WORKING)
    visibility = models.CharField(
        max_length=8, choices=choices(Visibility), default=Visibility.PRIVATE
    )
    importance = models.FloatField(_("importance"))
    # The six dimensions the importance was made from, 0 to 1 each, and who scored them.
    dimensions = models.JSONField(default=dict, blank=True)
    scored_by = models.CharField(max_length=8, default="rules")
    safety = models.FloatField(default=0.0)
    confidence = models.FloatField(null=True, blank=True)
    sensitivity = ArrayField(models.CharField(max_length=20), default=list, blank=True)
    pinned = models.BooleanField(default=False)
    contested = models.BooleanField(default=False)
    should_forget = models.BooleanField(default=False)

    occurred_at = models.DateTimeField(null=True, blank=True)
    valid_from = models.DateTimeField(_("valid from"), null=True, blank=True)
    valid_to = models.DateTimeField(_("valid until"), null=True, blank=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    said_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True)
    invalidated_at = models.DateTimeField(null=True, blank=True)
    replaces = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="+")
    superseded_by = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="+"
    )
    # Counts changes of the words and of what the owner or an agent set, not of being used.
    version = models.PositiveIntegerField(default=1)
    epoch = models.PositiveIntegerField(default=0)

    objects: ClassVar = MemoryQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(
                name="memory_owner_status", fields=["owner", "status"], include=["word_count"]
            ),
            models.Index(name="memory_owner_created", fields=["owner", "-created_at", "-id"]),
            models.Index(name="memory_owner_updated", fields=["owner", "-updated_at", "-id"]),
            models.Index(name="memory_owner_key", fields=["owner", "key"]),
            # What recall tells whatever the question. .5 is the lowest line a policy may set.
            models.Index(
                name="memory_owner_safety",
                fields=["owner", "-created_at", "-id"],
                condition=models.Q(status=Status.ACTIVE, safety__gte=0.5),
            ),
            models.Index(
                name="memory_owner_rules",
                fields=["owner", "-created_at", "-id"],
                condition=models.Q(status=Status.ACTIVE, kind=Kind.PROCEDURAL),
            ),
        ]
        constraints = [
            # With the epoch: what "clear all" cleared may still be there, waiting to be erased.
            models.UniqueConstraint(
                name="memory_said_once",
                fields=["owner", "agent", "project", "fingerprint", "epoch"],
                condition=~models.Q(status=Status.SUPERSEDED) & models.Q(deleted_at__isnull=True),
                nulls_distinct=False,
            ),
            models.UniqueConstraint(
                name="memory_chain_without_fork",
                fields=["owner", "replaces"],
                condition=models.Q(replaces__isnull=False),
            ),
            models.UniqueConstraint(
                name="memory_one_active_value",
                fields=["owner", "agent", "project", "key", "epoch"],
                condition=models.Q(
                    status=Status.ACTIVE, single_valued=True, deleted_at__isnull=True
                ),
                nulls_distinct=False,
            ),
            models.CheckConstraint(name="memory_kind_is_known", condition=known("kind", Kind)),
            models.CheckConstraint(
                name="memory_status_is_known", condition=known("status", Status)
            ),
            models.CheckConstraint(
                name="memory_status_reason_is_known",
                condition=known("status_reason", Reason, empty=True),
            ),
            models.CheckConstraint(
                name="memory_source_is_known", condition=known("source", Source)
            ),
            models.CheckConstraint(name="memory_tier_is_known", condition=known("tier", Tier)),
            models.CheckConstraint(
                name="memory_visibility_is_known", condition=known("visibility", Visibility)
            ),
            models.CheckConstraint(
                name="memory_group_needs_project",
                condition=~models.Q(visibility=Visibility.GROUP) | models.Q(project__isnull=False),
            ),
            models.CheckConstraint(
                name="memory_importance_is_a_share",
                condition=models.Q(importance__gte=0, importance__lte=1)
                & models.Q(safety__gte=0, safety__lte=1),
            ),
            models.CheckConstraint(
                name="memory_content_is_not_empty", condition=~models.Q(content="")
            ),
            models.CheckConstraint(
                name="memory_single_value_needs_key",
                condition=models.Q(single_valued=False) | ~models.Q(key=""),
            ),
            models.CheckConstraint(
                name="memory_waiting_says_why",
                condition=~models.Q(status=Status.CONFLICT) | ~models.Q(status_reason=""),
            ),
            models.CheckConstraint(
                name="memory_vector_names_its_embedder",
                condition=models.Q(embedding__isnull=True) | ~models.Q(embedder=""),
            ),
            models.CheckConstraint(
                name="memory_replaces_another",
                condition=models.Q(replaces__isnull=True) | ~models.Q(replaces=models.F("id")),
            ),
        ]

    def __str__(self) -> str:
        return self.content[:80]

    @property
    def is_active(self) -> bool:
        return self.status == Status.ACTIVE

    @property
    def topic(self) -> str:
        """What the row is grouped by; empty where none is known."""
        return self.key

    def successor(self) -> Memory | None:
        """The row that stands after this one in its chain: there is one at most. A query."""
        found: Memory | None = Memory.objects.of(self.owner_id).filter(replaces=self.pk).first()
        return found

    def is_protected(self, rules: Rules) -> bool:
        """Whether no machine may fade, archive or retire it (DESIGN "Protection")."""
        return decay.is_protected(
            status=Status(self.status),
            safety=self.safety,
            pinned=self.pinned,
            confirmed=self.confirmed_at is not None,
            tier=Tier(self.tier),
            policy=rules,
        )

    def retention(self, rules: Rules, now: datetime) -> float:
        """How much of it is left, 0 to 1, floor of the protected included.

        Reads self.use: a query where it was not selected along.
        """
        raw = decay.retention(
            self.use.anchor_under(rules, self.created_at),
            tier=Tier(self.tier),
            times_served=self.use.times_served,
            now=now,
            policy=rules,
        )
        return decay.effective_retention(raw, protected=self.is_protected(rules), policy=rules)


class MemoryRevision(models.Model):
    """What a memory said before a change."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    memory = models.ForeignKey(Memory, models.CASCADE, related_name="revisions")
    # The version these words belonged to.
    version = models.PositiveIntegerField()
    content = models.TextField()
    key = models.CharField(max_length=200, blank=True)
    value = models.TextField(blank=True)
    kind = models.CharField(max_length=12, choices=choices(Kind))
    created_at = models.DateTimeField()

    objects: ClassVar = OwnedQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="revision_once_per_version", fields=["memory", "version"])
        ]

    def __str__(self) -> str:
        return f"{self.memory_id} version {self.version}"


class MemoryUse(models.Model):
    """What a recall changes: narrow, so that no recall rewrites the row with the words."""

    memory = models.OneToOneField(Memory, models.CASCADE, primary_key=True, related_name="use")
    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    # The moment retention is counted from: max(created, last served, last said, confirmed).
    anchor = models.DateTimeField()
    times_served = models.PositiveIntegerField(default=0)
    last_served_at = models.DateTimeField(null=True, blank=True)
    # Recalls in which it passed stage 1 and was not returned.
    missed_chances = models.PositiveIntegerField(default=0)

    objects: ClassVar = OwnedQuerySet.as_manager()

    def __str__(self) -> str:
        return f"use of {self.memory_id}"

    def anchor_under(self, rules: Rules, created_at: datetime) -> datetime:
        """The anchor by this owner's setting: the last reinforcement, or the creation."""
        return decay.anchor_of(created_at, last_served=self.anchor, policy=rules)


class Posting(models.Model):
    """One word of one memory, with how often it stands there: the keyword index."""

    pk = models.CompositePrimaryKey("owner", "token", "memory")
    owner = models.ForeignKey(User, models.CASCADE, related_name="+", db_index=False)
    token = models.CharField(max_length=64)
    memory = models.ForeignKey(Memory, models.CASCADE, related_name="postings")
    count = models.PositiveSmallIntegerField()
    # Words in the whole memory, repeated here so that scoring reads nothing but the index.
    length = models.PositiveIntegerField()

    objects: ClassVar = PostingQuerySet.as_manager()

    def __str__(self) -> str:
        return self.token
