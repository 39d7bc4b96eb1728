"""How two statements stand to each other: the same, flipped, ended, more of the same."""

import re

from memory.domain import wording
from memory.domain.conflicts.reading import (
    Side,
    Words,
    read_words,
    share_dimension,
    share_subject,
)
from memory.domain.mood import clauses
from memory.domain.polarity import content_words, is_negative
from memory.domain.quantities import agree, differ, read_quantities
from memory.domain.text import fingerprint, is_unspaced, match_form, query_tokens, tokens
from memory.domain.things import find_things
from memory.domain.wording import find

# Calibrated similarity (paraphrases lie above .7): what may count as the same in other words.
_PARAPHRASE = 0.8
_NEAR = 0.5
# When something ended is not what ended.
_WHEN = re.compile(
    r"(?:上|这|前|本)(?:一)?个?(?:月|周|星期|年|阵子|几天)|去年|今年|昨天|今天|前天|早就?|已经|刚刚?"
    r"|\b(?:last|this|early|late|back) \w+|\b(?:in|since) (?:19|20)?\w+|yesterday|already|recently"
)
MOST_OBJECTS = 8
_MOST_BESIDE = 4
# A statement that there is none of these ends every one of them.
_NONE_OF = frozenset(
    {"宠", "物", "pet", "kid", "child", "allergi", "sibl", "car", "车", "孩", "子", "过", "敏"}
)


def says_same(new: Side, old: Side, *, similarity: float | None) -> bool:
    """The same words, the same value of a dimension, or a paraphrase with the same amounts."""
    mine, theirs = new.words, old.words
    if fingerprint(mine.said) == fingerprint(theirs.said):
        return True
    dated = mine.is_dated
    if mine.mood.is_about_now(dated=dated) != theirs.mood.is_about_now(dated=dated):
        return False
    if mine.mood.is_past() != theirs.mood.is_past():
        return False
    if mine.mood.is_passing() and not theirs.mood.is_passing() and not new.given:
        return False
    if share_dimension(new, old):
        if not is_about_same(new, old):
            return _says_same_in_another_language(new, old, similarity)
        if flips(new, old) or ends(new, old):
            return False
        if _has_value_twin(new, old):
            return True
        if new.single and old.single:
            return not adds_to(new, old)
        # In another language every word but the object is a new word.
        if not agree(mine.quantities, theirs.quantities):
            return False
        return is_chinese(mine.said) != is_chinese(theirs.said) or not says_more(mine, theirs)
    return share_subject(new, old) and _is_paraphrase(new, old, similarity)


def _has_value_twin(new: Side, old: Side) -> bool:
    return new.given and bool(new.value and old.value) and same_text(new.value, old.value)


def _says_same_in_another_language(new: Side, old: Side, similarity: float | None) -> bool:
    """Values in two scripts that no list knows: near in meaning, alike in all else."""
    mine, theirs = new.words, old.words
    return (
        similarity is not None
        and similarity >= _PARAPHRASE
        and is_chinese(mine.said) != is_chinese(theirs.said)
        and not (mine.words & theirs.words)
        and mine.negative == theirs.negative
        and not mine.mood.change
        and agree(mine.quantities, theirs.quantities)
        and not (find_things(new.value) and find_things(old.value))
    )


def _is_paraphrase(new: Side, old: Side, similarity: float | None) -> bool:
    mine, theirs = new.words, old.words
    if mine.negative != theirs.negative or bool(mine.mood.ended) != bool(theirs.mood.ended):
        return False
    if not agree(mine.quantities, theirs.quantities):
        return False
    if new.given and old.given:
        # Two keys of callers: their own word for it that these are two matters.
        return False
    if mine.words == theirs.words and mine.words:
        return similarity is None or similarity >= _NEAR
    if similarity is None or similarity < _PARAPHRASE:
        return False
    if is_chinese(mine.said) != is_chinese(theirs.said):
        shared = mine.words & theirs.words
        return bool(shared) and mine.act == theirs.act and not _two_dimensions(mine, theirs)
    if _two_dimensions(mine, theirs):
        return False
    only_mine, only_theirs = mine.words - theirs.words, theirs.words - mine.words
    shared = mine.words & theirs.words
    union = mine.words | theirs.words
    # One word exchanged for another can be the whole difference; left out, it is a paraphrase.
    return len(shared) / max(1, len(union)) >= 0.75 and not (
        says_substance(only_mine) and says_substance(only_theirs)
    )


