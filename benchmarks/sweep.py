"""How fast the sweeps go through a store, and how long a writer waits meanwhile.

    python benchmarks/sweep.py                  100 owners with 1,000 memories each
    python benchmarks/sweep.py --rows 20000

Every memory is due for the archive, the most a sweep can have to do; then the same sweep finds
nothing to do. Beside it, in the same run, one bare statement that sets the same column and inserts
the same events for all rows at once. Writes the section "sweep" of docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import gc
import random
import resource
import sys
import threading
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

# Run as a file, Python looks for modules beside it and not in the checkout.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.store import (
    DIMENSIONS,
    analyze,
    connect,
    empty,
    machine,
    make_owner,
    services,
    write_section,
)

# isort: split
from django.db import connection
from django.utils import timezone

from memory.adapters.embedders import get_embedder
from memory.querysets.callers import Caller
from memory.services import write
from memory.services.lock import lock_writes
from memory.services.retain import BATCH, Sweep, sweep
from memory.services.write import Fact, write_facts

_FILL = """
WITH new AS (
    INSERT INTO memory_memory (
        id, owner_id, content, kind, key, value, single_valued, metadata, quote, before,
        search_text, fingerprint, word_count, embedding, embedder, status, status_reason, source,
        tier, visibility, importance, dimensions, scored_by, safety, sensitivity, pinned,
        contested, should_forget, created_at, updated_at, said_at, version, epoch)
    SELECT uuidv7(), %(owner)s, 'said in passing ' || n, 'semantic', '', '', false, '{}',
        '', '', repeat('said in passing ' || n || ' ', 4), md5(n::text), 10,
        %(vector)s::halfvec, %(embedder)s, 'active', '', 'user_stated', 'working', 'user', 0.3,
        '{"relevance": 0.3}', 'rules', 0, '{}', false, false, false, %(at)s, %(at)s, %(at)s, 1, 0
    FROM generate_series(1, %(rows)s) n
    RETURNING id, owner_id, created_at
)
INSERT INTO memory_memoryuse (memory_id, owner_id, anchor, times_served, missed_chances)
SELECT id, owner_id, created_at, 0, 0 FROM new
"""
_BARE = """
WITH changed AS (
    UPDATE memory_memory SET archived_at = now() WHERE archived_at IS NULL
    RETURNING id, owner_id, epoch
)
INSERT INTO memory_event (owner_id, gesture, verb, reason, actor, memory_id, data, at, epoch)
SELECT owner_id, gen_random_uuid(), 'archived', 'faded', 'program', id,
       '{"line": 0.3, "days": 5, "retention": 0.035674}'::jsonb, now(), epoch
FROM changed
"""
_RESET = "UPDATE memory_memory SET archived_at = NULL; DELETE FROM memory_event;"


def fill_store(owners: int, rows: int, at: datetime) -> list[UUID]:
    dice = random.Random(1)
    made = [make_owner() for _ in range(owners)]
    with connect() as db:
        for owner in made:
            vector = "[" + ",".join(f"{dice.gauss(0, 0.04):.4f}" for _ in range(DIMENSIONS)) + "]"
            db.execute(
                _FILL,
                {"owner": owner, "vector": vector, "embedder": get_embedder().name, "at": at,
                 "rows": rows},
            )  # fmt: skip
    return made


def reset() -> None:
    with connect() as db:
        db.execute(_RESET)
    analyze()


class Writer(threading.Thread):
    """Writes one fact after another, to owner after owner, and keeps the times.

    `waited`: how much of each was waiting for the owner's lock, which is all a sweep holds.
    """

    def __init__(self, owners: Sequence[UUID]) -> None:
        super().__init__(daemon=True)
        self.owners, self.took, self.stop = owners, [0.0], threading.Event()
        self.waited = [0.0]

    def run(self) -> None:
        def lock(owner: UUID, **more: Any) -> int:
            began = time.perf_counter()
            epoch = lock_writes(owner, **more)
            self.waited.append((time.perf_counter() - began) * 1000)
            return epoch

        write.lock_writes = lock
        number = 0
        while not self.stop.wait(0.02):
            number += 1
            caller = Caller(owner=self.owners[number % len(self.owners)])
            fact = Fact(content=f"a new fact of no importance {number}")
            began = time.perf_counter()
            write_facts(caller, [fact], now=timezone.now())
            self.took.append((time.perf_counter() - began) * 1000)
        connection.close()


def percentile(took: Sequence[float], share: float) -> float:
    return sorted(took)[min(len(took) - 1, int(len(took) * share))]


def rss() -> float:
    """The most this process ever held, MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--owners", type=int, default=100)
    chosen = parser.parse_args()
    with services():
        empty()
        now = timezone.now()
        owners = fill_store(chosen.owners, chosen.rows // chosen.owners, now - timedelta(days=5))
        analyze()
        began = time.perf_counter()
        with connect() as db:
            db.execute(_BARE)
        bare = chosen.rows / (time.perf_counter() - began)
        reset()
        gc.collect()
        before = rss()
        began = time.perf_counter()
        archived = sweep(now=now, only=[Sweep.ARCHIVE])["archive"]
        alone = archived / (time.perf_counter() - began)
        grown = rss() - before
        began = time.perf_counter()
        sweep(now=now)
        nothing = time.perf_counter() - began
        reset()
        quiet = Writer(owners)
        quiet.start()
        time.sleep(5)
        quiet.stop.set()
        quiet.join()
        busy = Writer(owners)
        busy.start()
        began = time.perf_counter()
        together = sweep(now=now, only=[Sweep.ARCHIVE])["archive"]
        beside = together / (time.perf_counter() - began)
        busy.stop.set()
        busy.join()
        empty()
    lines = [
        f"{machine()}. {chosen.owners} owners, {archived} memories, all due, {BATCH} a batch.",
        "",
        "| | |",
        "|---|---|",
        f"| one bare statement for all rows | {bare:,.0f} rows/s |",
        f"| the sweep | {alone:,.0f} rows/s |",
        f"| the sweep while somebody writes | {beside:,.0f} rows/s |",
        f"| all six sweeps with nothing to do | {nothing:.2f} s |",
        f"| memory it took more | {grown:.1f} MB |",
        f"| a write without a sweep | p50 {percentile(quiet.took, 0.5):.0f} ms, "
        f"most {max(quiet.took):.0f} ms |",
        f"| a write during the sweep | p50 {percentile(busy.took, 0.5):.0f} ms, "
        f"p99 {percentile(busy.took, 0.99):.0f} ms, most {max(busy.took):.0f} ms |",
        f"| of it, waiting for the sweep | p50 {percentile(busy.waited, 0.5):.0f} ms, "
        f"p99 {percentile(busy.waited, 0.99):.0f} ms, most {max(busy.waited):.0f} ms |",
    ]
    print("\n".join(lines))
    write_section("sweep", lines)


if __name__ == "__main__":
    main()
