"""What the Memories page reads: the same number of statements for 50 memories and for 50,000."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef

from memory.border import owner_scope
from memory.domain.policy import Policy as Rules
from memory.domain.values import Status
from memory.models import Agent, Conflict, ConflictMember, Memory, Project
from memory.querysets.memories import MemoryQuerySet
from memory.services.tell import is_untouched
from panel.cursors import write_cursor
from panel.reads.contests import link_contests
from panel.reads.counts import Counts, read_counts
from panel.reads.filters import BY_MONTH, Filters
from panel.reads.orders import ORDERS, PAGE, cursor_id, cursor_moment, cursor_values
from panel.reads.versions import Chain, fold_versions, read_chains
from panel.rows import Card, Row, make_card, make_row, make_rows, month
from panel.visits import note_visit, read_policy

# Guesses above the list; the others are one link away.
WAITING_SHOWN = 5
# Wide columns no list shows.
_HEAVY = ("embedding", "search_text", "before", "metadata", "dimensions", "quote")


@dataclass(slots=True)
class ListPage:
    """Everything the Memories page shows, read in one transaction."""

    filters: Filters
    counts: Counts
    cards: list[Card] = field(default_factory=list)
    more_waiting: bool = False
    rows: list[Row] = field(default_factory=list)
    chains: list[Chain] = field(default_factory=list)
    # Nothing and nobody is here yet, so that the demo story may be loaded.
    untouched: bool = False
    next: str = ""

    @property
    def has_any(self) -> bool:
        """Whether anything is remembered at all, shown here or not."""
        return not self.counts.exact or self.counts.total > 0

    @property
    def is_empty(self) -> bool:
        return not self.cards and not self.rows and not self.chains


def read_choices(owner: UUID) -> tuple[list[Agent], list[Project]]:
    """The owner's agents and projects, for the filters."""
    with owner_scope(owner):
        return (
            list(Agent.objects.of(owner).order_by("name")),
            list(Project.objects.of(owner).order_by("name")),
        )


def read_list(owner: UUID, filters: Filters, *, now: datetime, exact: bool = False) -> ListPage:
    """One page of memories with counts, and what waits above the first.

    Raises BadCursor. Notes the visit, changes nothing else.
    """
    with owner_scope(owner):
        policy = read_policy(owner)
        rules = policy.rules()
        note_visit(policy, now)
        counts = read_counts(
            owner,
            filters,
            rules=rules,
            now=now,
            visit_before=policy.visit_before,
            exact=exact,
        )
        page = ListPage(filters, counts)
        page.untouched = not page.has_any and is_untouched(owner)
        if filters.is_chains:
            shown = _shown(Memory.objects.of(owner).kept())
            page.chains, page.next = read_chains(
                owner, shown, filters, rules=rules, now=now, visit_before=policy.visit_before
            )
            return page
        matching = (
            Memory.objects.of(owner)
            .kept()
            .filter(filters.all(now=now, visit_before=policy.visit_before))
        )
        _read_waiting(owner, matching, page, rules, now)
        if not filters.only_waiting:
            _read_rows(owner, matching, page, rules, now)
        return page


def read_rows(owner: UUID, memories: Iterable[UUID], *, now: datetime) -> list[Row | Card]:
    """These memories as they stand now, in the given order: rows, or the cards they wait in."""
    wanted = list(dict.fromkeys(memories))
    with owner_scope(owner):
        rules = read_policy(owner).rules()
        found = {m.pk: m for m in _shown(Memory.objects.of(owner).kept()).filter(pk__in=wanted)}
        open_cards = (
            Conflict.objects.of(owner)
            .waiting()
            .filter(
                Exists(ConflictMember.objects.filter(conflict=OuterRef("pk"), memory__in=wanted))
            )
        )
        cards = read_cards(owner, list(open_cards), rules, now)
        of_memory = {side.id: card for card in cards for side in card.sides}
        shown: list[Row | Card] = []
        for memory in wanted:
            card = of_memory.get(memory)
            if card is not None:
                if card not in shown:
                    shown.append(card)
            elif memory in found:
                shown.append(make_row(found[memory], rules=rules, now=now))
        rows = [row for row in shown if isinstance(row, Row)]
        fold_versions(rows, owner)
        link_contests(rows, owner)
        return shown


