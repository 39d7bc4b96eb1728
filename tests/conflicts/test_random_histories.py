"""Whatever is written, edited, ruled, deleted and undone, in whatever order: nothing is lost.

No row vanishes, every status is one of the promised ones and agrees with the open questions, no
chain forks or bites its tail, and no status changes without an event that says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run_machine

from accounts.models import User
from memory.border import owner_scope
from memory.domain.values import Ruling, Source, Status
from memory.models import Agent, Conflict, ConflictMember, Event, Memory
from memory.querysets.callers import Caller
from memory.services import archive, erase, mark, pin, reinstate, revise, settle, undo
from memory.services.errors import ServiceError
from memory.services.hold import NOT_CONTESTING
from memory.services.write import Fact, write_facts
from tests.conftest import NOW

SAID = (
    "主力语言是 Java", "主力语言是 Go", "主力语言换成 Rust 了", "主力语言其实是 Go，不是 Java",
    "不用 Java 了", "我用 Java 也用 Go", "My main language is Java", "已从 Java 转向 Go",
    "可能会换成 Go", "住在北京", "住在上海", "搬到上海了", "I live in Berlin",
    "I moved to Munich", "以前住在深圳", "喜欢披萨", "讨厌披萨", "I love pizza",
    "有点不喜欢披萨了", "对花生过敏", "医生说花生可以少量吃一点", "不再对花生过敏",
    "月预算 3000 元", "月预算 5000 元", "月预算改成 5000 元", "Works at Acme",
    "Now works at Globex", "I quit my job at Acme", "偏好强类型语言", "偏好动态类型语言",
    "还是强类型好", "养了一只猫叫咪咪", "咪咪去世了", "今天喝了咖啡",
)  # fmt: skip
ACTS = [
    "deny",
    "delete",
    "restore",
    "archive",
    "unarchive",
    "outdated",
    "still_true",
    "pin",
    "unpin",
    "reinstate",
]
PLACES = st.integers(0, 10_000)
TOLD = st.sampled_from(SAID)


class Histories(RuleBasedStateMachine):
    """One owner with two agents, and everything that can happen to the memories about him."""

    def __init__(self) -> None:
        super().__init__()
        self.owner = User.objects.create(email=f"{uuid4()}@example.com", name="Alice")
        with owner_scope(self.owner.pk):
            agents = [Agent.objects.create(owner=self.owner, name=name) for name in ("one", "two")]
        self.callers = [
            Caller(
                owner=self.owner.pk, agent=agent.pk, agent_name=agent.name, external_allowed=True
            )
            for agent in agents
        ] + [Caller(owner=self.owner.pk)]
        self.now = NOW
        self.known: dict[UUID, str] = {}
        self.last_event = 0

    # -- what happens ------------------------------------------------------------------------------

    @contextmanager
    def act(self) -> Iterator[dict[str, Any]]:
        """A moment later; a refusal is an answer, anything else is a fault."""
        self.now += timedelta(minutes=7)
        with suppress(ServiceError):
            yield {"owner": self.owner.pk, "now": self.now}

    def row(self, place: int) -> UUID:
        return list(self.known)[place % len(self.known)]

    @rule(
        said=TOLD,
        who=st.integers(0, 2),
        source=st.sampled_from([*[Source.USER_STATED] * 4, *Source]),
    )
    def write(self, said: str, who: int, source: Source) -> None:
        with self.act():
            write_facts(self.callers[who], [Fact(content=said, source=source)], now=self.now)

    @precondition(lambda self: self.known)
    @rule(place=PLACES, said=TOLD, how=st.sampled_from(["correct", "changed"]))
    def edit(self, place: int, said: str, how: Any) -> None:
        with self.act() as who:
            revise.edit_memory(memory=self.row(place), version=None, how=how, content=said, **who)

    @precondition(lambda self: self.known)
    @rule(place=PLACES, said=TOLD, which=st.integers(0, 1))
    def correct_as_agent(self, place: int, said: str, which: int) -> None:
        with self.act():
            with owner_scope(self.owner.pk):
                version = Memory.objects.of(self.owner).get(pk=self.row(place)).version
            revise.revise_memory(
                self.callers[which], self.row(place), version=version, content=said, now=self.now
            )

    @rule(place=PLACES, ruling=st.sampled_from(list(Ruling)), side=PLACES, said=TOLD)
    def settle(self, place: int, ruling: Ruling, side: int, said: str) -> None:
        with owner_scope(self.owner.pk):
            entries = list(Conflict.objects.of(self.owner).order_by("-id")[:8])
            if not entries:
                return
            entry = entries[place % len(entries)]
            members = list(entry.members.order_by("id").values_list("memory", flat=True))
        with self.act() as who:
            settle.settle_conflict(
                conflict=entry.pk,
                ruling=ruling,
                keep=members[side % len(members)],
                text=said,
                **who,
            )

    @precondition(lambda self: self.known)
    @rule(place=PLACES, words=st.none() | TOLD)
    def confirm(self, place: int, words: str | None) -> None:
        with self.act() as who:
            settle.confirm_memory(memory=self.row(place), content=words, **who)

    @precondition(lambda self: self.known)
    @rule(place=PLACES, name=st.sampled_from(ACTS))
    def say_of_one(self, place: int, name: str) -> None:
        with self.act() as who:
            who["memory"] = self.row(place)
            acts: dict[str, Any] = {
                "deny": settle.deny_memory,
                "delete": erase.delete_memory,
                "restore": erase.restore_memory,
                "archive": archive.archive_memory,
                "unarchive": archive.unarchive_memory,
                "outdated": mark.mark_outdated,
                "still_true": mark.mark_still_true,
                "pin": lambda **who: pin.pin_memory(pinned=True, **who),
                "unpin": lambda **who: pin.pin_memory(pinned=False, **who),
                "reinstate": reinstate.reinstate_memory,
            }
            acts[name](**who)

    @rule(place=PLACES)
    def undo(self, place: int) -> None:
        with owner_scope(self.owner.pk):
            recent = Event.objects.of(self.owner).order_by("-id").values_list("gesture", flat=True)
            gestures = list(dict.fromkeys(recent[:40]))
        if gestures:
            with self.act() as who:
                undo.undo_gesture(gesture=gestures[place % min(len(gestures), 6)], **who)

    # -- what must hold ----------------------------------------------------------------------------

    @invariant()
    def nothing_is_lost(self) -> None:
        with owner_scope(self.owner.pk):
            rows = {row.pk: row for row in Memory.objects.of(self.owner).order_by("id")}
            events = list(
                Event.objects.of(self.owner).filter(pk__gt=self.last_event).order_by("id")
            )
            places = list(
                ConflictMember.objects.filter(
                    owner=self.owner, conflict__state="open"
                ).select_related("conflict")
            )
        assert self.known.keys() <= rows.keys(), "a row vanished"
        told = {(event.memory_id, event.data.get("after", {}).get("status")) for event in events}
        written = {event.memory_id for event in events if event.verb == "written"}
        for pk, row in rows.items():
            assert row.status in set(Status)
            if pk not in self.known:
                assert pk in written, "a row without its event"
            elif self.known[pk] != row.status:
                assert (pk, row.status) in told, "a status changed without its event"
        self.check_questions(rows, places)
        self.check_chains(rows)
        self.known = {pk: row.status for pk, row in rows.items()}
        self.last_event = max((event.pk for event in events), default=self.last_event)

    def check_questions(self, rows: dict[UUID, Memory], places: list[ConflictMember]) -> None:
        waiting = {place.memory_id for place in places if not place.bystander}
        contested = {
            place.memory_id
            for place in places
            if place.bystander and place.conflict.reason not in NOT_CONTESTING
        }
        for pk, row in rows.items():
            if row.deleted_at is not None:
                continue
            if row.status == Status.CONFLICT:
                assert pk in waiting, "waits in no open question"
                assert row.status_reason, "waits for no reason"
            if row.contested:
                assert pk in contested, "contested by nothing"
            if row.status == Status.SUPERSEDED:
                assert row.invalidated_at is not None

    def check_chains(self, rows: dict[UUID, Memory]) -> None:
        olders = [row.replaces_id for row in rows.values() if row.replaces_id is not None]
        assert len(olders) == len(set(olders)), "a chain forked"
        for link in ("replaces_id", "superseded_by_id"):
            for row in rows.values():
                seen, at = {row.pk}, getattr(row, link)
                while at is not None:
                    assert at not in seen, f"{link} runs in a circle"
                    seen.add(at)
                    at = getattr(rows[at], link)


def run(examples: int, steps: int, *, derandomize: bool) -> None:
    run_machine(
        Histories,
        settings=settings(
            max_examples=examples, stateful_step_count=steps, derandomize=derandomize,
            deadline=None, suppress_health_check=list(HealthCheck), database=None,
        ),
    )  # fmt: skip


def test_nothing_is_lost_in_short_histories(db: None) -> None:
    run(6, 25, derandomize=True)


@pytest.mark.long
def test_nothing_is_lost_in_histories_of_three_hundred_acts(db: None) -> None:
    run(4, 300, derandomize=False)
