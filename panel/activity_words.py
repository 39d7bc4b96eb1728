"""The words of Activity: its filters, why something happened, what of a memory changed."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy

from memory.domain.values import Reason, Relation, Ruling
from memory.models.checks import CheckState
from memory.models.events import AGREED, Verb
from panel import words

Words = dict[str, str | Promise]

# What can be asked for, in groups a person would look for.
GROUPS: dict[str, frozenset[Verb]] = {
    "written": frozenset({Verb.WRITTEN, Verb.SAID_AGAIN, Verb.REFUSED, Verb.HELD, Verb.CONTESTED}),
    "changed": frozenset(
        {Verb.EDITED, Verb.CHANGED, Verb.OUTDATED, Verb.STILL_TRUE, Verb.SUPERSEDED, Verb.PROMOTED,
         Verb.RENAMED, Verb.PINNED}
    ),
    "decided": frozenset(
        {Verb.CONFIRMED, Verb.DENIED, Verb.SETTLED, Verb.POSTPONED, Verb.CHECKED}
    ),
    "taken": frozenset(
        {Verb.DELETED, Verb.RESTORED, Verb.ARCHIVED, Verb.UNARCHIVED, Verb.CLEARED, Verb.ERASED}
    ),
    "agents": AGREED - {Verb.PAUSED, Verb.RESUMED} | {Verb.SHARED},
    "rules": frozenset({Verb.TUNED, Verb.PAUSED, Verb.RESUMED}),
    "looked": frozenset({Verb.CLAIMED, Verb.HANDED_BACK, Verb.SEEN, Verb.ESCALATED}),
    "undone": frozenset({Verb.UNDONE}),
}  # fmt: skip
GROUP: Words = {
    "written": gettext_lazy("Remembered"),
    "changed": gettext_lazy("Changed"),
    "decided": gettext_lazy("Decided"),
    "taken": gettext_lazy("Deleted, archived, restored"),
    "agents": gettext_lazy("Agents and sharing"),
    "rules": gettext_lazy("Settings and pauses"),
    "looked": gettext_lazy("Administrators at work"),
    "undone": gettext_lazy("Undone"),
}
FIELD: Words = {
    "tier": pgettext_lazy("of a memory", "Tier"),
    "source": pgettext_lazy("of a memory", "Source"),
    "visibility": pgettext_lazy("of a memory", "Who sees it"),
    "importance": pgettext_lazy("of a memory", "Importance"),
    "valid_from": pgettext_lazy("of a memory", "True from"),
    "valid_to": pgettext_lazy("of a memory", "True until"),
}
# How what was written stands to what was known.
_WRITTEN: Words = {
    Relation.REPLACEMENT: gettext_lazy("It takes the place of an earlier value."),
    Relation.REFINEMENT: gettext_lazy("It says more exactly what was known."),
    Relation.POLARITY: gettext_lazy("It says the opposite of what was known."),
    Relation.CONTRADICTION: gettext_lazy("It contradicts something else you keep."),
    Relation.COEXIST: gettext_lazy("It stands beside what was known."),
    Relation.HISTORICAL: gettext_lazy("It is older than what is known."),
    Reason.SUGGESTION: gettext_lazy("Several weak memories point to it."),
    "imported": gettext_lazy("You imported it."),
}
_REFUSED: Words = {
    "external_refused": gettext_lazy("It came from outside, and this agent may not keep that."),
    "secret": gettext_lazy("It holds a secret. Secrets are not remembered."),
    "empty_of_facts": gettext_lazy("It says nothing to remember."),
    "question": gettext_lazy("It is a question."),
    "deleted_by_owner": gettext_lazy("You had deleted this."),
    "denied_by_owner": gettext_lazy("You had said that this is not so."),
}
_SETTLED: Words = {
    Ruling.KEPT: gettext_lazy("One of the two stays."),
    Ruling.BOTH: gettext_lazy("Both are true."),
    Ruling.MERGED: gettext_lazy("New words take the place of both."),
    Ruling.NEITHER: gettext_lazy("Neither is true."),
    "overtaken": gettext_lazy("Something newer answered it."),
}
_BY_VERB: dict[str, Words] = {
    Verb.WRITTEN: _WRITTEN,
    Verb.REFUSED: _REFUSED,
    Verb.SETTLED: _SETTLED,
    Verb.SUPERSEDED: {
        **words.WHY_PAST,
        "merged": gettext_lazy("Another memory says the same."),
    },
    Verb.HELD: {
        **words.WHY_WAITING,
        Reason.REPORTED: gettext_lazy("An agent reported it as wrong."),
        Reason.ELSEWHERE: gettext_lazy("Two agents know different things."),
        Reason.SHARING: gettext_lazy("It matters for your safety, and one agent alone knows it."),
        "evidence": gettext_lazy("It was said again while the question was open."),
        "imported": gettext_lazy("It waited in the file you imported."),
    },
    Verb.CONTESTED: {"imported": gettext_lazy("It was contested in the file you imported.")},
    # Not `outdated`: that is what the owner did, and the verb says so.
    Verb.OUTDATED: {reason: words.WHY_STALE[reason] for reason in (Reason.FADED, Reason.EXPIRED)},
    Verb.STILL_TRUE: {
        "unopposed": gettext_lazy("Nothing contradicts it any more."),
        "words": gettext_lazy("Your own words said so."),
    },
    Verb.ARCHIVED: {
        "faded": gettext_lazy("Too little of it was left."),
        "idle": gettext_lazy("No agent has used it for a long time."),
    },
    Verb.PROMOTED: {
        "served": gettext_lazy("Agents used it again and again."),
    },
    Verb.ERASED: {
        "deleted": gettext_lazy("Its time in Recently deleted was over."),
        "purged": gettext_lazy("It had faded for good, as you had set it."),
    },
    Verb.RESTORED: {
        "merged": gettext_lazy("As past: something newer had come in."),
        "true_again": gettext_lazy("You said that it is true again."),
    },
    Verb.CHANGED: {
        "beside": gettext_lazy("It no longer excludes another value."),
        "validity": gettext_lazy("You said from when to when it holds."),
        "values": gettext_lazy("How many values a topic may have."),
        "allowed_again": gettext_lazy("Agents may learn it again."),
    },
    Verb.EDITED: {"corrected": gettext_lazy("You corrected it in a spot check.")},
    Verb.CHECKED: {
        CheckState.RIGHT: gettext_lazy("We had understood it right."),
        CheckState.WRONG: gettext_lazy("We had understood it wrong."),
    },
}


def why_happened(verb: str, reason: str) -> str:
    """Why something happened, in a sentence; empty where the verb says it all."""
    return str(_BY_VERB.get(verb, {}).get(reason, ""))
