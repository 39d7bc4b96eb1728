"""What Review reads: the queue, one card, what changed by itself. Always as many statements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count

from memory.border import owner_scope
from memory.domain.policy import Policy as Rules
from memory.domain.values import Reason, Status
from memory.models import AdminNote, Conflict, ConflictMember, Event, Memory, SpotCheck
from memory.models.events import Verb
from panel import review_words, words
from panel.reads.cards import Place, count_cards, count_postponed, read_places
from panel.reads.changed import Change, read_changes
from panel.review import ReviewCard, make_check_card, make_review_card
from panel.visits import read_policy

# Cards named beside the one that is open.
WINDOW = 8
_HEAVY = ("embedding", "search_text", "before", "metadata", "dimensions")
_JOINED = ("memory", "memory__use", "memory__agent", "memory__project", "memory__superseded_by")


@dataclass(frozen=True, slots=True)
class Named:
    """A card of the queue by its name: enough to know it by."""

    place: Place
    number: int
    text: str
    current: bool


@dataclass(frozen=True, slots=True)
class Settled:
    """How a card that waits no more was answered, and by whom."""

    ruling: str
    at: datetime | None
    by_admin: bool
    note: str = ""


@dataclass(slots=True)
class ReviewPage:
    """Everything the page shows."""

    total: int
    postponed: int
    shows_postponed: bool
    # The open card's place among those shown; 0 for one beyond them.
    number: int = 0
    card: ReviewCard | None = None
    settled: Settled | None = None
    next: UUID | None = None
    queue: list[Named] = field(default_factory=list)
    before: int = 0
    after: int = 0
    changes: list[Change] = field(default_factory=list)
    more_changes: bool = False

    @property
    def shown(self) -> int:
        """How many cards there are of the kind that is shown: today's, or what was put off."""
        return self.postponed if self.shows_postponed else self.total

    @property
    def first_before(self) -> int:
        """The number of the first card of those before the ones that are named."""
        return max(1, self.before - WINDOW + 1)

    @property
    def first_after(self) -> int:
        """The number of the first card after the ones that are named."""
        return self.before + WINDOW + 1


def read_badge(owner: UUID, *, now: datetime) -> int:
    """The number of cards."""
    with owner_scope(owner):
        return count_cards(owner, read_policy(owner).rules(), now)


def read_review(
    owner: UUID,
    wanted: UUID | None = None,
    *,
    postponed: bool = False,
    start: int | None = None,
    now: datetime,
) -> ReviewPage:
    """The queue with one card open: the wanted one, else the first.

    A wanted card that was put off opens among those, whatever was asked for. One that waits no
    more is `settled`; one that never was leaves both None. `start`: the number of the first card
    to be named beside it, else those around it are.
    """
    with owner_scope(owner):
        rules = read_policy(owner).rules()
        places = read_places(owner, rules, now, postponed=postponed)
        if wanted is not None and not _holds(places, wanted):
            others = read_places(owner, rules, now, postponed=not postponed)
            if _holds(others, wanted):
                places, postponed = others, not postponed
        later = count_postponed(owner, now)
        total = count_cards(owner, rules, now)
        page = ReviewPage(total=total, postponed=later, shows_postponed=postponed)
        _read_queue(owner, page, places, wanted, start, rules, now)
        page.changes, page.more_changes = read_changes(owner, now)
        return page


def read_card(owner: UUID, card: UUID, *, now: datetime) -> ReviewCard | None:
    """One card that waits, put off or not; None where there is none."""
    with owner_scope(owner):
        return _read_one(owner, card, read_policy(owner).rules(), now)


def read_settled(owner: UUID, card: UUID) -> Settled | None:
    """How a card was answered; None for what is no card of this owner. Inside owner_scope."""
    entry = Conflict.objects.of(owner).filter(pk=card).first()
    if entry is not None:
        by_admin = entry.settled_by_id is not None and entry.settled_by_id != owner
        note = AdminNote.objects.of(owner).filter(conflict=card).order_by("-at").first()
        ruling = entry.ruling or "withdrawn"
        return Settled(
            review_words.ruling_name(ruling), entry.settled_at, by_admin, note.text if note else ""
        )
    check = SpotCheck.objects.of(owner).filter(pk=card).first()
    if check is None:
        return None
    ruling = check.state if check.state != "open" else "withdrawn"
    return Settled(review_words.ruling_name(ruling), check.answered_at, by_admin=False)


def read_members(owner: UUID, card: UUID) -> list[UUID]:
    """The memories a card is about, waiting or not."""
    with owner_scope(owner):
        found = ConflictMember.objects.of(owner).filter(conflict=card).order_by("id")
        return list(found.values_list("memory", flat=True))


