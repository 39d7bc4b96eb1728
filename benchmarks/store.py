"""A store of its own for a benchmark: embedded services, migrated, filled by COPY.

Every benchmark imports this first: it sets the environment before Django reads its settings.
"""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from itertools import accumulate
from pathlib import Path
from uuid import UUID

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("MEMOIR_HOME", str(ROOT / "var" / "benchmarks"))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django  # noqa: E402

django.setup()

import numpy  # noqa: E402
import psycopg  # noqa: E402
from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db.models import Model  # noqa: E402

from accounts.ids import uuid7  # noqa: E402
from accounts.models import User  # noqa: E402
from config.embedded import Home  # noqa: E402
from config.embedded.services import use  # noqa: E402
from memory.adapters.embedders import get_embedder  # noqa: E402
from memory.domain import text  # noqa: E402
from memory.models import Memory, MemoryUse  # noqa: E402

DIMENSIONS = 512
TOPICS = 200


@contextmanager
def services() -> Iterator[None]:
    """PostgreSQL and Valkey of this home, with all migrations done."""
    home = Home(Path(os.environ["MEMOIR_HOME"]))
    with use(home, "a benchmark", lambda message: print(message, file=sys.stderr)):
        call_command("migrate", verbosity=0, interactive=False)
        yield


class Vocabulary:
    """Made-up words with the frequencies of a language, and topics with a direction each."""

    def __init__(self, seed: int = 1) -> None:
        self.random = random.Random(seed)
        letters = "bcdfghjklmnpqrstvwz"
        self.words = [
            "".join(self.random.choice(letters) + self.random.choice("aeiou") for _ in range(n))
            for n in (2, 3, 4)
            for _ in range(7000)
        ]
        self.weights = list(accumulate(1 / (rank + 10) for rank in range(len(self.words))))
        self.normal = numpy.random.default_rng(seed).standard_normal
        self.directions = self.normal((TOPICS, DIMENSIONS))

    def sentence(self, words: int = 12) -> str:
        return " ".join(self.random.choices(self.words, cum_weights=self.weights, k=words))

    def vector(self) -> list[float]:
        """A unit vector near one of the topics."""
        raw = self.random.choice(self.directions) + 0.6 * self.normal(DIMENSIONS)
        unit: list[float] = (raw / numpy.linalg.norm(raw)).tolist()
        return unit


def connect() -> psycopg.Connection:
    """As the owner of the tables, who may COPY any owner's rows."""
    wanted = settings.DATABASES["schema"]
    return psycopg.connect(
        host=wanted["HOST"], user=wanted["USER"], password=wanted["PASSWORD"], dbname=wanted["NAME"]
    )


def make_owner() -> UUID:
    return User.objects.create_user().pk


def fill(owner: UUID, count: int, vocabulary: Vocabulary) -> None:
    """COPY `count` long-term memories of one owner, with their uses and postings."""
    now = datetime.now(timezone.utc)  # noqa: UP017  (3.11 has both; the name says more)
    embedder = get_embedder().name
    memories, uses, postings = io.StringIO(), io.StringIO(), io.StringIO()
    for number in range(count):
        pk, at = uuid7(), (now - timedelta(minutes=number)).isoformat()
        content = vocabulary.sentence()
        tokens = text.tokens(content)
        memories.write(
            _line(
                Memory,
                id=pk,
                owner_id=owner,
                content=content,
                search_text=content,
                fingerprint=text.fingerprint(f"{content} {number}"),
                word_count=len(tokens),
                embedding="[" + ",".join(f"{x:.4f}" for x in vocabulary.vector()) + "]",
                embedder=embedder,
                tier="long_term",
                visibility="user",
                importance=0.8,
                created_at=at,
                updated_at=at,
                said_at=at,
            )
        )
        uses.write(_line(MemoryUse, memory_id=pk, owner_id=owner, anchor=at))
        for token, times in Counter(tokens).items():
            postings.write(f"{owner}\t{token}\t{pk}\t{times}\t{len(tokens)}\n")
    with connect() as db, db.cursor() as cursor:
        for target, data in (
            (f"memory_memory ({_columns(Memory)})", memories),
            (f"memory_memoryuse ({_columns(MemoryUse)})", uses),
            ("memory_posting (owner_id, token, memory_id, count, length)", postings),
        ):
            with cursor.copy(f"COPY {target} FROM STDIN") as copy:
                copy.write(data.getvalue())


def _columns(model: type[Model]) -> str:
    return ", ".join(field.column for field in model._meta.concrete_fields)


def _line(model: type[Model], **given: object) -> str:
    """One line of COPY: what is given, and the model's own defaults for the rest."""
    values = (
        given.get(field.attname, field.get_default()) for field in model._meta.concrete_fields
    )
    return "\t".join(map(_cell, values)) + "\n"


def _cell(value: object) -> str:
    if value is None:
        return "\\N"
    if isinstance(value, bool):
        return "t" if value else "f"
    if isinstance(value, dict):
        return json.dumps(value)
    if isinstance(value, list):
        return "{}"
    return str(value)


def analyze() -> None:
    with connect() as db:
        db.autocommit = True
        for table in ("memory_memory", "memory_posting", "memory_memoryuse"):
            db.execute(f"VACUUM ANALYZE {table}")


def empty() -> None:
    with connect() as db:
        db.execute("TRUNCATE accounts_user CASCADE")


def machine() -> str:
    """What the figures were taken on, and of which state of the code."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True,
        check=False,
    ).stdout.strip()  # fmt: skip
    model = next(
        (
            line.split(":", 1)[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        "unknown processor",
    )
    today = datetime.now(timezone.utc).date().isoformat()  # noqa: UP017
    return f"{today}, commit {commit or 'unknown'}, {os.cpu_count()} cores ({model})"


def write_section(name: str, lines: list[str]) -> None:
    """Put a section of figures between its marks in docs/benchmarks.md."""
    path = ROOT / "docs" / "benchmarks.md"
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    body = path.read_text(encoding="utf-8") if path.exists() else "# Benchmarks\n"
    block = "\n".join([begin, "", *lines, "", end])
    if begin in body:
        before, rest = body.split(begin, 1)
        body = before + block + rest.split(end, 1)[1]
    else:
        body = body.rstrip() + "\n\n" + block + "\n"
    path.write_text(body, encoding="utf-8")
