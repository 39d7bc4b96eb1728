"""Exports and imports on their way, under the border from the start as the tables of 0002."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import accounts.ids

TABLES = ["memory_parcel", "memory_parcelpart"]
OWNER = "owner_id = nullif(current_setting('app.owner', true), '')::uuid"
SECURE = """
ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
CREATE POLICY owner_only ON {table} TO memoir_app USING ({owner}) WITH CHECK ({owner});
CREATE POLICY operations ON {table} TO memoir_ops USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO memoir_app, memoir_ops;
REVOKE TRUNCATE, REFERENCES, TRIGGER ON {table} FROM memoir_app, memoir_ops;
"""
UNSECURE = """
DROP POLICY owner_only ON {table};
DROP POLICY operations ON {table};
ALTER TABLE {table} DISABLE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0008_reviews_wait_are_claimed_and_topics_join"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Parcel",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=accounts.ids.uuid7,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("export", "export"), ("import", "import")], max_length=6
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("making", "making"),
                            ("ready", "ready"),
                            ("taking", "taking"),
                            ("done", "done"),
                        ],
                        default="making",
                        max_length=6,
                    ),
                ),
                ("form", models.CharField(max_length=10)),
                ("job", models.UUIDField(blank=True, null=True)),
                ("total", models.PositiveIntegerField(default=0)),
                ("size", models.PositiveBigIntegerField(default=0)),
                ("expected", models.JSONField(blank=True, default=dict)),
                ("outcome", models.JSONField(blank=True, default=dict)),
                ("problems", models.JSONField(blank=True, default=list)),
                ("gesture", models.UUIDField(blank=True, null=True)),
                ("created_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("epoch", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="ParcelPart",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("content", models.BinaryField()),
                ("expected", models.JSONField(blank=True, default=list)),
                ("outcome", models.JSONField(blank=True, null=True)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="job",
            name="job_status_is_known",
        ),
        migrations.RemoveConstraint(
            model_name="job",
            name="job_kind_is_known",
        ),
        migrations.AlterField(
            model_name="job",
            name="kind",
            field=models.CharField(
                choices=[
                    ("embed", "embed"),
                    ("erase", "erase"),
                    ("extract", "extract"),
                    ("export", "export"),
                    ("preview", "preview"),
                    ("import", "import"),
                ],
                max_length=12,
            ),
        ),
        migrations.AlterField(
            model_name="job",
            name="status",
            field=models.CharField(
                choices=[
                    ("queued", "queued"),
                    ("running", "running"),
                    ("done", "done"),
                    ("failed", "failed"),
                    ("stopped", "stopped"),
                ],
                default="queued",
                max_length=8,
            ),
        ),
        migrations.AddConstraint(
            model_name="job",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("kind__in", ["embed", "erase", "extract", "export", "preview", "import"])
                ),
                name="job_kind_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="job",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("status__in", ["queued", "running", "done", "failed", "stopped"])
                ),
                name="job_status_is_known",
            ),
        ),
        migrations.AddField(
            model_name="parcel",
            name="owner",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="parcelpart",
            name="owner",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="parcelpart",
            name="parcel",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="parts",
                to="memory.parcel",
            ),
        ),
        migrations.AddIndex(
            model_name="parcel",
            index=models.Index(fields=["owner", "-created_at"], name="parcel_owner_recent"),
        ),
        migrations.AddConstraint(
            model_name="parcel",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["export", "import"])), name="parcel_kind_is_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="parcel",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["making", "ready", "taking", "done"])),
                name="parcel_state_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="parcelpart",
            constraint=models.UniqueConstraint(
                fields=("parcel", "number"), name="parcel_part_once"
            ),
        ),
        *(
            migrations.RunSQL(SECURE.format(table=table, owner=OWNER), UNSECURE.format(table=table))
            for table in TABLES
        ),
    ]
