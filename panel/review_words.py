"""The words of Review and of the admins' queue for the codes behind them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from memory.domain.decisions import Decision
from memory.domain.sensitivity import NAMES
from memory.domain.values import Reason
from memory.models import Event, Memory
from memory.models.events import Verb
from panel.own_words import sentence
from panel.words import Words, why

# What a card is about, in a word or two.
KIND: Words = {
    Reason.CONTRADICTION: gettext_lazy("Contradiction"),
    Reason.ELSEWHERE: gettext_lazy("Contradiction between agents"),
    Reason.INFERRED: gettext_lazy("Guess"),
    Reason.EXTERNAL: gettext_lazy("From outside"),
    Reason.QUARANTINED: gettext_lazy("Instructions to an agent"),
    Reason.SUGGESTION: gettext_lazy("Suggestion"),
    Reason.REPORTED: gettext_lazy("Reported as wrong"),
    Reason.SHARING: gettext_lazy("A safety fact"),
    "check": gettext_lazy("Spot check"),
}
WHY_ASKED: Words = {
    Reason.CONTRADICTION: gettext_lazy("Nothing you said settles it, so you decide."),
    Reason.ELSEWHERE: gettext_lazy(
        "Each was told to one agent alone; only you may see both together."
    ),
    Reason.REPORTED: gettext_lazy("An agent was served it and says that it is wrong."),
    Reason.SHARING: gettext_lazy("So far one agent alone may see it."),
    "check": gettext_lazy("A few a week are drawn at random from what was learned in talks."),
}
RULING: Words = {
    "kept": gettext_lazy("One of them was kept as true."),
    "both": gettext_lazy("Both were said to be true."),
    "merged": gettext_lazy("New words took their place."),
    "neither": gettext_lazy("It was said to be not so."),
    "shared": gettext_lazy("All agents may know it now."),
    "kept_apart": gettext_lazy("It stays with the one agent."),
    "overtaken": gettext_lazy("Something said later in plain words settled it."),
    "withdrawn": gettext_lazy("What it was about was changed or taken away."),
    "right": gettext_lazy("It was said to be right."),
    "wrong": gettext_lazy("It was said to be wrong."),
}
TOPIC: Words = {
    "emotion": pgettext_lazy("sensitive topic", "feelings"),
    "health": pgettext_lazy("sensitive topic", "health"),
    "money": pgettext_lazy("sensitive topic", "money"),
    "work_search": pgettext_lazy("sensitive topic", "looking for work"),
    "intimacy": pgettext_lazy("sensitive topic", "love life"),
    "beliefs": pgettext_lazy("sensitive topic", "beliefs"),
}
# Why the program archived a memory.
WHY_ARCHIVED: Words = {
    "faded": gettext_lazy("Too little was left of it."),
    "idle": gettext_lazy("No agent had used it for a long time."),
}
# How long entries of the admins' queue have been waiting.
AGE: Words = {
    "day": gettext_lazy("Under a day"),
    "week": gettext_lazy("1 to 7 days"),
    "month": gettext_lazy("7 to 30 days"),
    "older": gettext_lazy("Over 30 days"),
}
# What an admin says of several entries at once, and what it does.
DECISION: Words = {
    Decision.NEWER: gettext_lazy("What was said last is true"),
    Decision.OLDER: gettext_lazy("What was said first is true"),
    Decision.BOTH: gettext_lazy("Both are true"),
    Decision.TRUE: gettext_lazy("It is true"),
    Decision.NEITHER: gettext_lazy("Nothing of it is true"),
    Decision.ESCALATE: gettext_lazy("Escalate"),
}
DOES: Words = {
    Decision.NEWER: gettext_lazy(
        "Of each, what was said last is kept as true; the other side moves to the past."
    ),
    Decision.OLDER: gettext_lazy(
        "Of each, what was said first is kept as true; the other side moves to the past."
    ),
    Decision.BOTH: gettext_lazy("Both sides of each are kept as true, beside each other."),
    Decision.TRUE: gettext_lazy("Each is kept as true, as if its owner had confirmed it."),
    Decision.NEITHER: gettext_lazy("Each is denied, and not proposed again."),
    Decision.ESCALATE: gettext_lazy(
        "Nothing is decided: they leave the queue and stand under Escalated, for all "
        "administrators."
    ),
}
BECOMES: Words = {
    "true": gettext_lazy("is kept as true"),
    "past": gettext_lazy("moves to the past"),
    "untrue": gettext_lazy("is denied"),
    "stays": gettext_lazy("stays as it is"),
    "beside": gettext_lazy("stays, unless only one of them can be true"),
}
# Why an entry is left as it is, by memory.services.decide_many.Left.
LEFT: Words = {
    "claimed": gettext_lazy("somebody else has it"),
    "settled": gettext_lazy("settled meanwhile"),
    "changed": gettext_lazy("changed meanwhile"),
    "unfit": gettext_lazy("this decision does not answer it"),
}


def taken_up(who: str, until: datetime) -> str:
    """Who is at an entry, and until when."""
    ends = date_format(timezone.localtime(until), "H:i")
    return sentence(_("Taken up by %(who)s until %(until)s."), who=who, until=escape(ends))


def why_changed(event: Event, memory: Memory) -> str:
    """Why the program retired a memory, in a sentence."""
    if event.verb == Verb.ARCHIVED:
        return str(WHY_ARCHIVED.get(event.reason, ""))
    return why(memory)


def age_name(age: str | None) -> str:
    """How long entries have been waiting, in words; nothing for any time."""
    return str(AGE[age]) if age else ""


def sensitive_topics(codes: Iterable[str]) -> list[str]:
    """The sensitive topics by name, always in the same order."""
    found = set(codes)
    return [str(TOPIC[name]) for name in NAMES if name in found]


def ruling_name(ruling: str) -> str:
    """What a ruling was, as a sentence."""
    return str(RULING.get(ruling, RULING["withdrawn"]))
