"""What an act changed besides what it is called: told with it, and only what really happened."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory.border import owner_scope
from memory.domain.policy import Policy as Rules
from memory.domain.values import Anchor, Status, Tier
from memory.models import Event
from memory.models.events import Verb
from panel import words
from panel.own_words import sentence
from panel.visits import read_policy

_RENEWING = (Verb.CONFIRMED, Verb.STILL_TRUE)
_RETIRING = (Verb.SUPERSEDED, Verb.DENIED)


def read_effects(owner: UUID, gesture: UUID, memory: UUID) -> list[str]:
    """Sentences about a gesture on this memory, from what it left in the history."""
    with owner_scope(owner):
        rules = read_policy(owner).rules()
        events = list(
            Event.objects.of(owner)
            .of_gesture(gesture)
            .exclude(memory=None)
            .select_related("memory")
            .defer("memory__embedding", "memory__search_text")
            .order_by("id")
        )
    own = [event for event in events if event.memory_id == memory]
    others = [event for event in events if event.memory_id != memory]
    said = [word for event in own for word in _of_itself(event, rules)]
    said += _of_others([event for event in others if event.verb in _RETIRING], stand=False)
    standing = (e for e in others if e.verb == Verb.STILL_TRUE and "status" in e.data["after"])
    return said + _of_others(standing, stand=True)


def _of_itself(event: Event, rules: Rules) -> list[str]:
    before, after = event.data.get("before", {}), event.data.get("after", {})
    found = []
    if event.verb in _RENEWING and "status" in after:
        if before["status"] == Status.STALE:
            found.append(_("It is active again."))
        if rules.anchor is not Anchor.CREATED:
            found.append(_("Its fading starts anew."))
    if after.get("tier", before.get("tier")) != before.get("tier"):
        found.append(_("It fades more slowly from now on."))
    if (
        event.verb == Verb.CONFIRMED
        and after.get("tier") == Tier.LONG_TERM
        and not (before["confirmed_at"] and before["tier"] == Tier.LONG_TERM)
    ):
        found.append(_("It is protected: it never fades out."))
    if after.get("source", before.get("source")) != before.get("source"):
        found.append(_("It counts as your word."))
    if before.get("archived_at") and event.verb != Verb.UNARCHIVED:
        found.append(_("It is back from the archive."))
    if before.get("valid_to") and not after["valid_to"]:
        found.append(_("It has no end date any more."))
    if event.verb in _RENEWING and before.get("contested") and not after["contested"]:
        found.append(_("Nothing contradicts it any more."))
    return found


def _of_others(events: Iterable[Event], *, stand: bool) -> list[str]:
    """What became of other memories: named where it is one."""
    rows = {event.memory_id: event.memory for event in events if event.memory}
    if not rows:
        return []
    if len(rows) > 1:
        count = len(rows)
        said = (
            ngettext("%(n)s other stands again.", "%(n)s others stand again.", count)
            if stand
            else ngettext("%(n)s other is past now.", "%(n)s others are past now.", count)
        )
        return [said % {"n": number_format(count)}]
    [row] = rows.values()
    told = _("“%(text)s” stands again.") if stand else _("“%(text)s” is past now.")
    return [sentence(told, text=words.shortened(row.value or row.content))]
