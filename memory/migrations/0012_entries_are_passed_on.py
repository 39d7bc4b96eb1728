"""An admin who cannot decide passes an entry on to the others."""

from django.db import migrations, models

# Going back: the older program cannot read these lines.
FORGET_NEW_CODES = """
SET CONSTRAINTS ALL IMMEDIATE;
DELETE FROM memory_event WHERE verb = 'escalated';
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0011_the_planner_does_not_know_the_owner")]

    operations = [
        migrations.RemoveConstraint(model_name="event", name="event_verb_is_known"),
        migrations.AddField(
            model_name="conflict",
            name="escalated_at",
            field=models.DateTimeField(blank=True, null=True),
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
                    ("escalated", "escalated"),
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
                            "escalated",
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
        migrations.RunSQL(migrations.RunSQL.noop, FORGET_NEW_CODES),
    ]
