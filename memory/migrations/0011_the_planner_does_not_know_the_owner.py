"""Row-level security compares with an owner the planner cannot look up in its statistics.

See memory/querysets/owned.py, `blind`. As a subquery it is also asked once a statement, not once a
row.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations

OWNER = "nullif(current_setting('app.owner', true), '')::uuid"

ALTER = """
DO $$
DECLARE secured regclass;
BEGIN
    FOR secured IN
        SELECT polrelid FROM pg_policy WHERE polname = 'owner_only'
    LOOP
        EXECUTE format(
            'ALTER POLICY owner_only ON %s USING (owner_id = {owner}) WITH CHECK (owner_id = {owner})',
            secured
        );
    END LOOP;
END $$
"""


def alter(owner: str) -> str:
    return ALTER.format(owner=owner.replace("'", "''"))


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0010_recalls_keep_how_they_were_asked")]

    operations: ClassVar = [migrations.RunSQL(alter(f"(SELECT {OWNER})"), alter(OWNER))]
