"""Questions asked of what an owner said about topics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.querysets.owned import EpochQuerySet

if TYPE_CHECKING:
    from memory.models.topics import TopicRule


class TopicRuleQuerySet(EpochQuerySet["TopicRule"]):
    def by_key(self, keys: set[str]) -> dict[str, TopicRule]:
        """The rule of each of these keys that has one. One statement."""
        return {rule.from_key: rule for rule in self.filter(from_key__in=keys)}
