"""What the owner settled with agents, as Activity tells it: which agent, which grant."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from memory.models import Agent, Event, Grant, Project
from panel.reads.sharing import as_sentences


def name_agreed(owner: UUID, events: Iterable[Event]) -> dict[int, str]:
    """What each such event is about, by its id. Three statements at most. Inside owner_scope."""
    agreed = [event for event in events if "row" in event.data]
    agents: dict[str, str] = _names(
        Agent, owner, [*_ids(agreed, "agent"), *_ids(agreed, "agentproject", "agent")]
    )
    projects: dict[str, str] = _names(Project, owner, _ids(agreed, "agentproject"))
    wanted = _ids(agreed, "grant")
    grants = (
        {
            str(sentence.grant): sentence.text
            for sentence in as_sentences(Grant.objects.of(owner).filter(pk__in=wanted))
        }
        if wanted
        else {}
    )
    told: dict[int, str] = {}
    for event in agreed:
        kind, pk = event.data["row"], event.data["id"]
        if kind == "agentproject":
            text = f"{agents.get(event.data['agent'], '')} · {projects.get(pk, '')}"
        else:
            text = {"agent": agents, "grant": grants}.get(kind, {}).get(pk, "")
        told[event.pk] = text
    return told


def _ids(events: list[Event], kind: str, name: str = "id") -> list[str]:
    return [event.data[name] for event in events if event.data["row"] == kind]


def _names(model: Any, owner: UUID, wanted: list[str]) -> dict[str, str]:
    if not wanted:
        return {}
    rows = model.objects.of(owner).filter(pk__in=wanted).values_list("pk", "name")
    return {str(pk): name for pk, name in rows}
