"""The address is the state: whoever opens it sees the same list."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from accounts.models import User
from memory.domain.values import Reason, Status
from tests.panel.conftest import Put


def listed(client: Client, address: str) -> list[str]:
    page = client.get(address).content.decode()
    return re.findall(r'<li class="row [^>]*id="memory-([^"]+)"', page)


@pytest.mark.parametrize(
    "address",
    [
        "/", "/?q=tea", "/?status=stale", "/?sort=newest", "/?sort=importance",
        "/?view=month&source=inferred", "/?q=tea&sort=left&status=active",
    ],
)  # fmt: skip
def test_a_second_browser_shows_the_same_list(
    client: Client, alice: User, put: Put, put_guess: Put, address: str
) -> None:
    for number in range(4):
        put(alice, f"drinks tea number {number}", importance=number / 4)
        put(
            alice, f"lives in tea house {number}", status=Status.STALE,
            status_reason=Reason.OUTDATED,
        )  # fmt: skip
    put_guess(alice, "may like tea")
    first, second = Client(), Client()
    first.force_login(alice)
    # What the first looked at before is its own affair.
    for elsewhere in ("/?sort=newest&q=house", "/?view=month", "/?status=superseded"):
        first.get(elsewhere)
    here = listed(first, address)
    second.force_login(alice)
    assert here == listed(second, address)
    assert here


def test_so_does_a_page_further_on(client: Client, alice: User, put: Put) -> None:
    for number in range(60):
        put(alice, f"drinks tea number {number}")
    first, second = Client(), Client()
    first.force_login(alice)
    second.force_login(alice)
    more = re.search(r'href="(/\?[^"]*cursor=[^"]+)"', first.get("/").content.decode())
    assert more
    address = more[1].replace("&amp;", "&")
    assert len(listed(first, address)) == 10
    assert listed(first, address) == listed(second, address)
