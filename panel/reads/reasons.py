"""The small print of what happened: why, and what stood before and stands now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.dateparse import parse_datetime

from memory.domain.policy import Policy as Rules
from memory.models import Event, MemoryRevision, TopicRule
from memory.models.events import Verb
from panel import activity_words, words
from panel.differences import Piece, difference
from panel.policy_form import PolicyForm
from panel.topics import topic_label

# Which fields of a memory say something to people, and in which words.
_FIELDS: dict[str, words.Words | None] = {
    "status": words.STATUS,
    "tier": words.TIER,
    "source": words.SOURCE,
    "visibility": words.VISIBILITY,
    "importance": None,
    "valid_from": None,
    "valid_to": None,
}


@dataclass(frozen=True, slots=True)
class Change:
    """One field, before and after, in words. A status needs no label."""

    label: str
    before: str
    after: str


def tell_why(event: Event) -> str:
    """Why it happened, in a sentence; empty where the verb says it all."""
    return activity_words.why_happened(event.verb, event.reason)


def tell_changes(event: Event) -> list[Change]:
    """What stood before and stands now, of what says something to people."""
    before, after = event.data.get("before") or {}, event.data.get("after") or {}
    if event.verb == Verb.TUNED:
        return _tuned(before.get("numbers") or {}, after.get("numbers") or {})
    changes = []
    for name, known in _FIELDS.items():
        if name not in after or before.get(name) == after[name]:
            continue
        changes.append(
            Change(
                str(activity_words.FIELD.get(name, "")),
                _shown(before.get(name), known),
                _shown(after[name], known),
            )
        )
    return changes


def _shown(value: Any, known: words.Words | None) -> str:
    if value is None or value == "":
        return "–"
    if known is not None:
        return str(known.get(value, value))
    if isinstance(value, str) and (moment := parse_datetime(value)):
        return timezone.localtime(moment).strftime("%Y-%m-%d")
    return f"{value:g}" if isinstance(value, int | float) else str(value)


def _tuned(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """Numbers the owner never set stand at their default."""
    usual = Rules()
    changes = []
    for name, field in PolicyForm.base_fields.items():
        if name not in before and name not in after:
            continue
        default = getattr(usual, name, None)
        was, now = before.get(name, default), after.get(name, default)
        if was != now:
            choices = dict(getattr(field, "choices", ()))
            shown = [_shown(choices.get(value, value), None) for value in (was, now)]
            changes.append(Change(str(field.label), *shown))
    return changes


def read_reworded(owner: UUID, events: Iterable[Event]) -> dict[int, list[Piece]]:
    """What edits did to the words, by event: one statement, where there are any.

    Inside owner_scope. Reads the memory of each.
    """
    edits = [event for event in events if "revision" in event.data and event.memory is not None]
    if not edits:
        return {}
    kept: dict[UUID, dict[int, str]] = {}
    rows = MemoryRevision.objects.of(owner).filter(memory__in={edit.memory_id for edit in edits})
    for memory, version, content in rows.values_list("memory", "version", "content"):
        kept.setdefault(memory, {})[version] = content
    told = {}
    for edit in edits:
        assert edit.memory is not None
        versions = kept.get(edit.memory.pk, {})
        old = versions.get(edit.data["revision"])
        later = [version for version in versions if version > edit.data["revision"]]
        new = versions[min(later)] if later else edit.memory.content
        if old is not None and old != new:
            told[edit.pk] = difference(old, new)
    return told


def read_topics(owner: UUID, events: Iterable[Event]) -> dict[int, str]:
    """Which topic a line is about that is about no memory: one statement, where there are any."""
    about = {event.pk: event.data["rule"] for event in events if "rule" in event.data}
    if not about:
        return {}
    rules = TopicRule.objects.of(owner).in_bulk(set(about.values()))
    return {
        pk: " → ".join(dict.fromkeys(map(topic_label, (rule.from_key, rule.to_key))))
        for pk, named in about.items()
        if (rule := rules.get(named))
    }
