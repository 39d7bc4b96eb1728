"""Porter's stemmer (M. F. Porter, 1980), for lower-case ASCII words.

It only has to be the same on both sides of a search; it need not be a dictionary.
"""

from functools import lru_cache

_VOWELS = frozenset("aeiou")
_STEP_2 = (
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("abli", "able"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
)
_STEP_3 = (
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
)
# Longest first, so that "ement" is tried before "ment" and "ent".
_STEP_4 = (
    "ement",
    "ance",
    "ence",
    "able",
    "ible",
    "ment",
    "ant",
    "ent",
    "ism",
    "ate",
    "iti",
    "ous",
    "ive",
    "ize",
    "ion",
    "al",
    "er",
    "ic",
    "ou",
)


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The stem of a lower-case word; words of other letters, or of two letters, as they are."""
    if len(word) <= 2 or not (word.isascii() and word.isalpha()):
        return word
    word = _strip_plural(word)
    word = _strip_past_and_progressive(word)
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = _replace_suffix(word, _STEP_2)
    word = _replace_suffix(word, _STEP_3)
    word = _strip_last_suffix(word)
    return _tidy_end(word)


def _is_consonant(word: str, index: int) -> bool:
    letter = word[index]
    if letter in _VOWELS:
        return False
    if letter == "y":
        return index == 0 or not _is_consonant(word, index - 1)
    return True


def _measure(part: str) -> int:
    """How often a vowel is followed by a consonant: Porter's m."""
    count = 0
    vowel_before = False
    for index in range(len(part)):
        consonant = _is_consonant(part, index)
        if consonant and vowel_before:
            count += 1
        vowel_before = not consonant
    return count


def _has_vowel(part: str) -> bool:
    return any(not _is_consonant(part, index) for index in range(len(part)))


def _ends_double_consonant(word: str) -> bool:
    return len(word) >= 2 and word[-1] == word[-2] and _is_consonant(word, len(word) - 1)


def _ends_short_syllable(word: str) -> bool:
    if len(word) < 3:
        return False
    last = len(word) - 1
    return (
        _is_consonant(word, last)
        and not _is_consonant(word, last - 1)
        and _is_consonant(word, last - 2)
        and word[last] not in "wxy"
    )


def _strip_plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):
        # Porter's own later departure: "dies" and "ties" keep the "ie".
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _strip_past_and_progressive(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        if not word.endswith(suffix):
            continue
        part = word[: -len(suffix)]
        if not _has_vowel(part):
            return word
        if part.endswith(("at", "bl", "iz")):
            return part + "e"
        if _ends_double_consonant(part) and part[-1] not in "lsz":
            return part[:-1]
        if _measure(part) == 1 and _ends_short_syllable(part):
            return part + "e"
        return part
    return word


def _replace_suffix(word: str, suffixes: tuple[tuple[str, str], ...]) -> str:
    for suffix, replacement in suffixes:
        if word.endswith(suffix):
            part = word[: -len(suffix)]
            return part + replacement if _measure(part) > 0 else word
    return word


def _strip_last_suffix(word: str) -> str:
    for suffix in _STEP_4:
        if word.endswith(suffix):
            part = word[: -len(suffix)]
            if suffix == "ion" and not part.endswith(("s", "t")):
                return word
            return part if _measure(part) > 1 else word
    return word


def _tidy_end(word: str) -> str:
    if word.endswith("e"):
        part = word[:-1]
        measure = _measure(part)
        if measure > 1 or (measure == 1 and not _ends_short_syllable(part)):
            word = part
    if word.endswith("ll") and _measure(word) > 1:
        word = word[:-1]
    return word
