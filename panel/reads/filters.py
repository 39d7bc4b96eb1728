"""What the list's address asks for, as conditions on memories."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q

from memory.domain.values import Status
from panel.topics import words_named

ANY = "any"
VISIT = "visit"
WHEN_DAYS = {"week": 7, "month": 30, "year": 365}
# How the list stands: by topic, by month, or what changed as lines from old to new.
BY_TOPIC, BY_MONTH, CHAINS = "", "month", "chains"
FACETS = ("status", "source", "agent", "project", "kind", "tier", "visibility")


def remembered(when: str, *, now: datetime, visit_before: datetime | None) -> Q:
    """The condition of one choice of time; always true where it is empty."""
    if when == VISIT:
        return Q(created_at__gt=visit_before) if visit_before else Q(pk=None)
    return Q(created_at__gte=now - timedelta(days=WHEN_DAYS[when])) if when else Q()


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """A checked address. Empty means: everyday rows, and what waits above them."""

    q: str = ""
    status: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()
    tier: tuple[str, ...] = ()
    visibility: tuple[str, ...] = ()
    agent: tuple[UUID, ...] = ()
    project: tuple[UUID, ...] = ()
    archived: str = ""
    when: str = ""
    view: str = BY_TOPIC
    sort: str = ""
    cursor: str = ""

    @classmethod
    def of(cls, cleaned: dict[str, Any]) -> Filters:
        given: dict[str, Any] = {
            name: tuple(cleaned[name]) if name in FACETS else cleaned[name]
            for name in cls.__dataclass_fields__
        }
        return cls(**given)

    @property
    def narrowed(self) -> bool:
        """Whether anything but the order was asked for."""
        return bool(self.q or self.archived or self.when or self.facets_chosen)

    @property
    def facets_chosen(self) -> int:
        chosen = sum(len(getattr(self, name)) for name in FACETS)
        return chosen + bool(self.archived) + bool(self.when)

    @property
    def shows_waiting(self) -> bool:
        return not self.status or ANY in self.status or Status.CONFLICT in self.status

    @property
    def order(self) -> str:
        """The order of the rows; views other than by topic have one of their own."""
        return self.view or self.sort

    @property
    def is_chains(self) -> bool:
        return self.view == CHAINS

    @property
    def only_waiting(self) -> bool:
        return self.status == (Status.CONFLICT.value,)

    @property
    def listed(self) -> tuple[str, ...]:
        """The statuses of the rows below what waits."""
        if not self.status:
            return (Status.ACTIVE, Status.STALE)
        if ANY in self.status:
            return (Status.ACTIVE, Status.STALE, Status.SUPERSEDED)
        return tuple(status for status in self.status if status != Status.CONFLICT)

    @property
    def folds(self) -> bool:
        """Whether earlier versions stand under the current one, not as rows of their own."""
        return Status.SUPERSEDED not in self.listed

    def facet(self, name: str) -> Q:
        """The condition of one facet; always true where nothing is chosen."""
        if name == "status":
            shown = [*self.listed, *([Status.CONFLICT] if self.shows_waiting else [])]
            return Q(status__in=shown)
        chosen = getattr(self, name)
        return Q(**{f"{name}__in": chosen}) if chosen else Q()

    def all(self, *, now: datetime, visit_before: datetime | None) -> Q:
        """Everything but the status."""
        condition = self.archive() & self.words()
        condition &= remembered(self.when, now=now, visit_before=visit_before)
        for name in FACETS[1:]:
            condition &= self.facet(name)
        return condition

    def archive(self) -> Q:
        """The condition of being in the archive or not."""
        if self.archived == "with":
            return Q()
        return Q(archived_at__isnull=self.archived != "only")

    def words(self) -> Q:
        """The search alone."""
        if not self.q:
            return Q()
        condition = Q(content__icontains=self.q) | Q(value__icontains=self.q)
        condition |= Q(key__icontains=self.q.replace(" ", "."))
        whole, last = words_named(self.q)
        for words in whole:
            condition |= Q(key__iregex=rf"(^|\.|_){words.replace(' ', '[._ ]')}$")
        for word in last:
            condition |= Q(key__iendswith=word)
        return condition