def _two_dimensions(mine: Words, theirs: Words) -> bool:
    return (
        mine.dimension is not None
        and theirs.dimension is not None
        and mine.attribute != theirs.attribute
    )


def is_about_same(new: Side, old: Side) -> bool:
    """Within one dimension: the same value, or the same object of a taste, habit or use."""
    if new.value and old.value and same_text(new.value, old.value):
        return True
    mine, theirs = new.words, old.words
    compared = mine.dimension is not None and mine.dimension.compared
    if mine.words and mine.words == theirs.words and _amounts_agree(new, old) and not compared:
        return True
    if new.given or old.given:
        if new.value and old.value:
            return _same_value(new.value, old.value)
        return False
    if mine.dimension is None or theirs.dimension is None:
        return bool(new.value and old.value) and _same_value(new.value, old.value)
    if mine.negative and mine.dimension.about and mine.dimension.about <= _NONE_OF:
        return True
    if not new.single:
        about, other = mine.dimension.about, theirs.dimension.about
        return bool(about and other) and (about == other or _covers(about, other))
    return _same_value(new.value, old.value)


def _covers(about: frozenset[str], other: frozenset[str]) -> bool:
    """One object named within the other's words: 拿铁 and 这家店的拿铁."""
    shared = about & other
    return bool(says_substance(shared)) and shared in (about, other)


def _amounts_agree(new: Side, old: Side) -> bool:
    return agree(new.words.quantities, old.words.quantities)


def _same_value(one: str, other: str) -> bool:
    if same_text(one, other):
        return True
    a, b = read_quantities(match_form(one)), read_quantities(match_form(other))
    if a or b:
        rest = [frozenset(_without_amounts(content_words(v))) for v in (one, other)]
        return agree(a, b) and (not rest[0] or not rest[1] or rest[0] == rest[1] or bool(a))
    words, others = content_words(one), content_words(other)
    return bool(words) and words == others


def _without_amounts(words: frozenset[str]) -> set[str]:
    return {word for word in words if not any(ch.isdigit() for ch in word)}


def same_text(one: str, other: str) -> bool:
    return match_form(one) == match_form(other)


def flips(new: Side, old: Side) -> bool:
    """Whether one affirms what the other denies, read in the clauses that name the matter."""
    return _denies(new, old) != _denies(old, new)


def _denies(side: Side, other: Side) -> bool:
    """ "不再犹豫，就用 Go" denies the hesitation, not Go."""
    said = side.words.said
    value = side.value if side.given else ""
    wanted = side.words.dimension.about if side.words.dimension else frozenset()
    naming = [
        clause
        for clause in clauses(said)
        if (value and mentions(clause, value))
        or (not value and wanted and wanted & content_words(_cased(side.words, clause)))
    ]
    return is_negative(",".join(naming) or said)


def _cased(words: Words, clause: str) -> str:
    """A clause as written: capitals tell Go from go."""
    at = words.text.lower().find(clause)
    return words.text[at : at + len(clause)] if at >= 0 else clause


def ends(new: Side, old: Side) -> bool:
    """Whether a clause says that the old fact ended: an end word, and the fact it ends.

    A fact that itself speaks of an end ("戒了咖啡") is not ended by saying it again.
    """
    if old.words.mood.ended or (old.words.negative and old.words.act != ""):
        return False
    return end_cue(new, old) != ""


def end_cue(new: Side, old: Side) -> str:
    slot = share_dimension(new, old)
    for clause in clauses(new.words.said):
        cue = find(clause, wording.ENDED)
        if not cue or find(clause, wording.INTENDED):
            continue
        if slot and old.value and mentions(clause, old.value):
            return cue
        if slot and (new.given or old.given):
            if not old.value and _may_speak_of(clause, old):
                return cue
            continue
        if _names_object(_cased(new.words, clause).replace(cue, " "), old):
            return cue
    return ""


