"""An owner leaves: at once for everybody, and soon after without a trace."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from accounts.models import User
from memory.border import operations, owner_scope
from memory.models import AgentKey, Event, Job, Parcel
from memory.models.jobs import JobKind
from memory.services.erase import clear_all, erase_cleared


def leave(*, owner: UUID, now: datetime) -> None:
    """Close the owner's account. Cannot be undone.

    One short transaction: from its commit every read path is empty, no key opens anything, nobody
    signs in, and the e-mail address is free. A job then takes all rows away (`erase_owner`).
    """
    with owner_scope(owner):
        job = clear_all(owner=owner, now=now)
        # One job for both: the same rows are not taken away by two.
        Job.objects.filter(pk=job.pk).update(kind=JobKind.LEAVE)
        AgentKey.objects.filter(owner=owner, revoked_at=None).update(revoked_at=now)
        Parcel.objects.of(owner).delete()
        User.objects.get(pk=owner).close()


def erase_owner(owner: UUID) -> None:
    """Erase everything there is of an owner who left, the person's own row last.

    Running it twice changes nothing. The job that runs it goes as well.
    """
    erase_cleared(owner)
    with owner_scope(owner):
        # Agents cannot go while lines of the history name them.
        Event.objects.of(owner).delete()
    # What this person decided for other owners stays, without a name.
    with operations("leave"):
        User.objects.filter(pk=owner).delete()
