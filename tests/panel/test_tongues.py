"""Memories keep their own language on a page in another one, and the look that goes with it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import translation
from django.utils.html import escape
from django.utils.translation import gettext_lazy
from playwright.sync_api import Page

from accounts.models import User
from panel.own_words import isolated, plain, sentence, shown, tongue
from tests.panel.conftest import Put

HIDDEN = "a\u202eb"


@pytest.mark.parametrize(
    ("page", "text", "lang"),
    [("en", "I drink tea", ""), ("en", "我喝茶", "zh"), ("zh-hans", "我喝茶", "zh"),
     ("zh-hans", "I drink tea", "en"), ("zh-hans", "Тест", ""), ("zh-hans", "2026-10", ""),
     ("zh-hans", "我用 Go", "zh"), ("en", "お茶を飲む", "ja"), ("zh-hans", "차를 마신다", "ko")],
)  # fmt: skip
def test_somebodys_words_say_their_language(page: str, text: str, lang: str) -> None:
    with translation.override(page):
        assert tongue(text) == (f' lang="{lang}"' if lang else "")


def test_what_hides_is_seen_whatever_may_stand_there() -> None:
    badge = '<span class="unseen" title="Right-to-left override">U+202E</span>'
    assert shown(HIDDEN) == f"a{badge}b"
    assert plain(HIDDEN) == "a<U+202E>b"
    assert isolated(HIDDEN) == f"<bdi>a{badge}b</bdi>"
    assert isolated("") == ""
    assert plain("👨‍👩‍👧 ❤️ 我") == "👨‍👩‍👧 ❤️ 我"


def test_a_sentence_of_ours_sets_theirs_apart_and_escapes_both() -> None:
    said = sentence("<%(who)s> has %(count)s", who="<b>我</b>", count=2)
    assert said == '&lt;<bdi lang="zh">&lt;b&gt;我&lt;/b&gt;</bdi>&gt; has 2'
    assert isolated(said) == shown(said) == said
    assert sentence("%(what)s", what=escape(gettext_lazy("Undo"))) == "Undo"
    assert sentence("Done: %(said)s.", said=said) == f"Done: {said}."


def test_english_on_a_chinese_page_is_marked_as_such(
    client: Client, in_chinese: User, put: Put
) -> None:
    client.force_login(in_chinese)
    put(in_chinese, "I play the piano")
    put(in_chinese, "我弹钢琴")
    page = client.get("/").content.decode()
    for words, lang in (("I play the piano", "en"), ("我弹钢琴", "zh")):
        assert re.search(rf'<bdi lang="{lang}">{words}</bdi>', page)


@pytest.mark.browser
def test_chinese_on_an_english_page_has_its_own_height_of_lines(
    browser_page: Page, alice: User, put: Put, sign_in: Callable[[Page, User], None]
) -> None:
    put(alice, "我每天早上都喝绿茶", value="绿茶", key="user.drink")
    put(alice, "I drink green tea every morning", value="green tea", key="user.tea")
    sign_in(browser_page, alice)
    browser_page.goto("/")
    heights = browser_page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("#rows bdi")].map((it) => {
            const style = getComputedStyle(it);
            const height = parseFloat(style.lineHeight) / parseFloat(style.fontSize);
            return [it.textContent, Math.round(height * 100) / 100];
        }))"""
    )
    assert heights["我每天早上都喝绿茶"] == 1.7
    assert heights["绿茶"] == 1.4
    assert heights["I drink green tea every morning"] == 1.5
