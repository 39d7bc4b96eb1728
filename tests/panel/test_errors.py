"""Our own pages for what goes wrong, with the request's id; for htmx a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext

from accounts.models import User
from tests.panel.conftest import VARY, htmx, text_of


def test_a_lost_page(signed_in: Client) -> None:
    response = signed_in.get("/no/such/page/")
    assert response.status_code == 404
    assert "There is nothing here" in response.content.decode()
    assert response["X-Request-Id"] in response.content.decode()
    for header in VARY:
        assert header in response["Vary"]


def test_for_htmx_an_error_is_a_sentence(signed_in: Client) -> None:
    response = signed_in.get("/no/such/page/", headers=htmx("memories"))
    assert response.status_code == 404
    part = response.content.decode()
    assert "<html" not in part
    assert text_of(part).startswith("There is nothing here.")


def test_it_speaks_the_readers_language(client: Client, in_chinese: Any) -> None:
    client.force_login(in_chinese)
    assert "这里什么都没有" in client.get("/no/such/page/").content.decode()


@pytest.mark.parametrize(
    ("error", "status", "told"),
    [
        (RuntimeError("boom"), 500, "wrong on our side"),
        (OperationalError("server closed the connection"), 503, "busy or starting"),
    ],
)
def test_a_failure_keeps_its_secret_and_says_what_to_do(
    signed_in: Client, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int, told: str
) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise error

    monkeypatch.setattr("panel.views.memories.read_list", fail)
    signed_in.raise_request_exception = False
    response = signed_in.get("/")
    page = response.content.decode()
    assert response.status_code == status
    assert told in page
    assert str(error) not in page
    assert response["X-Request-Id"] in page
    again = signed_in.get("/?status=any&q=tea").content.decode()
    assert re.search(r'href="/\?status=any&amp;q=tea">Try again<', again)
    if status == 503:
        assert int(response["Retry-After"]) > 0


def test_an_old_form_token_reloads_the_page(client: Client, alice: Any) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(alice)
    plain = strict.post("/settings/", {"name": "x"})
    assert plain.status_code == 403
    assert "form is out of date" in plain.content.decode()
    part = strict.post("/settings/", {"name": "x"}, headers=htmx("main"))
    assert part["HX-Refresh"] == "true"


LANGUAGES = ("en", "zh-hans")


def check_page(answer: Any, status: int, language: str, *said: str) -> str:
    """Our own page in that language: what happened, what to do, and the id the log knows it by."""
    page: str = answer.content.decode()
    assert answer.status_code == status
    assert answer["Content-Type"].startswith("text/html")
    assert f'<html lang="{"zh-Hans" if language == "zh-hans" else "en"}"' in page
    assert int(answer["Retry-After"]) > 0
    assert f"<code>{answer['X-Request-Id']}</code>" in page
    with translation.override(language):
        for words in said:
            assert gettext(words) in text_of(page)
    return page


@pytest.mark.parametrize("language", LANGUAGES)
def test_many_tries_at_signing_in_are_told_to_wait(alice: User, language: str) -> None:
    client = Client(headers={"Accept-Language": language})
    sent = {"login": alice.email, "password": "wrong"}
    for _ in range(40):
        answer = client.post("/accounts/login/", sent)
        if answer.status_code == 429:
            break
    page = check_page(
        answer, 429, language, "Too many tries",
        "Wait a few minutes, then try again. Nothing was changed.",
    )  # fmt: skip
    assert 'href="/accounts/login/"' in page
    part = client.post("/accounts/login/", sent, headers=htmx("main"))
    assert part.status_code == 429
    assert "<html" not in part.content.decode()


@pytest.fixture
def without_database(
    committed: None, alice: User, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], None]:
    """Calling it takes PostgreSQL away, as while it starts again."""

    def refuse(*args: object) -> None:
        raise psycopg.OperationalError("connection refused")

    def take_away() -> None:
        connection.close()
        monkeypatch.setattr(connection, "get_new_connection", refuse)

    return take_away


@pytest.mark.parametrize("language", LANGUAGES)
def test_while_the_database_is_away_every_page_says_so(
    without_database: Callable[[], None], alice: User, language: str
) -> None:
    client = Client(headers={"Accept-Language": language}, raise_request_exception=False)
    client.force_login(alice)
    without_database()
    for address in ("/", "/data/?show=1", "/settings/", "/queue/"):
        page = check_page(
            client.get(address), 503, language, "Memoir is busy or starting",
            "Nothing was lost. Try again in a few seconds.", "Try again",
        )  # fmt: skip
        assert f'href="{address}"' in page
        assert "connection refused" not in page
    check_page(
        client.post("/agents/pause/", {"on": "1"}), 503, language, "To your memories",
        "Nothing was changed. Go back in a few seconds and send it again.",
    )  # fmt: skip
    part = client.get("/", headers=htmx("memories"))
    assert part.status_code == 503
    assert "<html" not in part.content.decode()
    program = client.get("/api/v1/health")
    assert program.status_code == 503
    assert program.json()["error"]["code"] == "unavailable"
