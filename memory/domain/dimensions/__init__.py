"""What a statement speaks about: the key, the value, and whether one or many can hold."""

from memory.domain.dimensions.detection import detect
from memory.domain.dimensions.shapes import Dimension
from memory.domain.dimensions.tools import kindred_keys
from memory.domain.keys import is_single_valued, key_in_words, words_of

__all__ = ["Dimension", "detect", "is_single_valued", "key_in_words", "kindred_keys", "words_of"]
