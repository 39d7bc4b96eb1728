"""Words that somebody else may not read: how many there are, and nothing of them."""

from __future__ import annotations

import re

from memory.domain.text import is_unspaced

WORD = "•••"
# As much of a text as a mask shows: its length says something too.
MOST_WORDS = 12
# Chinese has no spaces: so many characters count as a word.
_CHARACTERS = 2
_PIECES = re.compile(r"\S+")


def mask(text: str) -> str:
    """A row of dots for each word. Holds no character of the text."""
    words = 0
    for piece in _PIECES.findall(text):
        wide = sum(is_unspaced(char) for char in piece)
        words += max(1, -(-wide // _CHARACTERS))
    shown = " ".join([WORD] * min(max(words, 1), MOST_WORDS))
    return f"{shown} …" if words > MOST_WORDS else shown
