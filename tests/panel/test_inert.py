"""What stands in a memory is inert: htmx never reads attributes out of somebody's words."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

from django.test import Client
from django.utils import timezone

from accounts.models import User
from memory.border import owner_scope
from memory.models import Conflict, SpotCheck
from memory.services.erase import delete_memory
from tests.conftest import MakeAgent
from tests.panel.conftest import Put

WORD = "xylocarp"
VOID = frozenset(("input", "meta", "link", "br", "hr", "img", "path", "rect", "circle", "use"))
# Their content is text whatever it holds.
TEXT_ONLY = frozenset(("title", "textarea", "option"))


class Places(HTMLParser):
    """Where a word stands: the elements around it, wherever none of them is inert."""

    def __init__(self) -> None:
        super().__init__()
        self.around: list[tuple[str, bool]] = []
        self.inert = 0
        self.live: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag not in VOID:
            self.around.append((tag, "hx-disable" in dict(attrs) or tag in TEXT_ONLY))

    def handle_endtag(self, tag: str) -> None:
        while tag not in VOID and self.around and self.around.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if WORD not in data:
            return
        if any(inert for _tag, inert in self.around):
            self.inert += 1
        else:
            self.live.append(" ".join(tag for tag, _ in self.around[-5:]) + f": {data.strip()}")


def test_a_memorys_words_stand_where_htmx_does_not_look(
    signed_in: Client, alice: User, make_agent: MakeAgent, put_guess: Put, make_memory: Put
) -> None:
    agent = make_agent(alice, "cursor")
    for value in ("first", "second", "third"):
        make_memory(
            alice, f"My {WORD} is {value}", key="user.plant", value=f"{WORD} {value}",
            quote=f"he said {WORD} {value}",
        )  # fmt: skip
    kept = agent.write(f"My employer grows {WORD}", key="user.job", value=WORD)["memory"]["id"]
    moved = agent.write(
        f"I left my job; my employer sells {WORD}", key="user.job", value=f"{WORD} shop"
    )["memory"]["id"]
    put_guess(alice, f"may eat {WORD}")
    stale = make_memory(alice, f"I live in {WORD}", key="user.home", value=WORD)
    signed_in.post(f"/memories/{stale.pk}/out-of-date/")
    gone = make_memory(alice, f"drinks {WORD} tea")
    delete_memory(owner=alice.pk, memory=gone.pk, now=timezone.now())
    recall = agent.recall(f"What about {WORD}?")["id"]
    with owner_scope(alice.pk):
        SpotCheck.objects.create(
            owner=alice, memory_id=moved, week=timezone.now().date(), drawn_at=timezone.now()
        )
        cards = list(
            Conflict.objects.of(alice).filter(settled_at=None).values_list("pk", flat=True)
        )
        cards += list(SpotCheck.objects.filter(owner=alice).values_list("pk", flat=True))
    live = {}
    for address in (
        "/", "/?view=month", "/?view=chains", "/?status=any", f"/?q={WORD}", "/?pick=page",
        f"/memories/{kept}/", f"/memories/{moved}/", f"/memories/{stale.pk}/",
        f"/memories/{stale.pk}/edit/", "/review/", *(f"/review/{card}/" for card in cards),
        "/recalls/", f"/recalls/{recall}/",
        f"/recalls/try/?agent={agent.caller.agent}&q={WORD}", "/activity/", "/recently-deleted/",
        f"/agents/{agent.caller.agent}/see/", "/agents/sharing/", "/topics/",
    ):  # fmt: skip
        places = Places()
        page = signed_in.get(address).content.decode()
        places.feed(page)
        assert places.inert or places.live or not re.search(WORD, page), address
        if places.live:
            live[address] = places.live
    assert not live, "\n".join(f"{at}: {one}" for at, all_ in live.items() for one in all_)
