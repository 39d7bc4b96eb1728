"""Erase what is kept for a while only: unquoted messages, old questions, answers, files."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from memory.border import operations, owner_scope
from memory.models import Conversation, Idempotency, Message, Parcel, Reading, Recall, RecallItem
from memory.services.lock import read_rules

BATCH = 500


def expire_all(now: datetime) -> int:
    """What is over, of every owner; returns how many rows went. Safe to run at any time."""
    with operations("expiry"):
        owners = {
            owner
            for table in (Message, Idempotency, Recall, Reading, Parcel)
            for owner in table.objects.order_by().values_list("owner", flat=True).distinct()
        }
    return sum(expire(owner, now) for owner in sorted(owners))


def expire(owner: UUID, now: datetime) -> int:
    """What is over, of one owner; returns how many rows went."""
    return (
        erase_messages(owner, now)
        + erase_recalls(owner, now)
        + erase_answers(owner, now)
        + erase_files(owner, now)
    )


def erase_messages(owner: UUID, now: datetime) -> int:
    """Erase messages that no memory quotes, some days after they were worked through.

    A conversation without messages loses its title; one that no memory names goes altogether.
    """
    gone = 0
    while True:
        with owner_scope(owner):
            rules, _ = read_rules(owner)
            over = now - timedelta(days=rules.message_days)
            rows = Message.objects.of(owner).extracted_before(over).unquoted().order_by("pk")
            ids = list(rows.values_list("pk", flat=True)[:BATCH])
            if not ids:
                empty = Conversation.objects.of(owner).filter(
                    extracted_at__lt=over, messages__isnull=True
                )
                gone += empty.filter(memories__isnull=True).delete()[0]
                Conversation.objects.filter(pk__in=empty.values("pk")).update(title="")
                return gone
            Message.objects.filter(pk__in=ids).delete()
        gone += len(ids)


def erase_recalls(owner: UUID, now: datetime) -> int:
    """Erase agents' questions and what they were told, and the counts of their lists, after the
    owner's days. What was served stays served: the memories' own counts are kept apart."""
    gone = 0
    while True:
        with owner_scope(owner):
            rules, _ = read_rules(owner)
            over = now - timedelta(days=rules.recall_days)
            old = Recall.objects.of(owner).asked_before(over).order_by("pk")
            ids = list(old.values_list("pk", flat=True)[:BATCH])
            if not ids:
                return gone + Reading.objects.of(owner).filter(hour__lt=over).delete()[0]
            RecallItem.objects.of(owner).filter(recall__in=ids).delete()
            Recall.objects.of(owner).filter(pk__in=ids).delete()
        gone += len(ids)


def erase_answers(owner: UUID, now: datetime) -> int:
    """Erase answers kept for repetitions, after the owner's hours."""
    with owner_scope(owner):
        rules, _ = read_rules(owner)
        over = now - timedelta(hours=rules.idempotency_hours)
        return Idempotency.objects.filter(owner=owner).older_than(over).delete()[0]


def erase_files(owner: UUID, now: datetime) -> int:
    """Erase exports and imports whose day is over, words and all."""
    with owner_scope(owner):
        return Parcel.objects.of(owner).over(now).delete()[0]
