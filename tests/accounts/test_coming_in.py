"""Signing up, in, out and resetting: by our own pages, alike for known and unknown addresses."""

from __future__ import annotations

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from accounts.models import User

PASSWORD = "plum tractor seventeen"


@pytest.fixture(autouse=True)
def _mail_is_kept(settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


@pytest.fixture
def person(database: None) -> User:
    user = User.objects.create_user("dana@example.com", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def link_in_mail() -> str:
    found = re.search(r"https?://testserver(/\S+)", mail.outbox[-1].body)
    assert found
    return found[1]


def test_signed_out_the_front_page_says_what_memoir_is(database: None, client: Client) -> None:
    page = client.get("/").content.decode()
    assert "What your AI agents remember about you" in page
    assert 'href="/accounts/login/"' in page
    assert 'href="/accounts/signup/"' in page


def test_from_signing_up_to_the_first_page(database: None, client: Client) -> None:
    given = {"email": "new@example.com", "password1": PASSWORD}
    assert client.post("/accounts/signup/", given)["Location"] == "/accounts/confirm-email/"
    assert "Look into your mail" in client.get("/accounts/confirm-email/").content.decode()
    assert mail.outbox[-1].subject == "Confirm your email address for Memoir"
    address = link_in_mail()
    assert "Is new@example.com your address?" in client.get(address).content.decode()
    client.post(address)
    response = client.post("/accounts/login/", {"login": "new@example.com", "password": PASSWORD})
    assert response["Location"] == "/"
    assert "Nothing is remembered yet" in client.get("/").content.decode()


def test_known_and_unknown_addresses_are_answered_alike(client: Client, person: User) -> None:
    answers = []
    for email in ("dana@example.com", "nobody@example.com"):
        response = client.post("/accounts/password/reset/", {"email": email})
        answers.append((response.status_code, response["Location"]))
        up = client.post("/accounts/signup/", {"email": email, "password1": PASSWORD})
        answers.append((up.status_code, up["Location"]))
    assert answers[:2] == answers[2:]
    assert len(mail.outbox) == 4


def test_a_forgotten_password(client: Client, person: User) -> None:
    client.post("/accounts/password/reset/", {"email": person.email})
    page = client.get(link_in_mail(), follow=True)
    assert "Set a new password" in page.content.decode()
    new = {"password1": "another pear wagon", "password2": "another pear wagon"}
    done = client.post(page.redirect_chain[-1][0], new, follow=True)
    assert "You can sign in with the new one now" in done.content.decode()
    again = client.get("/accounts/password/reset/key/zzz-abc/", follow=True)
    assert "no longer works" in again.content.decode()


def test_a_wrong_password_is_told_without_saying_which(client: Client, person: User) -> None:
    response = client.post("/accounts/login/", {"login": person.email, "password": "wrong"})
    page = response.content.decode()
    assert 'role="alert"' in page
    assert "not correct" in page


def test_browsers_can_fill_in_and_paste(database: None, client: Client) -> None:
    page = client.get("/accounts/login/").content.decode()
    assert 'autocomplete="email"' in page or 'autocomplete="username"' in page
    assert 'autocomplete="current-password"' in page
    assert 'autocomplete="new-password"' in client.get("/accounts/signup/").content.decode()


@pytest.mark.parametrize(
    "address",
    ["/accounts/login/", "/accounts/signup/", "/accounts/password/reset/",
     "/accounts/password/reset/done/", "/accounts/confirm-email/", "/accounts/inactive/",
     "/accounts/password/reset/key/done/", "/accounts/confirm-email/abc/"],
)  # fmt: skip
@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_every_page_is_ours_in_both_languages(
    database: None, client: Client, address: str, language: str
) -> None:
    page = client.get(address, headers={"Accept-Language": language}).content.decode()
    assert 'class="entrance-sheet"' in page
    assert "css/tokens" in page
    assert ('lang="zh-Hans"' in page) is (language == "zh-CN")


def test_signing_out_is_a_post(client: Client, person: User) -> None:
    client.force_login(person)
    assert "Sign out?" in client.get("/accounts/logout/").content.decode()
    assert client.post("/accounts/logout/").status_code == 302
    assert "Create an account" in client.get("/").content.decode()


@pytest.mark.parametrize("address", ["/accounts/password/change/", "/accounts/email/"])
def test_password_and_address_are_changed_on_our_pages(
    client: Client, person: User, address: str
) -> None:
    client.post("/accounts/login/", {"login": person.email, "password": PASSWORD})
    page = client.get(address, follow=True).content.decode()
    assert 'class="entrance-sheet"' in page
