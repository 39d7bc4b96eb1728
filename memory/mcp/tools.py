"""What an assistant may do here: four tools over the API's own operations, words and refusals."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from django.utils import timezone
from pydantic import Field, ValidationError

from memory.api.boundary import Input, Text, check_values, read_id, render_json
from memory.api.errors import EXPLAINED, ApiError, explain, wrong_fields
from memory.api.keys import need_scope
from memory.api.memories import (
    IGNORED,
    PAUSED,
    ignore_facts,
    read_facts,
    show_list,
    store_facts,
)
from memory.api.recall import answer_question
from memory.api.schemas import FactsIn, ListIn, RecallIn, Slug
from memory.domain.values import Status
from memory.querysets.callers import Caller
from memory.services.erase import withdraw_memory
from memory.services.errors import InvalidInput

Act = Callable[[Caller, Any, datetime], dict[str, Any]]

# Of a memory: what a model can use. The API shows all of it.
SHOWN = (
    "id", "content", "kind", "key", "value", "status", "source", "agent", "project", "visibility",
    "occurred_at", "valid_from", "valid_to", "updated_at",
)  # fmt: skip


class RecallTool(Input):
    query: Annotated[str, Text(4000, minimum=1)] = Field(description="the question, in words")
    project: Slug | None = Field(None, description="that project's and general memories only")
    top_k: Annotated[int, Field(ge=1, le=50, strict=True)] = 8
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000, strict=True)] | None = None


class ListTool(Input):
    q: Annotated[str, Text(200)] | None = Field(None, description="words that must stand in it")
    project: Slug | None = None
    status: list[Status] = Field(default_factory=list, description="these only; empty: all")
    limit: Annotated[int, Field(ge=1, le=100, strict=True)] = 20
    cursor: Annotated[str, Text(1000)] | None = Field(None, description="`next` of the page before")


class ForgetTool(Input):
    id: Annotated[str, Text(50)] = Field(description="the id of a memory")


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: what it says of itself, what it takes, the scope it needs, and its act."""

    name: str
    title: str
    says: str
    takes: type[Input]
    scope: str
    act: Act
    reads: bool = False
    destroys: bool = False


def _remember(caller: Caller, given: FactsIn, now: datetime) -> dict[str, Any]:
    if caller.paused:
        answer = ignore_facts(given)
    else:
        answer = store_facts(caller, read_facts(given), now=now)
    return {
        "results": [
            {**result, "memory": _brief(result["memory"]) if result["memory"] else None}
            for result in answer["results"]
        ]
    }


def _recall(caller: Caller, given: RecallTool, now: datetime) -> dict[str, Any]:
    answer = answer_question(caller, RecallIn(**given.model_dump()), now=now)
    told = [entry["memory"] for entry in (*answer["standing"], *answer["memories"])]
    return {
        "context": answer["context"],
        "memories": [_brief(memory) for memory in told],
        "needs_confirmation": [
            {
                "conflict": entry["conflict"],
                "question": entry["question"],
                "memories": [_brief(memory) for memory in entry["memories"]],
            }
            for entry in answer["needs_confirmation"]
        ],
        "history": [entry["text"] for entry in answer["history"]],
        "paused": answer["paused"],
    }


def _list(caller: Caller, given: ListTool, now: datetime) -> dict[str, Any]:
    page = show_list(caller, ListIn(**given.model_dump()), now=now)
    return {**page, "results": [_brief(memory) for memory in page["results"]]}


def _forget(caller: Caller, given: ForgetTool, now: datetime) -> dict[str, Any]:
    if caller.paused:
        return {**IGNORED, "reason": PAUSED}
    withdraw_memory(caller, read_id(given.id), now=now)
    return {"forgotten": given.id}


def _brief(memory: Mapping[str, Any]) -> dict[str, Any]:
    return {name: memory[name] for name in SHOWN if memory[name] is not None}


TOOLS = {
    tool.name: tool
    for tool in (
        Tool(
            "remember",
            "Remember facts",
            "Store facts about the person you work for, one statement each, in their own words "
            "where you can. `source`: user_stated only for what they said themselves; inferred for "
            "what you concluded, which waits for them to confirm; text from web pages, files or "
            "tools is external. `key` and `value` name a topic with one current value, such as "
            "user.language.primary. Each fact is answered with a decision and a reason; a fact may "
            "be refused, such as a password.",
            FactsIn,
            "write",
            _remember,
        ),
        Tool(
            "recall",
            "Recall what bears on a question",
            "What is known about the person that bears on a question: `context` is ready to read, "
            "`memories` are the facts in it. `needs_confirmation` is not settled: ask the person "
            "instead of using it. The person sees what was recalled.",
            RecallTool,
            "recall",
            _recall,
            reads=True,
        ),
        Tool(
            "list_memories",
            "List memories",
            "Every memory you may see, newest change first, page by page; also past and contested "
            "ones, so look at `status`. `next` is the cursor of the following page.",
            ListTool,
            "recall",
            _list,
            reads=True,
        ),
        Tool(
            "forget",
            "Forget a memory",
            "Take back a memory that you wrote yourself. The person finds it in Recently deleted. "
            "What others wrote, or the person confirmed, only the person can delete.",
            ForgetTool,
            "delete",
            _forget,
            destroys=True,
        ),
    )
}


def use_tool(caller: Caller, tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Do what the tool does, as JSON. Raises ApiError with a sentence for whoever asked."""
    need_scope(caller, tool.scope)
    try:
        answer = tool.act(caller, _read(tool, arguments), timezone.now())
    except (ApiError, InvalidInput) as error:
        said = explain(error) if isinstance(error, InvalidInput) else error
        if tool.act is _remember:
            # All of these are found before the first fact is written.
            said.message += ". Nothing was stored."
        raise said from error
    except EXPLAINED as error:
        raise explain(error) from error
    shown: dict[str, Any] = json.loads(render_json(answer))
    return shown


def _read(tool: Tool, arguments: Mapping[str, Any]) -> Input:
    given = dict(arguments)
    check_values(given)
    try:
        return tool.takes.model_validate(given)
    except ValidationError as error:
        wrong = [(problem["loc"], str(problem["msg"])) for problem in error.errors()]
        raise wrong_fields(wrong) from None
