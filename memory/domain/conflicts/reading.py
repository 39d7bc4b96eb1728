"""A statement as the router reads it: dimension, polarity, words, amounts, mood."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from memory.domain.conflicts.shapes import Known, Statement
from memory.domain.dimensions.detection import DATED, detect_raw
from memory.domain.dimensions.shapes import Dimension
from memory.domain.dimensions.subjects import OWNER, TEAM, Subject, find_subject, may_be_same, slug
from memory.domain.dimensions.tools import Shift, find_shift
from memory.domain.keys import is_single_valued
from memory.domain.mood import MOST_READ, Mood, read_mood
from memory.domain.polarity import content_words, is_negative
from memory.domain.quantities import Quantity, read_quantities
from memory.domain.sensitivity import find_sensitive
from memory.domain.text import match_form

_GUARDED = frozenset(
    {"employer", "job", "salary", "mortgage", "medications", "allergies", "blood_type"}
)
_GUARDED_TOPICS = frozenset({"health", "money", "work_search"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What is in the words alone, whoever said them and whatever key they were given."""

    text: str
    said: str
    dimension: Dimension | None
    subject: Subject
    negative: bool
    words: frozenset[str]
    quantities: tuple[Quantity, ...]
    # Whom its later clauses are about.
    others: tuple[Subject, ...]
    mood: Mood
    # What a correction says is wrong: "43, not 34".
    denied: str
    shift: Shift | None

    @property
    def attribute(self) -> str:
        return self.dimension.attribute if self.dimension else ""

    @property
    def act(self) -> str:
        return self.dimension.act if self.dimension else ""

    @property
    def is_dated(self) -> bool:
        """About something with a date of its own: tomorrow is no plan there."""
        return self.attribute in DATED

    @property
    def about_owner(self) -> bool:
        who = self.dimension.subject if self.dimension else self.subject.name
        return who in (OWNER, TEAM)

    def shifted(self) -> tuple[frozenset[str], frozenset[str]]:
        """The words of what was left behind and of what took its place."""
        if self.shift is None:
            return frozenset(), frozenset()
        old, new = self.shift.old, self.shift.new
        return content_words(self.text[slice(*old)]), content_words(self.text[slice(*new)])


_CLAUSES = re.compile(r"[,;:。，；：!！] ?")
_DENIED = re.compile(
    r",? ?\bnot [\w.\- ]{1,24}|不(?:是|叫|姓|在|住在?|属)[^,，。;；]{1,16}(?=[,，。]|而是|$)"
)


def _read_denied(text: str, mood: Mood) -> str:
    found = _DENIED.search(text) if mood.correction else None
    return found.group() if found else ""


@lru_cache(maxsize=4096)
def read_words(content: str) -> Words:
    """Read a statement. Cached: the same rows are compared again and again."""
    text = " ".join(unicodedata.normalize("NFKC", content[:MOST_READ]).split())
    lower = text.lower()
    if len(lower) != len(text):
        text = lower
    said = match_form(text)
    mood = read_mood(content)
    return Words(
        text=text,
        said=said,
        dimension=detect_raw(content),
        subject=find_subject(text),
        negative=is_negative(text),
        words=content_words(text),
        quantities=read_quantities(_DENIED.sub(" ", said) if mood.correction else said),
        others=tuple(find_subject(part) for part in _CLAUSES.split(text)[1:4] if part),
        mood=mood,
        denied=_read_denied(text, mood),
        shift=find_shift(lower),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of a comparison: its words and what is known beside them.

    `given`: the key comes from a caller; it wins over what the words say.
    """

    words: Words
    key: str
    value: str
    single: bool
    given: bool
    since: datetime | None
    row: Known | None = None
    valid_from: datetime | None = None

    def dated_later(self, old: "Side") -> bool:
        """A date of validity of its own, later than the other's beginning."""
        return self.valid_from is not None and old.since is not None and self.valid_from > old.since

    @property
    def guarded(self) -> bool:
        """The owner's own work, health or money (requirement 5.5 d)."""
        if self.row is not None and self.row.guarded:
            return True
        words = self.words
        if not words.about_owner:
            return False
        return words.attribute in _GUARDED or bool(
            _GUARDED_TOPICS & set(find_sensitive(words.said, key=self.key))
        )


def read_statement(new: Statement) -> Side:
    words = read_words(new.content)
    found = words.dimension
    given = bool(new.key) and not new.detected
    key = new.key or (found.key if found else "")
    if new.single_valued is not None:
        single = new.single_valued
    elif given or found is None:
        single = is_single_valued(key)
    else:
        single = found.single_valued
    return Side(
        words=words,
        key=key,
        value=new.value or (found.value if found and not given else ""),
        single=single,
        given=given,
        since=new.valid_from or new.occurred_at or new.said_at,
        valid_from=new.valid_from,
    )


def read_known(row: Known) -> Side:
    words = read_words(row.content)
    found = words.dimension
    given = bool(row.key) and (found is None or match_form(found.key) != match_form(row.key))
    if row.single_valued is not None:
        single = row.single_valued
    else:
        single = found.single_valued if found and not given else is_single_valued(row.key)
    return Side(
        words=words,
        key=row.key or (found.key if found else ""),
        value=row.value or (found.value if found and not given else ""),
        single=single,
        given=given,
        since=row.valid_from or row.occurred_at or row.created_at,
        row=row,
    )


def share_subject(new: Side, old: Side) -> bool:
    """Whether both can be about the same person or thing."""
    mine, theirs = new.words.dimension, old.words.dimension
    if mine and theirs and mine.subject == theirs.subject:
        return True
    # "Milo passed away" is about whom "a cat named Milo" names.
    if new.words.subject.named and (
        new.words.subject.name in _names(old.words)
        or new.words.subject.name in old.words.words
        or (not new.words.subject.name.isascii() and new.words.subject.name in old.words.said)
    ):
        return True
    # "I changed doctors, my doctor is now …": a later clause names whom the old one is about.
    if new.words.subject.name in (OWNER, TEAM) and any(
        who.named and who.name == old.words.subject.name for who in new.words.others
    ):
        return True
    return may_be_same(new.words.subject, old.words.subject)


def _names(words: Words) -> frozenset[str]:
    named = {slug(word) for word in words.text.split()}
    return frozenset(named | ({slug(words.subject.name)} if words.subject.named else set()))


def share_dimension(new: Side, old: Side) -> bool:
    """Whether both speak about one dimension: the same key, or the same by their words.

    Two keys that callers gave are compared as they are: theirs win over what the words say.
    """
    if new.key and old.key and match_form(new.key) == match_form(old.key):
        return True
    if new.given and old.given:
        return False
    mine, theirs = new.words.dimension, old.words.dimension
    if mine is None or theirs is None or mine.general != theirs.general:
        return False
    if mine.key == theirs.key:
        return True
    return mine.attribute == theirs.attribute and not mine.general and share_subject(new, old)
