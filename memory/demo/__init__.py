"""The demo story: one owner, three agents, fourteen months, told through the real services."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from accounts.models import User
from memory.border import owner_scope
from memory.demo.story import (
    AGENTS,
    EXTERNAL_ALLOWED,
    NAME,
    PROJECTS,
    STORY,
    ZONE,
    Asked,
    Line,
    Ruled,
    Step,
    Wrote,
)
from memory.domain.extraction import Role
from memory.domain.values import Source, Visibility
from memory.models import (
    SCOPES,
    Agent,
    AgentKey,
    AgentProject,
    Conversation,
    Memory,
    Message,
    Project,
)
from memory.querysets.callers import Caller
from memory.services import archive, mark, pin, revise, share
from memory.services.admit import make_key
from memory.services.erase import clear_all, delete_memory, erase_cleared
from memory.services.lock import read_rules
from memory.services.recall import Question, recall
from memory.services.settle import confirm_memory, deny_memory
from memory.services.write import Fact, write_facts

OWNER_EMAIL = "demo@memoir.example"
# What the owner is called until the story is complete, so that half of it is never taken for it.
_LOADING_EMAIL = "loading.demo@memoir.example"
# Who speaks, by what may be made of the words.
_SPEAKERS = {
    Source.USER_STATED: Role.USER,
    Source.INFERRED: Role.ASSISTANT,
    Source.EXTERNAL: Role.TOOL,
}


def load_demo(now: datetime) -> UUID:
    """Tell the story up to `now`; returns its owner.

    1. An owner who has memories is left alone; what one cleared is erased before it is told anew.
    2. What an interrupted first loading left behind is taken away.
    3. Every step of the story goes through the service that does it in real life, as of its date;
       only then does a new owner get the address by which others find them.
    """
    owner = User.objects.filter(email=OWNER_EMAIL).first()
    if owner is None:
        _remove_half_loaded(now)
        owner = User.objects.create_user(_LOADING_EMAIL, name=NAME, zone=ZONE)
    elif count_memories(owner.pk):
        return owner.pk
    else:
        erase_cleared(owner.pk)
    tell_story(owner.pk, now, with_keys=True)
    _show_last_seen(owner.pk, now=now)
    owner.email, owner.guided_since = OWNER_EMAIL, now
    owner.save(update_fields=["email", "guided_since"])
    return owner.pk


def tell_story(
    owner: UUID,
    now: datetime,
    *,
    with_keys: bool,
    after_step: Callable[[int], None] = lambda done: None,
) -> None:
    """Every step of the story, each in transactions of its own; `after_step` hears how many.

    Without keys nobody can ever write as one of its agents.
    """
    callers = _make_agents(owner, with_keys=with_keys)
    named: dict[str, UUID] = {}
    for done, step in enumerate(STORY, 1):
        _take(step, owner, callers, named, now=now)
        after_step(done)


def count_steps() -> int:
    """How many steps the story has."""
    return len(STORY)


def count_memories(owner: UUID) -> int:
    """How many memories the owner keeps, past and waiting ones included."""
    with owner_scope(owner):
        return Memory.objects.of(owner).kept().count()


def moment(now: datetime, days: int, clock: str) -> datetime:
    """That many days before `now`, at this time of day in Shanghai."""
    hour, minute = map(int, clock.split(":"))
    day = now.astimezone(ZoneInfo(ZONE)) - timedelta(days=days)
    return day.replace(hour=hour, minute=minute, second=0, microsecond=0)


def _remove_half_loaded(now: datetime) -> None:
    half = User.objects.filter(email=_LOADING_EMAIL).first()
    if half is not None:
        clear_all(owner=half.pk, now=now)
        erase_cleared(half.pk)
        with owner_scope(half.pk):
            half.delete()


def _make_agents(owner: UUID, *, with_keys: bool) -> dict[str, Caller]:
    """The projects and the agents, with keys that are shown to nobody."""
    callers = {}
    with owner_scope(owner):
        rules, epoch = read_rules(owner)
        projects: dict[str, UUID] = {}
        for slug, title in PROJECTS.items():
            project, _ = Project.objects.get_or_create(
                owner_id=owner, slug=slug, defaults={"name": title}
            )
            projects[slug] = project.pk
        for name, places in AGENTS.items():
            agent, made = Agent.objects.get_or_create(
                owner_id=owner, name=name, defaults={"external_allowed": name in EXTERNAL_ALLOWED}
            )
            for slug in places:
                AgentProject.objects.get_or_create(
                    owner_id=owner, agent=agent, project_id=projects[slug]
                )
            if made and with_keys:
                make_key(owner=owner, agent=agent, scopes=list(SCOPES))
            callers[name] = Caller(
                owner=owner,
                agent=agent.pk,
                agent_name=name,
                scopes=frozenset(SCOPES),
                projects=projects,
                places=frozenset(projects[slug] for slug in places),
                external_allowed=agent.external_allowed,
                epoch=epoch,
                policy=rules,
            )
    return callers


def _take(
    step: Step,
    owner: UUID,
    callers: Mapping[str, Caller],
    named: dict[str, UUID],
    *,
    now: datetime,
) -> None:
    at = moment(now, step.days, step.clock)
    if isinstance(step, Wrote):
        caller = callers[step.agent]
        said = _hold_talk(step, caller, at=at)
        facts = [
            _as_fact(line, message, now=now) for line, message in zip(step.lines, said, strict=True)
        ]
        outcomes = write_facts(caller, facts, now=at)
        for line, outcome in zip(step.lines, outcomes, strict=True):
            if line.name and outcome.memory is not None:
                named[line.name] = outcome.memory.pk
    elif isinstance(step, Asked):
        question = Question(
            query=step.query, project=step.project, strategy=step.strategy, preset=step.preset
        )
        recall(callers[step.agent], question, now=at)
    else:
        _rule(step, owner, named[step.name], at=at)


def _hold_talk(step: Wrote, caller: Caller, *, at: datetime) -> list[Message]:
    """What was said in one sitting: a message for each line, a minute after the one before."""
    assert caller.agent is not None, "the story is told by agents"
    with owner_scope(caller.owner):
        talk = Conversation.objects.create(
            owner_id=caller.owner,
            agent_id=caller.agent,
            created_at=at,
            extracted_at=at,
            epoch=caller.epoch,
        )
        return Message.objects.bulk_create(
            Message(
                owner_id=caller.owner,
                conversation=talk,
                position=place,
                role=line.speaker or _SPEAKERS[line.source],
                content=line.quote,
                at=at + timedelta(minutes=place),
                found=[],
                epoch=caller.epoch,
            )
            for place, line in enumerate(step.lines)
        )


def _as_fact(line: Line, message: Message, *, now: datetime) -> Fact:
    def day(days: int | None) -> datetime | None:
        return None if days is None else moment(now, days, "00:00")

    return Fact(
        content=line.content,
        kind=line.kind,
        key=line.key,
        value=line.value,
        source=line.source,
        quote=line.quote,
        message=message.pk,
        importance=line.importance,
        valid_from=day(line.since),
        valid_to=day(line.until),
        project=line.project,
        visibility=line.visibility,
    )


def _rule(step: Ruled, owner: UUID, memory: UUID, *, at: datetime) -> None:
    match step.act:
        case "confirm":
            confirm_memory(owner=owner, memory=memory, now=at)
        case "deny":
            deny_memory(owner=owner, memory=memory, now=at)
        case "share":
            share.share_memory(owner=owner, memory=memory, visibility=Visibility.USER, now=at)
        case "correct":
            revise.edit_memory(
                owner=owner,
                memory=memory,
                version=None,
                how="correct",
                content=step.content,
                value=step.value,
                now=at,
            )
        case "outdated":
            mark.mark_outdated(owner=owner, memory=memory, now=at)
        case "archive":
            archive.archive_memory(owner=owner, memory=memory, now=at)
        case "pin":
            pin.pin_memory(owner=owner, memory=memory, pinned=True, now=at)
        case "delete":
            delete_memory(owner=owner, memory=memory, now=at)


def _show_last_seen(owner: UUID, *, now: datetime) -> None:
    """Each agent's key was last used at its last step."""
    last = {
        step.agent: moment(now, step.days, step.clock)
        for step in STORY
        if not isinstance(step, Ruled)
    }
    with owner_scope(owner):
        for name, at in last.items():
            AgentKey.objects.of(owner).filter(agent__name=name).update(last_used_at=at)
