"""The border between owners: row-level security on every table, and the look-up of keys.

Row security is enabled, not forced: the owner of the tables (memoir_schema) migrates and backs up
all rows. The roles are made by config/embedded/roles.sql (docs/configuration.md).
"""

from django.db import migrations

TABLES = [
    "memory_agent",
    "memory_agentkey",
    "memory_agentproject",
    "memory_conflict",
    "memory_conflictmember",
    "memory_event",
    "memory_job",
    "memory_memory",
    "memory_memoryrevision",
    "memory_memoryuse",
    "memory_operation",
    "memory_policy",
    "memory_posting",
    "memory_project",
    "memory_reading",
    "memory_recall",
    "memory_recallitem",
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

# The history is append-only: it may grow and be erased with its memory, never be rewritten.
APPEND_ONLY = "REVOKE UPDATE ON memory_event FROM memoir_app, memoir_ops;"
REWRITABLE = "GRANT UPDATE ON memory_event TO memoir_app, memoir_ops;"

# A key is shown before anybody is known, so its row is found by a function that may see all keys
# and answers for one hash. It also notes the use, once a minute at most.
KEY_LOOKUP = """
CREATE FUNCTION memoir_key(wanted bytea)
RETURNS TABLE (
    id uuid, hash bytea, owner uuid, owner_active boolean, agent uuid, agent_name varchar,
    scopes varchar[], expires_at timestamptz, revoked_at timestamptz, external_allowed boolean,
    paused boolean, epoch integer, numbers jsonb, projects jsonb, places uuid[]
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE memory_agentkey k SET last_used_at = now()
    WHERE k.hash = wanted
      AND (k.last_used_at IS NULL OR k.last_used_at < now() - interval '1 minute');
    RETURN QUERY
    SELECT k.id, k.hash, k.owner_id, u.is_active, a.id, a.name, k.scopes, k.expires_at,
           k.revoked_at, a.external_allowed, a.paused OR coalesce(p.paused, false),
           coalesce(p.epoch, 0), coalesce(p.numbers, '{}'::jsonb),
           (SELECT coalesce(jsonb_object_agg(j.slug, j.id), '{}'::jsonb)
            FROM memory_project j WHERE j.owner_id = k.owner_id),
           (SELECT coalesce(array_agg(m.project_id), '{}')
            FROM memory_agentproject m WHERE m.agent_id = k.agent_id)
    FROM memory_agentkey k
    JOIN memory_agent a ON a.id = k.agent_id
    JOIN accounts_user u ON u.id = k.owner_id
    LEFT JOIN memory_policy p ON p.owner_id = k.owner_id
    WHERE k.hash = wanted;
END $$;
REVOKE ALL ON FUNCTION memoir_key(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memoir_key(bytea) TO memoir_app;
"""

# Scoring reads nothing but this index.
COVERING = """
ALTER TABLE memory_posting DROP CONSTRAINT memory_posting_pkey;
ALTER TABLE memory_posting ADD CONSTRAINT memory_posting_pkey
    PRIMARY KEY (owner_id, token, memory_id) INCLUDE (count, length);
"""
NOT_COVERING = """
ALTER TABLE memory_posting DROP CONSTRAINT memory_posting_pkey;
ALTER TABLE memory_posting ADD CONSTRAINT memory_posting_pkey
    PRIMARY KEY (owner_id, token, memory_id);
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0001_memories_and_what_they_need")]

    operations = [
        *(
            migrations.RunSQL(SECURE.format(table=table, owner=OWNER), UNSECURE.format(table=table))
            for table in TABLES
        ),
        migrations.RunSQL(APPEND_ONLY, REWRITABLE),
        migrations.RunSQL(KEY_LOOKUP, "DROP FUNCTION memoir_key(bytea);"),
        migrations.RunSQL(COVERING, NOT_COVERING),
    ]
