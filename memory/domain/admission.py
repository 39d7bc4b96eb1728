"""The gate a statement passes before anything is stored: whose word it is."""

from dataclasses import dataclass

from memory.domain.values import Reason, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """Whether a statement may be stored, and whether it must wait for the owner.

    `code` is stable and holds no words of the statement; `reason` is the status reason of a
    statement that waits.
    """

    accepted: bool
    waits: bool
    code: str
    reason: Reason | None = None


def admit(source: Source, *, external_allowed: bool = False) -> Admission:
    """What a source may do (requirements 63 to 65; 5.5 h).

    The user's words are facts, an inference waits, outside content is refused unless the owner
    allows it for the writing agent, and then waits.
    """
    if source is Source.USER_STATED:
        return Admission(accepted=True, waits=False, code="stated")
    if source is Source.INFERRED:
        return Admission(accepted=True, waits=True, code="inferred", reason=Reason.INFERRED)
    if external_allowed:
        return Admission(accepted=True, waits=True, code="external_allowed", reason=Reason.EXTERNAL)
    return Admission(accepted=False, waits=False, code="external_refused")
