"""The Memories page: what stands in a row, what comes first, and that its numbers are lists."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import User
from memory.border import owner_scope
from memory.domain.values import Reason, Status
from memory.models import Agent, Memory, Policy
from memory.services.settle import confirm_memory
from tests.panel.conftest import Put, htmx, text_of

OCTOBER = datetime(2026, 10, 12, 4, tzinfo=UTC)
MARCH = datetime(2026, 3, 5, 4, tzinfo=UTC)


@pytest.fixture
def four(alice: User, put: Put, put_guess: Put) -> dict[str, Memory]:
    """The four rows of requirement 75."""
    java = put(alice, "技术栈是 Java", key="user.stack", value="Java", now=MARCH)
    confirm_memory(owner=alice.pk, memory=java.pk, now=OCTOBER)
    return {
        "java": java,
        "job": put(alice, "我是后端工程师", key="user.job", value="后端工程师", now=MARCH),
        "editor": put(
            alice, "编辑器用 VS Code", key="user.editor", value="VS Code", now=MARCH,
            status=Status.STALE, status_reason=Reason.OUTDATED,
        ),
        "mac": put_guess(alice, "可能用 Mac", key="user.device", value="Mac", now=OCTOBER),
    }  # fmt: skip


def test_the_four_rows_stand_to_the_word(
    in_chinese: User, four: dict[str, Memory], row_text: Callable[..., str], signed_in: Client
) -> None:
    assert row_text(four["java"]).startswith("技术栈 Java（2026-10 确认） 修改 删除")
    assert row_text(four["job"]).startswith("职业 后端工程师 修改 删除")
    assert row_text(four["editor"]).startswith("编辑器 已过时 ⚠️（2026-03） 修改 删除")
    assert row_text(four["mac"]).startswith("待确认 「可能用 Mac」你的意思？ 确认 否认")
    assert "<h1" in signed_in.get("/").content.decode()
    assert "我的记忆" in text_of(signed_in.get("/").content.decode())


def test_each_status_offers_what_its_table_says(
    alice: User, four: dict[str, Memory], row_text: Callable[..., str], put: Put, put_guess: Put
) -> None:
    past = put(
        alice, "My stack was Perl", value="Perl", now=MARCH, status=Status.SUPERSEDED,
        status_reason=Reason.REPLACED, superseded_by=four["java"], invalidated_at=OCTOBER,
    )  # fmt: skip
    everything = "/?status=any&archived=with"
    assert "Edit Delete Out of date" in row_text(four["java"])
    assert "Edit Delete Still true VS Code" in row_text(four["editor"])
    assert "Confirm Deny" in row_text(four["mac"])
    for word in ("Edit", "Delete"):
        assert word not in row_text(four["mac"])
    shown = row_text(past, everything)
    assert shown.startswith(
        "No topic Perl (until 2026-10) Delete My stack was Perl replaced by Java"
    )
    assert "Edit" not in shown


def test_what_waits_comes_first_five_and_then_a_link(
    signed_in: Client, alice: User, put: Put, put_guess: Put
) -> None:
    put(alice, "I live in Lisbon", key="user.residence", value="Lisbon")
    for number in range(7):
        put_guess(alice, f"may like tea {number}")
    page = signed_in.get("/").content.decode()
    assert page.index("may like tea 6") < page.index("Lisbon")
    assert page.count('class="row row-conflict"') == 5
    assert "All 7 that wait for you" in text_of(page)
    waiting = signed_in.get("/?status=conflict").content.decode()
    assert waiting.count('class="row row-conflict"') == 7
    assert "Lisbon" not in waiting


def test_a_contradiction_is_one_card_with_both_sides(
    signed_in: Client, alice: User, make_memory: Callable[..., Memory]
) -> None:
    for tint in ("dark", "light"):
        make_memory(alice, f"My editor theme is {tint}", key="user.editor.theme", value=tint)
    page = signed_in.get("/").content.decode()
    assert page.count("waits-") >= 1
    assert "These do not go together" in text_of(page)
    assert text_of(page).count("Confirm Deny") == 2


def test_every_number_is_a_list(
    signed_in: Client, alice: User, four: dict[str, Memory], put: Put, put_guess: Put
) -> None:
    put(alice, "was in Rome once", archived_at=OCTOBER)
    put(alice, "likes jazz", status=Status.SUPERSEDED, status_reason=Reason.DENIED)
    page = signed_in.get("/").content.decode()
    counts = re.search(r'<p class="counts".*?</p>', page, re.S)
    assert counts
    assert text_of(counts[0]) == "6 memories 2 to rely on 1 fading 1 needs you"
    links = re.findall(r'<a href="([^"]+)"[^>]*>\s*<b>(\d+)</b>', counts[0])
    assert len(links) == 4
    for address, number in links:
        listed = signed_in.get(address.replace("&amp;", "&")).content.decode()
        row = "queued-" if address == "/review/" else "memory-"
        assert listed.count(f'id="{row}') == int(number), address


def test_new_since_the_last_visit(signed_in: Client, alice: User, put: Put, put_guess: Put) -> None:
    with time_machine.travel(datetime(2026, 7, 1, 9, tzinfo=UTC), tick=False) as clock:
        put(alice, "an older fact", now=datetime(2026, 7, 1, 8, tzinfo=UTC))
        signed_in.get("/")
        clock.shift(timedelta(minutes=50))
        assert "new since" not in text_of(signed_in.get("/").content.decode())
        clock.shift(timedelta(hours=2))
        put(alice, "a newer fact", now=datetime(2026, 7, 1, 11, tzinfo=UTC))
        page = signed_in.get("/").content.decode()
        assert "1 new since your last visit" in text_of(page)
        listed = signed_in.get("/?status=any&archived=with&when=visit").content.decode()
        assert "a newer fact" in listed
        assert "an older fact" not in listed


def test_pages_hold_every_memory_once(
    signed_in: Client, alice: User, put: Put, put_guess: Put
) -> None:
    for number in range(120):
        put(
            alice, f"fact number {number}", key=f"user.k{number % 7}" if number % 3 else "",
            single_valued=False, importance=(number % 5) / 10,
        )  # fmt: skip
    for sort in ("", "newest", "left", "importance"):
        seen: list[str] = []
        address: str | None = f"/?sort={sort}"
        while address:
            page = signed_in.get(address).content.decode()
            seen += re.findall(r'<li class="row [^>]*id="memory-([0-9a-f-]+)"', page)
            more = re.search(r'id="more"><a class="button" href="([^"]+)"', page)
            address = more[1].replace("&amp;", "&") if more else None
        assert len(seen) == len(set(seen)) == 120, sort


def test_a_topic_that_goes_on_is_not_named_twice(
    signed_in: Client, alice: User, put: Put, put_guess: Put
) -> None:
    for number in range(60):
        put(alice, f"trip number {number}", key="user.trips", single_valued=False)
    first = signed_in.get("/").content.decode()
    more = re.search(r'id="more"><a class="button" href="([^"]+)"', first)
    assert more
    rest = signed_in.get(more[1].replace("&amp;", "&"), headers=htmx("more")).content.decode()
    assert "<html" not in rest
    assert 'class="row row-active"' not in rest
    assert rest.count("row-again") == 10


@pytest.mark.parametrize("query", ["上海", "LISBON", "lisbon", "住处", "home"])
def test_search_finds_words_in_both_languages_and_topics_by_name(
    signed_in: Client, alice: User, put: Put, put_guess: Put, query: str
) -> None:
    found = [
        put(alice, "I live in Lisbon now, 上海 before", key="user.residence"),
    ]
    put(alice, "drinks tea", key="user.drink")
    page = signed_in.get("/", {"q": query}).content.decode()
    assert page.count('id="memory-') == 1
    assert f"memory-{found[0].pk}" in page


def test_a_search_is_literal(signed_in: Client, alice: User, put: Put, put_guess: Put) -> None:
    put(alice, "gives 100% on Mondays")
    put(alice, "gives 100 on Fridays")
    assert signed_in.get("/", {"q": "100%"}).content.decode().count('id="memory-') == 1


def test_filters_count_what_the_others_leave(
    signed_in: Client, alice: User, put: Put, put_guess: Put
) -> None:
    with owner_scope(alice.pk):
        cursor = Agent.objects.create(owner=alice, name="Cursor")
    put(alice, "one of Cursor's", agent=cursor)
    put(alice, "a rule of mine", kind="procedural")
    page = signed_in.get("/", {"agent": str(cursor.pk)}).content.decode()
    assert page.count('id="memory-') == 1
    number = re.search(r'id="count-kind-procedural">(\d+)<', page)
    assert number
    assert number[1] == "0"
    number = re.search(r'id="count-kind-semantic">(\d+)<', page)
    assert number
    assert number[1] == "1"


@pytest.mark.parametrize(
    "query",
    ["status=nope", "sort=nope", "agent=not-an-id", "cursor=forged", "when=tomorrow",
     "agent=0190a000-0000-7000-8000-000000000000", "sort=newest&cursor=abc:def:ghi"],
)  # fmt: skip
@pytest.mark.parametrize("headers", [{}, htmx("memories")])
def test_an_unknown_filter_is_refused_not_ignored(
    signed_in: Client, alice: User, put: Put, put_guess: Put, query: str, headers: dict[str, str]
) -> None:
    put(alice, "I live in Lisbon")
    response = signed_in.get(f"/?{query}", headers=headers)
    assert response.status_code == 422
    assert "Lisbon" not in response.content.decode()


def test_a_cursor_is_of_no_use_to_others(
    client: Client, alice: User, bob: User, put: Put, put_guess: Put
) -> None:
    for number in range(60):
        put(alice, f"fact {number}")
    client.force_login(alice)
    more = re.search(r'href="([^"]+cursor=[^"]+)"', client.get("/").content.decode())
    assert more
    client.force_login(bob)
    assert client.get(more[1].replace("&amp;", "&")).status_code == 422


def test_the_empty_states_differ(signed_in: Client, alice: User, put: Put, put_guess: Put) -> None:
    empty = text_of(signed_in.get("/").content.decode())
    assert "Nothing is remembered yet" in empty
    put(alice, "I live in Lisbon")
    nothing = text_of(signed_in.get("/?q=xyzzy").content.decode())
    assert "Nothing matches" in nothing
    assert "Clear the filters" in nothing


def numbers_of(page: str) -> dict[str, int]:
    """The number beside each choice of archive and time, by its address."""
    found = {}
    for name in ("archived", "when"):
        [select] = re.findall(rf'<select name="{name}".*?</select>', page)
        for value, number in re.findall(r'value="(\w*)"[^>]*>[^<]*\((\d+)\)</option>', select):
            found[f"{name}={value}"] = int(number)
    return found


@pytest.mark.parametrize("query", ["", "source=inferred&status=any", "q=fact", "archived=only"])
def test_archive_and_time_say_how_many_they_would_show(
    signed_in: Client, alice: User, put: Put, query: str
) -> None:
    now = timezone.now()
    signed_in.get("/")
    for days, fields in (
        (3, {}), (3, {"archived_at": now}), (20, {}), (90, {"source": "inferred"}), (400, {}),
        (400, {"archived_at": now}), (20, {"status": Status.SUPERSEDED}), (-1, {}),
    ):  # fmt: skip
        put(alice, f"fact {len(fields)} {days}", now=now - timedelta(days=days), **fields)
    numbers = numbers_of(signed_in.get(f"/?{query}").content.decode())
    assert len(numbers) == 8
    for choice, number in numbers.items():
        address = dict(parse_qsl(query)) | dict(parse_qsl(choice, keep_blank_values=True))
        page = signed_in.get("/", address).content.decode()
        assert page.count('<li class="row ') == number, choice


def test_beyond_some_thousands_the_numbers_come_by_a_second_request(
    signed_in: Client, alice: User, put: Put, put_guess: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    from panel.reads import counts

    monkeypatch.setattr(counts, "QUICK", 2)
    for number in range(4):
        put(alice, f"fact {number}")
    page = signed_in.get("/").content.decode()
    assert "4 memories" not in text_of(page)
    assert 'hx-trigger="load"' in page
    assert "Count them all" in page
    second = signed_in.get("/?exact=1", headers=htmx("counts")).content.decode()
    assert "4 memories" in text_of(second)
    assert "(4)" not in page
    assert re.search(
        r'<option value="" id="when-none" selected hx-swap-oob="true">[^<]*\(4\)', second
    )
    assert "4 memories" in text_of(signed_in.get("/?exact=1").content.decode())


def test_earlier_versions_fold_under_the_current_one(
    signed_in: Client, alice: User, put: Put, put_guess: Put, row_text: Callable[..., str]
) -> None:
    oldest = put(alice, "I live in Berlin", value="Berlin", status=Status.SUPERSEDED)
    older = put(alice, "I live in Rome", value="Rome", status=Status.SUPERSEDED)
    now = put(alice, "I live in Lisbon", value="Lisbon")
    with owner_scope(alice.pk):
        Memory.objects.filter(pk=oldest.pk).update(superseded_by=older)
        Memory.objects.filter(pk=older.pk).update(superseded_by=now)
    assert "2 earlier versions Rome" in row_text(now)
    assert signed_in.get("/").content.decode().count('id="memory-') == 1


def test_a_time_is_shown_in_the_owners_zone(
    in_chinese: User, signed_in: Client, put: Put, put_guess: Put, row_text: Callable[..., str]
) -> None:
    late = datetime(2026, 3, 31, 17, 30, tzinfo=UTC)
    memory = put(in_chinese, "喜欢喝茶", now=late)
    assert "2026-04 说过" in row_text(memory)


def test_the_visit_leaves_other_settings_alone(signed_in: Client, alice: User) -> None:
    with owner_scope(alice.pk):
        Policy.objects.create(owner=alice, numbers={"archive_line": 0.4}, epoch=3)
    signed_in.get("/")
    with owner_scope(alice.pk):
        policy = Policy.objects.get(owner=alice)
    assert (policy.numbers, policy.epoch) == ({"archive_line": 0.4}, 3)
    assert policy.visited_at is not None
