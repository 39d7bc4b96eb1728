"""What agents may use beyond what is theirs: topic by topic, and in sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.html import escape
from django.utils.translation import gettext as _

from memory.border import owner_scope
from memory.models import Agent, Grant, Memory, Project
from memory.querysets.grants import GrantQuerySet
from memory.services.admit import read_callers
from memory.services.grant import More, Wish, preview
from panel import words
from panel.own_words import sentence
from panel.topics import topic_label

# Topics of one page of the grid.
MOST_TOPICS = 12


@dataclass(frozen=True, slots=True)
class Cell:
    """One agent's share of one topic, and the grant that gives it all, if there is one.

    `whole`: it comes with the grant of everything ordinary, and ends with that one.
    """

    agent: Agent
    sees: int
    grant: UUID | None
    whole: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One topic. `key` is what a grant names it by; "" for everything ordinary."""

    key: str
    label: str
    total: int
    cells: Sequence[Cell]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A grant as it reads: who may use what of whom."""

    grant: UUID
    text: str
    sensitive: bool
    since: datetime


@dataclass(frozen=True, slots=True)
class SharingPage:
    agents: Sequence[Agent]
    projects: Sequence[Project]
    lines: Sequence[Line]
    sentences: Sequence[Sentence]
    page: int
    # Whether there are topics beyond this page.
    more: bool


def read_sharing(owner: UUID, page: int = 1) -> SharingPage:
    """A page of the grid, and the sentences; as many statements for a thousand topics as for one.

    What agents see of least comes first; everything ordinary together stands on every page.
    """
    with owner_scope(owner):
        agents = list(Agent.objects.of(owner).order_by("name"))
        projects = list(Project.objects.of(owner).order_by("name"))
        callers = read_callers(owner, agents)
        grants = (
            Grant.objects.of(owner)
            .in_force()
            .select_related("from_agent", "to_agent", "to_project")
        )
        found = list(grants.order_by("-created_at", "-id"))
        total, seen = Memory.objects.of(owner).filter(sensitivity=[]).count_visible_to(callers)
        # What a switch of the grid sets: all of one topic, whoever wrote it, for one agent.
        switches = {
            (grant.to_agent_id, grant.topic): grant.pk
            for grant in found
            if grant.to_agent_id and grant.from_agent_id is None and not grant.sensitivity
        }
        topics = Memory.objects.of(owner).topics_visible_to(
            callers,
            granted={topic for _who, topic in switches},
            most=MOST_TOPICS + 1,
            skip=(page - 1) * MOST_TOPICS,
        )
    more, topics = len(topics) > MOST_TOPICS, topics[:MOST_TOPICS]

    def cells(key: str, counts: dict[UUID, int]) -> list[Cell]:
        return [
            Cell(
                agent,
                counts[agent.pk],
                switches.get((agent.pk, key)),
                bool(key) and (agent.pk, "") in switches,
            )
            for agent in agents
        ]

    lines = [Line("", _("Everything not sensitive"), total, cells("", seen))]
    labels = Counter(topic_label(topic.key) for topic in topics)
    for topic in topics:
        label = topic_label(topic.key)
        # Two keys of one name, such as `travel` and `user.travel`: told apart by the key.
        label = f"{label} ({topic.key})" if labels[label] > 1 else label
        lines.append(Line(topic.key, label, topic.total, cells(topic.key, dict(topic.seen))))
    sentences = [_sentence(grant) for grant in found]
    return SharingPage(agents, projects, lines if total else [], sentences, page, more)


def read_preview(owner: UUID, wish: Wish) -> tuple[list[More], Sentence]:
    """What a wish would show to whom, and how it reads. Raises NotFound, InvalidInput."""
    with owner_scope(owner):
        more = preview(owner, wish)
        row = Grant(
            from_agent=_find(Agent, owner, wish.from_agent),
            to_agent=_find(Agent, owner, wish.to_agent),
            to_project=_find(Project, owner, wish.to_project),
            sensitivity=wish.sensitivity,
            topic=wish.topic,
        )
    return more, _sentence(row)


def _find(model: Any, owner: UUID, pk: UUID | None) -> Any:
    return None if pk is None else model.objects.of(owner).filter(pk=pk).first()


def as_sentences(grants: GrantQuerySet) -> list[Sentence]:
    """Grants as they read, newest first. Inside owner_scope."""
    rows = grants.select_related("from_agent", "to_agent", "to_project")
    return [_sentence(row) for row in rows.order_by("-created_at", "-id")]


def _sentence(row: Grant) -> Sentence:
    if row.sensitivity:
        about = escape(words.SENSITIVITY[row.sensitivity])
    elif row.topic:
        about = sentence("“%(topic)s”", topic=topic_label(row.topic))
    else:
        about = escape(_("anything not sensitive"))
    who = row.to_agent.name if row.to_agent else ""
    if row.to_project:
        who = sentence(_("all agents in %(project)s"), project=row.to_project.name)
    if row.from_agent:
        said = _("%(who)s may use what %(source)s knows about %(about)s")
        text = sentence(said, who=who, source=row.from_agent.name, about=about)
    else:
        said = _("%(who)s may use whatever is known about %(about)s")
        text = sentence(said, who=who, about=about)
    return Sentence(row.pk, text, bool(row.sensitivity), row.created_at)
