"""Gather what a new statement may speak about: its dimension, and the rows to compare it with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db.models import Case, Count, FloatField, Value, When
from pgvector.django import CosineDistance

from memory.adapters.embedders import get_embedder
from memory.domain import text
from memory.domain.conflicts import find_objects
from memory.domain.dimensions import detect, kindred_keys
from memory.domain.values import Status
from memory.models import Memory, Posting
from memory.querysets.callers import Caller
from memory.services.place import Fact, Ready

# As many rows as are compared with a new statement, beside those that say the same.
MOST_NEAR = 10
MOST_OF_ONE_KEY = 50
MOST_DANGERS = 20
MOST_NAMED = 10
LONGEST_KEY = 200


def find_key(fact: Fact) -> Fact:
    """The fact with the dimension its words speak about, where its caller named none."""
    if fact.key:
        return fact
    found = detect(fact.content, kind=fact.kind)
    if found is None or len(found.key) > LONGEST_KEY:
        return fact
    return replace(
        fact,
        key=found.key,
        value=fact.value or found.value,
        detected=True,
        single_valued=found.single_valued,
    )


def gather_hidden(caller: Caller, fact: Fact) -> list[Any]:
    """Rows in other agents' private spaces about the same dimension: for the owner's eyes alone.

    The writer may not see them, so nothing of them may reach its answer. One statement.
    """
    keys = kindred_keys(fact.key) if fact.detected else tuple(filter(None, [fact.key]))
    if not keys or caller.agent is None:
        return []
    rows = Memory.objects.of(caller.owner).kept().everyday().servable().filter(key__in=keys)
    seen = Memory.objects.visible_to(caller).filter(key__in=keys).values("pk")
    found = rows.exclude(pk__in=seen).order_by("-created_at", "-id").select_related("use")
    return list(found.defer("embedding", "search_text")[:MOST_OF_ONE_KEY])


def gather_known(caller: Caller, ready: Ready) -> list[Any]:
    """The rows the writer may see that may be about what the statement is about.

    Those that say the same, have its key or a kindred one, are near in meaning, are named by what
    it ends or leaves behind, and the safety facts: doubt about one must not slip by because it is
    said in other words. One statement. Each row has its `distance`, None without a vector of the
    same embedder. Of a many-valued key only the newest are compared.
    """
    fact, index = ready.fact, ready.index
    assert index is not None
    same = text.fingerprint(fact.content)
    keys = kindred_keys(fact.key) if fact.detected else tuple(filter(None, [fact.key]))
    objects = find_objects(fact.content)
    rows = Memory.objects.visible_to(caller).live()
    newest = rows.order_by("-created_at", "-id").values("pk")
    # Active ones, as memory_owner_safety has them: all others would cost a look at every row.
    dangers = newest.filter(status=Status.ACTIVE, safety__gte=caller.policy.safety_line)
    parts: list[Any] = [dangers[:MOST_DANGERS]]
    if keys:
        parts.append(newest.filter(key__in=keys)[:MOST_OF_ONE_KEY])
    if objects:
        named = Posting.objects.of(caller.owner).filter(token__in=objects).values("memory")
        most = named.annotate(words=Count("token")).order_by("-words", "-memory")
        parts.append(most.values("memory")[:MOST_NAMED])
    distance: Any = Value(None, output_field=FloatField())
    if index.vector is not None:
        apart = CosineDistance("embedding", index.vector)
        near = rows.filter(embedder=index.embedder, embedding__isnull=False)
        parts.append(near.order_by(apart, "id").values("pk")[:MOST_NEAR])
        distance = Case(When(embedder=index.embedder, then=apart), output_field=FloatField())
    about = rows.filter(fingerprint=same).order_by().values("pk").union(*parts)
    found = (
        rows.filter(pk__in=about)
        .annotate(distance=distance)
        .order_by("id")
        .select_related("use")
        .defer("embedding", "search_text")
    )
    calibrate = get_embedder().calibrate
    words = set(objects)
    return [
        row
        for row in found
        if row.fingerprint == same
        or row.key in keys
        or row.safety >= caller.policy.safety_line
        or (
            row.distance is not None
            and calibrate(1 - row.distance) >= caller.policy.similarity_candidate
        )
        or (words and words & set(text.tokens(row.content)))
    ]
