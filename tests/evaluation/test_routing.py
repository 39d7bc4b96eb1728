"""Pairs of statements of our own, tried on the router with real embeddings.

`held_out` pairs were set aside before the rules were tuned, and are never looked at for tuning.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memory.adapters.embedders import BundledEmbedder
from memory.domain import importance, text
from memory.domain.conflicts import Known, Statement, find_objects, route
from memory.domain.dimensions import detect, kindred_keys
from memory.domain.policy import DEFAULT_POLICY
from memory.domain.values import Kind, Status
from memory.evaluation.routing import APART, NOW, Pair, Routed, evaluate_routing, summarise

OWN = Path(__file__).with_name("routing_own.jsonl")
GONE = ("UPDATE", "DELETE")


def read_own(split: str) -> Iterator[Pair]:
    for line in OWN.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row.pop("split") == split:
            row.pop("language")
            yield Pair(**row | {"also_ok": tuple(row["also_ok"])})


def read_statement(content: str) -> tuple[Statement, str]:
    found = detect(content)
    if found is None:
        return Statement(content=content, said_at=NOW), text.search_text(content)
    statement = Statement(
        content=content, key=found.key, value=found.value, detected=True,
        single_valued=found.single_valued, said_at=NOW,
    )  # fmt: skip
    return statement, text.search_text(content, key=found.key, value=found.value)


def route_without_a_database(pair: Pair, embedder: BundledEmbedder) -> Routed:
    (old, old_text), (new, new_text) = read_statement(pair.old), read_statement(pair.new)
    a, b = embedder.embed([old_text, new_text])
    similarity = embedder.calibrate(sum(x * y for x, y in zip(a, b, strict=True)))
    scored = importance.score(pair.old, kind=Kind.SEMANTIC, key=old.key or None)
    protected = scored.safety >= DEFAULT_POLICY.safety_line
    near = similarity >= DEFAULT_POLICY.similarity_candidate
    kindred = bool(old.key) and old.key in (new.key, *kindred_keys(new.key))
    named = set(find_objects(pair.new)) & set(text.tokens(pair.old))
    first = route(replace(old, said_at=NOW - APART), [])
    row = Known(
        id="old", content=pair.old, created_at=NOW - APART, key=old.key, value=old.value,
        single_valued=first.single_valued, protected=protected, similarity=similarity,
    )  # fmt: skip
    routing = route(new, [row] if near or kindred or named or protected else [])
    if routing.decision in GONE:
        status = Status.SUPERSEDED
    elif routing.decision == "CONFLICT" and not routing.contested:
        status = Status.CONFLICT
    else:
        status = Status.ACTIVE
    return Routed(pair=pair, decision=routing.decision.value, old_status=status)


@pytest.fixture(scope="module")
def embedder() -> BundledEmbedder:
    return BundledEmbedder()


@pytest.mark.parametrize(
    ("split", "least", "destructive"), [("tuning", 95, 0), ("held_out", 85, 2)]
)
def test_our_own_pairs_are_routed_rightly(
    split: str, least: float, destructive: int, embedder: BundledEmbedder
) -> None:
    figures = summarise([route_without_a_database(pair, embedder) for pair in read_own(split)])
    assert figures["accuracy_lenient"] >= least
    assert figures["destructive"] <= destructive


def make_pair(old: str, new: str, expected: str, *, stays: bool) -> Pair:
    return Pair("p", old, new, expected, (), stays, "")


def test_the_write_path_is_measured_and_leaves_nothing_behind(db: Any) -> None:
    pairs = [
        make_pair("主力语言是 Java", "已从 Java 全面转向 Go", "UPDATE", stays=False),
        make_pair("对花生过敏", "医生说花生可以少量吃一点", "CONFLICT", stays=True),
        make_pair("I love pizza", "I can't stand pizza", "DELETE", stays=False),
        make_pair("Lives in Berlin", "I'm in Munich until Friday", "ADD", stays=True),
    ]
    figures = evaluate_routing(pairs)
    assert (figures["pairs"], figures["accuracy"]) == (4, 100.0)
    assert (figures["destructive"], figures["stale"], figures["misses"]) == (0, 0, [])


def test_errors_are_told_apart() -> None:
    kept = make_pair("a", "b", "ADD", stays=True)
    gone = make_pair("a", "b", "UPDATE", stays=False)
    figures = summarise(
        [Routed(kept, "DELETE", Status.SUPERSEDED), Routed(gone, "ADD", Status.ACTIVE)]
    )
    assert (figures["destructive"], figures["stale"], figures["accuracy"]) == (1, 1, 0.0)
