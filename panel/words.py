"""The words people read for the codes the rules use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from memory.domain.values import Kind, Preset, Reason, Source, Status, Strategy, Tier, Visibility
from memory.models import Memory
from memory.models.events import Actor, Verb
from memory.services.find_gate import Gate
from panel.own_words import sentence

Words = dict[str, str | Promise]

STATUS: Words = {
    Status.CONFLICT: gettext_lazy("Waiting for you"),
    Status.ACTIVE: gettext_lazy("Active"),
    Status.STALE: gettext_lazy("May be out of date"),
    Status.SUPERSEDED: gettext_lazy("Past"),
}
SOURCE: Words = {
    Source.USER_STATED: gettext_lazy("you said it"),
    Source.INFERRED: gettext_lazy("concluded"),
    Source.EXTERNAL: gettext_lazy("from outside"),
}
KIND: Words = {
    Kind.SEMANTIC: gettext_lazy("Facts"),
    Kind.EPISODIC: gettext_lazy("Events"),
    Kind.PROCEDURAL: gettext_lazy("Rules of behaviour"),
}
TIER: Words = {
    Tier.LONG_TERM: gettext_lazy("Long-term"),
    Tier.SHORT_TERM: gettext_lazy("Short-term"),
    Tier.WORKING: gettext_lazy("Working"),
}
VISIBILITY: Words = {
    Visibility.PRIVATE: gettext_lazy("One agent"),
    Visibility.GROUP: gettext_lazy("One project"),
    Visibility.USER: gettext_lazy("All your agents"),
}
SENSITIVITY: Words = {
    "emotion": gettext_lazy("your feelings"),
    "health": gettext_lazy("your health"),
    "money": gettext_lazy("your money"),
    "work_search": gettext_lazy("your looking for work"),
    "intimacy": gettext_lazy("your love life"),
    "beliefs": gettext_lazy("your beliefs"),
}
SCOPE: Words = {
    "recall": gettext_lazy("recall"),
    "write": gettext_lazy("remember"),
    "delete": gettext_lazy("delete its own"),
}
WHY_WAITING: Words = {
    Reason.CONTRADICTION: gettext_lazy("It contradicts something else you keep."),
    Reason.INFERRED: gettext_lazy("An agent concluded it; you never said it."),
    Reason.EXTERNAL: gettext_lazy("It came from outside, not from you."),
    Reason.QUARANTINED: gettext_lazy("It contains instructions to an agent, so no agent gets it."),
    Reason.SUGGESTION: gettext_lazy("Several weak memories point to it."),
}
WHY_PAST: Words = {
    Reason.DENIED: gettext_lazy("You said it is not true."),
    Reason.REPLACED: gettext_lazy("Something newer took its place."),
    Reason.POLARITY: gettext_lazy("The opposite was said later."),
    Reason.ENDED: gettext_lazy("It ended."),
    Reason.CORRECTED: gettext_lazy("It was a mistake."),
}
WHY_STALE: Words = {
    Reason.OUTDATED: gettext_lazy("You marked it as out of date."),
    Reason.FADED: gettext_lazy("Nobody has said it for a long time."),
    Reason.EXPIRED: gettext_lazy("Its time has passed."),
}
VERB: Words = {
    Verb.WRITTEN: pgettext_lazy("event", "Remembered"),
    Verb.SAID_AGAIN: pgettext_lazy("event", "Said again"),
    Verb.REFUSED: pgettext_lazy("event", "Refused"),
    Verb.SUPERSEDED: pgettext_lazy("event", "Moved to the past"),
    Verb.HELD: pgettext_lazy("event", "Held for you to decide"),
    Verb.CONTESTED: pgettext_lazy("event", "Contested"),
    Verb.CONFIRMED: pgettext_lazy("event", "Confirmed"),
    Verb.DENIED: pgettext_lazy("event", "Denied"),
    Verb.EDITED: pgettext_lazy("event", "Corrected"),
    Verb.CHANGED: pgettext_lazy("event", "Changed"),
    Verb.OUTDATED: pgettext_lazy("event", "Marked as out of date"),
    Verb.STILL_TRUE: pgettext_lazy("event", "Marked as still true"),
    Verb.DELETED: pgettext_lazy("event", "Deleted"),
    Verb.RESTORED: pgettext_lazy("event", "Restored"),
    Verb.PINNED: pgettext_lazy("event", "Pinned"),
    Verb.ARCHIVED: pgettext_lazy("event", "Archived"),
    Verb.UNARCHIVED: pgettext_lazy("event", "Taken out of the archive"),
    Verb.SHARED: pgettext_lazy("event", "Shared"),
    Verb.CLEARED: pgettext_lazy("event", "Cleared everything"),
    Verb.ERASED: pgettext_lazy("event", "Erased"),
    Verb.PAUSED: pgettext_lazy("event", "Paused"),
    Verb.RESUMED: pgettext_lazy("event", "Resumed"),
    Verb.UNDONE: pgettext_lazy("event", "Undone"),
    Verb.POSTPONED: pgettext_lazy("event", "Put off"),
    Verb.RENAMED: pgettext_lazy("event", "Renamed a topic"),
    Verb.CHECKED: pgettext_lazy("event", "Looked over"),
    Verb.SETTLED: pgettext_lazy("event", "Settled"),
    Verb.CLAIMED: pgettext_lazy("event", "Took up a question of yours"),
    Verb.HANDED_BACK: pgettext_lazy("event", "Handed a question back to you"),
    Verb.SEEN: pgettext_lazy("event", "Looked at your words"),
    Verb.ESCALATED: pgettext_lazy("event", "Passed a question of yours on to other administrators"),
    Verb.PROMOTED: pgettext_lazy("event", "Will fade more slowly"),
    Verb.TUNED: pgettext_lazy("event", "Changed how memory behaves"),
    Verb.GRANTED: pgettext_lazy("event", "Let more be used"),
    Verb.REVOKED: pgettext_lazy("event", "Took a permission back"),
    Verb.CONNECTED: pgettext_lazy("event", "Connected an agent"),
    Verb.KEY_MADE: pgettext_lazy("event", "Made a key"),
    Verb.KEY_REVOKED: pgettext_lazy("event", "Revoked a key"),
    Verb.ALLOWED: pgettext_lazy("event", "Let text from outside wait"),
    Verb.BARRED: pgettext_lazy("event", "Refused text from outside"),
    Verb.JOINED: pgettext_lazy("event", "Put an agent into a project"),
    Verb.LEFT: pgettext_lazy("event", "Took an agent out of a project"),
}
STRATEGY: Words = {
    Strategy.TEMPERED: gettext_lazy("Relevance first"),
    Strategy.WEIGHTED: gettext_lazy("Weighted"),
    Strategy.MULTIPLICATIVE: gettext_lazy("Fading counts fully"),
}
PRESET: Words = {
    Preset.STANDARD: gettext_lazy("Weighted: standard"),
    Preset.KNOWLEDGE: gettext_lazy("Weighted: knowledge"),
    Preset.ASSISTANT: gettext_lazy("Weighted: assistant"),
    Preset.BUSINESS: gettext_lazy("Weighted: business"),
}
# Why a memory was not told; the last is of old recalls, which keep the number alone.
GATE: Words = {
    Gate.SERVED: gettext_lazy("It was told."),
    Gate.STANDING: gettext_lazy("It is always told."),
    Gate.PAUSED: gettext_lazy("Everything is paused, or this agent is."),
    Gate.VISIBILITY: gettext_lazy("This agent may not see it."),
    Gate.NOT_YET: gettext_lazy("It was written later."),
    Gate.FILTER: gettext_lazy("The agent asked for other memories only."),
    Gate.WAITS: gettext_lazy("It waits for you."),
    Gate.SUPERSEDED: gettext_lazy("It is past."),
    Gate.ARCHIVED: gettext_lazy("It is archived."),
    Gate.NOT_A_CANDIDATE: gettext_lazy("It was not among the nearest memories."),
    Gate.FADED: gettext_lazy("It had faded out: under 2% was left."),
    Gate.BELOW_QUALITY: gettext_lazy("It has too little to do with the question."),
    Gate.TOPIC_HAS_ACTIVE: gettext_lazy("Its topic has something newer."),
    Gate.BEYOND_TOP_K: gettext_lazy("It ranked too low for the number that was asked for."),
    Gate.BEYOND_MAX_TOKENS: gettext_lazy("There was no room left for it."),
    "not_told": gettext_lazy("Ranked too low, waits for you, or its topic has something newer."),
}
STANDING: Words = {
    "safety": gettext_lazy("for your safety"),
    "rule": gettext_lazy("a rule of behaviour"),
}
# Why an act was refused, by the field it stumbled over.
REFUSED: Words = {
    "content": gettext_lazy("Another memory says the same already. Confirm that one."),
    "waits": gettext_lazy("What took its place waits for your answer. Answer that first."),
    "key": gettext_lazy("Another memory already speaks about this topic. Edit or delete that one."),
}
CANNOT_UNDO: Words = {
    "changed": gettext_lazy("It was changed since, so undoing would lose that change."),
    "undone": gettext_lazy("That was undone already."),
    "erased": gettext_lazy("What it was about has been erased."),
    "final": gettext_lazy("This cannot be undone."),
}


def quoted(text: str) -> str:
    """A memory's words inside a sentence of ours."""
    return _("“%(text)s”") % {"text": text}


