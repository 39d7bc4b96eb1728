"""The owner's topics by name, with how many memories each has. Always as many statements."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Q
from django.utils import translation

from memory.border import owner_scope
from memory.domain.keys import is_single_valued
from memory.domain.values import Status
from memory.models import Memory, TopicRule
from panel.topics import topic_label

# More topics than these are found by searching.
MOST_TOPICS = 500


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic, ready for the template."""

    number: int
    key: str
    label: str
    count: int
    current: int
    single: bool


def read_topics(owner: UUID) -> list[Topic]:
    """All topics in the order of their names. Two statements."""
    with owner_scope(owner):
        rules = TopicRule.objects.of(owner).by_key()
        found = (
            Memory.objects.of(owner)
            .kept()
            .exclude(key="")
            .order_by()
            .values_list("key")
            .annotate(count=Count("id"), current=Count("id", filter=~Q(status=Status.SUPERSEDED)))
            .order_by("key")
        )
        rows = list(found[:MOST_TOPICS])
    topics = []
    for number, (key, count, current) in enumerate(rows):
        rule = rules.get(key)
        said = rule.single_valued if rule is not None else None
        single = is_single_valued(key) if said is None else said
        topics.append(Topic(number, key, topic_label(key), count, current, single))
    return sorted(topics, key=lambda topic: (topic.label.casefold(), topic.key))


def find_key(name: str, topics: list[Topic]) -> str:
    """The key that somebody means by a name: a topic he has, by its key or by its name in either
    language; else a new one made of his words."""
    wanted = name.strip().casefold()
    for topic in topics:
        if wanted in (topic.key.casefold(), topic.label.casefold()):
            return topic.key
    for language in ("en", "zh-hans"):
        with translation.override(language):
            for topic in topics:
                if wanted == topic_label(topic.key).casefold():
                    return topic.key
    words = "_".join(wanted.split())
    return words if "." in words else f"user.{words}"
