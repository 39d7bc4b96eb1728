"""Work to be done later. The row is the queue; a broker's message is only a nudge."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from django.db import models

from accounts.ids import uuid7
from accounts.models import User
from memory.models.choices import choices, known
from memory.querysets.jobs import JobQuerySet


class JobKind(StrEnum):
    # Give vectors to rows that have none of the current embedder.
    EMBED = "embed"
    # Take away what "clear all" cleared.
    ERASE = "erase"
    # Draw facts from a conversation.
    EXTRACT = "extract"
    # Write an owner's memories into a file.
    EXPORT = "export"
    # Find out what would become of each row of an import, changing nothing.
    PREVIEW = "preview"
    # Take the rows in.
    IMPORT = "import"
    # Tell the demo story in the owner's own account.
    STORY = "story"
    # Take away all there is of an owner who left.
    LEAVE = "leave"


class JobStatus(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    # By the owner.
    STOPPED = "stopped"


class Job(models.Model):
    """One piece of work for one owner, claimed by a lease that its worker keeps renewing."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=12, choices=choices(JobKind))
    status = models.CharField(max_length=8, choices=choices(JobStatus), default=JobStatus.QUEUED)
    # Ids, codes and numbers only.
    payload = models.JSONField(default=dict, blank=True)
    # What has been done so far, one entry a fact; grows in each fact's own transaction.
    results = models.JSONField(default=list, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=60, blank=True)
    # Who holds it, and until when; a lease that ran out may be taken over.
    holder = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField()
    epoch = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar = JobQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(
                name="job_due",
                fields=["due_at"],
                condition=models.Q(status__in=["queued", "running"]),
            )
        ]
        constraints = [
            models.CheckConstraint(name="job_kind_is_known", condition=known("kind", JobKind)),
            models.CheckConstraint(
                name="job_status_is_known", condition=known("status", JobStatus)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.status}"
