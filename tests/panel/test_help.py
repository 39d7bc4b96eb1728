"""The page of help: every key, every word the panel uses, and the score by the owner's numbers."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from accounts.models import User
from memory.border import owner_scope
from memory.models import Policy
from panel import words
from tests.panel.conftest import text_of

KEYS = {
    "j", "k", "x", "Enter", "e", "y", "n", "#", "z", "/", "g", "m", "v", "r", "a", "?", "1", "2",
    "3", "4", "5", "s",
}  # fmt: skip


def page_of(client: Client) -> str:
    response = client.get("/help/")
    assert response.status_code == 200
    return response.content.decode()


def test_it_names_every_key(signed_in: Client) -> None:
    assert {unescape(key) for key in re.findall("<kbd>(.*?)</kbd>", page_of(signed_in))} == KEYS


@pytest.mark.parametrize("codes", [words.STATUS, words.SOURCE, words.TIER])
def test_it_says_what_every_status_source_and_tier_is(
    signed_in: Client, codes: words.Words
) -> None:
    page = page_of(signed_in)
    for word in codes.values():
        assert re.search(rf"<dt>[^\n]*{re.escape(str(word))}[^\n]*</dt><dd>\w", page), word


def test_the_formula_and_the_days_are_those_of_the_owners_numbers(
    signed_in: Client, alice: User
) -> None:
    text = text_of(page_of(signed_in))
    formula = "score = relevance × (0.8 + 0.2 × left) × (0.9 + 0.1 × importance) × status × source"
    assert formula in text
    assert "half of it is left after about 62 days, and after about 108 days it goes" in text
    assert "concluded An agent drew it from other things. It waits for you first. In the ranking it"
    assert "counts 30%" in text
    with owner_scope(alice.pk):
        Policy.objects.update_or_create(
            owner=alice, defaults={"numbers": {"tempered_a": 0.5, "strength_rate": 3.0}}
        )
    text = text_of(page_of(signed_in))
    assert "× (0.5 + 0.5 × left) ×" in text
    assert "loses 50% of its score" in text
    assert "half of it is left after about 125 days, and after about 217 days it goes" in text


def test_it_leads_to_the_description_of_the_api(signed_in: Client) -> None:
    assert 'href="/api/v1/docs"' in page_of(signed_in)
    assert signed_in.get("/api/v1/docs").status_code == 200


def test_it_speaks_chinese(client: Client, in_chinese: User) -> None:
    client.force_login(in_chinese)
    text = text_of(page_of(client))
    assert "得分 = 相关度 ×" in text
    assert "约 62 天后剩下一半，约 108 天后归档。" in text.replace("， 约", "，约")
