"""Take a gesture back: set every row it touched to what stood before, or refuse with the reason."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError
from django.db.models import Exists, Model, OuterRef, Q

from memory.border import owner_scope
from memory.domain import text
from memory.domain.values import Kind, Reason, Status
from memory.models import (
    Agent,
    Conflict,
    ConflictMember,
    Event,
    Grant,
    Memory,
    MemoryRevision,
    MemoryUse,
    Policy,
    RecallItem,
    SpotCheck,
    TopicRule,
)
from memory.models.checks import CheckState
from memory.models.events import Actor, Verb
from memory.models.recalls import Outcome
from memory.models.tombstones import Buried
from memory.services.bury import bury, exhume
from memory.services.connect import set_place
from memory.services.errors import CannotUndo, NotFound
from memory.services.grant import is_in_force
from memory.services.hold import NOT_CONTESTING, leave_conflicts
from memory.services.index import Index, drop_words, index_texts, restore_words
from memory.services.lock import lock_writes, read_for_change, read_rules
from memory.services.record import Trail
from memory.services.reword import Words
from memory.services.unwrite import unwrite_many

_FINAL = {
    Verb.CLEARED,
    Verb.ERASED,
    Verb.REFUSED,
    Verb.CONNECTED,
    Verb.KEY_MADE,
    Verb.KEY_REVOKED,
}
# What `Trail.agree` sets, by the name it leaves in the history.
AGREED: dict[str, Any] = {"agent": Agent, "grant": Grant, "policy": Policy}
# What a gesture of the owner, or the program's own retiring, may be taken back.
_WORDS = {Verb.EDITED, Verb.RENAMED}


def undo_gesture(*, owner: UUID, gesture: UUID, now: datetime) -> UUID:
    """The inverse of a gesture; returns the gesture that undid it.

    Fields go back to what they were; rows it made go to Recently deleted; old words come back as
    a new version. All or nothing. Raises NotFound, or CannotUndo("changed" | "undone" | "final")
    where a row has changed since, it was undone already, or it cannot be.
    """
    with owner_scope(owner):
        events = list(Event.objects.of(owner).of_gesture(gesture))
        old_words = _old_words(events)
    prepared = dict(
        zip(old_words, index_texts([w.search for w in old_words.values()]), strict=True)
    )
    with owner_scope(owner):
        epoch = lock_writes(owner)
        events = list(Event.objects.of(owner).of_gesture(gesture))
        if not events:
            raise NotFound(str(gesture))
        if any(event.verb in _FINAL for event in events):
            raise CannotUndo("final")
        undone = Event.objects.of(owner).filter(verb=Verb.UNDONE, data__undid=str(gesture))
        if undone.exists():
            raise CannotUndo("undone")
        trail = Trail(owner=owner, actor=Actor.OWNER, at=now, epoch=epoch)
        brought = unwrite_many(events, trail)
        try:
            for event in reversed(events):
                if event.pk not in brought:
                    _undo_one(event, trail, old_words, prepared)
        except IntegrityError as error:
            # Another memory has its words or its topic by now.
            raise CannotUndo("changed") from error
        _check_still_asked(trail)
        trail.note(Verb.UNDONE, undid=str(gesture))
        return trail.leave()


def _check_still_asked(trail: Trail) -> None:
    """What waits must wait in an open question, what is contested be contested by one.

    A question may have been joined, answered or asked anew by others since: then what stood before
    no longer goes with what stands beside it, and the undo is refused.
    """
    touched = [event.memory_id for event in trail.events if event.memory_id]
    asked = [event.conflict_id for event in trail.events if event.conflict_id]
    about = Q(pk__in=touched) | Q(conflict_places__conflict__in=asked)
    rows = Memory.objects.of(trail.owner).kept().filter(about)
    places = ConflictMember.objects.filter(memory=OuterRef("pk"), conflict__state="open")
    waits = Exists(places.filter(bystander=False))
    contests = Exists(places.filter(bystander=True).exclude(conflict__reason__in=NOT_CONTESTING))
    if rows.filter(Q(status=Status.CONFLICT) & ~waits | Q(contested=True) & ~contests).exists():
        raise CannotUndo("changed")


class _OldWords:
    """Words to come back, read before the transaction so that they can be embedded outside it."""

    def __init__(self, row: Memory, revision: MemoryRevision) -> None:

        self.row, self.revision = row, revision
        self.search = text.search_text(
            revision.content,
            key=revision.key or None,
            value=revision.value or None,
            before=row.before or None,
        )


def _old_words(events: list[Event]) -> dict[UUID, _OldWords]:
    found: dict[UUID, _OldWords] = {}
    for event in events:
        if event.verb in _WORDS and event.memory_id is not None and "revision" in event.data:
            revision = (
                MemoryRevision.objects.of(event.owner_id)
                .filter(memory=event.memory_id, version=event.data["revision"])
                .first()
            )
            row = Memory.objects.of(event.owner_id).filter(pk=event.memory_id).first()
            if revision is not None and row is not None:
                found[row.pk] = _OldWords(row, revision)
    return found


def _withdraw(event: Event, entry: UUID, trail: Trail) -> None:
    """What was reported as wrong is not: the question closes, and the recall forgets it."""
    waiting = Conflict.objects.of(trail.owner).waiting().filter(pk=entry).first()
    if waiting is None:
        raise CannotUndo("changed")
    trail.rule(waiting, Verb.CHANGED, state="settled", settled_at=trail.at, ruling="withdrawn")
    told = RecallItem.objects.of(trail.owner).filter(memory=event.memory_id, outcome=Outcome.WRONG)
    told.filter(recall=event.data.get("recall")).update(outcome="")


def _undo_one(
    event: Event,
    trail: Trail,
    old_words: dict[UUID, _OldWords],
    prepared: dict[UUID, Index],
) -> None:
    if event.verb == Verb.WRITTEN and event.memory_id is not None:
        row = _read(trail.owner, event.memory_id)
        if row.deleted_at is None:
            leave_conflicts(row, trail)
            drop_words(row.owner_id, row.pk)
            if event.actor == Actor.AGENT:
                # What an agent wrote and the owner took back stays taken back.
                bury(row, Buried.DELETED, now=trail.at)
            trail.change(row, Verb.DELETED, reason="undone", deleted_at=trail.at, replaces_id=None)
        return
    if "rule" in event.data:
        _take_rule_back(event, trail)
        return
    if event.verb == Verb.HELD and event.reason == Reason.REPORTED and event.conflict_id:
        _withdraw(event, event.conflict_id, trail)
        return
    if "check" in event.data:
        _ask_again(event, trail)
        return
    before: dict[str, Any] = event.data.get("before", {})
    after: dict[str, Any] = event.data.get("after", {})
    if event.memory_id is not None and (before or event.verb in _WORDS):
        row = _read(trail.owner, event.memory_id)
        if row.deleted_at is not None and "deleted_at" not in after:
            # Deleted since: its words are in no search, and would be put there again.
            raise CannotUndo("changed")
        _check_unchanged(row, after)
        if event.verb in _WORDS:
            if event.data["revision"] + 1 != row.version or row.pk not in old_words:
                raise CannotUndo("changed")
            old = old_words[row.pk].revision
            rules, _ = read_rules(trail.owner)
            Words(old.content, old.key, old.value, Kind(old.kind), prepared[row.pk], rules).apply(
                row, trail, reason="undone"
            )
        goes = before.get("deleted_at") is not None
        if goes:
            # A restoring undone is a deletion, with all that goes with one.
            leave_conflicts(row, trail)
            drop_words(row.owner_id, row.pk)
            bury(row, Buried.DELETED, now=trail.at)
        _set_back(row, before, trail)
        if "deleted_at" in before and not goes:
            restore_words(row)
        if event.verb in (Verb.DELETED, Verb.DENIED):
            exhume(row, now=trail.at)
        if event.verb == Verb.RESTORED and before.get("status_reason") == Reason.DENIED:
            bury(row, Buried.DENIED, now=trail.at)
        if event.actor == Actor.PROGRAM and event.verb in (Verb.ARCHIVED, Verb.OUTDATED):
            _keep(row, event, trail)
    elif "row" in event.data:
        _take_back(event, trail)
    elif event.verb == Verb.TUNED:
        policy = Policy.objects.of(trail.owner).get()
        _check_unchanged(policy, after)
        trail.tune(policy, before["numbers"])
    elif event.conflict_id is not None and before:
        entry = Conflict.objects.of(trail.owner).filter(pk=event.conflict_id).first()
        if entry is None:
            raise CannotUndo("changed")
        _check_unchanged(entry, after)
        trail.rule(entry, Verb.UNDONE, **_values(entry, before))


def _ask_again(event: Event, trail: Trail) -> None:
    """A spot check that was answered is open again; one that was put off is asked as before."""
    checks = SpotCheck.objects.of(trail.owner).filter(pk=event.data["check"])
    if event.verb == Verb.CHECKED:
        checks.update(state=CheckState.OPEN, answered_at=None)
    elif not checks.waiting().update(
        later_until=event.data["until"], later_on_mention=event.data["on_mention"]
    ):
        raise CannotUndo("changed")


def _take_back(event: Event, trail: Trail) -> None:
    """What the owner settled with agents, set back: a pause, a grant, a switch, a place."""
    kind, pk = event.data["row"], event.data["id"]
    if kind == "agentproject":
        set_place(trail, UUID(event.data["agent"]), UUID(pk), inside=event.verb == Verb.LEFT)
        return
    row = AGREED[kind].objects.of(trail.owner).filter(pk=pk).first()
    if row is None:
        raise CannotUndo("erased")
    _check_unchanged(row, event.data["after"])
    if isinstance(row, Grant) and event.verb == Verb.REVOKED and is_in_force(row):
        raise CannotUndo("changed")
    trail.agree(row, Verb.UNDONE, **_values(row, event.data["before"]))


def _take_rule_back(event: Event, trail: Trail) -> None:
    """What the owner said of a topic: its name leads nowhere again, or its values count as they
    did."""
    rule = TopicRule.objects.of(trail.owner).filter(pk=event.data["rule"]).first()
    if rule is None:
        return
    if event.verb == Verb.RENAMED:
        rule.to_key = rule.from_key
    else:
        rule.single_valued = event.data["was"]
    if rule.to_key == rule.from_key and rule.single_valued is None:
        rule.delete()
    else:
        rule.save(update_fields=["to_key", "single_valued"])


def _keep(row: Memory, event: Event, trail: Trail) -> None:
    """A sweep's fading undone is the owner's word, or the next sweep would do the same again."""
    MemoryUse.objects.filter(memory=row, anchor__lt=trail.at).update(anchor=trail.at)
    if event.reason == Reason.FADED and event.verb == Verb.OUTDATED:
        trail.change(row, Verb.STILL_TRUE, said_at=max(row.said_at, trail.at))
    elif event.reason == Reason.EXPIRED and row.valid_to is not None:
        trail.change(row, Verb.STILL_TRUE, bump=True, valid_to=None)


def _read(owner: UUID, memory: UUID) -> Memory:
    row = Memory.objects.of(owner).filter(pk=memory).first()
    if row is None:
        raise CannotUndo("erased")
    try:
        return read_for_change(owner, memory, deleted=row.deleted_at is not None)
    except NotFound:
        raise CannotUndo("erased") from None


def _check_unchanged(row: Model, after: dict[str, Any]) -> None:
    """What the gesture left must still stand, or somebody has built on it since."""
    for name, value in _values(row, after).items():
        if getattr(row, name) != value:
            raise CannotUndo("changed")


def _set_back(row: Memory, before: dict[str, Any], trail: Trail) -> None:
    if before:
        trail.change(row, Verb.UNDONE, **_values(row, before))


def _values(row: Model, plain: dict[str, Any]) -> dict[str, Any]:
    """Stored values as the fields' own types."""
    fields = {field.attname: field for field in row._meta.concrete_fields}
    return {
        name: fields[name].to_python(value) if name in fields else value
        for name, value in plain.items()
    }
