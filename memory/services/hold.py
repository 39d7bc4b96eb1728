"""Hold what waits for the owner: open entries, see who waits in them, let a row leave."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from memory.domain.conflicts import Known
from memory.domain.policy import Policy
from memory.domain.values import Reason, Source, Status, Visibility
from memory.models import Conflict, ConflictMember, Memory, SpotCheck
from memory.models.events import Verb
from memory.services.record import Trail

# Entries whose bystanders are not contradicted: what a suggestion was drawn from, what an agent
# complains of, what two agents keep apart, what might be shared.
NOT_CONTESTING = (Reason.SUGGESTION, Reason.REPORTED, Reason.ELSEWHERE, Reason.SHARING)


def as_known(memory: Memory, policy: Policy) -> Known:
    """A stored row as the router sees it."""
    return Known(
        id=str(memory.pk),
        content=memory.content,
        created_at=memory.created_at,
        key=memory.key,
        value=memory.value,
        status=Status(memory.status),
        source=Source(memory.source),
        protected=memory.is_protected(policy),
        single_valued=memory.single_valued,
        valid_from=memory.valid_from,
        occurred_at=memory.occurred_at,
    )


def open_entries(memory: Memory) -> list[Conflict]:
    """The entries in which this row waits; those that only contest it are not among them."""
    return list(
        Conflict.objects.of(memory.owner_id)
        .waiting()
        .filter(members__memory=memory, members__bystander=False)
        .order_by("id")
    )


def waiting_members(entry: Conflict) -> list[Memory]:
    """The rows that wait in an entry, oldest first; what it contests is not among them."""
    return [
        place.memory
        for place in entry.members.select_related("memory__use").order_by("id")
        if not place.bystander
        and place.memory.status == Status.CONFLICT
        and place.memory.deleted_at is None
    ]


def open_conflict(memory: Memory, target: Memory | None, *, contested: bool, trail: Trail) -> UUID:
    """Let the new row wait: alone, beside a contested fact, or with what it contradicts.

    A contradiction with a row that waits already joins that row's entry as a further detection.
    """
    entry = None
    if target is not None and not contested:
        entry = (
            Conflict.objects.of(memory.owner_id)
            .waiting()
            .filter(reason=Reason.CONTRADICTION, members__memory=target, members__bystander=False)
            .first()
        )
    if entry is not None:
        # A further detection is also a mention: what was put off until then is asked again.
        trail.rule(entry, Verb.HELD, recurrences=entry.recurrences + 1, later_on_mention=False)
        members = [memory]
    else:
        entry = make_entry(Reason(memory.status_reason), memory.key, trail)
        members = [memory] if target is None else [target, memory]
    if target is not None and contested:
        trail.change(target, Verb.CONTESTED, conflict=entry.pk, contested=True)
    elif target is not None and target.status != Status.CONFLICT:
        trail.change(
            target,
            Verb.HELD,
            conflict=entry.pk,
            reason=Reason.CONTRADICTION,
            status=Status.CONFLICT,
            status_reason=Reason.CONTRADICTION,
        )
    ConflictMember.objects.bulk_create(
        ConflictMember(
            owner_id=memory.owner_id,
            conflict=entry,
            memory=member,
            bystander=contested and member is target,
        )
        for member in members
    )
    trail.note(Verb.HELD, memory=memory.pk, conflict=entry.pk, reason=memory.status_reason)
    return entry.pk


def make_entry(reason: Reason, key: str, trail: Trail) -> Conflict:
    """An open entry, still without members. Undoing its gesture closes it."""
    entry: Conflict = Conflict.objects.create(
        owner_id=trail.owner, reason=reason, key=key, opened_at=trail.at, epoch=trail.epoch
    )
    trail.note(
        Verb.HELD,
        conflict=entry.pk,
        reason=reason,
        before={"state": "settled", "ruling": "withdrawn"},
        after={"state": "open", "ruling": ""},
    )
    return entry


def ask_about(reason: Reason, rows: Iterable[Memory], trail: Trail) -> UUID:
    """Ask the owner about rows that keep their status meanwhile."""
    rows = list(rows)
    entry = make_entry(reason, rows[-1].key, trail)
    ConflictMember.objects.bulk_create(
        ConflictMember(owner_id=trail.owner, conflict=entry, memory=row, bystander=True)
        for row in rows
    )
    return entry.pk


def is_asked_about(memory: Memory, *, agent: UUID | None) -> bool:
    """Whether the owner is asked already how the row goes with what this agent keeps."""
    entries = Conflict.objects.of(memory.owner_id).waiting().filter(reason=Reason.ELSEWHERE)
    about = entries.filter(members__memory=memory)
    return bool(about.filter(members__memory__agent=agent).exists())


def ask_about_sharing(memory: Memory, policy: Policy, trail: Trail) -> None:
    """A safety fact that one agent alone can see: may all know it? Asked once a memory."""
    if (
        memory.safety < policy.safety_line
        or memory.status != Status.ACTIVE
        or memory.agent_id is None
        or memory.visibility != Visibility.PRIVATE
    ):
        return
    asked = Conflict.objects.of(memory.owner_id).filter(
        reason=Reason.SHARING, members__memory=memory
    )
    if not asked.exclude(ruling="withdrawn").exists():
        ask_about(Reason.SHARING, [memory], trail)


def note_mention(memory: Memory) -> None:
    """What was put off until it is mentioned again is asked again now. One UPDATE."""
    Conflict.objects.of(memory.owner_id).waiting().filter(
        later_on_mention=True, pk__in=memory.conflict_places.values("conflict")
    ).update(later_on_mention=False)


def note_mention_of_checked(memory: Memory) -> None:
    """The same for a spot check: it may be about any row in use. One UPDATE."""
    SpotCheck.objects.of(memory.owner_id).filter(memory=memory, later_on_mention=True).update(
        later_on_mention=False
    )


def leave_conflicts(memory: Memory, trail: Trail) -> None:
    """Take a row out of every open entry it waits in, before its own status changes.

    What is left alone of a contradiction is active again; what nothing contests any more is no
    longer marked; an entry with nobody left to ask about closes.
    """
    for entry in open_entries(memory):
        left = [row for row in waiting_members(entry) if row.pk != memory.pk]
        if len(left) > 1:
            continue
        bystanders = [
            place.memory
            for place in entry.members.select_related("memory__use").filter(bystander=True)
        ]
        if left and bystanders:
            continue
        trail.rule(entry, Verb.CHANGED, state="settled", settled_at=trail.at, ruling="withdrawn")
        for row in left:
            trail.change(
                row, Verb.STILL_TRUE, reason="unopposed", status=Status.ACTIVE, status_reason=""
            )
        for row in bystanders:
            if row.contested and not is_contested_elsewhere(row, entry):
                trail.change(row, Verb.STILL_TRUE, reason="unopposed", contested=False)


def is_contested_elsewhere(memory: Memory, entry: Conflict) -> bool:
    """Whether another open entry contradicts the row, so that its mark must stay."""
    return (
        Conflict.objects.of(memory.owner_id)
        .waiting()
        .filter(members__memory=memory, members__bystander=True)
        .exclude(pk=entry.pk)
        .exclude(reason__in=NOT_CONTESTING)
        .exists()
    )


def drop_questions(memory: Memory, trail: Trail) -> None:
    """Close what is asked about a row that its owner takes away, or has judged already."""
    for entry in (
        Conflict.objects.of(memory.owner_id)
        .waiting()
        .filter(
            members__memory=memory,
            reason__in=(Reason.REPORTED, Reason.ELSEWHERE, Reason.SHARING),
        )
        .order_by("id")
    ):
        trail.rule(entry, Verb.CHANGED, state="settled", settled_at=trail.at, ruling="withdrawn")


def has_rival(row: Memory, key: str) -> bool:
    """Whether another active row in the same space already holds the one value of this key."""
    return (
        Memory.objects.of(row.owner_id)
        .kept()
        .filter(
            agent=row.agent_id,
            project=row.project_id,
            key=key,
            status=Status.ACTIVE,
            single_valued=True,
        )
        .exclude(pk=row.pk)
        .exists()
    )
