"""The owner lets agents use more than is theirs; keys bring along what was granted."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import accounts.ids

OWNER = "owner_id = nullif(current_setting('app.owner', true), '')::uuid"

SECURE = f"""
ALTER TABLE memory_grant ENABLE ROW LEVEL SECURITY;
CREATE POLICY owner_only ON memory_grant TO memoir_app USING ({OWNER}) WITH CHECK ({OWNER});
CREATE POLICY operations ON memory_grant TO memoir_ops USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON memory_grant TO memoir_app, memoir_ops;
REVOKE TRUNCATE, REFERENCES, TRIGGER ON memory_grant FROM memoir_app, memoir_ops;
"""
UNSECURE = """
DROP POLICY owner_only ON memory_grant;
DROP POLICY operations ON memory_grant;
ALTER TABLE memory_grant DISABLE ROW LEVEL SECURITY;
"""

# As in 0002; a function cannot be given a column more, so it is made anew.
KEY_LOOKUP = """
DROP FUNCTION memoir_key(bytea);
CREATE FUNCTION memoir_key(wanted bytea)
RETURNS TABLE (
    id uuid, hash bytea, owner uuid, owner_active boolean, agent uuid, agent_name varchar,
    scopes varchar[], expires_at timestamptz, revoked_at timestamptz, external_allowed boolean,
    paused boolean, epoch integer, numbers jsonb, projects jsonb, places uuid[]{column}
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE memory_agentkey k SET last_used_at = now()
    WHERE k.hash = wanted
      AND (k.last_used_at IS NULL OR k.last_used_at < now() - interval '1 minute');
    RETURN QUERY
    SELECT k.id, k.hash, k.owner_id, u.is_active, a.id, a.name, k.scopes, k.expires_at,
           k.revoked_at, a.external_allowed, a.paused OR coalesce(p.paused, false),
           coalesce(p.epoch, 0), coalesce(p.numbers, '{{}}'::jsonb),
           (SELECT coalesce(jsonb_object_agg(j.slug, j.id), '{{}}'::jsonb)
            FROM memory_project j WHERE j.owner_id = k.owner_id),
           (SELECT coalesce(array_agg(m.project_id), '{{}}')
            FROM memory_agentproject m WHERE m.agent_id = k.agent_id){value}
    FROM memory_agentkey k
    JOIN memory_agent a ON a.id = k.agent_id
    JOIN accounts_user u ON u.id = k.owner_id
    LEFT JOIN memory_policy p ON p.owner_id = k.owner_id
    WHERE k.hash = wanted;
END $$;
REVOKE ALL ON FUNCTION memoir_key(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memoir_key(bytea) TO memoir_app;
"""
GRANTS = """,
           (SELECT coalesce(jsonb_agg(jsonb_build_array(g.from_agent_id, g.sensitivity, g.topic)
                                      ORDER BY g.id), '[]'::jsonb)
            FROM memory_grant g
            WHERE g.owner_id = k.owner_id AND g.revoked_at IS NULL
              AND (g.to_agent_id = k.agent_id
                   OR g.to_project_id IN (SELECT m.project_id FROM memory_agentproject m
                                          WHERE m.agent_id = k.agent_id)))"""

BEFORE = [
    "written", "said_again", "refused", "superseded", "held", "contested", "confirmed", "denied",
    "settled", "edited", "changed", "outdated", "still_true", "deleted", "restored", "pinned",
    "archived", "unarchived", "shared", "cleared", "erased", "paused", "resumed", "promoted",
    "tuned", "undone",
]  # fmt: skip
NEW = [
    "granted", "revoked", "connected", "key_made", "key_revoked", "allowed", "barred", "joined",
    "left",
]  # fmt: skip
AFTER = [*BEFORE, *NEW]


def forget_new_verbs(apps, schema_editor):
    """Going back: the older program cannot read these lines."""
    events = apps.get_model("memory", "Event").objects.using(schema_editor.connection.alias)
    events.filter(verb__in=NEW).delete()


def other(to):
    return models.ForeignKey(
        blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to=to
    )


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0006_agents_say_of_what_use_it_was"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Grant",
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
                ("sensitivity", models.CharField(blank=True, max_length=20)),
                ("topic", models.CharField(blank=True, max_length=200)),
                ("created_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("from_agent", other("memory.agent")),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("to_agent", other("memory.agent")),
                ("to_project", other("memory.project")),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        name="grant_to_an_agent_or_a_project",
                        condition=models.Q(to_agent__isnull=True)
                        ^ models.Q(to_project__isnull=True),
                    ),
                    models.CheckConstraint(
                        name="grant_of_one_thing",
                        condition=models.Q(sensitivity="") | models.Q(topic=""),
                    ),
                    models.CheckConstraint(
                        name="grant_sensitivity_is_known",
                        condition=models.Q(
                            sensitivity__in=[
                                "",
                                "emotion",
                                "health",
                                "money",
                                "work_search",
                                "intimacy",
                                "beliefs",
                            ]
                        ),
                    ),
                    models.CheckConstraint(
                        name="grant_to_another",
                        condition=models.Q(from_agent__isnull=True)
                        | models.Q(to_agent__isnull=True)
                        | ~models.Q(from_agent=models.F("to_agent")),
                    ),
                    models.UniqueConstraint(
                        name="grant_in_force_once",
                        fields=[
                            "owner",
                            "from_agent",
                            "to_agent",
                            "to_project",
                            "sensitivity",
                            "topic",
                        ],
                        condition=models.Q(revoked_at__isnull=True),
                        nulls_distinct=False,
                    ),
                ]
            },
        ),
        migrations.RunSQL(SECURE, UNSECURE),
        migrations.RunSQL(
            KEY_LOOKUP.format(column=", grants jsonb", value=GRANTS),
            KEY_LOOKUP.format(column="", value=""),
        ),
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
