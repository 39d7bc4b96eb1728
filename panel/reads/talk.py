"""Where a memory was said: the message it was taken from, and what was said around it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from memory.domain.extraction import Role
from memory.models import Memory, Message

# Characters shown around the words that count, and of the turns before and after.
AROUND = 240
CUT = "…"

WHO: dict[str, Promise] = {
    Role.USER: gettext_lazy("You"),
    Role.ASSISTANT: gettext_lazy("Assistant"),
    Role.TOOL: gettext_lazy("Tool"),
    Role.SYSTEM: gettext_lazy("Instructions"),
}


@dataclass(frozen=True, slots=True)
class Said:
    """One turn. `marked` are the words the memory was taken from, between what stands around."""

    role: str
    at: datetime
    before: str
    marked: str = ""
    after: str = ""

    @property
    def who(self) -> str:
        return str(WHO[self.role])


def read_talk(memory: Memory) -> list[Said]:
    """The turn a memory was taken from, with the one before and the one after while they are kept.

    Empty where nothing was said, or where the words quoted do not stand in the message. Two
    statements at most, inside owner_scope.
    """
    if not memory.quote or memory.message_id is None:
        return []
    messages = Message.objects.of(memory.owner_id)
    source = messages.filter(pk=memory.message_id).first()
    if source is None or memory.quote not in source.content:
        return []
    near = messages.filter(
        conversation=source.conversation_id,
        position__range=(source.position - 1, source.position + 1),
    ).order_by("position")
    return [
        _mark(turn, memory.quote) if turn.pk == source.pk else Said(turn.role, turn.at, text)
        for turn in near
        if (text := _head(turn.content))
    ]


def _mark(turn: Message, quote: str) -> Said:
    before, _, after = turn.content.partition(quote)
    if len(before) > AROUND:
        before = CUT + before[-AROUND:]
    return Said(turn.role, turn.at, before, quote, _head(after))


def _head(text: str) -> str:
    return text if len(text) <= AROUND else text[:AROUND] + CUT
