"""Row-level security looks at the rows a statement finds, and is no way of finding them.

What it compares with is a subquery, which is asked once a statement and whose value the planner
cannot look up in its statistics (memory/querysets/owned.py, `blind`); IS TRUE keeps the comparison
from being used with an index, so that a row asked for by its id is found by its id.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations

OWNER = "owner_id = nullif(current_setting('app.owner', true), '')::uuid"
BLIND = "(owner_id = (SELECT nullif(current_setting('app.owner', true), '')::uuid)) IS TRUE"

ALTER = """
DO $$
DECLARE secured regclass;
BEGIN
    FOR secured IN SELECT polrelid FROM pg_policy WHERE polname = 'owner_only' LOOP
        EXECUTE format('ALTER POLICY owner_only ON %s USING ({owner}) WITH CHECK ({owner})', secured);
    END LOOP;
END $$
"""


def alter(owner: str) -> str:
    return ALTER.format(owner=owner.replace("'", "''"))


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0010_recalls_keep_how_they_were_asked")]

    operations: ClassVar = [migrations.RunSQL(alter(BLIND), alter(OWNER))]
