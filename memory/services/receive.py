"""Take in a conversation: store it without its secrets, and queue the work of reading it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.border import owner_scope
from memory.domain.extraction import Role
from memory.domain.secrets import blot_secrets, find_secret
from memory.models import Conversation, Job, Message
from memory.models.events import Actor, Verb
from memory.models.jobs import JobKind
from memory.querysets.callers import Caller
from memory.services.errors import InvalidInput
from memory.services.lock import lock_writes
from memory.services.record import Trail
from memory.services.replay import Ledger


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One turn handed over, already cleaned by the boundary."""

    role: Role
    content: str
    at: datetime | None = None
    external_id: str = ""


@dataclass(frozen=True, slots=True)
class Received:
    conversation: UUID
    job: UUID


def receive_conversation(
    caller: Caller,
    turns: Sequence[Said],
    *,
    project: str | None = None,
    title: str = "",
    ledger: Ledger | None = None,
    now: datetime,
) -> Received:
    """Store the dialogue and its job in one transaction, once a ledger.

    Secrets are cut out before the first INSERT: no row, no log and no backup ever holds them.
    Raises InvalidInput for an unknown project, OldEpoch where everything was cleared meanwhile.
    """
    if project is not None and project not in caller.projects:
        raise InvalidInput(project="there is no project with this slug")
    assert caller.agent is not None, "a conversation comes from an agent"
    clean = [(turn, blot_secrets(turn.content), blot_secrets(turn.external_id)) for turn in turns]
    with owner_scope(caller.owner):
        epoch = lock_writes(caller.owner, epoch=caller.epoch)
        done = ledger.read(0) if ledger is not None else None
        if done is not None:
            return Received(UUID(done["conversation"]), UUID(done["job"]))
        conversation = Conversation.objects.create(
            owner_id=caller.owner,
            agent_id=caller.agent,
            project_id=caller.projects[project] if project else None,
            title=blot_secrets(title)[:200],
            created_at=now,
            epoch=epoch,
        )
        Message.objects.bulk_create(
            Message(
                owner_id=caller.owner,
                conversation=conversation,
                position=position,
                role=turn.role,
                content=content,
                at=turn.at or now,
                dated=turn.at is not None,
                external_id=external_id[:200],
                epoch=epoch,
            )
            for position, (turn, content, external_id) in enumerate(clean)
        )
        job = Job.objects.create(
            owner_id=caller.owner,
            kind=JobKind.EXTRACT,
            payload={"conversation": str(conversation.pk), "agent": str(caller.agent)},
            due_at=now,
            created_at=now,
            epoch=epoch,
        )
        trail = Trail(
            owner=caller.owner, actor=Actor.AGENT, agent=caller.agent, at=now, epoch=epoch
        )
        for turn in turns:
            secret = find_secret(turn.content)
            if secret is not None:
                trail.note(Verb.REFUSED, reason="secret", detail=secret.kind)
        trail.leave()
        received = Received(conversation.pk, job.pk)
        if ledger is not None:
            ledger.note({"conversation": received.conversation, "job": received.job})
    return received
