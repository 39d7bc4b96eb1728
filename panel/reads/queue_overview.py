"""The admins' overview: what waits and for how long, what was decided, how the site does its work.

Numbers alone: no owner's name, no word of anybody's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

from django.db.models import Case, Count, F, Q, TextField, Value, When
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, TruncWeek

from memory.border import operations
from memory.models import Conflict, Event
from memory.models.events import Actor, Verb
from memory.querysets.conflicts import ConflictQuerySet
from memory.services.health import Health, read_site_health
from memory.services.watch_judge import JudgeHealth, read_judge_health
from memory.services.watch_work import Work, read_work
from panel import review_words
from panel.exchange_words import JOB
from panel.reads.queue import AGES, Age, Part, Which, opened_at_age

WEEKS = 12
_DAYS_DRAWN = 14
_OWNER, _ADMIN, _PROGRAM = "owner", "admin", "program"


@dataclass(frozen=True, slots=True)
class AgeCount:
    """How many entries have been waiting for so long, with the list of them."""

    name: str
    count: int
    percent: int
    query: str


@dataclass(frozen=True, slots=True)
class Week:
    """What came and went in one week, and what was open at its end or now; with heights in
    percent of the fullest one."""

    monday: date
    opened: int
    settled: int
    open: int
    opened_height: int
    settled_height: int
    open_height: int


@dataclass(frozen=True, slots=True)
class Ruled:
    """How often one ruling was made in these weeks and still stands, and by whom."""

    name: str
    owners: int
    admins: int
    program: int
    percent: int

    @property
    def count(self) -> int:
        return self.owners + self.admins + self.program


@dataclass(frozen=True, slots=True)
class Overview:
    """Everything the page shows.

    `alone`: what waits, but for the owners alone. `ruled_by_admins`, `overturned`: how many
    rulings admins made in these weeks, and how many of those their owners undid.
    """

    ages: list[AgeCount]
    waiting: int
    escalated: int
    alone: int
    weeks: list[Week]
    rulings: list[Ruled]
    ruled_by_admins: int
    overturned: int
    health: Health
    days: list[tuple[date, int, int]]
    work: Work
    stuck: bool
    backup_is_old: bool
    judge: JudgeHealth

    @property
    def dropped_today(self) -> int:
        return self.days[-1][1] if self.days else 0

    @property
    def dropped_at_all(self) -> bool:
        return any(number for _, number, _ in self.days)

    @property
    def any_week(self) -> bool:
        return any(week.opened or week.settled or week.open for week in self.weeks)

    @property
    def oldest_job(self) -> str:
        return str(JOB.get(self.work.oldest_kind, self.work.oldest_kind))


def read_overview(by: UUID, *, now: datetime) -> Overview:
    """All of it, in as many statements whatever there is to count."""
    this_week = now.astimezone(UTC).date() - timedelta(days=now.astimezone(UTC).weekday())
    first = this_week - timedelta(weeks=WEEKS - 1)
    since = datetime(first.year, first.month, first.day, tzinfo=UTC)
    with operations("queue_overview", by=by):
        entries = Conflict.objects.uncleared()
        counted = Conflict.objects.helpable().aggregate(
            waiting=Count("pk", Q(escalated_at=None)),
            escalated=Count("pk", Q(escalated_at__isnull=False)),
            **{age.value: Count("pk", opened_at_age(age, now)) for age in AGES},
        )
        all_waiting = entries.answerable().count()
        open_now = entries.waiting().count()
        opened = _by_week(entries.filter(opened_at__gte=since), "opened_at")
        settled = _by_week(entries.filter(state="settled", settled_at__gte=since), "settled_at")
        rulings = _rulings(entries.filter(state="settled", settled_at__gte=since))
        ruled, overturned = _by_admins(since)
    health = read_site_health(now=now, by=by)
    work = read_work(now=now, by=by)
    shown = counted["waiting"] + counted["escalated"]
    return Overview(
        ages=_ages(counted),
        waiting=counted["waiting"],
        escalated=counted["escalated"],
        alone=all_waiting - shown,
        weeks=_weeks(first, opened, settled, open_now),
        rulings=rulings,
        ruled_by_admins=ruled,
        overturned=overturned,
        health=health,
        days=_days(health),
        work=work,
        stuck=work.is_stuck(now),
        backup_is_old=work.backup_is_old(now),
        judge=read_judge_health(now=now),
    )


def _ages(counted: Mapping[str, int]) -> list[AgeCount]:
    most = max(counted[age.value] for age in AGES)
    return [
        AgeCount(
            review_words.age_name(age),
            counted[age.value],
            _share(counted[age.value], most),
            Which(Part.ALL, Age(age)).query,
        )
        for age in AGES
    ]


def _by_week(entries: ConflictQuerySet, field: str) -> dict[date, int]:
    rows = (
        entries.order_by()
        .annotate(week=TruncWeek(field, tzinfo=UTC))
        .values("week")
        .annotate(n=Count("pk"))
    )
    return {row["week"].date(): row["n"] for row in rows}


def _weeks(
    first: date, opened: Mapping[date, int], settled: Mapping[date, int], open_now: int
) -> list[Week]:
    most = max([*opened.values(), *settled.values()], default=0)
    mondays = [first + timedelta(weeks=number) for number in range(WEEKS)]
    # Back from today: what a week opened was not open before, what it settled was.
    left = {mondays[-1]: open_now}
    for monday, before in zip(reversed(mondays), reversed(mondays[:-1]), strict=False):
        left[before] = left[monday] - opened.get(monday, 0) + settled.get(monday, 0)
    most_left = max(left.values())
    return [
        Week(
            monday,
            opened.get(monday, 0),
            settled.get(monday, 0),
            left[monday],
            _share(opened.get(monday, 0), most),
            _share(settled.get(monday, 0), most),
            _share(left[monday], most_left),
        )
        for monday in mondays
    ]


def _rulings(entries: ConflictQuerySet) -> list[Ruled]:
    who = Case(
        When(settled_by=None, then=Value(_PROGRAM)),
        When(settled_by=F("owner"), then=Value(_OWNER)),
        default=Value(_ADMIN),
    )
    rows = entries.order_by().annotate(who=who).values("ruling", "who").annotate(n=Count("pk"))
    found: dict[str, Counter[str]] = {}
    for row in rows:
        found.setdefault(row["ruling"], Counter())[row["who"]] += row["n"]
    most = max((sum(counts.values()) for counts in found.values()), default=0)
    ruled = [
        Ruled(
            review_words.ruling_name(ruling),
            counts[_OWNER],
            counts[_ADMIN],
            counts[_PROGRAM],
            _share(sum(counts.values()), most),
        )
        for ruling, counts in found.items()
    ]
    return sorted(ruled, key=lambda one: (-one.count, one.name))


def _by_admins(since: datetime) -> tuple[int, int]:
    """How many rulings admins made since then, and how many of them their owners undid."""
    ruled = Event.objects.uncleared().filter(verb=Verb.SETTLED, actor=Actor.ADMIN, at__gte=since)
    undone = (
        Event.objects.uncleared()
        .filter(verb=Verb.UNDONE, actor=Actor.OWNER, at__gte=since)
        .annotate(undid=KT("data__undid"))
        .filter(undid__in=ruled.order_by().values(told=Cast("gesture", TextField())))
    )
    return ruled.values("gesture").distinct().count(), undone.count()


def _days(health: Health) -> list[tuple[date, int, int]]:
    """The last days' drops, with their heights in percent."""
    last = list(health.dropped.items())[-_DAYS_DRAWN:]
    most = max((number for _, number in last), default=0)
    return [(day, number, _share(number, most)) for day, number in last]


def _share(number: int, most: int) -> int:
    return round(100 * number / most) if most else 0
