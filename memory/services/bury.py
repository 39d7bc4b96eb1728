"""Leave a tombstone for what the owner took away, find it again, lift it."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.conf import settings

from memory.border import owner_scope
from memory.domain import text
from memory.domain.tombstones import loose_fingerprint
from memory.domain.values import Source
from memory.models import Memory, Tombstone
from memory.models.events import Actor, Verb
from memory.models.tombstones import Buried
from memory.services.errors import NotFound
from memory.services.lock import lock_writes
from memory.services.record import Trail

# What a refused fact is told, by why its memory was taken away.
CODES = {Buried.DELETED: "deleted_by_owner", Buried.DENIED: "denied_by_owner"}


def bury(memory: Memory, reason: Buried, *, now: datetime) -> None:
    """Leave a tombstone, in the transaction that takes the memory away. Once a memory."""
    if Tombstone.objects.of(memory.owner_id).of_memory(memory.pk).exists():
        return
    strict, loose = _fingerprints(memory.owner_id, memory.content)
    Tombstone.objects.create(
        owner_id=memory.owner_id,
        strict=strict[0],
        loose=loose[0] if loose else "",
        reason=reason,
        agent_id=memory.agent_id,
        memory_id=memory.pk,
        deleted_at=now,
    )


def exhume(memory: Memory, *, now: datetime) -> None:
    """Lift what was left for this memory: it was restored, or the ruling undone."""
    Tombstone.objects.of(memory.owner_id).of_memory(memory.pk).update(lifted_at=now)


def find_tombstone(owner: UUID, content: str) -> Tombstone | None:
    """The newest standing tombstone over these words or a paraphrase. Inside owner_scope."""
    strict, loose = _fingerprints(owner, content)
    found: Tombstone | None = Tombstone.objects.of(owner).over(strict=strict, loose=loose).first()
    return found


def find_tombstones(owner: UUID, contents: Sequence[str]) -> dict[str, Tombstone]:
    """`find_tombstone` for many texts at once, each with its newest. One statement."""
    prints = {content: _fingerprints(owner, content) for content in contents}
    strict = [one for pair in prints.values() for one in pair[0]]
    loose = [one for pair in prints.values() for one in pair[1]]
    by_print: dict[str, Tombstone] = {}
    for tombstone in Tombstone.objects.of(owner).over(strict=strict, loose=loose):
        by_print.setdefault(tombstone.strict, tombstone)
        by_print.setdefault(tombstone.loose, tombstone)
    found = {}
    for content, pair in prints.items():
        for print_ in (*pair[0], *pair[1]):
            if print_ in by_print:
                found[content] = by_print[print_]
                break
    return found


def refuses(tombstone: Tombstone, *, source: Source, said_at: datetime | None) -> bool:
    """Whether an agent may not write this again.

    The user may say it anew: only his own statement, dated after he took it away, is let in.
    """
    said_anew = said_at is not None and said_at > tombstone.deleted_at
    return not (source is Source.USER_STATED and said_anew)


def allow_again(*, owner: UUID, tombstone: UUID, now: datetime) -> UUID:
    """The owner lets agents write it again. Returns the gesture. Raises NotFound."""
    with owner_scope(owner):
        epoch = lock_writes(owner)
        standing = Tombstone.objects.of(owner).standing()
        if standing.filter(pk=tombstone).update(lifted_at=now) != 1:
            raise NotFound(str(tombstone))
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        trail.note(Verb.CHANGED, reason="allowed_again", tombstone=str(tombstone))
        return trail.leave()


def _fingerprints(owner: UUID, content: str) -> tuple[list[str], list[str]]:
    """Keyed fingerprints of the words and of their loose form, of the newest key first.

    A key before the last change of SECRET_KEY still finds what was buried under it.
    """
    loose = loose_fingerprint(content)
    keys = [str(key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]
    return (
        [_keyed(key, owner, "strict", text.fingerprint(content)) for key in keys],
        [_keyed(key, owner, "loose", loose) for key in keys] if loose else [],
    )


def _keyed(key: str, owner: UUID, kind: str, fingerprint: str) -> str:
    said = f"{owner}\0{kind}\0{fingerprint}".encode()
    secret = hashlib.sha256(f"memoir.tombstone\0{key}".encode()).digest()
    return hmac.new(secret, said, hashlib.sha256).hexdigest()
