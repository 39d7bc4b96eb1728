from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.aggregation import Row, Step, aggregate, asks_about_past, timeline
from memory.domain.errors import NaiveTime
from memory.domain.values import Reason, Status

MARCH = datetime(2024, 3, 5, tzinfo=UTC)
OCTOBER = datetime(2026, 10, 2, tzinfo=UTC)


def row(name, rank=1, **parts):
    return Row(**{"id": name, "rank": rank, "created_at": MARCH, "content": name, **parts})


def language(name, **parts):
    return row(name, topic="user.language.primary", single_valued=True, value=name, **parts)


JAVA = language(
    "Java", status=Status.SUPERSEDED, reason=Reason.REPLACED, invalidated_at=OCTOBER, rank=1
)
GO = language("Go", rank=2, created_at=OCTOBER)


def names(rows):
    return [found.id for found in rows]


def test_one_active_row_is_the_fact_and_the_superseded_never_is():
    result = aggregate([JAVA, GO])
    assert names(result.facts) == ["Go"]
    assert names(result.left_out) == ["Java"]
    assert result.history == ()
    assert result.tokens_after < result.tokens_before


def test_several_active_rows_of_a_topic_all_come_in_order():
    rows = [row("pizza", 2, topic="food"), row("vegetarian", 1, topic="food"), row("go", 3)]
    assert names(aggregate(rows).facts) == ["vegetarian", "pizza", "go"]


def test_rows_without_a_topic_are_each_their_own():
    stale = row("b", 2, status=Status.STALE)
    assert names(aggregate([row("a"), stale]).facts) == ["a", "b"]


def test_a_stale_row_is_served_only_where_its_topic_has_no_active_one():
    stale = language("Java", status=Status.STALE, stale_since=OCTOBER)
    assert aggregate([stale]).facts == (stale,)
    with_active = aggregate([stale, GO])
    assert names(with_active.facts) == ["Go"]
    assert names(with_active.left_out) == ["Java"]


def test_of_a_single_valued_topic_only_the_newest_stale_row_is_served():
    older = language("Java", status=Status.STALE)
    newer = language("Go", status=Status.STALE, valid_from=OCTOBER, rank=2)
    assert names(aggregate([older, newer]).facts) == ["Go"]


def test_an_archived_row_is_history_and_does_not_silence_a_stale_one():
    archived = language("Go", archived=True)
    stale = language("Java", status=Status.STALE, rank=2)
    assert names(aggregate([archived, stale]).facts) == ["Java"]
    assert names(aggregate([archived], include_archived=True).facts) == ["Go"]
    assert aggregate([archived]).facts == ()


def test_waiting_rows_are_asked_about_together_and_never_facts():
    rows = [
        row("strong", 2, status=Status.CONFLICT, reason=Reason.CONTRADICTION, conflict="c1"),
        row("dynamic", 1, status=Status.CONFLICT, reason=Reason.CONTRADICTION, conflict="c1"),
        row("mac", 3, status=Status.CONFLICT, reason=Reason.INFERRED),
    ]
    result = aggregate(rows)
    assert result.facts == ()
    assert [names(entry.rows) for entry in result.waiting] == [["dynamic", "strong"], ["mac"]]
    assert [entry.reason for entry in result.waiting] == [Reason.CONTRADICTION, Reason.INFERRED]


def test_quarantined_text_is_nowhere():
    result = aggregate([row("x", status=Status.CONFLICT, reason=Reason.QUARANTINED)])
    assert (result.facts, result.waiting, result.left_out) == ((), (), ())
    assert result.tokens_before == 0


def test_history_is_a_timeline():
    (history,) = aggregate([GO, JAVA], include_history=True).history
    assert history.topic == "user.language.primary"
    assert history.text == "Java (2024-03 – 2026-10) → Go (2026-10 –)"
    assert names_of(history) == ["Java", "Go"]


def names_of(history):
    return [step.memory for step in history.steps]


def test_a_chain_without_a_topic_is_one_timeline():
    old = row("Java", status=Status.SUPERSEDED, invalidated_at=OCTOBER)
    new = row("Go", replaces="Java", created_at=OCTOBER, rank=2)
    result = aggregate([new, old], include_history=True)
    assert result.history[0].text == "Java (2024-03 – 2026-10) → Go (2026-10 –)"
    assert names(result.facts) == ["Go"]


