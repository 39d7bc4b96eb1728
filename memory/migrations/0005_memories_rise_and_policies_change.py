"""Two more things that can happen: a memory rises a tier, an owner changes the policy."""

from django.db import migrations, models

BEFORE = [
    "written", "said_again", "refused", "superseded", "held", "contested", "confirmed", "denied",
    "edited", "changed", "outdated", "still_true", "deleted", "restored", "pinned", "archived",
    "unarchived", "shared", "cleared", "erased", "paused", "resumed", "undone",
]  # fmt: skip
AFTER = [*BEFORE, "promoted", "tuned"]


def forget_new_verbs(apps, schema_editor):
    """Going back: the older program cannot read these lines."""
    events = apps.get_model("memory", "Event").objects.using(schema_editor.connection.alias)
    events.filter(verb__in=["promoted", "tuned"]).delete()


class Migration(migrations.Migration):
    dependencies = [("memory", "0003_memories_come_from_conversations")]

    operations = [
        migrations.AlterField(
            model_name="event",
            name="verb",
            field=models.CharField(choices=[(verb, verb) for verb in AFTER], max_length=16),
        ),
        migrations.RemoveConstraint(model_name="event", name="event_verb_is_known"),
        # Reversed in this order: first the lines go, then the narrower constraint comes back.
        migrations.AddConstraint(
            model_name="event",
            constraint=models.CheckConstraint(
                name="event_verb_is_known", condition=models.Q(verb__in=AFTER)
            ),
        ),
        migrations.RunPython(migrations.RunPython.noop, forget_new_verbs, elidable=True),
    ]
