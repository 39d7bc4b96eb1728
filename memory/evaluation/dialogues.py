"""Long dialogues with questions, as rows to store and answers to find.

Formats: LoCoMo (https://github.com/snap-research/locomo), whose questions name the turns that
answer them, and MADial-Bench (https://github.com/hejunqing/MADial-Bench).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

Unit = Literal["turn", "observation"]

# LoCoMo's fifth category asks about what was never said: nothing could be found for it.
UNANSWERABLE = 5
_TURN = re.compile(r"D(\d+):(\d+)")


@dataclass(frozen=True, slots=True)
class StoredRow:
    """One row to store: `ids` name the turns it answers for."""

    content: str
    at: datetime
    ids: tuple[str, ...]
    subject: str = ""
    before: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and the ids of the turns that answer it."""

    query: str
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Dialogue:
    """One owner's rows and questions, and the clock for asking: a day after the last session."""

    name: str
    rows: Sequence[StoredRow]
    questions: Sequence[Asked]
    now: datetime


def read_locomo(path: Path, unit: Unit) -> Iterator[Dialogue]:
    """The dialogues of a LoCoMo file, row by row in the given unit."""
    for sample in json.loads(path.read_text(encoding="utf-8")):
        talk = sample["conversation"]
        sessions = sorted(
            int(name.split("_")[1]) for name in talk if re.fullmatch(r"session_\d+", name)
        )
        times = {n: _read_session_time(talk[f"session_{n}_date_time"]) for n in sessions}
        rows = list(
            _turns(talk, sessions, times)
            if unit == "turn"
            else _observations(sample["observation"], sessions, times)
        )
        stored = {pk for row in rows for pk in row.ids}
        questions = [
            Asked(str(qa["question"]), evidence)
            for qa in sample["qa"]
            if qa["category"] != UNANSWERABLE
            and (evidence := _read_evidence(qa.get("evidence", [])) & stored)
        ]
        now = max(times.values()) + timedelta(days=1)
        yield Dialogue(sample["sample_id"], rows, questions, now)


def _read_session_time(text: str) -> datetime:
    return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)


def _read_evidence(listed: Sequence[str]) -> frozenset[str]:
    found = (match for text in listed for match in _TURN.finditer(text))
    return frozenset(f"D{match[1]}:{int(match[2])}" for match in found)


def _turns(
    talk: dict[str, Any], sessions: Sequence[int], times: dict[int, datetime]
) -> Iterator[StoredRow]:
    for n in sessions:
        before = ""
        for place, turn in enumerate(talk[f"session_{n}"]):
            caption = turn.get("blip_caption")
            content = turn["text"] + (f" [shares {caption}]" if caption else "")
            yield StoredRow(
                content=content,
                at=times[n] + timedelta(seconds=place),
                ids=(turn["dia_id"],),
                subject=turn["speaker"],
                before=before,
            )
            before = f"{turn['speaker']}: {content}"


def _observations(
    observations: dict[str, Any], sessions: Sequence[int], times: dict[int, datetime]
) -> Iterator[StoredRow]:
    for n in sessions:
        place = 0
        for speaker, facts in observations.get(f"session_{n}_observation", {}).items():
            for content, turns in facts:
                listed = [turns] if isinstance(turns, str) else turns
                ids = tuple(sorted(_read_evidence(listed)))
                yield StoredRow(
                    content=content,
                    at=times[n] + timedelta(seconds=place),
                    ids=ids,
                    subject=speaker,
                )
                place += 1


def read_madial(memory_path: Path) -> Iterator[Dialogue]:
    """MADial-Bench: one owner a user, the last three utterances before the reply as the question.

    `memory_path` is the memory file; the dialogues lie beside it under the matching name.
    """
    memories = [
        next(iter(json.loads(line).values()))
        for line in memory_path.read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]
    dialogues = _read_many(memory_path.with_name(memory_path.name.replace("memory", "dialogue")))
    for user in sorted({memory["user-id"] for memory in memories}):
        mine = [memory for memory in memories if memory["user-id"] == user]
        rows = [
            StoredRow(
                content=memory["event"],
                at=datetime.fromisoformat(memory["time"]).replace(tzinfo=UTC),
                ids=(str(memory["id"]),),
            )
            for memory in mine
        ]
        known = {pk for row in rows for pk in row.ids}
        questions = [
            Asked(query, frozenset(wanted) & known)
            for query, wanted in _madial_questions(d for d in dialogues if d["user-id"] == user)
            if set(wanted) & known
        ]
        now = max(row.at for row in rows) + timedelta(days=1)
        yield Dialogue(f"user-{user}", rows, questions, now)


def _read_many(path: Path) -> list[dict[str, Any]]:
    """A file of JSON values one after the other."""
    decoder, text, at, found = json.JSONDecoder(), path.read_text(encoding="utf-8"), 0, []
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        value, at = decoder.raw_decode(text, at)
        found.append(value)
    return found


def _madial_questions(dialogues: Iterable[dict[str, Any]]) -> Iterator[tuple[str, list[str]]]:
    for dialogue in dialogues:
        turns = [line.strip() for line in dialogue["dialogue"]]
        wanted = [str(pk) for pk in dialogue.get("relevant-id", [])]
        for number in dialogue.get("test-turn", []):
            said = [turn for turn in turns[:number] if not turn.startswith("<BOD>")]
            yield "\n".join(said[-3:]), wanted
