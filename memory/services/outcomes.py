"""What became of a fact, as callers are told and as ledgers keep it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memory.domain.values import DecidedBy, Decision, Reason, Relation
from memory.models import Memory
from memory.querysets.callers import Caller
from memory.services.replay import Noted


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a fact, in the words of API.md. `code` says why in one word."""

    decision: Decision
    relation: Relation
    reason: str
    code: str = ""
    decided_by: DecidedBy = DecidedBy.RULES
    memory: Memory | None = None
    target: Memory | None = None
    conflict: UUID | None = None
    # Why fewer agents see it than was asked for; '' where as many do.
    narrowed: str = ""
    # Stored without a vector: a worker should embed it soon.
    unembedded: bool = False

    @property
    def said(self) -> str:
        """The reason, and that fewer see it than was asked for."""
        return f"{self.reason} {_NARROWED[self.narrowed]}" if self.narrowed else self.reason


_NARROWED = {
    "sensitive": "It is sensitive, so it is private to this agent until the owner grants more.",
    "not_in_project": "This agent is not in that project, so it is private to this agent.",
}
# The code of a statement that answered an open question by its own words.
SETTLED = "settled"
_REFUSED = {
    "external_refused": (
        "Text from outside is not remembered unless the owner allows it for this agent."
    ),
    "secret": "This holds a secret. Secrets are not remembered.",
    "empty_of_facts": "This says nothing to remember.",
    "question": "A question states nothing to remember.",
    "denied_by_owner": "The owner said that this is not so.",
}


def say_why(decision: Decision, relation: Relation, code: str, cue: str = "") -> str:
    """The decision in a sentence a person understands; API.md names one refusal by its code."""
    quoted = f" (“{cue}”)" if cue else ""
    if decision is Decision.REFUSED:
        return _REFUSED.get(code, code)
    if code == SETTLED:
        return "The user's own words answer an open question; it is settled, and can be undone."
    if code == Reason.INFERRED:
        return "Concluded, not said: it waits until the owner confirms it."
    if code == Reason.EXTERNAL:
        return "It comes from outside: it waits until the owner confirms it."
    if code == Reason.QUARANTINED:
        return "It holds orders to an agent: no agent is given it, the owner is asked."
    return {
        Decision.NOOP: "This is remembered already; noted that it was said again.",
        Decision.ADD: {
            Relation.COEXIST: f"It stands beside what is known{quoted}.",
            Relation.HISTORICAL: "It is older than what is known and joins its history.",
        }.get(relation, "Nothing known speaks about this yet."),
        Decision.UPDATE: f"It takes the place of the earlier value{quoted}.",
        Decision.DELETE: f"It ends what was known{quoted}; the earlier memory can be restored.",
        Decision.CONFLICT: f"It contradicts what is known; the owner is asked{quoted}.",
    }.get(decision, relation.value)


def note_outcome(outcome: Outcome) -> Noted:
    """An outcome as a ledger keeps it: ids and codes, no words."""
    return {
        "decision": outcome.decision,
        "relation": outcome.relation,
        "code": outcome.code,
        "decided_by": outcome.decided_by,
        "memory": outcome.memory.pk if outcome.memory is not None else None,
        "target": outcome.target.pk if outcome.target is not None else None,
        "conflict": outcome.conflict,
        "narrowed": outcome.narrowed,
    }


def recall_outcomes(caller: Caller, noted: Sequence[Noted]) -> list[Outcome]:
    """Outcomes noted before, with their rows as they are now; one statement. Inside owner_scope.

    A row that was taken away since is None.
    """
    named = {entry[name] for entry in noted for name in ("memory", "target") if entry[name]}
    rows = {
        str(row.pk): row
        for row in Memory.objects.of(caller.owner).kept().filter(pk__in=named).for_showing()
    }
    return [
        Outcome(
            decision=Decision(entry["decision"]),
            relation=Relation(entry["relation"]),
            reason=say_why(Decision(entry["decision"]), Relation(entry["relation"]), entry["code"]),
            code=entry["code"],
            decided_by=DecidedBy(entry["decided_by"]),
            memory=rows.get(entry["memory"]),
            target=rows.get(entry["target"]),
            conflict=UUID(entry["conflict"]) if entry["conflict"] else None,
            # Not in what was noted before there was such a thing.
            narrowed=entry.get("narrowed", ""),
        )
        for entry in noted
    ]