@pytest.mark.parametrize("reason", [Reason.DENIED, Reason.CORRECTED])
def test_what_was_never_true_is_in_no_timeline(reason):
    denied = language("Mac", status=Status.SUPERSEDED, reason=reason)
    assert aggregate([denied, GO], include_history=True).history == ()


def test_values_that_did_not_replace_each_other_are_not_chained():
    ended = row("chess", topic="hobbies", status=Status.SUPERSEDED, invalidated_at=OCTOBER)
    going = row("go", topic="hobbies", rank=2)
    (history,) = aggregate([ended, going], include_history=True).history
    assert history.text == "chess (2024-03 – 2026-10); go (2024-03 –)"


def test_top_k_caps_the_facts_and_says_what_it_cut():
    result = aggregate([row(str(n), n) for n in range(1, 6)], top_k=2)
    assert names(result.facts) == ["1", "2"]
    assert names(result.cut) == ["3", "4", "5"]
    assert aggregate([GO], top_k=0).facts == ()


def test_months_are_those_of_the_owners_zone():
    last_evening = datetime(2026, 9, 30, 17, 30, tzinfo=UTC)
    steps = [Step(memory="1", value="Go", began=last_evening)]
    assert timeline(steps) == "Go (2026-09 –)"
    assert timeline(steps, zone=timezone(timedelta(hours=8))) == "Go (2026-10 –)"


def test_a_naive_creation_is_an_error():
    with pytest.raises(NaiveTime):
        aggregate([row("a", created_at=MARCH.replace(tzinfo=None))])


def test_a_damaged_chain_ends():
    ring = [row("a", replaces="b"), row("b", replaces="c"), row("c", replaces="a")]
    assert len(aggregate(ring, include_history=True).facts) == 3


rows = st.lists(
    st.builds(
        Row,
        id=st.sampled_from("abcdefgh"),
        rank=st.integers(1, 4),
        created_at=st.sampled_from([MARCH, OCTOBER]),
        content=st.sampled_from(["喜欢披萨", "likes tea"]),
        status=st.sampled_from(list(Status)),
        topic=st.sampled_from([None, "food", "home"]),
        single_valued=st.booleans(),
        archived=st.booleans(),
        replaces=st.sampled_from([None, "a", "b"]),
        reason=st.sampled_from([None, Reason.QUARANTINED, Reason.DENIED]),
    ),
    unique_by=lambda found: found.id,
    max_size=8,
)


@given(rows, st.randoms(), st.none() | st.integers(0, 5))
def test_aggregation_does_not_depend_on_the_order_of_its_input(found, random, top_k):
    shuffled = list(found)
    random.shuffle(shuffled)
    once = aggregate(found, include_history=True, top_k=top_k)
    assert aggregate(shuffled, include_history=True, top_k=top_k) == once


@given(rows, st.none() | st.integers(0, 5))
def test_aggregating_the_facts_again_changes_nothing(found, top_k):
    facts = aggregate(found, top_k=top_k).facts
    assert aggregate(facts, top_k=top_k).facts == facts
    assert top_k is None or len(facts) <= top_k


PAST = [
    "我以前用什么语言",
    "我之前用什么技术栈",
    "之前住在哪里？",
    "我曾经在哪家公司工作",
    "过去我用什么编辑器",
    "我去年还说过什么",
    "上一份工作是什么",
    "原来用哪个数据库",
    "What did I use before?",
    "what language did I use before Go",
    "Where did I use to live?",
    "what I used to eat",
    "previously used editor",
    "my former employer",
    "what was my previous job",
    "how did I do it in the past",
]
NOT_PAST = [
    "推荐一个后端框架",
    "5点之前要做什么",
    "周五之前要交什么",
    "出发之前要带什么",
    "下班以前提醒我",
    "过去三天的会议",
    "过去 7 天",
    "原来如此",
    "remind me before 5pm",
    "what is due before Friday",
    "call me before I leave",
    "did I finish it before noon",
    "which tool is used to build the app",
    "I am used to tea",
    "getting used to it",
    "errors in the past 3 days",
]


@pytest.mark.parametrize("query", PAST)
def test_a_question_about_the_past_is_recognised(query):
    assert asks_about_past(query)


@pytest.mark.parametrize("query", NOT_PAST)
def test_other_questions_are_not_about_the_past(query):
    assert not asks_about_past(query)
