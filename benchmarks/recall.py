"""How long a recall takes, beside the bare vector statement it contains, in one run.

    python benchmarks/recall.py                          one owner: 1,000, 10,000, 100,000 memories
    python benchmarks/recall.py --owners 1000            also 1,000 owners with 1,000 memories each

Writes the sections "recall" and, where it was measured, "owners" of docs/benchmarks.md. Embedding
and HTTP are measured apart: the budget is about the service call.
"""

from __future__ import annotations

import argparse
import http.client
import json
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

# Run as a file, Python looks for modules beside it and not in the checkout.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.store import (
    Vocabulary,
    analyze,
    empty,
    fill,
    machine,
    make_owner,
    services,
    write_section,
)

# isort: split
from django.conf import settings
from django.db import connection
from django.utils import timezone

from memory.adapters.embedders import get_embedder
from memory.border import owner_scope
from memory.models import Agent
from memory.querysets.callers import Caller
from memory.querysets.candidates import vector_literal
from memory.services.admit import make_key
from memory.services.consider import CANDIDATES, consider
from memory.services.note_recall import note_recall
from memory.services.recall import Question, find
from tests.product import Product

Timing = list[float]

BARE = (
    "SELECT id FROM memory_memory WHERE owner_id = %s AND deleted_at IS NULL"
    " ORDER BY embedding <=> %s::halfvec LIMIT %s"
)


class Asker:
    """Asks the same questions in every way that is measured."""

    def __init__(self, owner: UUID, vocabulary: Vocabulary, questions: int = 8) -> None:
        self.caller = Caller(owner=owner)
        self.questions = [Question(query=vocabulary.sentence(6)) for _ in range(questions)]
        self.vectors = [vocabulary.vector() for _ in range(questions)]

    def bare(self, n: int) -> None:
        with owner_scope(self.caller.owner), connection.cursor() as cursor:
            literal = vector_literal(self.vectors[n])
            cursor.execute(BARE, [self.caller.owner, literal, CANDIDATES])
            cursor.fetchall()

    def candidates(self, n: int) -> None:
        with owner_scope(self.caller.owner):
            consider(self.caller, self.questions[n], vector=self.vectors[n], at=timezone.now())

    def whole(self, n: int) -> None:
        """The service call without the embedder: find, record, reinforce."""
        now = timezone.now()
        with owner_scope(self.caller.owner):
            answer = find(self.caller, self.questions[n], vector=self.vectors[n], at=now)
            note_recall(self.caller, answer, now=now, began=time.perf_counter())

    def embed(self, n: int) -> None:
        get_embedder().embed([self.questions[n].query])


def take(act: Callable[[int], None], *, rounds: int, questions: int) -> Timing:
    """Milliseconds of each call, after a warm-up of one pass."""
    times = []
    for number in range(rounds + questions):
        began = time.perf_counter()
        act(number % questions)
        if number >= questions:
            times.append((time.perf_counter() - began) * 1000)
    return times


def interleave(
    acts: Sequence[Callable[[int], None]], *, rounds: int, questions: int
) -> list[Timing]:
    """The acts in turn, so that a machine that drifts drifts for all of them."""
    for act in acts:
        take(act, rounds=0, questions=questions)
    times: list[Timing] = [[] for _ in acts]
    for number in range(rounds):
        for act, timing in zip(acts, times, strict=True):
            began = time.perf_counter()
            act(number % questions)
            timing.append((time.perf_counter() - began) * 1000)
    return times


@contextmanager
def sql_time() -> Iterator[Timing]:
    """The milliseconds the statements of the block take, one entry each."""
    taken: Timing = []

    def clock(execute: Any, query: Any, params: Any, many: bool, context: Any) -> Any:
        began = time.perf_counter()
        try:
            return execute(query, params, many, context)
        finally:
            taken.append((time.perf_counter() - began) * 1000)

    with connection.execute_wrapper(clock):
        yield taken


@contextmanager
def over_http(asker: Asker) -> Iterator[Callable[[int], None]]:
    """The same questions from an agent of the owner, through the running web server."""
    owner = asker.caller.owner
    with owner_scope(owner):
        agent = Agent.objects.create(owner_id=owner, name="benchmark")
    _, key = make_key(owner=owner, agent=agent, scopes=["recall"])
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    with Product(settings.DATABASES["default"]["NAME"], worker=False) as product:
        client = http.client.HTTPConnection("127.0.0.1", product.port)

        def ask(n: int) -> None:
            body = json.dumps({"query": asker.questions[n].query})
            client.request("POST", "/api/v1/recall", body, headers)
            answer = client.getresponse()
            told = json.loads(answer.read())
            assert answer.status == 200, told

        yield ask
        client.close()


