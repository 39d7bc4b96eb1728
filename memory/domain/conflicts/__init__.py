"""What becomes of a new statement beside the memories it speaks about."""

from memory.domain.conflicts.comparing import find_objects
from memory.domain.conflicts.evidence import adds_nothing, side_that_holds
from memory.domain.conflicts.router import replacement_cue, route
from memory.domain.conflicts.shapes import CueKind, Known, Routing, Statement
from memory.domain.conflicts.sketch import resolve
from memory.domain.polarity import is_negative

__all__ = [
    "CueKind",
    "Known",
    "Routing",
    "Statement",
    "adds_nothing",
    "find_objects",
    "is_negative",
    "replacement_cue",
    "resolve",
    "route",
    "side_that_holds",
]
