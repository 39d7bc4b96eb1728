"""Whether a statement says again what was deleted, as far as words alone can tell.

A tombstone keeps no words, only the digest of a form so loose that small rewordings fall together:
punctuation, width, case, particles, contractions, and who is spoken of.
"""

import re
import unicodedata

from memory.domain.lexicon import words_in
from memory.domain.text import match_form

_CONTRACTIONS = (
    (re.compile(r"\bcan't\b|\bcannot\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"'m\b"), " am"),
    (re.compile(r"'re\b"), " are"),
    (re.compile(r"'ve\b"), " have"),
    (re.compile(r"'ll\b"), " will"),
    (re.compile(r"'s\b"), " "),
    (re.compile(r"\bhas\b"), "have"),
)
# Words, names such as c++, unspaced scripts character by character, and symbols such as emoji.
_LATIN_WORD = re.compile(r"[a-z0-9à-ɏ]+(?:[+#]{1,2})?|\S")
_OPENINGS = re.compile(
    r"^(?:(?:请|麻烦)?记住|对了|顺便说一下|顺便|另外|其实|嗯+|哦|噢|啊"
    r"|by the way|btw|remember(?: that)?|also|actually|well|oh|so|fyi|please remember(?: that)?"
    r"|note(?: that)?)[\s,，:：。!！]*"
)
_OWNER_ZH = re.compile(r"^(?:用户|本人|俺|我(?!们))(?:自己|的)?|(?<=[,，。;；])(?:用户|我(?!们))")
_OWNER_EN = re.compile(r"\b(?:the user|user|i|my)\b(?!')")
_PARTICLES_ZH = re.compile("[的了呢啊吧呀嘛哦啦喔哈]|真的|非常|特别|十分|超级?|很|挺|现在|目前")
_FILLERS_EN = words_in(
    "a an the am is are be been do does really very just so to that currently now also actually "
    "quite"
)
_THIRD_PERSON = re.compile(r"^([a-z]{2,}?)(?:(?<=[sxz])es|(?<=ch)es|(?<=sh)es|s)$")
_QUESTION = re.compile(r"[?？]\s*$|吗[?？]?\s*$")


def loose_fingerprint(text: str) -> str:
    """The loose form of a statement; to be digested, never stored or shown as it is.

    Negation, numbers and names always survive; a question never falls together with a statement.
    """
    said = match_form(text).replace("’", "'")
    asked = "?" if _QUESTION.search(said) else ""
    said = _OPENINGS.sub("", said)
    for pattern, words in _CONTRACTIONS:
        said = pattern.sub(words, said)
    said = _OWNER_EN.sub(" ", _OWNER_ZH.sub("", said))
    said = _PARTICLES_ZH.sub("", said)
    kept = [
        _without_ending(word)
        for word in _LATIN_WORD.findall(said)
        if word not in _FILLERS_EN and unicodedata.category(word[0])[0] in "LMNS"
    ]
    # What is nothing but particles keeps them, or all such texts would be twins.
    return (" ".join(kept) or match_form(text)) + asked


def same_statement(one: str, other: str) -> bool:
    """Whether two texts state the same, as far as `loose_fingerprint` can tell."""
    return loose_fingerprint(one) == loose_fingerprint(other)


def _without_ending(word: str) -> str:
    """ "carries" and "carry", "lives" and "live": the user's words told of them by another."""
    if len(word) <= 3 or not word.isascii():
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ss", "us", "is")):
        return word
    found = _THIRD_PERSON.match(word)
    return found.group(1) if found else word
