"""Questions asked of what waits for the owner."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Self

from django.apps import apps
from django.db.models import Exists, OuterRef, Q, QuerySet

from memory.domain.values import AdminsSee, Reason, Status, Visibility
from memory.querysets.owned import EpochQuerySet

if TYPE_CHECKING:
    from memory.models.conflicts import Conflict  # noqa: F401  (types only)

IN_USE = (Status.ACTIVE, Status.STALE)


class ConflictQuerySet(EpochQuerySet["Conflict"]):
    def waiting(self) -> Self:
        """Entries nobody has ruled on."""
        return self.filter(state="open")

    def answerable(self) -> Self:
        """Waiting entries whose rows can still be judged.

        Somebody waits in it; or the row that is asked about is in use: reported wrong, still
        private where it might be shared, or kept apart by two agents who both still keep it.
        """
        places = apps.get_model("memory", "ConflictMember").objects.filter(conflict=OuterRef("pk"))
        kept = places.filter(memory__deleted_at__isnull=True)
        used = kept.filter(memory__status__in=IN_USE)
        gone = places.filter(Q(memory__deleted_at__isnull=False) | ~Q(memory__status__in=IN_USE))
        private = used.filter(memory__visibility=Visibility.PRIVATE)
        return self.waiting().filter(
            Q(Exists(kept.filter(bystander=False, memory__status=Status.CONFLICT)))
            | Q(reason=Reason.REPORTED) & Q(Exists(used))
            | Q(reason=Reason.SHARING) & Q(Exists(private))
            | Q(reason=Reason.ELSEWHERE) & Q(Exists(used)) & ~Q(Exists(gone))
        )

    def asked(self, now: datetime) -> Self:
        """What the owner is asked today: answerable, and not put off."""
        return self.answerable().exclude(_put_off(now))

    def postponed(self, now: datetime) -> Self:
        """What the owner put off and is not asked yet."""
        return self.answerable().filter(_put_off(now))

    def helpable(self) -> Self:
        """What admins may help with, whosever it is: not where the owner shows them nothing.

        Whether all agents may know a safety fact is for its owner alone to say.
        """
        return self.answerable().shown_to_admins()

    def shown_to_admins(self) -> Self:
        """Whatever became of them: entries of owners who show admins something."""
        policies = apps.get_model("memory", "Policy").objects.filter(owner=OuterRef("owner"))
        hidden = Exists(policies.filter(admins_see=AdminsSee.NOTHING))
        return self.uncleared().exclude(reason=Reason.SHARING).exclude(hidden)

    def passed_on(self) -> Self:
        """What an admin could not decide and left to the others."""
        return self.filter(escalated_at__isnull=False)

    def not_passed_on(self) -> Self:
        return self.filter(escalated_at__isnull=True)

    def sensitive(self, line: float) -> Exists:
        """The condition that a member is about health, money and the like, or about safety."""
        places: QuerySet = apps.get_model("memory", "ConflictMember").objects.filter(  # type: ignore[type-arg]
            Q(memory__sensitivity__len__gt=0) | Q(memory__safety__gte=line),
            conflict=OuterRef("pk"),
        )
        return Exists(places)


def opened_within(since: datetime | None, until: datetime | None) -> Q:
    """Opened from `since` on, before `until`; None where it is open."""
    found = Q() if since is None else Q(opened_at__gte=since)
    return found if until is None else found & Q(opened_at__lt=until)


def _put_off(now: datetime) -> Q:
    # Not a bare comparison: where there is no day, NOT of it would be neither true nor false.
    return Q(later_on_mention=True) | Q(later_until__isnull=False, later_until__gt=now)
