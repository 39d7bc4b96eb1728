"""Conversations, and what goes with them: provenance, answers kept for repetitions, tombstones.

The new tables are under the border from the start, as those of 0002.
"""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import accounts.ids

TABLES = [
    "memory_conversation",
    "memory_idempotency",
    "memory_judgeuse",
    "memory_message",
    "memory_spotcheck",
    "memory_tombstone",
]

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
        ("memory", "0002_owners_are_kept_apart"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Conversation",
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
                ("title", models.CharField(blank=True, max_length=200)),
                ("created_at", models.DateTimeField()),
                ("extracted_at", models.DateTimeField(blank=True, null=True)),
                ("epoch", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="Idempotency",
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
                ("key_hash", models.CharField(max_length=64)),
                ("body_hash", models.CharField(max_length=64)),
                ("results", models.JSONField(blank=True, default=list)),
                (
                    "memories",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.UUIDField(), blank=True, default=list, size=None
                    ),
                ),
                ("status", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("answer", models.TextField(blank=True, null=True)),
                ("created_at", models.DateTimeField()),
                ("epoch", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="JudgeUse",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("day", models.DateField()),
                ("calls", models.PositiveIntegerField(default=0)),
                ("failures", models.PositiveIntegerField(default=0)),
                ("tokens", models.PositiveIntegerField(default=0)),
                ("error", models.CharField(blank=True, max_length=20)),
                ("failed_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Message",
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
                ("position", models.PositiveSmallIntegerField()),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("user", "user"),
                            ("assistant", "assistant"),
                            ("system", "system"),
                            ("tool", "tool"),
                        ],
                        max_length=9,
                    ),
                ),
                ("content", models.TextField(blank=True)),
                ("at", models.DateTimeField()),
                ("dated", models.BooleanField(default=False)),
                ("external_id", models.CharField(blank=True, max_length=200)),
                ("found", models.JSONField(blank=True, null=True)),
                ("epoch", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="SpotCheck",
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
                    "state",
                    models.CharField(
                        choices=[("open", "open"), ("right", "right"), ("wrong", "wrong")],
                        default="open",
                        max_length=5,
                    ),
                ),
                ("week", models.DateField()),
                ("drawn_at", models.DateTimeField()),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                ("epoch", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="Tombstone",
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
                ("strict", models.CharField(max_length=64)),
                ("loose", models.CharField(blank=True, max_length=64)),
                (
                    "reason",
                    models.CharField(
                        choices=[("deleted", "deleted"), ("denied", "denied")],
                        default="deleted",
                        max_length=8,
                    ),
                ),
                ("deleted_at", models.DateTimeField()),
                ("lifted_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="job",
            name="job_kind_is_known",
        ),
        migrations.AddField(
            model_name="job",
            name="results",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AlterField(
            model_name="job",
            name="kind",
            field=models.CharField(
                choices=[("embed", "embed"), ("erase", "erase"), ("extract", "extract")],
                max_length=12,
            ),
        ),
        migrations.AddConstraint(
            model_name="job",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["embed", "erase", "extract"])),
                name="job_kind_is_known",
            ),
        ),
        migrations.AddField(
            model_name="conversation",
            name="agent",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="memory.agent"
            ),
        ),
        migrations.AddField(
            model_name="conversation",
            name="owner",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="conversation",
            name="project",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="memory.project",
            ),
        ),
        migrations.AddField(
            model_name="memory",
            name="conversation",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="memories",
                to="memory.conversation",
            ),
        ),
        migrations.AddField(
            model_name="idempotency",
            name="caller",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memory.agentkey"
            ),
        ),
        migrations.AddField(
            model_name="idempotency",
            name="owner",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="judgeuse",
            name="owner",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="message",
            name="conversation",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="messages",
                to="memory.conversation",
            ),
        ),
        migrations.AddField(
            model_name="message",
            name="owner",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="memory",
            name="message",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="memories",
                to="memory.message",
            ),
        ),
        migrations.AddField(
            model_name="spotcheck",
            name="memory",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="spot_checks",
                to="memory.memory",
            ),
        ),
        migrations.AddField(
            model_name="spotcheck",
            name="owner",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="tombstone",
            name="agent",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="memory.agent",
            ),
        ),
        migrations.AddField(
            model_name="tombstone",
            name="memory",
            field=models.ForeignKey(
                blank=True,
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="memory.memory",
            ),
        ),
        migrations.AddField(
            model_name="tombstone",
            name="owner",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddIndex(
            model_name="conversation",
            index=models.Index(fields=["owner", "-created_at"], name="conversation_owner_recent"),
        ),
        migrations.AddIndex(
            model_name="idempotency",
            index=models.Index(fields=["owner", "created_at"], name="idempotency_owner_age"),
        ),
        migrations.AddConstraint(
            model_name="idempotency",
            constraint=models.UniqueConstraint(
                fields=("owner", "caller", "key_hash"), name="idempotency_once_a_key"
            ),
        ),
        migrations.AddConstraint(
            model_name="judgeuse",
            constraint=models.UniqueConstraint(
                fields=("owner", "day"), name="judge_use_once_a_day"
            ),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.UniqueConstraint(
                fields=("conversation", "position"), name="message_once_per_place"
            ),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.CheckConstraint(
                condition=models.Q(("role__in", ["user", "assistant", "system", "tool"])),
                name="message_role_is_known",
            ),
        ),
        migrations.AddIndex(
            model_name="spotcheck",
            index=models.Index(fields=["owner", "week"], name="spot_check_owner_week"),
        ),
        migrations.AddConstraint(
            model_name="spotcheck",
            constraint=models.UniqueConstraint(fields=("memory",), name="spot_check_once_a_memory"),
        ),
        migrations.AddConstraint(
            model_name="spotcheck",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["open", "right", "wrong"])),
                name="spot_check_state_is_known",
            ),
        ),
        migrations.AddIndex(
            model_name="tombstone",
            index=models.Index(
                condition=models.Q(("lifted_at__isnull", True)),
                fields=["owner", "strict"],
                name="tombstone_strict",
            ),
        ),
        migrations.AddIndex(
            model_name="tombstone",
            index=models.Index(
                condition=models.Q(("lifted_at__isnull", True)),
                fields=["owner", "loose"],
                name="tombstone_loose",
            ),
        ),
        migrations.AddConstraint(
            model_name="tombstone",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason__in", ["deleted", "denied"])),
                name="tombstone_reason_is_known",
            ),
        ),
        *(
            migrations.RunSQL(SECURE.format(table=table, owner=OWNER), UNSECURE.format(table=table))
            for table in TABLES
        ),
    ]