def _may_speak_of(clause: str, old: Side) -> bool:
    """Whether a clause is about an old fact without a value: of many, it must hold its words."""
    if old.single:
        return True
    words = set(query_tokens(" ".join(old.words.words)))
    return words != set() and words <= set(tokens(clause))


def _names_object(clause: str, old: Side) -> bool:
    """Whether the words of a clause name what the old statement is about."""
    about = old.words.dimension.about if old.words.dimension else frozenset()
    named = content_words(_WHEN.sub(" ", clause))
    shared = named & (old.words.words | about)
    extra = named - shared
    # "The Berlin office was closed" ends no living in Berlin: the object stands alone, or nearly.
    if about and about <= named:
        if old.words.act in ("use", "habit"):
            return len(extra) <= _MOST_BESIDE
        return len(extra) <= (1 if clause.isascii() else 2)
    if any(not is_unspaced(word[0]) for word in shared):
        return len(extra) <= max(1, len(shared))
    # In Chinese single characters meet by chance: a pair of neighbours must be shared.
    pairs = {
        pair
        for pair in set(query_tokens(clause)) & set(tokens(old.words.said))
        if len(pair) == 2 and set(pair) <= shared
    }
    return bool(pairs) and len(shared) >= len(named) / 2


def mentions(said: str, value: str) -> bool:
    wanted = match_form(value)
    return wanted != "" and contains(said, wanted)


def contains(text: str, part: str) -> bool:
    """Substring, at word borders where the part is Latin: java is not in javascript."""
    left = r"(?<![a-z0-9])" if part[0].isascii() and part[0].isalnum() else ""
    right = r"(?![a-z0-9+#])" if part[-1].isascii() and part[-1].isalnum() else ""
    return re.search(left + re.escape(part) + right, text) is not None


def refines(new: Side, old: Side) -> bool:
    """The new value contains the old one and says more (requirement 53)."""
    older, newer = match_form(old.value), match_form(new.value)
    if not older or (old.given and not newer):
        older, newer = match_form(old.words.said), match_form(new.words.said)
    if flips(new, old):
        return False
    if older and len(newer) > len(older) and contains(newer, older):
        return not differ(read_quantities(newer), read_quantities(older))
    return False


def adds_to(new: Side, old: Side) -> bool:
    """The old statement whole, and more: "in Berlin", then "in Berlin Kreuzberg"."""
    mine, theirs = new.words, old.words
    return (
        not (new.given or old.given)
        and theirs.words < mine.words
        and bool(theirs.words)
        and says_more(mine, theirs)
        and mine.negative == theirs.negative
        and not (mine.mood.temporary or mine.mood.coexist)
        and (not theirs.quantities or agree(theirs.quantities, mine.quantities))
        and is_chinese(mine.said) == is_chinese(theirs.said)
    )


def says_more(mine: Words, theirs: Words) -> bool:
    """Whether one adds something of substance to the other."""
    return bool(says_substance(mine.words - theirs.words))


def exchanges(mine: Words, theirs: Words) -> bool:
    """Whether each says something of substance that the other does not."""
    return bool(mine.words - theirs.words) and bool(theirs.words - mine.words)


def says_substance(words: frozenset[str]) -> bool:
    """More than a particle: a thing, a Latin word, or two Chinese characters."""
    return any(not is_unspaced(word[0]) or len(word) > 1 for word in words) or len(words) >= 2


def shares_substance(mine: Words, theirs: Words) -> bool:
    return says_substance(mine.words & theirs.words)


def is_chinese(said: str) -> bool:
    return any(is_unspaced(ch) for ch in said)


def find_objects(content: str) -> tuple[str, ...]:
    """The words for what a statement says was ended or left behind, to look old rows up by.

    A name need not be near in meaning: "Milo passed away" and "has a cat named Milo".
    """
    words = read_words(content)
    if not words.mood.ended and not words.mood.change:
        return ()
    named: list[str] = []
    for clause in clauses(words.said):
        cue = find(clause, wording.ENDED)
        if cue:
            named += query_tokens(clause.replace(cue, " "))
    if words.shift is not None:
        named += query_tokens(words.text[slice(*words.shift.old)])
    return tuple(dict.fromkeys(named))[:MOST_OBJECTS]
