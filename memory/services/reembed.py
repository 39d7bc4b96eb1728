"""Give every row a vector of the current embedder."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Q

from memory.adapters.embedders import get_embedder
from memory.border import owner_scope
from memory.models import Memory

BATCH = 64


def embed_missing(owner: UUID, *, batch: int = BATCH) -> int:
    """Embed the rows that have no vector of the current embedder; returns how many.

    The embedder is asked outside any transaction. A row edited meanwhile keeps its own new
    vector: the update holds only where the words are still the ones embedded. Raises EmbedderDown.
    """
    embedder = get_embedder()
    done = 0
    after: UUID | None = None
    while True:
        with owner_scope(owner):
            missing = (
                Memory.objects.of(owner)
                .kept()
                .filter(Q(embedding__isnull=True) | ~Q(embedder=embedder.name))
            )
            if after is not None:
                missing = missing.filter(pk__gt=after)
            rows = list(missing.order_by("pk").values_list("pk", "search_text")[:batch])
        if not rows:
            return done
        vectors = embedder.embed([search_text for _, search_text in rows])
        with owner_scope(owner):
            for (pk, search_text), vector in zip(rows, vectors, strict=True):
                done += (
                    Memory.objects.of(owner)
                    .filter(pk=pk, search_text=search_text)
                    .update(embedding=vector, embedder=embedder.name)
                )
        after = rows[-1][0]
