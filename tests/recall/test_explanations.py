"""The bars, the sentence and the gates: what the panel says of a score is what it is."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.utils import timezone, translation
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from memory.border import owner_scope
from memory.domain.policy import DEFAULT_POLICY
from memory.domain.ranking import Candidate, explain
from memory.domain.values import Preset, Strategy
from memory.models import Agent, Memory, MemoryUse
from memory.services.admit import read_caller
from memory.services.consider import Filters, Question, consider
from memory.services.find_gate import Gate, find_gate
from memory.services.recall import embed_question, find
from memory.services.settle import confirm_memory
from memory.services.suppose import suppose_confirmed
from panel.explanations import LEAST, explain_rank, nth, parts_of, pieces_of, scale_of
from tests.conftest import ApiClient, MakeAgent
from tests.panel.conftest import text_of
from tests.recall.conftest import change

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
share = st.floats(0, 1)
scored = st.builds(
    Candidate,
    id=st.just("x"),
    created_at=st.just(NOW),
    retention=share,
    semantic=share,
    bm25=st.floats(0, 20),
    bm25_max=st.floats(1, 20),
    importance=share,
    status_weight=st.sampled_from([1.0, 0.5, 0.1]),
    source_weight=st.sampled_from([1.0, 0.3]),
    protected=st.booleans(),
    hours=st.floats(0, 9000),
)


# -- Bars ------------------------------------------------------------------------------------------


@given(scored, st.sampled_from(Strategy), st.sampled_from(Preset))
def test_the_parts_of_a_score_make_the_score(
    candidate: Candidate, strategy: Strategy, preset: Preset
) -> None:
    """Together they took away what the score lost: −ln(score), within a millionth."""
    numbers = asdict(explain(candidate, strategy=strategy, preset=preset))
    parts = parts_of(numbers)
    if numbers["final"] > 1e-12:
        lost = sum(part.lost for part in parts)
        assert math.isclose(lost, -math.log(numbers["final"]), abs_tol=1e-6)
    for part in parts:
        assert part.lost >= -1e-9
        if part.terms:
            assert math.isclose(sum(term.adds for term in part.terms), part.factor)


@given(st.lists(scored, min_size=1, max_size=8), st.sampled_from(Strategy))
def test_all_bars_have_one_scale_and_end_inside_it(
    candidates: list[Candidate], strategy: Strategy
) -> None:
    scores = [parts_of(asdict(explain(one, strategy=strategy))) for one in candidates]
    scale = scale_of(scores)
    for parts in scores:
        pieces = pieces_of(parts, scale)
        end = 0.0
        for piece in pieces:
            assert math.isclose(piece.start, end, abs_tol=0.02)
            end = piece.start + piece.width
        assert end <= 1000.02
        if any(part.tiny for part in parts):
            assert math.isclose(end, 1000.0, abs_tol=0.05)
        elif scale > 0:
            drawn = 1000.0 * sum(part.lost for part in parts) / scale
            assert math.isclose(end, drawn, abs_tol=0.05)


def test_what_is_next_to_nothing_is_drawn_full_and_said_to_be() -> None:
    nothing = Candidate(id="x", created_at=NOW, retention=LEAST / 2, semantic=1.0)
    parts = parts_of(asdict(explain(nothing, strategy=Strategy.MULTIPLICATIVE)))
    assert [part.name for part in parts if part.tiny] == ["freshness"]
    assert pieces_of(parts, scale_of([parts]))[-1].start + pieces_of(parts, scale_of([parts]))[
        -1
    ].width == pytest.approx(1000)


def test_the_numbers_shown_are_those_stored_with_the_recall(
    signed_in: Client, told: dict[str, Any]
) -> None:
    html = signed_in.get(f"/recalls/{told['answer']['id']}/").content.decode()
    for item in told["answer"]["memories"]:
        block = re.search(
            rf'<li class="fact" id="told-{item["memory"]["id"]}">.*?</form>', html, re.S
        )
        assert block
        assert f"Relevance {item['explain']['relevance']:.2f}" in text_of(block[0])
        lengths = [
            float(width)
            for width in re.findall(r'"score-[a-z]+" x="[^"]+" width="([^"]+)"', block[0])
        ]
        assert lengths
        parts = [part for part in parts_of(item["explain"]) if part.lost > 1e-3]
        lengths = [length for length in lengths if length > 0.5]
        whole = sum(part.lost for part in parts)
        for part, length in zip(parts, lengths, strict=True):
            assert math.isclose(part.lost / whole, length / sum(lengths), abs_tol=0.01)


# -- The sentence ----------------------------------------------------------------------------------


def test_ordinals() -> None:
    with translation.override("en"):
        said = [nth(rank) for rank in (1, 2, 3, 4, 11, 12, 13, 21, 22, 100, 111)]
    assert said == ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "100th",
                    "111th"]  # fmt: skip
    with translation.override("zh-hans"):
        assert nth(3) == "第 3"


def test_the_sentence_says_what_held_it_down() -> None:
    candidate = Candidate(
        id="x", created_at=NOW, retention=0.41, semantic=0.81, bm25=0.81 * 0.7, bm25_max=1.0,
        importance=0.9, hours=47 * 24 + 3,
    )  # fmt: skip
    numbers = asdict(explain(candidate, policy=DEFAULT_POLICY))
    with translation.override("en"):
        assert explain_rank(numbers, rank=3, highest=True, confirmed=1) == (
            "3rd: relevance 0.81 (highest), but unused for 47 days, 0.41 left; "
            "if confirmed today it would rank 1st."
        )
        assert explain_rank(numbers, rank=3, highest=False, confirmed=3) == (
            "3rd: relevance 0.81, but unused for 47 days, 0.41 left."
        )
    with translation.override("zh-hans"):
        assert explain_rank(numbers, rank=3, highest=True, confirmed=1) == (
            "排第 3：相关度 0.81（最高），但 47 天没有用到，还剩 0.41；若今天确认，将排第 1。"
        )


@pytest.mark.parametrize("strategy", Strategy)
def test_would_rank_comes_true(
    alice: User, agent: ApiClient, make_memory: Callable[..., Memory], strategy: Strategy
) -> None:
    """Old, fading, half in doubt; then confirmed: it ranks where the sentence said it would."""
    now = timezone.now()
    rows = {
        text: agent.write(text)["memory"]["id"]
        for text in (
            "The garden has roses near the old gate",
            "The garden gate is painted green",
            "Roses in the garden need water",
            "The gate squeaks in the wind",
        )
    }
    faded = rows["The garden has roses near the old gate"]
    change(alice, faded, status="stale", status_reason="faded", tier="short_term", importance=0.5)
    for pk in rows.values():
        change(alice, pk, created_at=now - timedelta(days=30), said_at=now - timedelta(days=30))
    with owner_scope(alice.pk):
        MemoryUse.objects.filter(memory__in=rows.values()).update(anchor=now - timedelta(days=3))
        MemoryUse.objects.filter(memory=faded).update(anchor=now - timedelta(days=20))
        caller = read_caller(alice.pk, agent.caller.agent)  # type: ignore[arg-type]
    question = Question(query="garden roses at the old gate", strategy=strategy, reinforce=False)
    vector = embed_question(question.query)

    def places() -> list[str]:
        with owner_scope(alice.pk):
            answer = find(caller, question, vector=vector, at=now)
        return [str(item.memory.pk) for item in answer.served]

    before = places()
    assert before.index(faded) > 0
    with owner_scope(alice.pk):
        read = consider(caller, question, vector=vector, at=now)
        said = {
            pk: suppose_confirmed(caller, question, read, memory=UUID(pk), at=now) for pk in before
        }
        assert suppose_confirmed(caller, question, read, memory=alice.pk, at=now) is None
    assert said[faded] == 1
    confirm_memory(owner=alice.pk, memory=UUID(faded), now=now)
    assert places().index(faded) + 1 == said[faded]
    # Of each of the others too, from where all stood then.
    assert all(said[pk] is not None and said[pk] <= before.index(pk) + 1 for pk in before)


# -- Why not? --------------------------------------------------------------------------------------


@pytest.fixture
def gate_of(alice: User, agent: ApiClient) -> Callable[..., Gate]:
    """The gate a memory fails for a question, asked by the agent as it is now."""

    def find_it(pk: str, query: str, *, paused: bool = False, **asked: Any) -> Gate:
        now = asked.pop("now", timezone.now())
        question = Question(query=query, reinforce=False, **asked)
        vector = embed_question(query)
        with owner_scope(alice.pk):
            Agent.objects.filter(pk=agent.caller.agent).update(paused=paused)
            caller = read_caller(alice.pk, agent.caller.agent)  # type: ignore[arg-type]
            answer = find(caller, question, vector=vector, at=now)
            return find_gate(caller, question, answer, Memory.objects.get(pk=pk), asked_at=now)

    return find_it


def test_each_gate_has_a_case(
    alice: User, agent: ApiClient, make_agent: MakeAgent, gate_of: Callable[..., Gate]
) -> None:
    tea = agent.write("green tea in the morning")["memory"]["id"]
    cases: dict[Gate, Callable[[], Gate]] = {
        Gate.SERVED: lambda: gate_of(tea, "green tea"),
        Gate.PAUSED: lambda: gate_of(tea, "bicycles", paused=True),
        Gate.FILTER: lambda: gate_of(tea, "green tea", filters=Filters(key=["user.residence"])),
        Gate.BELOW_QUALITY: lambda: gate_of(tea, "quarterly tax declaration deadline"),
        Gate.NOT_YET: lambda: gate_of(tea, "bicycles", now=timezone.now() - timedelta(days=1)),
    }
    cases[Gate.STANDING] = lambda: gate_of(
        agent.write("对花生过敏")["memory"]["id"], "quarterly tax declaration deadline"
    )
    hers = make_agent(alice, "other").write("black tea with milk")["memory"]["id"]
    cases[Gate.VISIBILITY] = lambda: gate_of(hers, "black tea")
    guess = agent.write("might like oolong tea", source="inferred")["memory"]["id"]
    cases[Gate.WAITS] = lambda: gate_of(guess, "oolong tea")
    old = agent.write("lives in Berlin", key="user.residence", value="Berlin")["memory"]["id"]
    new = agent.write("moved to Lisbon", key="user.residence", value="Lisbon")["memory"]["id"]
    cases[Gate.SUPERSEDED] = lambda: gate_of(old, "Berlin")
    kept = agent.write("jasmine tea on Sundays")["memory"]["id"]
    change(alice, kept, archived_at=timezone.now())
    cases[Gate.ARCHIVED] = lambda: gate_of(kept, "jasmine tea")
    faded = agent.write("peppermint tea after lunch")["memory"]["id"]
    change(alice, faded, tier="working")
    with owner_scope(alice.pk):
        long_ago = timezone.now() - timedelta(days=60)
        MemoryUse.objects.filter(memory=faded).update(anchor=long_ago)
    cases[Gate.FADED] = lambda: gate_of(faded, "peppermint tea")
    cases[Gate.BEYOND_TOP_K] = lambda: gate_of(tea, "moved to Lisbon, tea", top_k=1)
    cases[Gate.BEYOND_MAX_TOKENS] = lambda: gate_of(tea, "green tea", max_tokens=1)

    def overtaken() -> Gate:
        change(alice, old, status="stale", status_reason="faded", superseded_by=None,
               single_valued=False)  # fmt: skip
        return gate_of(old, "Berlin")

    cases[Gate.TOPIC_HAS_ACTIVE] = overtaken

    def far() -> Gate:
        """Without words or vector no search comes upon it."""
        change(alice, new, embedding=None)
        return gate_of(new, "bicycles")

    cases[Gate.NOT_A_CANDIDATE] = far
    assert set(cases) == set(Gate)
    assert {gate: case() for gate, case in cases.items()} == {gate: gate for gate in Gate}


def test_the_page_of_a_recall_says_why_not(
    signed_in: Client, agent: ApiClient, told: dict[str, Any]
) -> None:
    agent.write("The Lisbon aquarium opens at ten")
    base = f"/recalls/{told['answer']['id']}/"
    text = text_of(signed_in.get(f"{base}?missing=harbour").content.decode())
    assert "might live near the harbour in Lisbon It waits for you." in text
    assert "Asked again as of then" in text
    assert "It is past." in text_of(signed_in.get(f"{base}?missing=Berlin").content.decode())
    later = text_of(signed_in.get(f"{base}?missing=aquarium").content.decode())
    assert "It was written later." in later
    assert "No memory says that." in text_of(
        signed_in.get(f"{base}?missing=zebra").content.decode()
    )
