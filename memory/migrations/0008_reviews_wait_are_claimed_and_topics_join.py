"""Questions put off or claimed by an admin, his notes to the owner, and what owners say of topics."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

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

# Going back: the older program cannot read these lines and entries.
FORGET_NEW_CODES = """
SET CONSTRAINTS ALL IMMEDIATE;
DELETE FROM memory_event WHERE verb IN ('postponed', 'renamed', 'checked', 'claimed', 'handed_back', 'seen');
DELETE FROM memory_conflictmember m USING memory_conflict c
    WHERE c.id = m.conflict_id AND c.reason IN ('elsewhere', 'sharing');
DELETE FROM memory_conflict WHERE reason IN ('elsewhere', 'sharing');
"""


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0007_agents_are_granted_more"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AdminNote",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("gesture", models.UUIDField()),
                ("text", models.CharField(max_length=500)),
                ("at", models.DateTimeField()),
                ("epoch", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="TopicRule",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("from_key", models.CharField(max_length=200)),
                ("to_key", models.CharField(max_length=200)),
                ("single_valued", models.BooleanField(blank=True, null=True)),
                ("made_at", models.DateTimeField()),
                ("epoch", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.AlterModelOptions(
            name="conflict",
            options={
                "permissions": [("review_conflicts", "May help owners with what waits for them")]
            },
        ),
        migrations.RemoveConstraint(
            model_name="conflict",
            name="conflict_reason_is_known",
        ),
        migrations.RemoveConstraint(
            model_name="event",
            name="event_verb_is_known",
        ),
        migrations.RemoveConstraint(
            model_name="memory",
            name="memory_status_reason_is_known",
        ),
        migrations.AddField(
            model_name="conflict",
            name="claimed_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="conflict",
            name="claimed_until",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="conflict",
            name="later_on_mention",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="conflict",
            name="later_until",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="policy",
            name="admins_see",
            field=models.CharField(
                choices=[("masked", "masked"), ("none", "none"), ("all", "all")],
                default="masked",
                max_length=6,
            ),
        ),
        migrations.AlterField(
            model_name="conflict",
            name="reason",
            field=models.CharField(
                choices=[
                    ("contradiction", "contradiction"),
                    ("inferred", "inferred"),
                    ("external", "external"),
                    ("quarantined", "quarantined"),
                    ("suggestion", "suggestion"),
                    ("denied", "denied"),
                    ("replaced", "replaced"),
                    ("polarity", "polarity"),
                    ("ended", "ended"),
                    ("corrected", "corrected"),
                    ("outdated", "outdated"),
                    ("reported", "reported"),
                    ("elsewhere", "elsewhere"),
                    ("sharing", "sharing"),
                    ("faded", "faded"),
                    ("expired", "expired"),
                ],
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="event",
            name="verb",
            field=models.CharField(
                choices=[
                    ("written", "written"),
                    ("said_again", "said_again"),
                    ("refused", "refused"),
                    ("superseded", "superseded"),
                    ("held", "held"),
                    ("contested", "contested"),
                    ("confirmed", "confirmed"),
                    ("denied", "denied"),
                    ("settled", "settled"),
                    ("edited", "edited"),
                    ("changed", "changed"),
                    ("outdated", "outdated"),
                    ("still_true", "still_true"),
                    ("deleted", "deleted"),
                    ("restored", "restored"),
                    ("pinned", "pinned"),
                    ("archived", "archived"),
                    ("unarchived", "unarchived"),
                    ("shared", "shared"),
                    ("cleared", "cleared"),
                    ("erased", "erased"),
                    ("paused", "paused"),
                    ("resumed", "resumed"),
                    ("promoted", "promoted"),
                    ("tuned", "tuned"),
                    ("postponed", "postponed"),
                    ("renamed", "renamed"),
                    ("checked", "checked"),
                    ("claimed", "claimed"),
                    ("handed_back", "handed_back"),
                    ("seen", "seen"),
                    ("undone", "undone"),
                    ("granted", "granted"),
                    ("revoked", "revoked"),
                    ("connected", "connected"),
                    ("key_made", "key_made"),
                    ("key_revoked", "key_revoked"),
                    ("allowed", "allowed"),
                    ("barred", "barred"),
                    ("joined", "joined"),
                    ("left", "left"),
                ],
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="memory",
            name="status_reason",
            field=models.CharField(
                blank=True,
                choices=[
                    ("contradiction", "contradiction"),
                    ("inferred", "inferred"),
                    ("external", "external"),
                    ("quarantined", "quarantined"),
                    ("suggestion", "suggestion"),
                    ("denied", "denied"),
                    ("replaced", "replaced"),
                    ("polarity", "polarity"),
                    ("ended", "ended"),
                    ("corrected", "corrected"),
                    ("outdated", "outdated"),
                    ("reported", "reported"),
                    ("elsewhere", "elsewhere"),
                    ("sharing", "sharing"),
                    ("faded", "faded"),
                    ("expired", "expired"),
                ],
                max_length=16,
            ),
        ),
        migrations.AddConstraint(
            model_name="conflict",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "reason__in",
                        [
                            "contradiction",
                            "inferred",
                            "external",
                            "quarantined",
                            "suggestion",
                            "denied",
                            "replaced",
                            "polarity",
                            "ended",
                            "corrected",
                            "outdated",
                            "reported",
                            "elsewhere",
                            "sharing",
                            "faded",
                            "expired",
                        ],
                    )
                ),
                name="conflict_reason_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="event",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "verb__in",
                        [
                            "written",
                            "said_again",
                            "refused",
                            "superseded",
                            "held",
                            "contested",
                            "confirmed",
                            "denied",
                            "settled",
                            "edited",
                            "changed",
                            "outdated",
                            "still_true",
                            "deleted",
                            "restored",
                            "pinned",
                            "archived",
                            "unarchived",
                            "shared",
                            "cleared",
                            "erased",
                            "paused",
                            "resumed",
                            "promoted",
                            "tuned",
                            "postponed",
                            "renamed",
                            "checked",
                            "claimed",
                            "handed_back",
                            "seen",
                            "undone",
                            "granted",
                            "revoked",
                            "connected",
                            "key_made",
                            "key_revoked",
                            "allowed",
                            "barred",
                            "joined",
                            "left",
                        ],
                    )
                ),
                name="event_verb_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="memory",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "status_reason__in",
                        [
                            "",
                            "contradiction",
                            "inferred",
                            "external",
                            "quarantined",
                            "suggestion",
                            "denied",
                            "replaced",
                            "polarity",
                            "ended",
                            "corrected",
                            "outdated",
                            "reported",
                            "elsewhere",
                            "sharing",
                            "faded",
                            "expired",
                        ],
                    )
                ),
                name="memory_status_reason_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="policy",
            constraint=models.CheckConstraint(
                condition=models.Q(("admins_see__in", ["masked", "none", "all"])),
                name="policy_admins_see_is_known",
            ),
        ),
        migrations.AddField(
            model_name="adminnote",
            name="by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="adminnote",
            name="conflict",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="notes",
                to="memory.conflict",
            ),
        ),
        migrations.AddField(
            model_name="adminnote",
            name="owner",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="topicrule",
            name="owner",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddIndex(
            model_name="adminnote",
            index=models.Index(fields=["owner", "gesture"], name="admin_note_gesture"),
        ),
        migrations.AddConstraint(
            model_name="topicrule",
            constraint=models.UniqueConstraint(
                fields=("owner", "from_key", "epoch"), name="topic_rule_once_a_key"
            ),
        ),
        *(
            migrations.RunSQL(SECURE.format(table=table, owner=OWNER), UNSECURE.format(table=table))
            for table in ("memory_adminnote", "memory_topicrule")
        ),
        migrations.RunSQL(migrations.RunSQL.noop, FORGET_NEW_CODES),
    ]
