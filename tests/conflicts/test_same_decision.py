"""The same statements get the same decision: again and again, and in another process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Every fourth of our own pairs, in both policies that settle something, with a similarity given.
PROGRAM = """
import json, sys
from dataclasses import replace
from datetime import UTC, datetime
from memory.domain.conflicts import Known, Statement, route
from memory.domain.conflicts.reading import read_words
from memory.domain.dimensions import detect
from memory.domain.policy import Policy
from memory.domain.values import ConflictPolicy

AT = datetime(2026, 6, 1, tzinfo=UTC)

def known(name, content):
    found = detect(content)
    return Known(
        id=name, content=content, created_at=AT, similarity=0.75, key=found.key if found else "",
        value=found.value if found else "",
    )

lines = open("tests/evaluation/routing_own.jsonl", encoding="utf-8").read().splitlines()[::4]
pairs = [json.loads(line) for line in lines]
for _ in range(int(sys.argv[1])):
    read_words.cache_clear()
    decided = []
    for number, pair in enumerate(pairs):
        beside = [known(f"r{n}", pairs[(number + n) % len(pairs)]["old"]) for n in (0, 1, 2)]
        for name in ("balanced", "assertive"):
            policy = Policy(conflict_policy=ConflictPolicy(name))
            routing = route(Statement(content=pair["new"], said_at=AT), beside, policy=policy)
            decided.append([routing.decision, routing.target_id, routing.cue, routing.contested])
    print(json.dumps(decided))
"""


def decide(*, times: int, seed: str) -> list[str]:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONDEVMODE": "0"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(times)], cwd=ROOT, env=environment, check=True,
        capture_output=True, text=True,
    )  # fmt: skip
    return done.stdout.splitlines()


def test_twenty_times_and_in_another_process_it_is_decided_the_same() -> None:
    here = decide(times=20, seed="1")
    there = decide(times=1, seed="2")
    assert len(here) == 20
    assert set(here) == set(there)
    assert '"UPDATE"' in here[0]
    assert '"CONFLICT"' in here[0]
