"""Make a memory findable: its search text, its vector, its words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import structlog

from memory.adapters.embedders import EmbedderDown, Vector, get_embedder
from memory.domain import text
from memory.models import Job, Memory, Posting
from memory.models.jobs import JobKind

log = structlog.get_logger(__name__)

_LONGEST_TOKEN = 64
_MOST_OF_ONE_WORD = 1000


@dataclass(frozen=True, slots=True)
class Index:
    """What is stored beside a memory so that it is found."""

    search_text: str
    words: Counter[str]
    length: int
    vector: Vector | None
    embedder: str


def index_texts(search_texts: Sequence[str]) -> list[Index]:
    """Embed and count words. Leaves the process: never inside a transaction.

    An embedder that is down costs nothing but meaning: the rows come back without a vector, are
    found by their words, and are embedded later (`queue_embedding`).
    """
    embedder = get_embedder()
    vectors: Sequence[Vector | None]
    try:
        vectors = embedder.embed(search_texts)
        name = embedder.name
    except EmbedderDown as error:
        log.warning("embedder down", why=str(error))
        vectors, name = [None] * len(search_texts), ""
    indexes = []
    for search_text, vector in zip(search_texts, vectors, strict=True):
        words, length = count_words(search_text)
        indexes.append(Index(search_text, words, length, vector, name))
    return indexes


def count_words(search_text: str) -> tuple[Counter[str], int]:
    """The words a text is found by, each with how often it stands there, and how many they are."""
    tokens = [token[:_LONGEST_TOKEN] for token in text.tokens(search_text)]
    return Counter(tokens), len(tokens)


def put_words(owner: UUID, words: Sequence[tuple[UUID, Counter[str], int]]) -> None:
    """Write the postings of new rows. In the memory's own transaction."""
    Posting.objects.bulk_create(
        Posting(
            owner_id=owner,
            token=token,
            memory_id=memory,
            count=min(count, _MOST_OF_ONE_WORD),
            length=length,
        )
        for memory, counts, length in words
        for token, count in sorted(counts.items())
    )


def drop_words(owner: UUID, memory: UUID) -> None:
    """Take a row out of keyword search."""
    Posting.objects.of(owner).filter(memory=memory).delete()
    Memory.objects.filter(pk=memory).update(word_count=0)


def restore_words(memory: Memory) -> None:
    """Put a row back into keyword search, from its search text."""
    words, length = count_words(memory.search_text)
    put_words(memory.owner_id, [(memory.pk, words, length)])
    Memory.objects.filter(pk=memory.pk).update(word_count=length)
    memory.word_count = length


def queue_embedding(owner: UUID, *, epoch: int, now: datetime) -> None:
    """See that rows without a vector get one: a job, unless one waits already."""
    if not Job.objects.of(owner).filter(kind=JobKind.EMBED, status="queued").exists():
        Job.objects.create(
            owner_id=owner, kind=JobKind.EMBED, due_at=now, created_at=now, epoch=epoch
        )
