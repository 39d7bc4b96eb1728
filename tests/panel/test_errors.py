"""Our own pages for what goes wrong, with the request's id; for htmx a sentence."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

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


def test_many_tries_at_signing_in_are_told_to_wait(db: None, client: Client) -> None:
    from panel.views import errors

    response = client.get("/")
    answer = errors.too_many_requests(response.wsgi_request)
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) > 0
    assert "Wait a few minutes" in answer.content.decode()