# -- The queue -------------------------------------------------------------------------------------


def _read_queue(
    owner: UUID,
    page: ReviewPage,
    places: list[Place],
    wanted: UUID | None,
    start: int | None,
    rules: Rules,
    now: datetime,
) -> None:
    at = next((n for n, place in enumerate(places) if place.id == wanted), None)
    if wanted is not None and at is None:
        # Beyond the cards that are listed, or answered.
        page.card = _read_one(owner, wanted, rules, now)
        page.settled = None if page.card else read_settled(owner, wanted)
        if page.card is None and page.settled is None:
            return
    first = (at or 0) - WINDOW // 2 if start is None else start - 1
    first = max(0, min(first, len(places) - WINDOW))
    window = places[first : first + WINDOW]
    page.before, page.after = first, max(0, len(places) - first - WINDOW)
    current = at if wanted is not None else (0 if places else None)
    named = window if current is None else [*window, places[current]]
    cards = _read_cards(owner, named, rules, now)
    page.queue = [
        Named(place, number + 1, _name(cards[place.id]), number == current)
        for number, place in enumerate(window, first)
        if place.id in cards
    ]
    if current is not None:
        page.number = current + 1
        page.card = cards.get(places[current].id)
        follower = places[current + 1 : current + 2] or places[:current][-1:]
        page.next = follower[0].id if follower else None
    elif places:
        page.next = places[0].id


def _holds(places: list[Place], card: UUID) -> bool:
    return any(place.id == card for place in places)


def _read_one(owner: UUID, card: UUID, rules: Rules, now: datetime) -> ReviewCard | None:
    entry = Conflict.objects.of(owner).answerable().filter(pk=card).first()
    if entry is not None:
        return _make_cards(owner, [entry], rules, now).get(card)
    check = _checks(owner, [card]).first()
    return _make_check(check, rules, now) if check is not None else None


def _name(card: ReviewCard) -> str:
    texts = [words.shortened(side.memory.content, 60) for side in card.columns]
    return " / ".join(texts)


def _read_cards(
    owner: UUID, places: Iterable[Place], rules: Rules, now: datetime
) -> dict[UUID, ReviewCard]:
    places = list(places)
    entries = Conflict.objects.of(owner).filter(pk__in=[p.id for p in places if not p.is_check])
    cards = _make_cards(owner, list(entries), rules, now)
    for check in _checks(owner, [p.id for p in places if p.is_check]):
        cards[check.pk] = _make_check(check, rules, now)
    return cards


def _checks(owner: UUID, ids: list[UUID]) -> Any:
    return (
        SpotCheck.objects.of(owner)
        .waiting()
        .filter(pk__in=ids)
        .select_related(*_JOINED)
        .defer(*(f"memory__{name}" for name in _HEAVY))
    )


def _make_check(check: SpotCheck, rules: Rules, now: datetime) -> ReviewCard:
    return make_check_card(check.pk, check.memory, check.drawn_at, rules=rules, now=now)


def _make_cards(
    owner: UUID, entries: list[Conflict], rules: Rules, now: datetime
) -> dict[UUID, ReviewCard]:
    members: defaultdict[UUID, list[ConflictMember]] = defaultdict(list)
    found = (
        ConflictMember.objects.of(owner)
        .filter(conflict__in=[entry.pk for entry in entries], memory__deleted_at__isnull=True)
        .select_related(*_JOINED)
        .defer(*(f"memory__{name}" for name in _HEAVY))
        .order_by("id")
    )
    for place in found:
        members[place.conflict_id].append(place)
    ids = {place.memory_id for places in members.values() for place in places}
    again = (
        Event.objects.of(owner)
        .filter(memory__in=ids, verb=Verb.SAID_AGAIN)
        .order_by()
        .values_list("memory")
        .annotate(times=Count("id"))
    )
    said: dict[UUID, int] = dict(again)
    cards = {}
    for entry in entries:
        sides, others = _parts(entry, members[entry.pk])
        if sides:
            cards[entry.pk] = make_review_card(
                entry, sides, others, said=said, rules=rules, now=now
            )
    return cards


def _parts(entry: Conflict, places: list[ConflictMember]) -> tuple[list[Memory], list[Memory]]:
    """The sides that are judged, and the rows that only belong to the story."""
    everyone = [place.memory for place in places if place.memory.status != Status.SUPERSEDED]
    if entry.reason in (
        Reason.CONTRADICTION, Reason.REPORTED, Reason.SHARING, Reason.ELSEWHERE,
    ):  # fmt: skip
        return everyone, []
    waits = [
        place.memory
        for place in places
        if not place.bystander and place.memory.status == Status.CONFLICT
    ]
    return waits, [memory for memory in everyone if memory not in waits]
