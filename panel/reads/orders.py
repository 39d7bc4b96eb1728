"""The orders of the list, each going on by keyset: the same effort on every page."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Case, F, FloatField, IntegerField, Q, Value, When
from django.db.models.functions import Greatest
from django.utils.dateparse import parse_datetime

from memory.domain import decay
from memory.domain.policy import Policy as Rules
from memory.domain.values import Status
from memory.models import Memory
from memory.querysets.decay import protected_condition, retention_expression
from memory.querysets.memories import MemoryQuerySet
from panel.cursors import BadCursor, read_cursor, write_cursor
from panel.reads.filters import BY_MONTH

PAGE = 50


def _by_topic(
    owner: UUID, listed: MemoryQuerySet, cursor: str, rules: Rules, now: datetime
) -> tuple[list[Memory], str]:
    """Topics in order, newest first within; rows without one last.

    Two statements, each along an index: one over an expression that puts the empty key last would
    sort every row of the owner.
    """
    rank = Case(
        When(status=Status.ACTIVE, then=0),
        When(status=Status.STALE, then=1),
        default=2,
        output_field=IntegerField(),
    )
    with_topic = listed.filter(key__gt="").annotate(rank=rank)
    without = listed.filter(key="")
    if cursor:
        key, place, created, last = cursor_values(cursor, owner, "topic", 4)
        older = _older(created, last)
        if key:
            with_topic = with_topic.filter(
                Q(key__gt=key) | Q(key=key) & (Q(rank__gt=int(place)) | Q(rank=int(place)) & older)
            )
        else:
            with_topic = with_topic.none()
            without = without.filter(older)
    memories = list(with_topic.order_by("key", "rank", "-created_at", "-id")[: PAGE + 1])
    room = max(1, PAGE + 1 - len(memories))
    memories += without.order_by("-created_at", "-id")[:room]
    last_one = memories[PAGE - 1] if len(memories) > PAGE else None
    if last_one is None:
        return memories, ""
    values = [
        last_one.key,
        getattr(last_one, "rank", 0),
        last_one.created_at.isoformat(),
        str(last_one.pk),
    ]
    return memories[:PAGE], write_cursor(owner, "topic", values)


def _by_newest(
    owner: UUID, listed: MemoryQuerySet, cursor: str, rules: Rules, now: datetime
) -> tuple[list[Memory], str]:
    if cursor:
        created, last = cursor_values(cursor, owner, "newest", 2)
        listed = listed.filter(_older(created, last))
    memories = list(listed.order_by("-created_at", "-id")[: PAGE + 1])
    if len(memories) <= PAGE:
        return memories, ""
    end = memories[PAGE - 1]
    values = [end.created_at.isoformat(), str(end.pk)]
    return memories[:PAGE], write_cursor(owner, "newest", values)


def _by_month(
    owner: UUID, listed: MemoryQuerySet, cursor: str, rules: Rules, now: datetime
) -> tuple[list[Memory], str]:
    """Last confirmed, else said, first."""
    return by_moment(owner, listed.dated(), "dated_at", "month", cursor)


def by_moment(
    owner: UUID, listed: MemoryQuerySet, name: str, purpose: str, cursor: str
) -> tuple[list[Memory], str]:
    """Latest first by an annotated moment, which begins the cursor."""
    if cursor:
        at, last = cursor_values(cursor, owner, purpose, 2)
        moment = cursor_moment(at)
        listed = listed.filter(
            Q(**{f"{name}__lt": moment}) | Q(**{name: moment}) & Q(id__lt=cursor_id(last))
        )
    memories = list(listed.order_by(F(name).desc(), "-id")[: PAGE + 1])
    if len(memories) <= PAGE:
        return memories, ""
    end = memories[PAGE - 1]
    values = [getattr(end, name).isoformat(), str(end.pk)]
    return memories[:PAGE], write_cursor(owner, purpose, values)


def _by_what_is_left(
    owner: UUID, listed: MemoryQuerySet, cursor: str, rules: Rules, now: datetime
) -> tuple[list[Memory], str]:
    """Most left first. The cursor keeps the moment of the first page: what is left moves on."""
    moment, after, last = now, None, None
    if cursor:
        at, after, last = cursor_values(cursor, owner, "left", 3)
        moment = cursor_moment(at)
    floor = Case(
        When(protected_condition(rules), then=Value(decay.protected_floor(rules))),
        default=Value(0.0),
        output_field=FloatField(),
    )
    listed = listed.annotate(left_now=Greatest(retention_expression(moment, rules), floor))
    return _by_number(owner, listed, "left_now", "left", [moment.isoformat()], after, last)


def _by_importance(
    owner: UUID, listed: MemoryQuerySet, cursor: str, rules: Rules, now: datetime
) -> tuple[list[Memory], str]:
    after, last = cursor_values(cursor, owner, "importance", 2) if cursor else (None, None)
    return _by_number(owner, listed, "importance", "importance", [], after, last)


def _by_number(
    owner: UUID,
    listed: MemoryQuerySet,
    name: str,
    purpose: str,
    head: list[Any],
    after: Any,
    last: Any,
) -> tuple[list[Memory], str]:
    if last is not None:
        number = float(after)
        listed = listed.filter(
            Q(**{f"{name}__lt": number}) | Q(**{name: number}) & Q(id__lt=cursor_id(last))
        )
    memories = list(listed.order_by(F(name).desc(), "-id")[: PAGE + 1])
    if len(memories) <= PAGE:
        return memories, ""
    end = memories[PAGE - 1]
    values = [*head, getattr(end, name), str(end.pk)]
    return memories[:PAGE], write_cursor(owner, purpose, values)


# By the word in the list's address.
ORDERS = {
    "": _by_topic,
    "newest": _by_newest,
    BY_MONTH: _by_month,
    "left": _by_what_is_left,
    "importance": _by_importance,
}


# -- Cursors ---------------------------------------------------------------------------------------


def cursor_values(cursor: str, owner: UUID, purpose: str, number: int) -> list[Any]:
    values = read_cursor(cursor, owner, purpose)
    if len(values) != number:
        raise BadCursor
    return values


def _older(created: str, last: str) -> Q:
    moment = cursor_moment(created)
    return Q(created_at__lt=moment) | Q(created_at=moment) & Q(id__lt=cursor_id(last))


def cursor_moment(text: str) -> datetime:
    moment = parse_datetime(text)
    if moment is None:
        raise BadCursor
    return moment


def cursor_id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as error:
        raise BadCursor from error
