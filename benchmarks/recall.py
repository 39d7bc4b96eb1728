"""How long a recall takes, beside the bare vector statement it contains, in one run.

    python benchmarks/recall.py                          one owner: 1,000, 10,000, 100,000 memories
    python benchmarks/recall.py --owners 1000            also 1,000 owners with 1,000 memories each

Writes the section "recall" of docs/benchmarks.md. Embedding and HTTP are measured apart: the
budget is about the service call.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
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
from django.db import connection
from django.utils import timezone

from memory.adapters.embedders import get_embedder
from memory.border import owner_scope
from memory.querysets.callers import Caller
from memory.querysets.candidates import vector_literal
from memory.services.consider import CANDIDATES, consider
from memory.services.note_recall import note_recall
from memory.services.recall import Question, find

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
    embed = take(asker.embed, rounds=50, questions=len(asker.questions))
    lines += ["", f"Embedding a question: p50 {p50(embed):.1f} ms. Times in milliseconds."]
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
    return ["", line]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--owners", type=int, default=0)
    parser.add_argument("--each", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=60)
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",") if size]
    with services():
        lines = ["## Latency of recall", "", machine() + ".", ""]
        if sizes:
            lines += one_owner(sizes, options.rounds)
        if options.owners:
            lines += many_owners(options.owners, options.each, options.rounds)
        empty()
    write_section("recall", lines)


if __name__ == "__main__":
    main()
