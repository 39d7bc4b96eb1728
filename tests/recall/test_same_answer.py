"""The same data, question and moment: the same bytes, but for the recall's own id."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings
from django.utils import timezone

from accounts.models import User
from memory.border import owner_scope
from memory.models import Memory, MemoryUse
from tests.conftest import MakeAgent
from tests.product import Product

Ask = Callable[[str], bytes]
FACTS = [
    "对花生过敏",
    "我住在杭州西湖区",
    "我们后端用 Go",
    "喜欢吃辣的菜",
    "早上喝绿茶",
    "I like hiking in the mountains",
    "My sister lives in Berlin",
    "Always answer briefly",
    "The deadline is March 29",
    "The dashboard API averages 400 ms",
]


@pytest.fixture
def ask(product: Product, committed: None, alice: User, make_agent: MakeAgent) -> Ask:
    """The bytes an agent gets from the product at an address, its recall's id taken out.

    Rows of every status, and four agents' very same words of the very same moment: ties.
    """
    product.check()
    agent = make_agent(alice)
    for fact in FACTS:
        agent.write(fact)
    agent.write("might use a Mac", source="inferred")
    agent.write("我搬到上海了")
    for number in range(4):
        make_agent(alice, f"other-{number}").write("Drinks tea in the mountains")
    now = timezone.now()
    with owner_scope(alice.pk):
        same = Memory.objects.filter(content="Drinks tea in the mountains")
        assert same.update(visibility="user", created_at=now, said_at=now) == 4
        MemoryUse.objects.filter(memory__in=same).update(anchor=now)
        Memory.objects.filter(content="早上喝绿茶").update(status="stale", status_reason="faded")
    key = agent.key
    body = {
        "query": "where do I live, residence, mountains, tea, 喝茶, Mac",
        "as_of": timezone.now().isoformat(),
        "explain": True, "include_dropped": True, "include_history": True,
    }  # fmt: skip

    def post(address: str) -> bytes:
        request = urllib.request.Request(
            f"{address}/api/v1/recall",
            data=json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            raw: bytes = answer.read()
        own = json.loads(raw)["id"].encode()
        assert raw.count(own) == 1
        return raw.replace(own, b"")

    return post


def test_again_and_again_by_many_by_two_and_after_a_restart(product: Product, ask: Ask) -> None:
    first = ask(product.address)
    told = json.loads(first)
    scores = [item["score"] for item in told["memories"]]
    assert len(scores) - len(set(scores)) == 3
    for place in ("standing", "needs_confirmation", "history", "dropped"):
        assert told[place], place
    assert {ask(product.address) for _ in range(20)} == {first}
    with ThreadPoolExecutor(8) as clients:
        assert set(clients.map(lambda _: ask(product.address), range(16))) == {first}
    with Product(settings.DATABASES["default"]["NAME"], worker=False) as another:
        assert ask(another.address) == first == ask(product.address)
    product.kill("web")
    product.start("web")
    product.wait()
    assert ask(product.address) == first
