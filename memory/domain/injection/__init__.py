"""Text that gives orders to the agent instead of saying something about the owner.

Such text is not refused but quarantined: no agent ever reads it, the owner may. How the owner
wants to be answered ("always answer in Chinese") is a wish where the owner says it and an order
where anything else does.
"""

import base64
import binascii
import re
from dataclasses import dataclass

from memory.domain.injection.orders import (
    ANYWHERE,
    FOR_THE_SPEAKER,
    PLANTED_BY_USER,
    STANDING_ORDER,
    InstructionKind,
)
from memory.domain.text import match_form
from memory.domain.values import Source

__all__ = ["Instruction", "InstructionKind", "find_instruction"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """An order that was found."""

    kind: InstructionKind


_HIDDEN_RUN = re.compile(
    r"[A-Za-z\u4e00-\u9fff][\u00ad\u200b-\u200d\u2060-\u2064\ufeff]{1,8}[A-Za-z\u4e00-\u9fff]"
)
_TAG_CHARACTERS = re.compile(r"[\U000e0020-\U000e007f]+")
# The flags of England, Scotland and Wales are written with tag characters.
_FLAG = re.compile("\U0001f3f4[\U000e0061-\U000e007a\U000e0030-\U000e0039]{3,6}\U000e007f")
_SPACED_OUT = re.compile(r"(?:(?<!\S)\S ){5,400}\S(?!\S)")
_OVERRIDE_UNSPACED = re.compile(
    r"(?:ignore|disregard|forget|bypass)(?:all|any|the|of|your){0,4}"
    r"(?:previous|prior|above|earlier|system|safety)(?:instructions?|directions?|rules|prompts?)"
)
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{24,8000}={0,2}")
_CJK_GAP = re.compile(r"(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")


def find_instruction(text: str, *, source: Source = Source.USER_STATED) -> Instruction | None:
    """The first order to the agent that a text gives, or None.

    What the owner says about answers, style and recommendations to themselves is no order; the
    same words from outside are.
    """
    kind = _find_hidden(text) or _find_spoken(text, source) or _find_encoded(text, source)
    return Instruction(kind=kind) if kind else None


def _find_hidden(text: str) -> InstructionKind | None:
    """Characters nobody sees, used to carry words or to break them up."""
    if text.isascii():
        return None
    if _TAG_CHARACTERS.search(_FLAG.sub("", text)):
        return InstructionKind.HIDDEN_TEXT
    if len(_HIDDEN_RUN.findall(text)) >= 2:
        return InstructionKind.HIDDEN_TEXT
    return None


def _find_spoken(text: str, source: Source) -> InstructionKind | None:
    # Line breaks matter to forged roles, so they outlive the folding as a mark of their own.
    said = "\n".join(match_form(line) for line in text.splitlines())
    said = _CJK_GAP.sub("", said)
    for kind, pattern in ANYWHERE:
        found = pattern.search(said)
        if found and not _is_own_wish(said, found, kind, source):
            return kind
    spaced = _SPACED_OUT.search(said)
    if spaced and _OVERRIDE_UNSPACED.search(spaced.group().replace(" ", "")):
        return InstructionKind.OVERRIDE
    if source is Source.USER_STATED:
        planted = PLANTED_BY_USER.search(said) and not FOR_THE_SPEAKER.search(said)
        return InstructionKind.PLANTING if planted else None
    if PLANTED_BY_USER.search(said):
        return InstructionKind.PLANTING
    if source is Source.EXTERNAL and STANDING_ORDER.search(said):
        return InstructionKind.ORDER_FROM_OUTSIDE
    return None


def _is_own_wish(said: str, found: re.Match[str], kind: InstructionKind, source: Source) -> bool:
    """ "以后都推荐我清淡的菜": what the owner asks for themselves."""
    return (
        source is Source.USER_STATED
        and kind is InstructionKind.PLANTING
        and FOR_THE_SPEAKER.search(said, found.start()) is not None
    )


def _find_encoded(text: str, source: Source) -> InstructionKind | None:
    for found in _BASE64.finditer(text):
        blob = found.group().rstrip("=")
        try:
            raw = base64.b64decode(blob + "=" * (-len(blob) % 4), validate=True)
            words = raw.decode("utf-8")
        except (binascii.Error, ValueError):
            continue
        if words.isprintable() and _find_spoken(words, source):
            return InstructionKind.ENCODED
    return None
