"""The words of Review and of the admins' queue for the codes behind them."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext_lazy, pgettext_lazy

from memory.domain.sensitivity import NAMES
from memory.domain.values import Reason
from panel.words import Words

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


def sensitive_topics(codes: Iterable[str]) -> list[str]:
    """The sensitive topics by name, always in the same order."""
    found = set(codes)
    return [str(TOPIC[name]) for name in NAMES if name in found]


def ruling_name(ruling: str) -> str:
    """What a ruling was, as a sentence."""
    return str(RULING.get(ruling, RULING["withdrawn"]))
