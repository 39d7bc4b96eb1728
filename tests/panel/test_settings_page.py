"""Name, language, zone, theme and shortcuts take hold at once."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import User
from tests.panel.conftest import text_of

GIVEN = {"name": "Alice", "language": "", "zone": "UTC", "theme": "system", "shortcuts": "on"}


def test_language_and_theme_take_hold(signed_in: Client, alice: User) -> None:
    given = {**GIVEN, "language": "zh-hans", "theme": "dark", "zone": "Asia/Shanghai"}
    assert signed_in.post("/settings/", given).status_code == 302
    page = signed_in.get("/settings/").content.decode()
    assert 'lang="zh-Hans"' in page
    assert 'data-theme="dark"' in page
    assert "已保存。" in page


def test_shortcuts_can_be_switched_off(signed_in: Client, alice: User) -> None:
    assert 'data-shortcuts="on"' in signed_in.get("/").content.decode()
    signed_in.post("/settings/", {key: value for key, value in GIVEN.items() if key != "shortcuts"})
    assert "data-shortcuts" not in signed_in.get("/").content.decode()


@pytest.mark.parametrize(
    "wrong", [{"zone": "Mars/Olympus"}, {"language": "xx"}, {"theme": "neon"}, {"name": "x" * 101}]
)
def test_a_refused_value_changes_nothing(
    signed_in: Client, alice: User, wrong: dict[str, str]
) -> None:
    response = signed_in.post("/settings/", {**GIVEN, **wrong})
    assert response.status_code == 422
    assert "Not saved yet" in text_of(response.content.decode())
    alice.refresh_from_db()
    assert (alice.name, alice.zone, alice.theme) == ("Alice", "UTC", "system")


def test_the_browsers_language_holds_where_none_was_chosen(signed_in: Client) -> None:
    for asked, lang in (("zh-CN,zh;q=0.9", "zh-Hans"), ("fr-FR", "en"), ("en-GB", "en")):
        response = signed_in.get("/", headers={"Accept-Language": asked})
        assert f'lang="{lang}"' in response.content.decode()
        assert "Accept-Language" in response["Vary"]


def test_one_readers_language_does_not_reach_the_next(client: Client, in_chinese: User) -> None:
    client.force_login(in_chinese)
    assert "我的记忆" in client.get("/").content.decode()
    client.logout()
    assert 'lang="en"' in client.get("/").content.decode()


def test_everything_is_paused_and_resumed_from_here_too(signed_in: Client, alice: User) -> None:
    assert 'id="pause"' in signed_in.get("/settings/").content.decode()
    for on, word in (("1", "Resume"), ("0", "Pause everything")):
        answer = signed_in.post("/agents/pause/", {"on": on, "next": "/settings/"})
        assert answer["Location"] == "/settings/"
        part = signed_in.get("/settings/").content.decode().partition('id="pause"')[2]
        assert word in part.partition("</form>")[0]
