"""A job may erase an owner who left."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

KINDS = ["embed", "erase", "extract", "export", "preview", "import", "story", "leave"]


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0013_spot_checks_wait_and_stories_are_told")]

    operations: ClassVar = [
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
