"""S1's own four answers (requirement 68), kept to be tested against the source's numbers."""

from typing import Protocol

from memory.domain import wording
from memory.domain.text import match_form


class _Keyed(Protocol):
    @property
    def content(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def value(self) -> str: ...


def resolve(new: _Keyed, old: _Keyed) -> str:
    """add, update, conflict or noop. `route` decides for the product."""
    if new.key != old.key:
        return "add"
    if match_form(new.value) == match_form(old.value):
        return "noop"
    return "update" if any(word in new.content for word in wording.REPLACEMENT_S1) else "conflict"
