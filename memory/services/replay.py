"""Do once what is asked for twice: note what came of each act in the act's own transaction."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection

from accounts.ids import uuid7
from memory.border import owner_scope
from memory.models import Idempotency, Job
from memory.querysets.callers import Caller
from memory.services.errors import KeyReused

Noted = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ledger:
    """What came of each fact of one request or job so far, in order.

    Read and noted inside the fact's transaction, under the owner's write lock. So whoever comes
    second, at once or after a crash, finds what the first one did and goes on behind it.
    """

    table: type[Idempotency] | type[Job]
    pk: UUID

    def read(self, number: int) -> Noted | None:
        results = self.table.objects.filter(pk=self.pk).values_list("results", flat=True).first()
        return results[number] if results is not None and number < len(results) else None

    def note(self, entry: Noted, *, memory: UUID | None = None) -> None:
        """`entry`: ids and codes only. `memory`: a row that the answer will show."""
        sql, values = "results = results || jsonb_build_array(%s::jsonb)", [_json(entry)]
        if self.table is Job:
            sql += ", done = done + 1"
        elif memory is not None:
            sql += ", memories = memories || %s::uuid"
            values.append(str(memory))
        with connection.cursor() as cursor:
            cursor.execute(
                f"UPDATE {self.table._meta.db_table} SET {sql} WHERE id = %s",  # noqa: S608
                [*values, self.pk],
            )


@dataclass(frozen=True, slots=True)
class Repeat:
    """A request under an `Idempotency-Key`: its row, and the answer already given, if any."""

    pk: UUID
    status: int | None
    answer: str | None

    @property
    def ledger(self) -> Ledger:
        return Ledger(Idempotency, self.pk)


def open_repeat(caller: Caller, key: str, body: bytes, *, path: str, now: datetime) -> Repeat:
    """Begin a request under this key, or find the one begun under it before.

    Raises KeyReused where the same key came with another body. Two of the same at once share the
    row: each fact is written by one of them, and both give the answer stored first.
    """
    key_hash = _hash("key", key.encode())
    body_hash = _hash("body", path.encode() + b"\0" + body)
    with owner_scope(caller.owner):
        with connection.cursor() as cursor:
            # What was cleared, or is over its time, is as if it had never been.
            cursor.execute(
                "INSERT INTO memory_idempotency AS i (id, owner_id, caller_id, key_hash,"
                " body_hash, results, memories, created_at, epoch)"
                " VALUES (%s, %s, %s, %s, %s, '[]', '{}', %s, %s)"
                " ON CONFLICT (owner_id, caller_id, key_hash) DO UPDATE SET"
                " id = excluded.id, body_hash = excluded.body_hash, results = '[]',"
                " memories = '{}', status = NULL, answer = NULL,"
                " created_at = excluded.created_at, epoch = excluded.epoch"
                " WHERE i.epoch < excluded.epoch"
                " OR i.created_at < excluded.created_at - make_interval(hours => %s)",
                [
                    uuid7(), caller.owner, caller.key, key_hash, body_hash, now, caller.epoch,
                    caller.policy.idempotency_hours,
                ],
            )  # fmt: skip
        row = Idempotency.objects.get(owner=caller.owner, caller=caller.key, key_hash=key_hash)
    if not hmac.compare_digest(row.body_hash, body_hash):
        raise KeyReused
    return Repeat(row.pk, row.status, row.answer)


def keep_answer(caller: Caller, repeat: Repeat, *, status: int, answer: str) -> Repeat:
    """Store the answer to be sent, unless one was stored first; returns the one that counts."""
    with owner_scope(caller.owner):
        rows = Idempotency.objects.of(caller.owner).filter(pk=repeat.pk)
        rows.filter(answer__isnull=True).update(status=status, answer=answer)
        kept = rows.values_list("status", "answer").first()
    # None: the owner cleared everything meanwhile.
    return Repeat(repeat.pk, *kept) if kept else Repeat(repeat.pk, status, answer)


def drop_repeat(caller: Caller, repeat: Repeat) -> None:
    """Let go of a key whose request was refused before anything was done."""
    with owner_scope(caller.owner):
        Idempotency.objects.filter(pk=repeat.pk, results=[], answer__isnull=True).delete()


def forget_answers(owner: UUID, memories: Sequence[UUID]) -> None:
    """Empty the stored answers that show these memories. Inside owner_scope.

    What was done stays noted, so a repetition still does nothing twice; its answer is made anew
    and no longer shows what was taken away.
    """
    Idempotency.objects.filter(owner=owner).speaking_of(memories).update(status=None, answer=None)


def _hash(purpose: str, content: bytes) -> str:
    """Keyed: a body may hold a secret, which its hash must not let anybody guess."""
    key = hashlib.sha256(f"memoir.idempotency.{purpose}\0{settings.SECRET_KEY}".encode()).digest()
    return hmac.new(key, content, hashlib.sha256).hexdigest()


def _json(entry: Noted) -> str:
    return json.dumps(entry, default=str)
