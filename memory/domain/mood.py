"""In which mood a statement is made: about now, or asked, planned, past, reported, passing."""

import re
from dataclasses import dataclass
from functools import lru_cache

from memory.domain import wording
from memory.domain.text import match_form
from memory.domain.wording import find, find_change

# Longer text is no statement; its first words are read.
MOST_READ = 2000
_BORDERS = re.compile(r"[,;。，；！!\n]|\.(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Mood:
    """The wordings found, '' where none."""

    hypothetical: str
    intended: str
    future: str
    reported: str
    past: str
    temporary: str
    hedged: str
    unsure: str
    coexist: str
    undecided: str
    decided: str
    change: str
    now: str
    correction: str
    compared: str
    ended: str

    def is_about_now(self, *, dated: bool = False) -> bool:
        """Whether it states something of the present. `dated`: it speaks about a date to come."""
        if self.hypothetical or self.reported or (self.intended and not self.decided):
            return False
        return dated or not self.future or bool(self.change and self.decided)

    def is_past(self) -> bool:
        """Told of the past alone: no change up to now in the same breath."""
        return bool(self.past) and not (self.change or self.now or self.correction or self.ended)

    def is_passing(self) -> bool:
        """ "These days" alone is passing; with a comparison or a replacement it is a change."""
        return bool(self.temporary) and not (
            self.change or self.correction or self.compared or self.decided
        )


def clauses(said: str) -> list[str]:
    """The parts of a text between commas and stops."""
    return [clause.strip() for clause in _BORDERS.split(said) if clause.strip()]


@lru_cache(maxsize=4096)
def read_mood(content: str) -> Mood:
    said = match_form(content[:MOST_READ])
    parts = clauses(said)
    # A change named in a clause that plans or supposes is no change: that clause is left out.
    stated = [
        part
        for part in parts
        if not find(part, wording.INTENDED) and not find(part, wording.HYPOTHETICAL)
    ]
    told = ",".join(stated) if stated else ""
    # Doubt in one clause takes nothing from what another states: "换成 Go 了，可能有点慢".
    sure = [part for part in stated if not find(part, wording.UNSURE)]
    firm = any(
        find_change(part, wording.REPLACEMENT)
        or find_change(part, wording.CORRECTION)
        or find(part, wording.ENDED)
        for part in sure
    )
    # "没有换成 Go" may stand across a comma from its negation only in its own clause.
    return Mood(
        hypothetical=find(said, wording.HYPOTHETICAL),
        intended=find(said, wording.INTENDED),
        future=find(said, wording.FUTURE),
        reported=find(said, wording.REPORTED),
        past=find(said, wording.PAST),
        temporary=find(said, wording.TEMPORARY),
        hedged=find(said, wording.HEDGED),
        unsure="" if firm else find(said, wording.UNSURE),
        coexist=find(said, wording.COEXIST),
        undecided=find(said, wording.UNDECIDED),
        decided=find(said, wording.DECIDED),
        change=find_change(told, wording.REPLACEMENT),
        now=find(told, wording.NOW),
        correction=find_change(said, wording.CORRECTION),
        compared=find(said, wording.COMPARED),
        ended=next((cue for part in stated if (cue := find(part, wording.ENDED))), ""),
    )
