"""What is due in a memory's life: to expire, go stale, be archived, rise, be purged or erased."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Self

from django.apps import apps
from django.db import connection
from django.db.models import (
    Case,
    Count,
    DateField,
    DateTimeField,
    DurationField,
    Exists,
    Expression,
    ExpressionWrapper,
    F,
    FloatField,
    Func,
    Max,
    OuterRef,
    Q,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from memory.domain.policy import Policy
from memory.domain.values import ArchiveSignal, Kind, Reason, Status, Tier
from memory.querysets.decay import Epoch, protected_condition, retention_expression
from memory.querysets.owned import EpochQuerySet

if TYPE_CHECKING:
    from memory.models.memories import Memory  # noqa: F401  (types only)

_EVER = datetime(1970, 1, 1, tzinfo=UTC)


class LocalDate(Func):
    """The calendar day of a moment where its owner lives."""

    template = "(%(expressions)s)::date"
    arg_joiner = " AT TIME ZONE "
    output_field = DateField()


def idle_days(now: datetime) -> Expression:
    """Days since the last reinforcement, whatever R is counted from."""
    elapsed = ExpressionWrapper(Value(now) - F("use__anchor"), output_field=DurationField())
    return ExpressionWrapper(
        Epoch(elapsed) / Value(86_400.0, output_field=FloatField()), output_field=FloatField()
    )


def archive_value(now: datetime, policy: Policy) -> Expression:
    """What is held against the archive line, as memory.domain.decay.archive_value."""
    raw = retention_expression(now, policy)
    if policy.archive_signal is ArchiveSignal.RETENTION:
        return raw
    return ExpressionWrapper(F("importance") * raw, output_field=FloatField())


class LifecycleQuerySet(EpochQuerySet["Memory"]):
    """Each `due_…` is what one sweep changes, and nothing else decides it.

    All leave what waits for the owner alone. Time-dependent ones join MemoryUse.
    """

    def governed_by(self, numbers: dict[str, Any]) -> Self:
        """Rows of the owners whose policy holds exactly these numbers, cleared ones left out."""
        policies = apps.get_model("memory", "Policy").objects.filter(owner=OuterRef("owner_id"))
        tuned = policies.exclude(numbers={})
        mine = Exists(policies.filter(numbers=numbers)) if numbers else ~Exists(tuned)
        return self.filter(mine).exclude(Exists(policies.filter(epoch__gt=OuterRef("epoch"))))

    def in_force(self) -> Self:
        """Neither deleted, nor waiting, nor past: what the sweeps look at."""
        return self.filter(deleted_at__isnull=True, status__in=[Status.ACTIVE, Status.STALE])

    def unprotected(self, policy: Policy) -> Self:
        return self.exclude(protected_condition(policy))

    def weak(self, since: datetime, until: datetime) -> Self:
        """What was said in passing since then, archived or not: what reflection looks at."""
        return (
            self.in_force()
            .filter(
                tier__in=[Tier.WORKING, Tier.SHORT_TERM],
                confirmed_at__isnull=True,
                pinned=False,
                created_at__gte=since,
                created_at__lte=until,
            )
            .exclude(kind=Kind.PROCEDURAL)
        )

    def below_the_line(self, now: datetime, policy: Policy) -> Self:
        """What would be archived for having faded, whether it is archived already or not."""
        return (
            self.unprotected(policy)
            .filter(use__isnull=False)
            .alias(held=archive_value(now, policy))
            .filter(held__lt=policy.archive_line)
        )

    def dead(self, now: datetime, policy: Policy) -> Self:
        """What recall drops for having faded (`decay_floor`)."""
        return (
            self.unprotected(policy)
            .filter(use__isnull=False)
            .alias(left=retention_expression(now, policy))
            .filter(left__lt=policy.decay_floor)
        )

    def wrongly_forgotten(self, policy: Policy) -> Self:
        """Protected rows that a machine made stale by fading, or archived and nobody brought back.

        A row protected only afterwards is among them: its owner wants it, and recall passes it by.
        """
        events = apps.get_model("memory", "Event").objects.filter(memory=OuterRef("pk"))
        archived = events.filter(verb="archived", actor="program", at=OuterRef("archived_at"))
        return self.filter(protected_condition(policy)).filter(
            Exists(archived) | Q(status=Status.STALE, status_reason=Reason.FADED)
        )

    def due_to_expire(self, now: datetime) -> Self:
        """Active rows whose own end has passed. Protection keeps from fading, not from this."""
        return self.in_force().filter(status=Status.ACTIVE, valid_to__lte=now)

    def due_to_go_stale(self, now: datetime, policy: Policy) -> Self:
        """Faded below the stale line, and long neither said nor confirmed (5.5 k)."""
        silent = now - timedelta(days=policy.stale_days)
        return (
            self.in_force()
            .unprotected(policy)
            .filter(status=Status.ACTIVE, said_at__lte=silent)
            .filter(Q(confirmed_at__isnull=True) | Q(confirmed_at__lte=silent))
            .filter(use__isnull=False)
            .alias(left=retention_expression(now, policy))
            .filter(left__lt=policy.stale_line)
        )

    def due_to_archive(self, now: datetime, policy: Policy) -> Self:
        """Below the archive line, or idle for longer than its tier may be (5.5 e, l)."""
        idle = Q(pk__in=[])
        for tier in Tier:
            days = policy.idle_days(tier)
            if days is not None:
                idle |= Q(tier=tier, use__anchor__lt=now - timedelta(days=days))
        return (
            self.in_force()
            .unprotected(policy)
            .filter(archived_at__isnull=True, use__isnull=False)
            .alias(held=archive_value(now, policy))
            .filter(Q(held__lt=policy.archive_line) | idle)
        )

    def due_to_rise(self, policy: Policy, *, unknown_zones: list[str]) -> Self:
        """Served often enough, on enough days, since it last rose (requirements 20 and 120).

        Counted from the recalls themselves, by the owner's calendar: nothing is kept for it, and
        recalls that reinforced nothing do not count. `times_served` only saves the counting.
        """
        items = apps.get_model("memory", "RecallItem").objects
        events = apps.get_model("memory", "Event").objects
        risen = (
            events.filter(memory=OuterRef("pk"), verb="promoted")
            .order_by()
            .values("memory")
            .annotate(at=Max("at"))
            .values("at")
        )
        zone = Case(
            When(owner__zone__in=unknown_zones, then=Value("UTC")), default=F("owner__zone")
        )
        served = (
            items.filter(memory=OuterRef("pk"), place="memory", recall__reinforced=True)
            .filter(recall__asked_at__gt=OuterRef("since"))
            .order_by()
            .values("memory")
        )
        day = LocalDate(F("recall__asked_at"), OuterRef("zone"))
        return (
            self.in_force()
            .filter(archived_at__isnull=True)
            .exclude(tier=Tier.LONG_TERM)
            .filter(use__times_served__gte=policy.promotion_recalls)
            .annotate(
                zone=zone,
                since=Coalesce(Subquery(risen), Value(_EVER), output_field=DateTimeField()),
            )
            .annotate(
                recalls=Subquery(served.annotate(n=Count("recall", distinct=True)).values("n")),
                days=Subquery(served.annotate(n=Count(day, distinct=True)).values("n")),
            )
            .filter(recalls__gte=policy.promotion_recalls, days__gte=policy.promotion_days)
        )

    def due_to_purge(self, now: datetime, policy: Policy) -> Self:
        """Chatter long in the archive that recall passed by (5.5 f, f2). Nothing, unless allowed.

        Erasing cannot be undone, so whatever still plays a part elsewhere stays: in an open
        question, contested, or as the past of another row.
        """
        if not policy.purge_enabled:
            return self.none()
        members = apps.get_model("memory", "ConflictMember").objects
        passed_by = Q(held__lt=policy.purge_line) & Q(
            use__missed_chances__gte=policy.purge_missed_chances
        )
        never_used = Q(
            use__times_served=0,
            created_at__lte=now - timedelta(days=policy.purge_unused_days),
            importance__lt=policy.short_term_threshold,
        )
        return (
            self.in_force()
            .unprotected(policy)
            .filter(
                tier=Tier.WORKING,
                confirmed_at__isnull=True,
                contested=False,
                archived_at__lte=now - timedelta(days=policy.purge_archived_days),
                use__isnull=False,
            )
            .exclude(Exists(members.filter(memory=OuterRef("pk"), conflict__state="open")))
            .alias(held=archive_value(now, policy))
            .filter(passed_by | never_used)
        )

    def due_to_erase(self, now: datetime, policy: Policy) -> Self:
        """Deleted by the owner longer ago than Recently deleted keeps it."""
        kept = timedelta(days=policy.days_recently_deleted)
        return self.filter(deleted_at__lte=now - kept)


def unknown_zones() -> list[str]:
    """The zones of people that the database has no rules for: it would refuse to count days there.

    Reads the server's zone files, a tenth of a second.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT zone FROM accounts_user"
            " WHERE zone NOT IN (SELECT name FROM pg_timezone_names)"
        )
        return [zone for (zone,) in cursor.fetchall()]
