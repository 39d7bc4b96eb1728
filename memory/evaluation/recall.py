"""How often recall finds what answers a question, with decay and without it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from statistics import fmean
from typing import Any
from uuid import UUID

import structlog
from django.db import transaction

from accounts.ids import uuid7
from accounts.models import User
from memory.adapters.embedders import get_embedder
from memory.border import owner_scope
from memory.domain import text
from memory.domain.values import Source, Strategy, Tier
from memory.evaluation.dialogues import Dialogue, StoredRow
from memory.models import Memory, MemoryUse
from memory.querysets.callers import Caller
from memory.services.consider import Question, consider
from memory.services.index import Index, index_texts, put_words

log = structlog.get_logger(__name__)

DEPTHS = (5, 10, 20)
_BATCH = 64


def evaluate_recall(
    dialogues: Iterable[Dialogue], *, unit: str, strategy: Strategy
) -> dict[str, Any]:
    """Store every row as it is, ask every question, and average over the questions.

    recall@k: the share (0 to 100) of a question's evidence that is among the first k rows. mrr,
    0 to 1: one over the place of the first row with evidence, 0 where none is a candidate.
    `decay_off`: the same with every retention at 1. Rows live in a throw-away owner and are
    rolled back.
    """
    kept: list[dict[str, float]] = []
    undecayed: list[dict[str, float]] = []
    for dialogue in dialogues:
        indexes = _index(dialogue.rows)
        vectors = _embed([asked.query for asked in dialogue.questions])
        with transaction.atomic():
            owner = User.objects.create_user()
            with owner_scope(owner.pk):
                evidence = store_rows(owner.pk, dialogue.rows, indexes)
                caller = Caller(owner=owner.pk)
                for asked, vector in zip(dialogue.questions, vectors, strict=True):
                    question = Question(
                        query=asked.query, strategy=strategy, include_history=False, standing=False
                    )
                    for at, scores in (
                        (dialogue.now, kept),
                        # A clock before every row: nothing has faded yet.
                        (datetime(1970, 1, 1, tzinfo=UTC), undecayed),
                    ):
                        read = consider(caller, question, vector=vector, at=at)
                        ids = [UUID(item.candidate.id) for item in read.ranked.ranked]
                        scores.append(_score([evidence[pk] for pk in ids], asked.evidence))
            transaction.set_rollback(True)
        log.info("evaluated", dialogue=dialogue.name, rows=len(indexes), asked=len(vectors))
    return {
        "unit": unit,
        "strategy": strategy.value,
        "questions": len(kept),
        **_average(kept),
        "decay_off": _average(undecayed),
    }


def _index(rows: Sequence[StoredRow]) -> list[Index]:
    texts = [
        text.search_text(row.content, subject=row.subject or None, before=row.before or None)
        for row in rows
    ]
    return [
        index
        for at in range(0, len(texts), _BATCH)
        for index in index_texts(texts[at : at + _BATCH])
    ]


def _embed(queries: Sequence[str]) -> list[list[float]]:
    embedder = get_embedder()
    return [
        vector
        for at in range(0, len(queries), _BATCH)
        for vector in embedder.embed(queries[at : at + _BATCH])
    ]


def store_rows(
    owner: UUID, rows: Sequence[StoredRow], indexes: Sequence[Index]
) -> dict[UUID, frozenset[str]]:
    """Put rows into the store as they are: no admission, no routing; long_term, importance .8.

    Returns which turns each row answers for. A repeated text takes its turn's id into the
    fingerprint, since the store holds each text of an owner once.
    """
    seen: Counter[str] = Counter()
    memories = []
    for row, index in zip(rows, indexes, strict=True):
        fingerprint = text.fingerprint(row.content)
        seen[fingerprint] += 1
        if seen[fingerprint] > 1:
            fingerprint = text.fingerprint(f"{row.content} {' '.join(row.ids)} {seen[fingerprint]}")
        memories.append(
            Memory(
                id=uuid7(),
                owner_id=owner,
                content=row.content,
                before=row.before,
                search_text=index.search_text,
                fingerprint=fingerprint,
                word_count=index.length,
                embedding=index.vector,
                embedder=index.embedder,
                source=Source.USER_STATED,
                tier=Tier.LONG_TERM,
                importance=0.8,
                created_at=row.at,
                updated_at=row.at,
                said_at=row.at,
            )
        )
    Memory.objects.bulk_create(memories, batch_size=500)
    MemoryUse.objects.bulk_create(
        [MemoryUse(memory=m, owner_id=owner, anchor=m.created_at) for m in memories],
        batch_size=1000,
    )
    put_words(
        owner,
        [(m.pk, index.words, index.length) for m, index in zip(memories, indexes, strict=True)],
    )
    return {m.pk: frozenset(row.ids) for m, row in zip(memories, rows, strict=True)}


def _score(ranked: Sequence[frozenset[str]], evidence: frozenset[str]) -> dict[str, float]:
    scores = {}
    for depth in DEPTHS:
        covered = frozenset().union(*ranked[:depth]) & evidence
        scores[f"recall@{depth}"] = 100 * len(covered) / len(evidence)
    first = next((place for place, ids in enumerate(ranked, 1) if ids & evidence), None)
    return {**scores, "mrr": 1 / first if first else 0.0}


def _average(scores: Sequence[dict[str, float]]) -> dict[str, float]:
    names = [*(f"recall@{depth}" for depth in DEPTHS), "mrr"]
    return {
        name: round(fmean(s[name] for s in scores), 4 if name == "mrr" else 2) if scores else 0.0
        for name in names
    }
