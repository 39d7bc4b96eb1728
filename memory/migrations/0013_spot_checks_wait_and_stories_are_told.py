"""Spot checks can be put off, as other questions; a job may tell the demo story."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

KINDS = ["embed", "erase", "extract", "export", "preview", "import", "story"]


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0012_entries_are_passed_on")]

    operations: ClassVar = [
        migrations.AddField("spotcheck", "later_on_mention", models.BooleanField(default=False)),
        migrations.AddField(
            "spotcheck", "later_until", models.DateTimeField(blank=True, null=True)
        ),
        migrations.RemoveConstraint("job", "job_kind_is_known"),
        migrations.AlterField(
            "job",
            "kind",
            models.CharField(choices=[(kind, kind) for kind in KINDS], max_length=12),
        ),
        migrations.AddConstraint(
            "job",
            models.CheckConstraint(
                condition=models.Q(("kind__in", KINDS)), name="job_kind_is_known"
            ),
        ),
    ]