def split(asker: Asker, rounds: int) -> str:
    """Where the time of one question goes, from the agent's request to the answer."""
    questions = len(asker.questions)
    sql: Timing = []

    def whole(n: int) -> None:
        with sql_time() as taken:
            asker.whole(n)
        sql.append(sum(taken))

    with over_http(asker) as ask:
        embed, service, request = interleave(
            [asker.embed, whole, ask], rounds=rounds, questions=questions
        )
    sql = sql[questions:]
    rest = [whole - statements for whole, statements in zip(service, sql, strict=True)]
    between = p50(request) - p50(service) - p50(embed)
    told = (p50(embed), p50(sql), p50(rest), between, p50(request))
    return "".join(f"| {part:.1f} " for part in told) + "|"


def p50(times: Timing) -> float:
    return statistics.median(times)


def p95(times: Timing) -> float:
    return statistics.quantiles(times, n=20)[-1]


def at_once(asker: Asker, clients: int, rounds: int) -> Timing:
    """The service call from several threads with a connection each."""
    times: list[Timing] = []

    def client() -> None:
        times.append(take(asker.whole, rounds=rounds, questions=len(asker.questions)))
        connection.close()

    threads = [threading.Thread(target=client) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [one for timing in times for one in timing]


def one_owner(sizes: Sequence[int], rounds: int) -> list[str]:
    parts = [
        "| memories | embedding | SQL | scoring and the rest | HTTP and JSON | request |",
        "|---|---|---|---|---|---|",
    ]
    lines = [
        "| memories | bare p50 | candidates and ranking p50 | whole call p50 | p95 "
        "| whole / bare | 4 clients p50 |",
        "|---|---|---|---|---|---|---|",
    ]
    for size in sizes:
        empty()
        vocabulary = Vocabulary()
        owner = make_owner()
        for start in range(0, size, 10_000):
            fill(owner, min(10_000, size - start), vocabulary)
        analyze()
        asker = Asker(owner, vocabulary)
        bare, candidates, whole = interleave(
            [asker.bare, asker.candidates, asker.whole],
            rounds=rounds,
            questions=len(asker.questions),
        )
        four = at_once(asker, 4, max(8, rounds // 4))
        lines.append(
            f"| {size:,} | {p50(bare):.1f} | {p50(candidates):.1f} | {p50(whole):.1f}"
            f" | {p95(whole):.1f} | {p50(whole) / p50(bare):.2f} | {p50(four):.1f} |"
        )
        print(lines[-1], flush=True)
        parts.append(f"| {size:,} {split(asker, rounds)}")
        print(parts[-1], flush=True)
    lines += [
        "",
        "Times in milliseconds. Where one client's time goes, p50 of each part:",
        "",
        *parts,
    ]
    return lines


def many_owners(owners: int, each: int, rounds: int) -> list[str]:
    """One owner's recall among many others, beside the same in a database of its own."""
    empty()
    vocabulary = Vocabulary()
    first = make_owner()
    fill(first, each, vocabulary)
    analyze()
    asker = Asker(first, vocabulary)
    alone = take(asker.whole, rounds=rounds, questions=len(asker.questions))
    for number in range(owners - 1):
        fill(make_owner(), each, vocabulary)
        if number % 50 == 0:
            print(f"{number + 1} of {owners} owners", flush=True)
    analyze()
    among = take(asker.whole, rounds=rounds, questions=len(asker.questions))
    line = (
        f"{owners:,} owners with {each:,} memories each: p95 of one owner's recall"
        f" {p95(among):.1f} ms, alone in the database {p95(alone):.1f} ms:"
        f" ratio {p95(among) / p95(alone):.2f} (p50 {p50(among):.1f} and {p50(alone):.1f})."
    )
    print(line, flush=True)
    return [line]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--owners", type=int, default=0)
    parser.add_argument("--each", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=60)
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",") if size]
    with services():
        if sizes:
            lines = ["## Latency of recall", "", machine() + ".", ""]
            write_section("recall", lines + one_owner(sizes, options.rounds))
        if options.owners:
            lines = ["### One owner among many", "", machine() + ".", ""]
            lines += many_owners(options.owners, options.each, options.rounds)
            write_section("owners", lines)
        empty()


if __name__ == "__main__":
    main()
