"""What the forgetting curve of one memory is drawn from. Inside owner_scope, four statements."""

from __future__ import annotations

from datetime import datetime

from memory.domain import decay, tiers
from memory.domain.policy import Policy as Rules
from memory.domain.values import Kind as KindOfMemory
from memory.domain.values import Reason, Status, Tier
from memory.models import Conflict, Event, Memory, RecallItem
from memory.models.events import Verb
from memory.models.recalls import Place
from panel.curves import MOST_MARKS, Kind, Life, Step, Waiting

# Words that start the clock anew, as the curve marks them.
_REINFORCING: dict[str, Kind] = {
    Verb.SAID_AGAIN: "said",
    Verb.STILL_TRUE: "confirmed",
    Verb.CONFIRMED: "confirmed",
    Verb.UNARCHIVED: "back",
    Verb.RESTORED: "back",
}
_MOST_RISES = 8


def read_life(memory: Memory, rules: Rules, now: datetime) -> Life:
    """The last reinforcements, by recall and by word, each with the tier it had from then on."""
    served = (
        RecallItem.objects.of(memory.owner_id)
        .filter(memory=memory, place=Place.MEMORY, recall__reinforced=True)
        .order_by("-recall__asked_at")
        .values_list("recall__asked_at", flat=True)
    )
    events = Event.objects.of(memory.owner_id).filter(memory=memory).order_by("-id")
    # Also "still true" is said of what nothing contests any more, and "restored" of what was only
    # deleted: neither moves the anchor.
    said = (
        events.filter(verb__in=_REINFORCING)
        .exclude(verb=Verb.STILL_TRUE, reason="unopposed")
        .exclude(verb=Verb.STILL_TRUE, data__after={"contested": False})
        .exclude(verb=Verb.RESTORED, reason__in=("", "merged"))
        .values_list("at", "verb")
    )
    rises = list(
        events.filter(data__after__has_key="tier").values_list(
            "at", "data__before__tier", "data__after__tier"
        )[:_MOST_RISES]
    )
    rises = [(at, Tier(old), Tier(new)) for at, old, new in reversed(rises) if old != new]

    def tier_at(moment: datetime) -> Tier:
        past = [new for at, _old, new in rises if at <= moment]
        return past[-1] if past else rises[0][1] if rises else Tier(memory.tier)

    steps = [Step(at, "served", tier_at(at)) for at in served[:MOST_MARKS]]
    steps += [Step(at, _REINFORCING[verb], tier_at(at)) for at, verb in said[:MOST_MARKS]]
    steps = sorted(steps, key=lambda step: step.at)[-MOST_MARKS:]
    shown = sum(step.kind == "served" for step in steps)
    known = {step.at for step in steps}
    steps += [Step(at, "rose", new) for at, _old, new in rises if at not in known]
    confirmed_tier = tiers.tier_after_confirmation(
        Tier(memory.tier), kind=KindOfMemory(memory.kind), has_end=memory.valid_to is not None
    )
    return Life(
        created_at=memory.created_at,
        tier=Tier(memory.tier),
        steps=sorted(steps, key=lambda step: step.at),
        times_served=memory.use.times_served,
        anchor=memory.use.anchor_under(rules, memory.created_at),
        now=now,
        policy=rules,
        protected=memory.is_protected(rules),
        earlier=max(0, memory.use.times_served - shown),
        waiting=_waiting(memory),
        first_tier=rises[0][1] if rises else Tier(memory.tier),
        confirmed_tier=confirmed_tier,
        confirmed_protected=decay.is_protected(
            status=Status.ACTIVE,
            safety=memory.safety,
            pinned=memory.pinned,
            confirmed=True,
            tier=confirmed_tier,
            policy=rules,
        ),
    )


def _waiting(memory: Memory) -> Waiting | None:
    """As a side of an open contradiction, what its weight is made of."""
    if memory.status != Status.CONFLICT or memory.status_reason != Reason.CONTRADICTION:
        return None
    entry = (
        Conflict.objects.of(memory.owner_id)
        .waiting()
        .filter(members__memory=memory, members__bystander=False)
        .order_by("-id")
        .first()
    )
    return Waiting(
        said_at=memory.said_at,
        recent_evidence=memory.said_at > memory.created_at,
        recurrences=entry.recurrences if entry else 1,
    )
