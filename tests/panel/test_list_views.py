"""Memories by month and as lines of versions: two more ways for the same list to stand."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from memory.border import owner_scope
from memory.domain.values import Reason, Status
from memory.models import Memory, MemoryUse
from panel.reads import versions
from tests.conftest import count_statements
from tests.panel.conftest import Put, htmx, text_of

MARCH = datetime(2026, 3, 5, 4, tzinfo=UTC)
OCTOBER = datetime(2026, 10, 12, 4, tzinfo=UTC)


def succeed(owner: User, older: Iterable[Memory], newer: Memory) -> None:
    """These rows were replaced by that one."""
    with owner_scope(owner.pk):
        Memory.objects.filter(pk__in=[row.pk for row in older]).update(
            status=Status.SUPERSEDED, status_reason=Reason.REPLACED, superseded_by=newer,
            invalidated_at=newer.created_at,
        )  # fmt: skip


@pytest.fixture
def stack(alice: User, put: Put) -> list[Memory]:
    """Python, then Java, then Go."""
    rows = [
        put(alice, f"My stack is {name}", key="user.stack", value=name, now=now)
        for name, now in (("Python", MARCH), ("Java", MARCH + timedelta(days=60)), ("Go", OCTOBER))
    ]
    succeed(alice, rows[:1], rows[1])
    succeed(alice, rows[1:2], rows[2])
    return rows


def lines(html: str) -> list[str]:
    """The histories on a page, as they read."""
    found = re.findall(r'<ol class="evolved">.*?</ol>', html, re.S)
    return [re.sub(r"\s+", " ", text_of(one)) for one in found]


def follow(html: str) -> str | None:
    more = re.search(r'id="more"><a class="button" href="([^"]+)"', html)
    return more[1].replace("&amp;", "&") if more else None


def filter_numbers(html: str) -> dict[str, int]:
    """The number beside each box among the filters that has one."""
    found = re.findall(r'id="count-(\w+-[\w-]+)">(\d+)<', html)
    return {name: int(number) for name, number in found if int(number)}


# -- By month --------------------------------------------------------------------------------------


def test_months_are_headings_in_the_language_and_zone_of_the_owner(
    signed_in: Client, alice: User, put: Put
) -> None:
    late = put(alice, "drinks tea", now=datetime(2026, 3, 31, 17, 30, tzinfo=UTC))
    put(alice, "lives in Lisbon", now=MARCH, confirmed_at=OCTOBER)
    page = signed_in.get("/?view=month").content.decode()
    assert re.findall(r"<h2>(.+?)</h2>", page) == ["October 2026", "March 2026"]
    assert page.index("October 2026") < page.index("Lisbon") < page.index(f"memory-{late.pk}")
    User.objects.filter(pk=alice.pk).update(language="zh-hans", zone="Asia/Shanghai")
    page = signed_in.get("/?view=month").content.decode()
    assert re.findall(r"<h2>(.+?)</h2>", page) == ["2026年10月", "2026年4月"]


def test_a_month_that_goes_on_is_named_once_and_every_row_comes_once(
    signed_in: Client, alice: User, put: Put
) -> None:
    for number in range(70):
        put(alice, f"fact {number}", now=(OCTOBER if number < 60 else MARCH))
    first = signed_in.get("/?view=month").content.decode()
    address = follow(first)
    assert address
    rest = signed_in.get(address, headers=htmx("more")).content.decode()
    assert "<html" not in rest
    assert re.findall(r"<h2>(.+?)</h2>", first + rest) == ["October 2026", "March 2026"]
    rows = re.findall(r'<li class="row [^>]*id="memory-([0-9a-f-]+)"', first + rest)
    assert len(rows) == len(set(rows)) == 70


def test_a_month_view_keeps_filters_keys_and_choosing(
    signed_in: Client, alice: User, put: Put
) -> None:
    tea = put(alice, "drinks tea")
    put(alice, "lives in Lisbon")
    page = signed_in.get("/?view=month&q=tea&pick=page").content.decode()
    assert page.count(" data-row") == 1
    assert f'id="pick-{tea.pk}" data-pick checked' in page
    assert '<input type="hidden" name="view" value="month">' in page
    assert 'name="query" value="view=month&amp;q=tea"' in page
    done = signed_in.post(
        "/memories/many/",
        {"act": "pin", "everything": "1", "count": "1", "query": "view=month&q=tea"},
    )
    assert done.headers["Location"] == "/?view=month&q=tea"
    with owner_scope(alice.pk):
        assert Memory.objects.of(alice).get(pinned=True) == tea


def test_what_waits_stands_first_by_month_too(
    signed_in: Client, alice: User, put: Put, put_guess: Put
) -> None:
    put(alice, "lives in Lisbon", now=OCTOBER)
    put_guess(alice, "may like tea", now=MARCH)
    page = signed_in.get("/?view=month").content.decode()
    assert page.index("may like tea") < page.index("October 2026") < page.index("Lisbon")


# -- Versions --------------------------------------------------------------------------------------


def test_a_history_reads_from_old_to_new(
    signed_in: Client, stack: list[Memory], alice: User, put: Put
) -> None:
    put(alice, "lives in Lisbon", value="Lisbon")
    page = signed_in.get("/?view=chains").content.decode()
    assert lines(page) == ["Python → Java → Go (2026-10)"]
    assert "Lisbon" not in page
    assert "3 versions since 2026-03" in text_of(page)
    for version in stack:
        assert f'href="/memories/{version.pk}/"' in page
    assert 'id="many"' not in page


def test_a_history_reads_so_in_chinese(
    in_chinese: User, signed_in: Client, stack: list[Memory]
) -> None:
    page = signed_in.get("/?view=chains").content.decode()
    assert lines(page) == ["Python → Java → Go（2026-10）"]
    assert "3 个版本 自 2026-03 起" in text_of(page)


def test_what_one_version_replaced_together_is_one_step(
    signed_in: Client, alice: User, put: Put
) -> None:
    sides = [put(alice, f"theme is {tint}", value=tint, now=MARCH) for tint in ("dark", "light")]
    succeed(alice, sides, put(alice, "theme is sepia", value="sepia", now=OCTOBER))
    page = signed_in.get("/?view=chains").content.decode()
    assert sorted(lines(page)[0].split(" → ")[0].split(" / ")) == ["dark", "light"]


@pytest.mark.parametrize(
    ("query", "found"),
    [("q=Python", 1), ("q=Go", 1), ("q=Rust", 0), ("status=active", 1), ("status=stale", 0),
     ("status=any", 1), ("source=external", 0), ("status=conflict", 0)],
)  # fmt: skip
def test_the_search_finds_any_version_and_filters_are_about_the_last(
    signed_in: Client, stack: list[Memory], query: str, found: int
) -> None:
    page = signed_in.get(f"/?view=chains&{query}").content.decode()
    assert len(lines(page)) == found
    assert ("Nothing matches" in page) == (not found)


def test_a_history_that_ended_is_there_with_the_past(
    signed_in: Client, alice: User, stack: list[Memory]
) -> None:
    with owner_scope(alice.pk):
        Memory.objects.filter(pk=stack[2].pk).update(
            status=Status.SUPERSEDED, status_reason=Reason.DENIED
        )
    assert lines(signed_in.get("/?view=chains").content.decode()) == []
    past = signed_in.get("/?view=chains&status=superseded").content.decode()
    assert lines(past) == ["Python → Java → Go (2026-10)"]


def test_deleted_versions_are_passed_over(
    signed_in: Client, alice: User, stack: list[Memory]
) -> None:
    with owner_scope(alice.pk):
        Memory.objects.filter(pk=stack[1].pk).update(deleted_at=OCTOBER)
    assert lines(signed_in.get("/?view=chains").content.decode()) == ["Python → Go (2026-10)"]
    with owner_scope(alice.pk):
        Memory.objects.filter(pk=stack[0].pk).update(deleted_at=OCTOBER)
    assert "Nothing has changed yet" in signed_in.get("/?view=chains").content.decode()


def test_a_long_history_shows_its_last_steps(
    signed_in: Client, alice: User, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "STEPS_SHOWN", 2)
    rows = [put(alice, f"v{n}", value=f"v{n}", now=MARCH + timedelta(days=n)) for n in range(5)]
    for older, newer in pairwise(rows):
        succeed(alice, [older], newer)
    page = signed_in.get("/?view=chains").content.decode()
    assert lines(page) == ["… → v2 → v3 → v4 (2026-03)"]
    assert "5 versions" in page


def test_pages_of_histories_hold_each_once(
    signed_in: Client, alice: User, bob: User, put: Put
) -> None:
    for number in range(60):
        old, new = (put(alice, f"{word} {number}", now=MARCH) for word in ("old", "new"))
        succeed(alice, [old], new)
    seen: list[str] = []
    address: str | None = "/?view=chains"
    while address:
        page = signed_in.get(address).content.decode()
        seen += re.findall(r'id="chain-([0-9a-f-]+)"', page)
        address = follow(page)
    assert len(seen) == len(set(seen)) == 60
    signed_in.force_login(bob)
    assert "chain-" not in signed_in.get("/?view=chains").content.decode()


# -- Both ------------------------------------------------------------------------------------------


def test_the_switch_keeps_the_filters_and_says_where_one_is(
    signed_in: Client, alice: User, stack: list[Memory]
) -> None:
    page = signed_in.get("/?view=month&source=user_stated&q=o&cursor=").content.decode()
    found = re.findall(r'id="view-(\w+)" href="([^"]+)"[^>]*?( aria-current="true")?>', page)
    assert [(name, address.replace("&amp;", "&"), bool(here)) for name, address, here in found] == [
        ("topic", "/?source=user_stated&q=o", False),
        ("month", "/?source=user_stated&q=o&view=month", True),
        ("chains", "/?source=user_stated&q=o&view=chains", False),
    ]
    assert 'name="sort"' not in page
    swapped = signed_in.get("/?view=chains", headers=htmx("memories"))
    assert swapped.headers["HX-Push-Url"] == "/?view=chains"
    assert "<html" not in swapped.content.decode()


def test_filters_count_histories_where_they_are_listed(
    signed_in: Client, alice: User, stack: list[Memory], put: Put, put_guess: Put
) -> None:
    put(alice, "drinks tea", source="external")
    past = [put(alice, f"I lived in {place}") for place in ("Rome", "Oslo")]
    succeed(alice, past[:1], past[1])
    with owner_scope(alice.pk):
        Memory.objects.filter(pk=past[1].pk).update(status=Status.SUPERSEDED, source="inferred")
    put_guess(alice, "may like Rust")
    html = signed_in.get("/?view=chains").content.decode()
    assert filter_numbers(html) == {
        "status-active": 1, "status-superseded": 1, "source-user_stated": 1,
        "kind-semantic": 1, "tier-working": 1, "visibility-private": 1,
    }  # fmt: skip
    assert "At any time (1)" in html
    # The search finds an earlier version, too.
    assert (
        filter_numbers(signed_in.get("/?view=chains&q=Python").content.decode())["status-active"]
        == 1
    )
    nothing = signed_in.get("/?view=chains&q=tea").content.decode()
    assert filter_numbers(nothing) == {}


@pytest.mark.parametrize("query", ["view=year", "view=month&cursor=forged", "view=chains&cursor=x"])
def test_a_view_that_is_none_is_refused(signed_in: Client, stack: list[Memory], query: str) -> None:
    assert signed_in.get(f"/?{query}").status_code == 422


@pytest.mark.parametrize("view", ["", "month", "chains"])
def test_as_many_statements_for_2000_rows_as_for_50(
    signed_in: Client, alice: User, put: Put, view: str
) -> None:
    def fact(number: int, **fields: Any) -> Memory:
        return Memory(
            owner=alice, content=f"fact {number}", search_text="fact", importance=0.5,
            created_at=MARCH, updated_at=MARCH, said_at=MARCH, fingerprint=str(number), **fields,
        )  # fmt: skip

    def fill(numbers: range) -> None:
        half = len(numbers) // 2
        with owner_scope(alice.pk):
            newer = Memory.objects.bulk_create(fact(n) for n in numbers[:half])
            older = Memory.objects.bulk_create(
                fact(n, status=Status.SUPERSEDED, superseded_by=after)
                for n, after in zip(numbers[half:], newer, strict=True)
            )
            MemoryUse.objects.bulk_create(
                MemoryUse(memory=row, owner=alice, anchor=MARCH) for row in [*newer, *older]
            )

    signed_in.get("/")
    counts = []
    for numbers in (range(50), range(50, 2_000)):
        fill(numbers)
        with count_statements() as counted:
            page = signed_in.get(f"/?view={view}").content.decode()
        assert page.count(" data-row") >= 25
        counts.append(len(counted))
    assert counts[0] == counts[1]
