"""Files on their way to the owner or from him, in parts; erased after a day."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from django.db import models

from accounts.ids import uuid7
from accounts.models import User
from memory.models.choices import choices, known
from memory.querysets.parcels import ParcelPartQuerySet, ParcelQuerySet


class ParcelKind(StrEnum):
    EXPORT = "export"
    IMPORT = "import"


class ParcelState(StrEnum):
    # A job is writing the export, or finding out what would become of each row.
    MAKING = "making"
    # The file may be fetched; the import waits for the owner's word.
    READY = "ready"
    # A job is taking the rows in.
    TAKING = "taking"
    DONE = "done"


class Parcel(models.Model):
    """One export or import. Words are in its parts alone."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=6, choices=choices(ParcelKind))
    state = models.CharField(max_length=6, choices=choices(ParcelState), default=ParcelState.MAKING)
    # Of an export: json, csv or markdown. Of an import: whose form the file has.
    form = models.CharField(max_length=10)
    # The job at work on it, or the last that was.
    job = models.UUIDField(null=True, blank=True)
    # Rows in it; of an import also how many of each decision, before and after.
    total = models.PositiveIntegerField(default=0)
    size = models.PositiveBigIntegerField(default=0)
    expected = models.JSONField(default=dict, blank=True)
    outcome = models.JSONField(default=dict, blank=True)
    # Rows that could not be read: number, field and code of each, no words.
    problems = models.JSONField(default=list, blank=True)
    # Everything the import did, so that it can be undone as a whole.
    gesture = models.UUIDField(null=True, blank=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    epoch = models.PositiveIntegerField(default=0)

    objects: ClassVar = ParcelQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(name="parcel_owner_recent", fields=["owner", "-created_at"])]
        constraints = [
            models.CheckConstraint(
                name="parcel_kind_is_known", condition=known("kind", ParcelKind)
            ),
            models.CheckConstraint(
                name="parcel_state_is_known", condition=known("state", ParcelState)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.form} {self.state}"


class ParcelPart(models.Model):
    """A stretch of a parcel: bytes of the file, or rows to be taken in with what became of them."""

    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    parcel = models.ForeignKey(Parcel, models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    content = models.BinaryField()
    # A decision each row: before anything is written, and what came of it; ids and codes only.
    expected = models.JSONField(default=list, blank=True)
    outcome = models.JSONField(null=True, blank=True)

    objects: ClassVar = ParcelPartQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="parcel_part_once", fields=["parcel", "number"])
        ]

    def __str__(self) -> str:
        return f"part {self.number}"