def read_sentence(owner: UUID, *, now: datetime) -> Counts:
    """The counting sentence alone, after something changed."""
    with owner_scope(owner):
        policy = read_policy(owner)
        return read_counts(
            owner, Filters(), rules=policy.rules(), now=now, visit_before=policy.visit_before
        )


def read_partners(owner: UUID, memory: UUID) -> list[UUID]:
    """The memory and all others that wait with it, in the card's order."""
    with owner_scope(owner):
        cards = ConflictMember.objects.of(owner).filter(
            memory=memory, conflict__state="open", bystander=False
        )
        partners = (
            ConflictMember.objects.of(owner)
            .filter(conflict__in=cards.values("conflict"))
            .order_by("id")
            .values_list("memory", flat=True)
        )
        return list(dict.fromkeys(partners)) or [memory]


# -- What waits ------------------------------------------------------------------------------------


def _read_waiting(
    owner: UUID, matching: MemoryQuerySet, page: ListPage, rules: Rules, now: datetime
) -> None:
    filters = page.filters
    if not filters.shows_waiting or (filters.cursor and not filters.only_waiting):
        return
    most = PAGE if filters.only_waiting else WAITING_SHOWN
    waiting = (
        Conflict.objects.of(owner)
        .waiting()
        .filter(
            Exists(
                ConflictMember.objects.filter(
                    conflict=OuterRef("pk"),
                    bystander=False,
                    memory__in=matching.filter(status=Status.CONFLICT),
                )
            )
        )
        .order_by("-id")
    )
    if filters.cursor:
        (last,) = cursor_values(filters.cursor, owner, "waiting", 1)
        waiting = waiting.filter(id__lt=cursor_id(last))
    entries = list(waiting[: most + 1])
    page.cards = read_cards(owner, entries[:most], rules, now)
    if len(entries) > most:
        if filters.only_waiting:
            page.next = write_cursor(owner, "waiting", [str(entries[most - 1].pk)])
        else:
            page.more_waiting = True


def read_cards(owner: UUID, entries: list[Conflict], rules: Rules, now: datetime) -> list[Card]:
    places: defaultdict[UUID, list[ConflictMember]] = defaultdict(list)
    for place in (
        ConflictMember.objects.of(owner)
        .filter(conflict__in=[entry.pk for entry in entries])
        .select_related(
            "memory", "memory__use", "memory__agent", "memory__project", "memory__superseded_by"
        )
        .defer(*(f"memory__{name}" for name in _HEAVY))
        .order_by("id")
    ):
        places[place.conflict_id].append(place)
    cards = [make_card(entry, places[entry.pk], rules=rules, now=now) for entry in entries]
    return [card for card in cards if card.sides]


# -- The list --------------------------------------------------------------------------------------


def _shown(memories: MemoryQuerySet) -> MemoryQuerySet:
    return memories.select_related("use", "agent", "project", "superseded_by").defer(
        *_HEAVY, *(f"superseded_by__{name}" for name in _HEAVY)
    )


def _read_rows(
    owner: UUID, matching: MemoryQuerySet, page: ListPage, rules: Rules, now: datetime
) -> None:
    filters = page.filters
    listed = _shown(matching.filter(status__in=filters.listed))
    memories, page.next = ORDERS[filters.order](owner, listed, filters.cursor, rules, now)
    after = None
    if filters.cursor and not filters.order:
        after = cursor_values(filters.cursor, owner, "topic", 4)[0]
    page.rows = make_rows(memories, rules=rules, now=now, after=after)
    if filters.view == BY_MONTH:
        _head_months(page.rows, _month_before(owner, filters.cursor))
    elif filters.sort:
        for row in page.rows:
            row.label_again = False
    link_contests(page.rows, owner)
    if filters.folds:
        fold_versions(page.rows, owner)


def _head_months(rows: list[Row], last: str) -> None:
    """A month is named at its first row. `last`: the one the page before ended in."""
    for row in rows:
        row.label_again = False
        dated_at: datetime = row.memory.dated_at  # type: ignore[attr-defined]  # annotated
        if month(dated_at) != last:
            row.begins = dated_at
        last = month(dated_at)


def _month_before(owner: UUID, cursor: str) -> str:
    return month(cursor_moment(cursor_values(cursor, owner, "month", 2)[0])) if cursor else ""
