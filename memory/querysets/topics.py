"""Questions asked of what an owner said about topics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.querysets.owned import EpochQuerySet

if TYPE_CHECKING:
    from memory.models.topics import TopicRule

# More names than these nobody gives.
MOST_RULES = 1_000


class TopicRuleQuerySet(EpochQuerySet["TopicRule"]):
    def by_key(self) -> dict[str, TopicRule]:
        """All rules by the key they are about, the newest ones first. One statement."""
        return {rule.from_key: rule for rule in self.order_by("-made_at")[:MOST_RULES]}
