"""Tell the demo story in an owner's own account, where there is nothing yet."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from accounts.models import User
from memory.border import owner_scope
from memory.demo import count_steps, tell_story
from memory.models import Agent, Job, Memory
from memory.models.jobs import JobKind
from memory.services.errors import AlreadySettled, OldEpoch
from memory.services.lock import lock_writes
from memory.services.progress import GaveUp, note_progress


def is_untouched(owner: UUID) -> bool:
    """Whether the owner has no memory, not even a deleted one, and no agent. Inside owner_scope.

    An agent of the owner's would be told the story as if it were true.
    """
    return not (Memory.objects.of(owner).exists() or Agent.objects.of(owner).exists())


def start_story(*, owner: UUID, now: datetime) -> Job:
    """Have the story told. Returns its job; of two clicks both get the same one.

    Raises AlreadySettled where there is something already.
    """
    with owner_scope(owner):
        epoch = lock_writes(owner)
        job: Job | None = Job.objects.of(owner).unfinished().filter(kind=JobKind.STORY).first()
        if job is None:
            if not is_untouched(owner):
                raise AlreadySettled(str(owner))
            job = Job.objects.create(
                owner_id=owner, kind=JobKind.STORY, total=count_steps(), due_at=now,
                created_at=now, epoch=epoch,
            )  # fmt: skip
        return job


def run_story(job: Job, *, now: datetime) -> None:
    """Tell it, and begin a first visit. Half a story is not told again: GaveUp.

    Raises GaveUp too where the owner cleared everything meanwhile.
    """
    owner = job.owner_id
    with owner_scope(owner):
        if job.attempts > 1 and Memory.objects.of(owner).exists():
            raise GaveUp("half_told")

    def note(done: int) -> None:
        with owner_scope(owner):
            note_progress(job, done)

    try:
        tell_story(owner, now, with_keys=False, after_step=note)
    except OldEpoch:
        raise GaveUp("cleared") from None
    User.objects.filter(pk=owner).update(guided_since=now)
