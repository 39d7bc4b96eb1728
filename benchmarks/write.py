"""How long writing one fact takes, beside the bare vector statement it contains, in one run.

    python benchmarks/write.py          one owner with 1,000, 10,000 and 100,000 memories

Writes the section "write" of docs/benchmarks.md, and fails where the budget is not kept. The
embedder is left out: its vectors are made beforehand. So is HTTP; the look-up of the key is in.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

# Run as a file, Python looks for modules beside it and not in the checkout.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.store import (
    Vocabulary,
    analyze,
    connect,
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

from benchmarks.recall import p50, p95
from memory.adapters.embedders import get_embedder
from memory.border import owner_scope
from memory.models import Agent
from memory.querysets.candidates import vector_literal
from memory.services.admit import admit_key, make_key
from memory.services.gather import MOST_NEAR
from memory.services.write import Fact, write_facts

MOST_STATEMENTS = 14
MOST_GROWTH = 2.0
BARE = (
    "SELECT id FROM memory_memory WHERE owner_id = %s AND deleted_at IS NULL"
    " ORDER BY embedding <=> %s::halfvec LIMIT %s"
)
_NOT_COUNTED = re.compile(r"^\s*(BEGIN|SAVEPOINT|RELEASE|ROLLBACK|COMMIT|SELECT set_config)", re.I)


class Prepared:
    """The installation's embedder as far as names and scales go; its vectors cost nothing."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._real = get_embedder()
        self.name, self.calibrate = self._real.name, self._real.calibrate
        self._vocabulary = vocabulary
        self._ready: list[list[float]] = []

    def prepare(self, count: int) -> None:
        self._ready = [self._vocabulary.vector() for _ in range(count)]

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [self._ready.pop() for _ in texts]


@contextmanager
def counting() -> Iterator[list[str]]:
    """The statements of a block, as DESIGN section 8 counts them."""
    counted: list[str] = []

    def note(execute, query, params, many, context):  # type: ignore[no-untyped-def]
        if not _NOT_COUNTED.match(str(query)):
            counted.append(str(query))
        return execute(query, params, many, context)

    with connection.execute_wrapper(note):
        yield counted


def measure(size: int, rounds: int) -> tuple[list[float], list[float], int]:
    """Milliseconds of each write and of each bare statement, in turn, and the most statements."""
    empty()
    vocabulary = Vocabulary()
    embedder = Prepared(vocabulary)
    owner = make_owner()
    for start in range(0, size, 10_000):
        fill(owner, min(10_000, size - start), vocabulary)
    with owner_scope(owner):
        agent = Agent.objects.create(owner_id=owner, name="benchmark")
    with connect() as db:
        db.execute("UPDATE memory_memory SET agent_id = %s", [agent.pk])
    analyze()
    _, key = make_key(owner=owner, agent=agent, scopes=["write"])
    embedder.prepare(2 * rounds + 20)
    writes: list[float] = []
    bare: list[float] = []
    most = 0
    with patch("memory.services.index.get_embedder", lambda: embedder):
        for number in range(rounds + 10):
            fact = Fact(content=vocabulary.sentence())
            vector = vector_literal(vocabulary.vector())
            began = time.perf_counter()
            with owner_scope(owner), connection.cursor() as cursor:
                cursor.execute(BARE, [owner, vector, MOST_NEAR])
                cursor.fetchall()
            between = time.perf_counter()
            with counting() as statements:
                caller = admit_key(key, now=timezone.now())
                [outcome] = write_facts(caller, [fact], now=timezone.now())
            ended = time.perf_counter()
            if outcome.memory is None:
                raise SystemExit(f"not written: {outcome.reason}")
            most = max(most, len(statements))
            if number >= 10:
                bare.append((between - began) * 1000)
                writes.append((ended - between) * 1000)
    return writes, bare, most


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--dry-run", action="store_true", help="do not touch docs/benchmarks.md")
    options = parser.parse_args()
    lines = [
        "| memories | write p50 | p95 | bare statement p50 | write / bare | statements |",
        "|---|---|---|---|---|---|",
    ]
    load = f"; load {os.getloadavg()[0]:.1f} when it began"
    medians: dict[int, float] = {}
    too_many = False
    with services():
        for size in [int(size) for size in options.sizes.split(",")]:
            writes, bare, most = measure(size, options.rounds)
            medians[size] = p50(writes)
            too_many |= most > MOST_STATEMENTS
            lines.append(
                f"| {size:,} | {p50(writes):.1f} | {p95(writes):.1f} | {p50(bare):.1f}"
                f" | {p50(writes) / p50(bare):.2f} | {most} |"
            )
            print(lines[-1], flush=True)
        empty()
    growth = ""
    kept = not too_many
    if {1_000, 10_000} <= set(medians):
        ratio = medians[10_000] / medians[1_000]
        kept &= ratio <= MOST_GROWTH
        growth = f" p50 at 10,000 is {ratio:.2f} times that at 1,000 (budget {MOST_GROWTH:g})."
    lines += [
        "",
        f"Times in milliseconds, embedder and HTTP left out.{growth} Statements: the most that one"
        f" write took, the key's look-up included (budget {MOST_STATEMENTS}). The bare statement"
        f" finds the {MOST_NEAR} nearest rows of the owner.",
    ]
    print("\n".join(lines))
    if not options.dry_run:
        write_section("write", ["## Latency of a write", "", f"{machine()}{load}.", "", *lines])
    if not kept:
        sys.exit("the budget is not kept")


if __name__ == "__main__":
    main()
