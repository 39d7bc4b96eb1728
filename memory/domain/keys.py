"""The names of dimensions: their words, and whether one can hold one value or many at a time."""

import re

from memory.domain.lexicon import words_in

_SEPARATORS = re.compile(r"[._\-/:\s]+")

# Last words of a key that hold one value at a time.
_SINGLE = words_in(
    "residence home city country address hometown birthplace job position role profession "
    "occupation employer company name nickname birthday age gender nationality "
    "email phone timezone locale editor theme style diet primary main default current "
    "favorite favourite status manager partner spouse"
)
# Last words of a key that hold several values at once. A bare "language" or "project" is missing
# on purpose: callers use it for the main one (requirement 79), and asking is safer than piling up.
_MANY = words_in(
    "languages langs known spoken liked loved disliked tool tools hobby hobbies pet pets allergy "
    "allergies framework frameworks libraries skill skills interest interests projects like likes "
    "dislike dislikes foods friend friends child children kid kids sibling siblings medication "
    "medications drug drugs condition conditions goals habits devices certificates degrees schools "
    "trips books movies songs rules preferences tags tastes instruments sports databases clouds "
    "editors systems vehicles possessions plans experience"
)


# First parts of a key that only say that it is about the owner.
GENERAL = frozenset({"user", "owner", "me", "my", "profile"})


def words_of(key: str) -> list[str]:
    """The lower-case words of a key, in order."""
    return [word for word in _SEPARATORS.split(key.strip().lower()) if word]


def key_in_words(key: str) -> str:
    """`user.language.primary` as `user language primary`, for the search text."""
    return " ".join(words_of(key))


def is_single_valued(key: str) -> bool:
    """Whether two different values of the key exclude each other.

    The last word decides (`user.language.primary` is one, `user.languages` are many). A key that
    the lists do not know is single-valued until the owner says otherwise (DESIGN, Words).
    """
    words = words_of(key)
    if not words:
        return False
    last = words[-1]
    if last in _SINGLE:
        return True
    return last not in _MANY
