"""Which question contradicts what is marked as contested."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from memory.models import ConflictMember
from memory.services.hold import NOT_CONTESTING
from panel.rows import Row


def link_contests(rows: Iterable[Row], owner: UUID) -> None:
    """Give contested rows the card that contests them: one statement, where there are any.

    Inside owner_scope. Of several the oldest; what was put off is a card all the same.
    """
    contested = {row.id: row for row in rows if row.memory.contested}
    if not contested:
        return
    places = (
        ConflictMember.objects.of(owner)
        .filter(memory__in=contested, bystander=True, conflict__state="open")
        .exclude(conflict__reason__in=NOT_CONTESTING)
        .order_by("-conflict")
        .values_list("memory", "conflict")
    )
    for memory, conflict in places:
        contested[memory].contest = conflict
