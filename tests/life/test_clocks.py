"""Clocks that are wrong, far away, or change in the night."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import User
from memory.border import owner_scope
from memory.domain.decay import retention
from memory.domain.values import Tier
from memory.models import Memory
from memory.services.retain import sweep
from tests.conftest import NOW, ApiClient
from tests.life.conftest import Put, reread

EXPONENT = re.compile(r"\d(?:\.\d+)?[eE][+-]\d")


def test_a_row_from_a_fast_clock_is_wholly_there_and_shown_without_exponents(
    alice: User, agent: ApiClient, signed_in: Client, put: Put
) -> None:
    """Imported with a created_at ten years ahead, and one so old that R is 1e-200."""
    ahead = put(alice, "from a fast clock", days=-3650)
    dead = put(alice, "from a slow clock", days=700)
    sweep(now=NOW)
    assert reread(ahead).archived_at is None
    assert reread(dead).archived_at == NOW
    for url in ("/", f"/memories/{ahead.pk}/", f"/memories/{dead.pk}/", "/activity/"):
        page = signed_in.get(url)
        assert page.status_code == 200
        text = re.sub(r"<(script|style).*?</\1>|[0-9a-f]{8}-[0-9a-f-]{27}", "",
                      page.content.decode(), flags=re.DOTALL)  # fmt: skip
        shown = re.sub(r"<[^>]*>", " ", text)
        assert not EXPONENT.search(shown), EXPONENT.search(shown)
    for pk in (ahead.pk, dead.pk):
        row = agent.get(f"memories/{pk}").json()
        numbers = [row[name] for name in ("retention", "effective_retention") if name in row]
        assert all(0 <= number <= 1 for number in numbers)


@pytest.mark.parametrize(
    "moment", ["2026-06-01T12:00:00", "2026-06-01", "yesterday", "", "2026-13-01T12:00:00Z"]
)
def test_a_naive_time_is_one_clear_error(db: None, moment: str) -> None:
    with pytest.raises(CommandError, match="a time with an offset, such as"):
        call_command("sweep", "--now", moment)


def test_the_command_prints_its_counts(
    alice: User, put: Put, capsys: pytest.CaptureFixture[str]
) -> None:
    memory = put(alice, "coffee", days=5)
    call_command("sweep", "--now", "2026-06-01T20:00:00+08:00", "--dry-run")
    assert json.loads(capsys.readouterr().out) == {
        "promote": 0, "expire": 0, "stale": 0, "archive": 1, "purge": 0, "erase": 0,
    }  # fmt: skip
    assert reread(memory).archived_at is None
    call_command("sweep", "--now", "2026-06-01T20:00:00+08:00", "--only", "archive")
    assert json.loads(capsys.readouterr().out) == {"archive": 1}
    # 20:00 in Shanghai is noon in Greenwich.
    assert reread(memory).archived_at == NOW


@pytest.mark.parametrize(
    ("zone", "before", "after"),
    [
        ("Europe/Berlin", "2026-03-29T01:59", "2026-03-29T03:01"),
        ("Europe/Berlin", "2026-10-25T02:59", "2026-10-25T03:01"),
        ("America/Los_Angeles", "2026-03-08T01:59", "2026-03-08T03:01"),
    ],
)
def test_a_night_with_a_change_of_clocks_is_as_long_as_it_was(
    zone: str, before: str, after: str
) -> None:
    """Two minutes, whatever the clock on the wall says; in October it is the second 2:59."""
    start = datetime.fromisoformat(before).replace(tzinfo=ZoneInfo(zone), fold=1)
    end = datetime.fromisoformat(after).replace(tzinfo=ZoneInfo(zone))
    found = retention(start, tier=Tier.WORKING, times_served=0, now=end)
    assert found == pytest.approx(
        retention(NOW, tier=Tier.WORKING, times_served=0, now=NOW + timedelta(minutes=2)),
        abs=1e-12,
    )


def test_equal_instants_give_equal_rows(alice: User, bob: User, put: Put) -> None:
    shanghai, angeles = ZoneInfo("Asia/Shanghai"), ZoneInfo("America/Los_Angeles")
    at = NOW - timedelta(days=1.8)
    one = put(alice, "note", anchor=at.astimezone(shanghai), created_at=at.astimezone(shanghai))
    two = put(bob, "note", anchor=at.astimezone(angeles), created_at=at.astimezone(angeles))
    assert reread(one).use.anchor == reread(two).use.anchor
    sweep(now=(NOW + timedelta(hours=1)).astimezone(shanghai))
    assert reread(one).archived_at == reread(two).archived_at == NOW + timedelta(hours=1)


def test_the_owners_day_is_shown_wherever_the_server_stands(
    alice: User, agent: ApiClient, signed_in: Client, put: Put
) -> None:
    """Said at 01:30 in Shanghai: 17:30Z of the day before to the API, the owner's day on a page."""
    alice.zone = "Asia/Shanghai"
    alice.save(update_fields=["zone"])
    said = datetime.fromisoformat("2026-05-01T01:30:00+08:00")
    memory = put(alice, "early riser", tier="long_term", created_at=said, said_at=said, anchor=said)
    assert agent.get(f"memories/{memory.pk}").json()["created_at"] == "2026-04-30T17:30:00Z"
    page = signed_in.get(f"/memories/{memory.pk}/").content.decode()
    assert "2026-04-30" not in page
    assert "2026-05-01" in page or "May 1, 2026" in page


def test_the_servers_zone_changes_nothing() -> None:
    """The same R to the last bit under any TZ."""
    code = (
        "from datetime import datetime;"
        "from memory.domain.decay import retention;"
        "from memory.domain.values import Tier;"
        "at = datetime.fromisoformat('2026-05-01T01:30:00+08:00');"
        "now = datetime.fromisoformat('2026-05-03T09:00:00-07:00');"
        "print(repr(retention(at, tier=Tier.WORKING, times_served=0, now=now)))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "TZ": zone}, check=True,
            capture_output=True, text=True, cwd=Path(__file__).parents[2],
        ).stdout
        for zone in ("America/Los_Angeles", "Asia/Shanghai", "UTC")
    }  # fmt: skip
    assert len(found) == 1


def test_a_sweep_is_run_by_the_clock_it_is_given(alice: User, put: Put) -> None:
    memory = put(alice, "note", days=0)
    with owner_scope(alice.pk):
        assert Memory.objects.get(pk=memory.pk).archived_at is None
    assert sweep(now=NOW)["archive"] == 0
    assert sweep(now=NOW + timedelta(days=10))["archive"] == 1