def shortened(text: str, most: int = 60) -> str:
    """One line of a text, for a sentence about it."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def status_name(status: str) -> str:
    return str(STATUS[status])


def source_name(source: str) -> str:
    return str(SOURCE[source])


def who_sees(memory: Memory) -> str:
    """Which agents get it, in words. Reads agent and project."""
    if memory.visibility == Visibility.USER:
        return _("all your agents see it")
    if memory.visibility == Visibility.GROUP and memory.project:
        return sentence(_("agents in %(project)s see it"), project=memory.project.name)
    if memory.agent:
        return sentence(_("only %(agent)s sees it"), agent=memory.agent.name)
    return _("only you see it")


def why(memory: Memory) -> str:
    """Why the status is what it is, in a sentence; empty where there is nothing to say."""
    if memory.status_reason == Reason.EXTERNAL and memory.source == Source.INFERRED:
        return str(WHY_WAITING[Reason.INFERRED])
    for words in (WHY_WAITING, WHY_PAST, WHY_STALE):
        if memory.status_reason in words:
            return str(words[memory.status_reason])
    return ""


def question(memory: Memory) -> str:
    """What is asked about a memory that waits."""
    text = shortened(memory.content, 200)
    guessed = memory.source == Source.INFERRED
    if memory.status_reason == Reason.EXTERNAL and not guessed:
        return _("“%(text)s” came from outside. Is it true?") % {"text": text}
    if memory.status_reason == Reason.QUARANTINED:
        return _("“%(text)s” tries to instruct an agent. Is it a fact about you?") % {"text": text}
    if memory.status_reason == Reason.SUGGESTION:
        return _("“%(text)s”: have we understood that right?") % {"text": text}
    return _("“%(text)s”: is that what you meant?") % {"text": text}


def strategy_name(strategy: str, preset: str | None = None) -> str:
    if strategy == Strategy.WEIGHTED:
        return str(PRESET[preset or Preset.STANDARD])
    return str(STRATEGY[strategy])


def gate_name(rule: str) -> str:
    """Why a memory was not told, in a sentence."""
    return str(GATE[rule])


def cannot_undo(reason: str) -> str:
    return str(CANNOT_UNDO.get(reason, CANNOT_UNDO["final"]))


def event_name(verb: str, data: Mapping[str, Any]) -> str:
    """What was done, in the words of its verb; unpinning has no verb of its own."""
    if verb == Verb.PINNED and not data.get("after", {}).get("pinned", True):
        return pgettext("event", "Unpinned")
    return str(VERB[verb])


def why_refused(fields: Iterable[str]) -> str:
    return next((str(REFUSED[name]) for name in fields if name in REFUSED), str(REFUSED["key"]))


def actor_name(actor: str, agent: str = "") -> str:
    if actor == Actor.OWNER:
        return _("You")
    if actor == Actor.AGENT:
        return agent or _("An agent")
    if actor == Actor.ADMIN:
        return _("An administrator")
    return pgettext("who did it", "Memoir")
