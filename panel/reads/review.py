"""What Review reads: the queue, one card, what changed by itself. Always as many statements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Case, CharField, Count, Exists, OuterRef, Q, Value, When
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from memory.border import owner_scope
from memory.domain.policy import Policy as Rules
from memory.domain.values import Reason, Status
from memory.models import AdminNote, Conflict, ConflictMember, Event, Memory, SpotCheck
from memory.models.events import Actor, Verb
from panel import review_words, words
from panel.reads.cards import Place, count_cards, count_postponed, read_places
from panel.review import ReviewCard, make_check_card, make_review_card
from panel.visits import read_policy

# Cards named beside the one that is open.
WINDOW = 8
CHANGED_DAYS = 30
CHANGED_SHOWN = 20
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
class Change:
    """What the program retired by itself, with the gesture that takes it back."""

    gesture: UUID
    at: datetime
    memory: Memory
    why: str
    successor: Memory | None
    agent: str


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
    number: int = 0
    card: ReviewCard | None = None
    settled: Settled | None = None
    next: UUID | None = None
    queue: list[Named] = field(default_factory=list)
    before: int = 0
    after: int = 0
    changes: list[Change] = field(default_factory=list)
    more_changes: bool = False


def read_badge(owner: UUID, *, now: datetime) -> int:
    """The number of cards."""
    with owner_scope(owner):
        return count_cards(owner, read_policy(owner).rules(), now)


def read_review(
    owner: UUID, wanted: UUID | None = None, *, postponed: bool = False, now: datetime
) -> ReviewPage:
    """The queue with one card open: the wanted one, else the first.

    A wanted card that waits no more is `settled`; one that never was leaves both None.
    """
    with owner_scope(owner):
        rules = read_policy(owner).rules()
        places = read_places(owner, rules, now, postponed=postponed)
        later = count_postponed(owner, now)
        total = count_cards(owner, rules, now)
        page = ReviewPage(total=total, postponed=later, shows_postponed=postponed)
        _read_queue(owner, page, places, wanted, rules, now)
        _read_changes(owner, page, now)
        return page


def read_card(owner: UUID, card: UUID, *, now: datetime) -> ReviewCard | None:
    """One card that waits, put off or not; None where there is none."""
    with owner_scope(owner):
        rules = read_policy(owner).rules()
        entry = Conflict.objects.of(owner).answerable().filter(pk=card).first()
        if entry is not None:
            return _make_cards(owner, [entry], rules, now)[card]
        check = _checks(owner, [card]).first()
        return _make_check(check, rules, now) if check is not None else None


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
    rules: Rules,
    now: datetime,
) -> None:
    at = next((n for n, place in enumerate(places) if place.id == wanted), None)
    if wanted is not None and at is None:
        page.settled = read_settled(owner, wanted)
        if page.settled is None:
            return
    start = max(0, min((at or 0) - WINDOW // 2, len(places) - WINDOW))
    window = places[start : start + WINDOW]
    page.before, page.after = start, max(0, len(places) - start - WINDOW)
    cards = _read_cards(owner, window, rules, now)
    current = at if wanted is not None else (0 if places else None)
    page.queue = [
        Named(place, number + 1, _name(cards[place.id]), number == current)
        for number, place in enumerate(window, start)
        if place.id in cards
    ]
    if current is not None:
        page.number = current + 1
        page.card = cards.get(places[current].id)
        follower = places[current + 1 : current + 2] or places[:current][-1:]
        page.next = follower[0].id if follower else None
    elif places:
        page.next = places[0].id


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


# -- Changed for you -------------------------------------------------------------------------------


def _read_changes(owner: UUID, page: ReviewPage, now: datetime) -> None:
    """What was retired without the owner in the last 30 days, and not taken back. One statement."""
    undone = (
        Event.objects.of(owner)
        .annotate(undid=KeyTextTransform("undid", "data"))
        .filter(verb=Verb.UNDONE, undid=Cast(OuterRef("gesture"), CharField()))
    )
    found = list(
        Event.objects.of(owner)
        .filter(
            verb=Verb.SUPERSEDED,
            actor__in=(Actor.AGENT, Actor.PROGRAM),
            at__gt=now - timedelta(days=CHANGED_DAYS),
            memory__deleted_at__isnull=True,
            memory__status=Status.SUPERSEDED,
        )
        .exclude(Exists(undone))
        .annotate(
            touchy=Case(When(Q(memory__sensitivity__len__gt=0), then=Value(0)), default=Value(1))
        )
        .select_related("agent", "memory", "memory__superseded_by")
        .defer(*(f"memory__{name}" for name in _HEAVY))
        .order_by("touchy", "-id")[: CHANGED_SHOWN + 1]
    )
    page.more_changes = len(found) > CHANGED_SHOWN
    page.changes = [
        Change(
            gesture=event.gesture,
            at=event.at,
            memory=event.memory,
            why=words.why(event.memory),
            successor=_kept(event.memory.superseded_by),
            agent=event.agent.name if event.agent else "",
        )
        for event in found[:CHANGED_SHOWN]
        if event.memory is not None
    ]


def _kept(memory: Memory | None) -> Memory | None:
    return memory if memory is not None and memory.deleted_at is None else None
