"""Which side of an open question somebody's own words hold to be true."""

import re
from collections.abc import Sequence

from memory.domain import wording
from memory.domain.conflicts.comparing import mentions, says_substance
from memory.domain.conflicts.reading import Side, read_known, read_statement
from memory.domain.conflicts.shapes import Known, Statement
from memory.domain.mood import clauses
from memory.domain.polarity import content_words, is_negative
from memory.domain.text import match_form
from memory.domain.wording import find

# What chooses between known things without being change wording.
_CHOSEN = re.compile(
    r"才对|才是|是对的|没错|就是|还是(?!想|会)|确实是|选的是"
    r"|\b(?:is|was|are) (?:right|correct|true)\b|\bindeed\b|\bstill\b|\bdefinitely\b"
)


def side_that_holds(said: Statement, sides: Sequence[Known], *, answered: bool) -> str | None:
    """The id of the one side that the words affirm; None where they leave it open.

    `answered`: the words answer the question, so that naming one side firmly is enough. Otherwise
    only change, correction or choosing wording says more than a repetition. A doubt, hearsay, a
    plan, the past, a passing state, "both": nothing of that decides.
    """
    new = read_statement(said)
    mood = new.words.mood
    if not mood.is_about_now() or mood.is_past() or mood.is_passing():
        return None
    if mood.hedged or mood.coexist not in ("", "还是"):
        return None
    chosen = mood.change or mood.correction or mood.decided or _CHOSEN.search(new.words.said)
    if not answered and not chosen:
        return None
    olds = [read_known(side) for side in sides]
    held = [old for old in olds if _affirms(new, old, [o for o in olds if o is not old])]
    if len(held) == 2:
        # "Shanghai Pudong" names Shanghai too: the side that says more is meant.
        held = [old for old in held if not any(_covers(o, old) for o in held if o is not old)]
    return held[0].row.id if len(held) == 1 and held[0].row is not None else None


def _covers(more: Side, less: Side) -> bool:
    wide, narrow = match_form(more.value), match_form(less.value)
    return bool(narrow) and narrow != wide and narrow in wide


def _affirms(new: Side, old: Side, others: Sequence[Side]) -> bool:
    """Whether a clause names what tells this side from the others, and does not deny or end it."""
    if others and all(_differs_in_polarity(old, other) for other in others):
        return _shares(new, old) and new.words.negative == old.words.negative
    own = old.words.words - frozenset().union(*(other.words.words for other in others))
    # What the others speak of too tells nothing: 花生 in 对花生过敏 and 花生可以吃.
    value = (
        old.value if all(o.value or not mentions(o.words.said, old.value) for o in others) else ""
    )
    left, arrived = new.words.shifted()
    if own and left and own <= left and not own <= arrived:
        return False
    found = False
    for clause in clauses(new.words.said):
        if not (value and mentions(clause, value)) and not (own and own <= content_words(clause)):
            continue
        if find(clause, wording.ENDED) or is_negative(clause) != old.words.negative:
            return False
        found = True
    return found


def _differs_in_polarity(one: Side, other: Side) -> bool:
    return one.words.words == other.words.words and one.words.negative != other.words.negative


def _shares(new: Side, old: Side) -> bool:
    return bool(old.words.words) and old.words.words <= new.words.words


def adds_nothing(said: Statement, sides: Sequence[Known]) -> bool:
    """Whether a statement only chooses: all of substance in it stands in the sides already."""
    new = read_statement(said)
    mood = new.words.mood
    known = frozenset().union(*(read_known(side).words.words for side in sides))
    chosen = _CHOSEN.search(new.words.said)
    cues = (mood.change, mood.correction, mood.decided, mood.now, chosen.group() if chosen else "")
    rest = new.words.words - known - frozenset().union(*(content_words(cue) for cue in cues))
    return not says_substance(rest)
