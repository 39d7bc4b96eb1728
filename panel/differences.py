"""What differs between two texts: by word, in Chinese and other unspaced scripts by character."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from memory.domain.text import is_unspaced

# Longer texts are compared by line: the matcher's time grows with the square of the pieces.
_MOST_PIECES = 2_000
# A letter or symbol with what is joined to it: marks, variation selectors, emoji sequences.
_CLUSTER = re.compile(
    "(?:[\U0001f1e6-\U0001f1ff]{2}|.)[\\u0300-\\u036f\\ufe00-\\ufe0f\U0001f3fb-\U0001f3ff]*"
    "(?:\u200d.[\\ufe00-\\ufe0f\U0001f3fb-\U0001f3ff]*)*",
    re.DOTALL,
)


class Piece(NamedTuple):
    """A stretch of text: `same`, `gone` (only in the old) or `come` (only in the new)."""

    kind: str
    text: str


def pieces_of(text: str) -> list[str]:
    """Words, spaces, single characters of unspaced scripts, and emoji sequences whole."""
    pieces: list[str] = []
    word = ""
    for cluster in _CLUSTER.findall(text):
        if cluster[0].isalnum() and not is_unspaced(cluster[0]):
            word += cluster
            continue
        if word:
            pieces.append(word)
            word = ""
        pieces.append(cluster)
    if word:
        pieces.append(word)
    return pieces


def difference(old: str, new: str) -> list[Piece]:
    """The steps from one text to the other, in reading order."""
    before, after = pieces_of(old), pieces_of(new)
    if max(len(before), len(after)) > _MOST_PIECES:
        before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    return list(_steps(before, after))


def _steps(before: list[str], after: list[str]) -> Iterator[Piece]:
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for step, start, end, new_start, new_end in matcher.get_opcodes():
        if step == "equal":
            yield Piece("same", "".join(before[start:end]))
            continue
        if end > start:
            yield Piece("gone", "".join(before[start:end]))
        if new_end > new_start:
            yield Piece("come", "".join(after[new_start:new_end]))
