"""Find the facts that a dialogue states, each with the words it stands in: by the rules, and by a
judge where one answers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from memory.adapters.answers import FoundFact
from memory.adapters.judges import Turn as Shown
from memory.domain import extraction, text
from memory.domain.conflicts import is_negative
from memory.domain.extraction import Extracted, Role, Turn
from memory.domain.tombstones import loose_fingerprint
from memory.domain.values import Kind, Source
from memory.models import Message
from memory.services.consult import Consultation
from memory.services.trace import stands_in

# What a judge is shown at once.
MOST_CHARACTERS = 12_000
MOST_MESSAGES = 40
# A content of which less than this stands in the dialogue was made up.
LEAST_SUPPORT = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A fact found in one message, by the rules or by a judge."""

    content: str
    kind: Kind
    source: Source
    quote: str
    key: str = ""
    value: str = ""
    occurred_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    by: str = "rules"
    # Why it was not a judge, where there is one.
    fallback: str = ""


def find_facts(
    messages: Sequence[Message],
    *,
    zone: str,
    known: Collection[str],
    consultation: Consultation,
) -> None:
    """Set `found` of each message. Never inside a transaction.

    The rules read everything. A judge may say it better and find more; what the rules found and it
    left out stays, and an answer of which half does not stand in the dialogue counts for nothing.
    """
    by_rules: dict[int, list[Found]] = {}
    turns = [
        Turn(role=Role(message.role), content=message.content, at=message.at)
        for message in messages
    ]
    for fact in extraction.extract_facts(turns, zone=ZoneInfo(zone), known=known):
        by_rules.setdefault(fact.message_index, []).append(_from_rules(fact))
    for batch in _batches(messages):
        judged = _ask(messages, batch, zone=zone, known=known, consultation=consultation)
        for place in batch:
            found = by_rules.get(place, [])
            if judged is None:
                found = [replace(fact, fallback=consultation.fallback) for fact in found]
            else:
                found = _merge(messages[place].content, found, judged.get(place, []))
            messages[place].found = [as_json(fact) for fact in found]


def _from_rules(fact: Extracted) -> Found:
    return Found(
        content=fact.content,
        kind=fact.kind,
        source=fact.source,
        quote=fact.quote,
        occurred_at=fact.occurred_at,
        valid_from=fact.valid_from,
        valid_to=fact.valid_to,
    )


def _batches(messages: Sequence[Message]) -> Iterator[range]:
    """The places of the messages, so many at a time as a judge can read at once."""
    start, size = 0, 0
    for place, message in enumerate(messages):
        length = len(message.content)
        if place > start and (size + length > MOST_CHARACTERS or place - start >= MOST_MESSAGES):
            yield range(start, place)
            start, size = place, 0
        size += length
    if messages:
        yield range(start, len(messages))


def _ask(
    messages: Sequence[Message],
    batch: range,
    *,
    zone: str,
    known: Collection[str],
    consultation: Consultation,
) -> dict[int, list[Found]] | None:
    """A judge's facts by place, each checked; None where there are none to go by.

    Its numbers are places in the dialogue from 1, and only what the batch shows may be cited.
    """
    shown = [
        Shown(
            number=place + 1,
            role=messages[place].role,
            content=messages[place].content,
            at=messages[place].at,
        )
        for place in batch
    ]
    answer = consultation.extract(shown, zone=zone)
    if answer is None:
        return None
    missing = sum(not stands_in(fact.quote, messages[fact.message - 1].content) for fact in answer)
    if missing * 2 > len(answer):
        consultation.fallback = "quotes"
        return None
    checked: dict[int, list[Found]] = {}
    forms = {loose_fingerprint(content) for content in known}
    for fact in answer:
        place = fact.message - 1
        before = messages[place - 1].content if place else ""
        kept = _check(fact, messages[place], before)
        if kept is not None and loose_fingerprint(kept.content) not in forms:
            checked.setdefault(place, []).append(kept)
    return checked


def _check(fact: FoundFact, message: Message, before: str) -> Found | None:
    """A judge's fact as far as it can be believed; None where it is made up.

    Words that say the opposite of their quote, or that stand nowhere in the dialogue, give way to
    the quote itself. Without a quote in the message a fact is a conclusion at most.
    """
    content, key, value = text.clean(fact.content, field="content"), fact.key, fact.value
    quoted = stands_in(fact.quote, message.content)
    supported = _support(content, f"{message.content}\n{before}") >= LEAST_SUPPORT
    if quoted and (not supported or is_negative(content) != is_negative(fact.quote)):
        content, key, value = fact.quote, "", ""
    elif not supported:
        return None
    if value and _support(value, message.content) < LEAST_SUPPORT:
        key, value = "", ""
    source: Source = fact.source if quoted and message.role == Role.USER else Source.INFERRED
    if message.role in (Role.SYSTEM, Role.TOOL):
        source = Source.EXTERNAL
    return Found(
        content=content,
        kind=fact.kind,
        source=source,
        quote=fact.quote if quoted else "",
        key=key,
        value=value,
        by="judge",
    )


def _support(content: str, said: str) -> float:
    """The share of a text's words that stand in another."""
    words = text.tokens(content)
    if not words:
        return 0.0
    there = set(text.tokens(said))
    return sum(word in there for word in words) / len(words)


def _merge(content: str, by_rules: Sequence[Found], judged: Sequence[Found]) -> list[Found]:
    """A judge's facts, with the dates the rules read, and what only the rules found.

    Where both speak about the same words and the judge trusts them less, the rules' fact stays.
    """
    kept: list[Found] = []
    better = list(judged)
    for rule in by_rules:
        same = [fact for fact in better if _overlap(content, rule.quote, fact.quote)]
        if not same or (
            rule.source is Source.USER_STATED
            and all(fact.source is not Source.USER_STATED for fact in same)
        ):
            better = [fact for fact in better if fact not in same]
            kept.append(rule)
            continue
        for fact in same:
            better[better.index(fact)] = replace(
                fact,
                occurred_at=rule.occurred_at,
                valid_from=rule.valid_from,
                valid_to=rule.valid_to,
            )
    return sorted(kept + better, key=lambda fact: _span(content, fact.quote))


def _span(content: str, quote: str) -> tuple[int, int]:
    """Where a quote stands, by the matching form; nowhere is at the end."""
    said, wanted = text.match_form(content), text.match_form(quote)
    at = said.find(wanted) if wanted else -1
    return (at, at + len(wanted)) if at >= 0 else (len(said), len(said))


def _overlap(content: str, one: str, other: str) -> bool:
    (a, b), (c, d) = _span(content, one), _span(content, other)
    return a < d and c < b


# -- As it is kept in a message --------------------------------------------------------------------

_DATES = ("occurred_at", "valid_from", "valid_to")


def as_json(fact: Found) -> dict[str, Any]:
    data = {name: getattr(fact, name) for name in Found.__slots__}
    return {k: v.isoformat() if isinstance(v, datetime) else v for k, v in data.items() if v}


def from_json(data: dict[str, Any]) -> Found:
    dates = {name: datetime.fromisoformat(data[name]) for name in _DATES if name in data}
    return Found(
        **{
            "quote": "",
            **data,
            "kind": Kind(data["kind"]),
            "source": Source(data["source"]),
            **dates,
        }
    )
