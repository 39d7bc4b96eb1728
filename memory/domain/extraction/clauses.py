"""A message cut into lines, sentences and clauses, each knowing where it stands.

What is not the speaker's own is left out: code, quoted lines, pasted text and recalled memories.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from memory.domain.tombstones import loose_fingerprint

# Longer than any sentence a person says about themselves; what is longer was pasted.
_LONGEST_SENTENCE = 600
_LONGEST_CLAUSE = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A stretch of a message: `text == message[start:end]`. `asked`: it ends in a question mark."""

    text: str
    start: int
    asked: bool = False

    @property
    def end(self) -> int:
        return self.start + len(self.text)


_FENCE = re.compile(r"^ {0,3}(?:```|~~~)")
_QUOTED = re.compile(r"^\s{0,8}(?:>|＞|\| )")
_CODE_LINE = re.compile(
    r"^\s{0,40}(?:def |class |import |from \w+ import|return\b|if \(|for \(|const |let "
    r"|var |function "
    r"|public |private |#include|SELECT |INSERT |UPDATE |\$ |>>> |[A-Z_]{3,40}=|File \"|Traceback)"
    r"|[;{}]\s*$|^\s*at \w+\.|=>|\bERROR\b|\bWARN(?:ING)?\b"
)
# What a recall's context looks like: "- fact (since 2026-01-02, said 2026-01-12)".
_RECALLED = re.compile(
    r"^\s{0,8}[-*•] .{1,2100}[(（][^()（）\n]{0,60}(?:said|since|until|confirmed|out of date)"
    r"[^()（）\n]{0,20}\d{4}-\d\d-\d\d[^()（）\n]{0,40}[)）]\s*$"
)
_BULLET = re.compile(r"^\s*(?:[-*•·]|\d{1,3}[.)、])\s*")
_SENTENCE_END = re.compile(r"[。！!；;]+|[?？]+|…{1,6}|\.{1,6}(?=\s|$)")
_ABBREVIATION = re.compile(
    r"\b(?:e\.g|i\.e|etc|mr|mrs|ms|dr|st|vs|no|a\.m|p\.m|approx|dept)$", re.I
)
_CLAUSE_BORDER = re.compile(
    r"[,，](?!\d)"
    r"|\s(?=(?:and|but|so|while|though|although|yet|plus) (?:also |now |then )?"
    r"(?:i|i'm|i’m|i've|i’ve|i'd|i'll|my|we|we're|we've|our)\s)",
    re.IGNORECASE,
)

# "my wife and I" is one subject.
_COUPLE = re.compile(
    r"\bmy (?:wife|husband|partner|family|girlfriend|boyfriend|brother|sister)$", re.I
)


def read_sentences(message: str, *, known: Collection[str] = ()) -> Iterator[tuple[Clause, ...]]:
    """The sentences of a message, each as its clauses. `known`: loose forms of recalled facts."""
    for start, line in _own_lines(message, known):
        for sentence in _cut_sentences(line, start):
            if len(sentence.text) <= _LONGEST_SENTENCE:
                clauses = tuple(_cut_clauses(sentence))
                if clauses:
                    yield clauses


def _own_lines(message: str, known: Collection[str]) -> Iterator[tuple[int, str]]:
    fenced = False
    start = 0
    for line in message.splitlines(keepends=True):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and _is_own(line.rstrip("\r\n"), known):
            yield start, line.rstrip("\r\n")
        start += len(line)


def _is_own(line: str, known: Collection[str]) -> bool:
    if not line.strip() or _QUOTED.match(line) or _RECALLED.match(line):
        return False
    if len(line) > 20_000 or _CODE_LINE.search(line[:400]):
        return False
    return not known or loose_fingerprint(_BULLET.sub("", line[:2200])) not in known


def _cut_sentences(line: str, start: int) -> Iterator[Clause]:
    at = 0
    for end in _SENTENCE_END.finditer(line):
        if end.group().startswith(".") and _ABBREVIATION.search(
            line[max(0, end.start() - 8) : end.start()]
        ):
            continue
        yield from _trimmed(line, at, end.start(), start, asked=end.group()[0] in "?？")
        at = end.end()
    yield from _trimmed(line, at, len(line), start, asked=False)


def _cut_clauses(sentence: Clause) -> Iterator[Clause]:
    text = sentence.text
    borders = [*_CLAUSE_BORDER.finditer(text)]
    at = 0
    for border in borders:
        if _COUPLE.search(text[: border.start()][-24:]):
            continue
        yield from _trimmed(text, at, border.start(), sentence.start, asked=False)
        at = border.end()
    yield from _trimmed(text, at, len(text), sentence.start, asked=sentence.asked)


def _trimmed(text: str, at: int, end: int, offset: int, *, asked: bool) -> Iterator[Clause]:
    piece = text[at:end]
    bullet = _BULLET.match(piece)
    lead = bullet.end() if bullet else len(piece) - len(piece.lstrip())
    kept = piece[lead:].rstrip()
    if kept and len(kept) <= _LONGEST_CLAUSE:
        yield Clause(text=kept, start=offset + at + lead, asked=asked)
