"""Questions asked of the dialogues memories are drawn from."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Self

from django.apps import apps
from django.db.models import Exists, OuterRef

from memory.querysets.callers import Caller
from memory.querysets.owned import EpochQuerySet

if TYPE_CHECKING:
    from memory.models.conversations import Conversation, Message  # noqa: F401  (types only)


class ConversationQuerySet(EpochQuerySet["Conversation"]):
    def handed_over_by(self, caller: Caller) -> Self:
        """What this agent may cite: its own. The owner in person may cite all of his."""
        mine = self.of(caller.owner)
        return mine if caller.agent is None else mine.filter(agent=caller.agent)


class MessageQuerySet(EpochQuerySet["Message"]):
    def handed_over_by(self, caller: Caller) -> Self:
        mine = self.of(caller.owner)
        return mine if caller.agent is None else mine.filter(conversation__agent=caller.agent)

    def extracted_before(self, moment: datetime) -> Self:
        """Messages whose conversation was worked through before `moment`."""
        return self.filter(conversation__extracted_at__lt=moment)

    def unquoted(self) -> Self:
        """Messages that no memory names as where it came from."""
        memories = apps.get_model("memory", "Memory").objects
        return self.exclude(Exists(memories.filter(message=OuterRef("pk"))))
