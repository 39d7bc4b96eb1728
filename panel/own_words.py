"""Somebody's own words on a page: shown as they are, and kept apart from ours around them.

Whatever a person, an agent or a project is called, and whatever a memory says, passes one of these
on its way to the screen: `shown` where it stands alone, `isolated` inside a line of ours, `plain`
where no markup can stand (attributes, titles, options), `sentence` where Python puts it in words.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from django.utils.formats import number_format
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

_TONGUES = (
    ("ja", re.compile("[\u3041-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("zh", re.compile("[\u3400-\u9fff]")),
)
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")
# Letters and marks that are drawn as nothing at all.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
# Joiners and variation selectors shape emoji and scripts; they are text, not hiding places.
_SHAPING = frozenset("\u200c\u200d\ufe0e\ufe0f")


def shown(text: str) -> SafeString:
    """Text as it is: escaped, with what cannot be seen made visible. Markup of ours stays."""
    if isinstance(text, SafeString):
        return text
    parts: list[tuple[Any]] = []
    for run, char in _split(text):
        parts.append((run,))
        if char:
            badge = '<span class="unseen" title="{}">{}</span>'
            name = unicodedata.name(char, _code(char)).capitalize()
            parts.append((format_html(badge, name, _code(char)),))
    return format_html_join("", "{}", parts)


def plain(text: str) -> str:
    """The same where no markup can stand: what cannot be seen is spelt out, <U+202E>."""
    return "".join(f"{run}<{_code(char)}>" if char else run for run, char in _split(text))


def tongue(text: str) -> SafeString:
    """The lang attribute of somebody's own words, where their script tells it.

    Latin letters tell nothing, unless the page is in Chinese: then they are as good as English.
    """
    # Kana and Hangul first: Japanese has Chinese characters too.
    for lang, letters in _TONGUES:
        if letters.search(text):
            return format_html(' lang="{}"', lang)
    if (get_language() or "").startswith("zh") and _LATIN.search(text):
        return SafeString(' lang="en"')
    return SafeString("")


def isolated(text: str) -> SafeString:
    """Shown, and apart: its direction and its language are its own. Nothing where it is empty."""
    text = str(text or "")
    if not text or isinstance(text, SafeString):
        return SafeString(text)
    return format_html("<bdi{}>{}</bdi>", tongue(text), shown(text))


def sentence(ours: str, **theirs: str | int) -> SafeString:
    """A sentence of ours with somebody's own words in it; numbers are ours."""
    words = {
        name: number_format(text) if isinstance(text, int) else isolated(text)
        for name, text in theirs.items()
    }
    return mark_safe(escape(ours) % words)  # noqa: S308  (escaped, and so is each of the words)


def in_a_row(*said: str) -> SafeString:
    """Several sentences, one after the other."""
    return format_html_join(" ", "{}", ((shown(one),) for one in said if one))


def _split(text: str) -> list[tuple[str, str]]:
    """The text in runs, each with the hidden character after it; the last has none."""
    found = []
    start = 0
    for place, char in enumerate(text):
        if _hides(char, text, place):
            found.append((text[start:place], char))
            start = place + 1
    return [*found, (text[start:], "")]


def _code(char: str) -> str:
    return f"U+{ord(char):04X}"


def _hides(char: str, text: str, place: int) -> bool:
    if char in _SHAPING:
        before = text[place - 1] if place else " "
        return before.isascii()
    if char in _BLANK:
        return True
    if char in "\n\t" or char.isprintable() or char.isspace():
        return char in "\u2028\u2029"
    return unicodedata.category(char) in ("Cc", "Cf", "Cn", "Co", "Zl", "Zp")
