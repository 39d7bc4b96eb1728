"""More than a password: codes, passkeys, devices; and what touches signing in is written down."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import statistics
import struct
import time
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from allauth.usersessions.models import UserSession
from django.contrib.auth.hashers import Argon2PasswordHasher, identify_hasher
from django.core import mail
from django.test import Client
from playwright.sync_api import Page, expect

from accounts.models import SecurityEvent, User
from config.caches import SharedCache, settings_for
from tests.panel.conftest import text_of

PASSWORD = "plum tractor seventeen"


@pytest.fixture(autouse=True)
def _mail_is_kept(settings: Any) -> None:
    """Mail is kept."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


@pytest.fixture
def person(database: None) -> User:
    user = User.objects.create_user("dana@example.com", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def sign_in(client: Client, email: str = "dana@example.com", password: str = PASSWORD) -> Any:
    return client.post("/accounts/login/", {"login": email, "password": password})


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def code_of(secret: str, at: float | None = None) -> str:
    """What an authenticator app shows (RFC 6238), worked out without the library that checks it."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    counter = struct.pack(">Q", int((at or time.time()) // 30))
    digest = hmac.new(key, counter, hashlib.sha1).digest()
    place = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[place : place + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


def prove(client: Client) -> None:
    """The password once more, as every change of how one signs in asks for."""
    assert client.post("/accounts/reauthenticate/", {"password": PASSWORD}).status_code == 302


def switch_on(client: Client) -> str:
    prove(client)
    page = client.get("/accounts/2fa/totp/activate/").content.decode()
    [secret] = re.findall(r'id="authenticator_secret" value="(\w+)"', page)
    done = client.post("/accounts/2fa/totp/activate/", {"code": code_of(secret)})
    assert done.status_code == 302
    return str(secret)


def test_a_code_is_asked_for_once_it_is_switched_on(
    committed: None, client: Client, person: User
) -> None:
    sign_in(client)
    secret = switch_on(client)
    fresh = Client()
    assert sign_in(fresh)["Location"].startswith("/accounts/2fa/authenticate/")
    assert not is_signed_in(fresh)
    assert "One more step" in fresh.get("/accounts/2fa/authenticate/").content.decode()
    wrong = fresh.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert not is_signed_in(fresh)
    assert 'role="alert"' in wrong.content.decode()
    # Not the code that switched it on: each is good once.
    fresh.post("/accounts/2fa/authenticate/", {"code": code_of(secret, time.time() + 30)})
    assert is_signed_in(fresh)


def test_a_recovery_code_lets_in_once(committed: None, client: Client, person: User) -> None:
    sign_in(client)
    switch_on(client)
    page = client.get("/accounts/2fa/recovery-codes/").content.decode()
    [codes] = re.findall(r'id="recovery-codes">(.*?)</pre>', page, re.S)
    first = codes.split()[0]
    for allowed in (True, False):
        fresh = Client()
        sign_in(fresh)
        fresh.post("/accounts/2fa/authenticate/", {"code": first})
        assert is_signed_in(fresh) is allowed


def test_a_new_factor_or_password_signs_out_everywhere_else(
    committed: None, client: Client, person: User
) -> None:
    elsewhere = Client()
    sign_in(elsewhere)
    sign_in(client)
    assert is_signed_in(elsewhere)
    switch_on(client)
    assert not is_signed_in(elsewhere)
    assert is_signed_in(client)


def test_devices_are_listed_and_signed_out_from_here(client: Client, person: User) -> None:
    elsewhere = Client(headers={"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/131.0"})
    sign_in(elsewhere)
    sign_in(client)
    page = text_of(client.get("/accounts/sessions/").content.decode())
    assert "Firefox · Linux" in page
    assert "this one" in page
    assert "Signed in" in page
    client.post("/accounts/sessions/")
    assert not is_signed_in(elsewhere)
    assert is_signed_in(client)
    assert UserSession.objects.count() == 1


def test_a_new_address_counts_when_it_is_confirmed_and_the_old_one_hears_of_it(
    client: Client, person: User
) -> None:
    sign_in(client)
    client.post("/accounts/email/", {"email": "dana@example.net", "action_add": "1"})
    link = re.search(r"https?://testserver(/\S+)", mail.outbox[-1].body)
    assert mail.outbox[-1].to == ["dana@example.net"]
    assert link
    person.refresh_from_db()
    assert person.email == "dana@example.com"
    client.post(link[1])
    client.post("/accounts/email/", {"email": "dana@example.net", "action_primary": "1"})
    person.refresh_from_db()
    assert person.email == "dana@example.net"
    assert "dana@example.com" in [to for message in mail.outbox for to in message.to]


def test_what_touches_signing_in_is_written_down(
    committed: None, client: Client, person: User
) -> None:
    sign_in(client, password="wrong")
    sign_in(client, email="nobody@example.com", password="wrong")
    sign_in(client)
    switch_on(client)
    lines = list(SecurityEvent.objects.order_by("id").values_list("user", "what"))
    What = SecurityEvent.What  # noqa: N806  (a class)
    assert lines[:4] == [
        (person.pk, What.REFUSED), (None, What.REFUSED), (person.pk, What.SIGNED_IN),
        (person.pk, What.FACTOR_ADDED),
    ]  # fmt: skip
    page = text_of(client.get("/accounts/sessions/").content.decode())
    assert "A wrong password was tried" in page
    assert page.count("A wrong password was tried") == 1


def test_two_hundred_wrong_passwords_are_throttled(client: Client, person: User) -> None:
    pages = [sign_in(client, password=f"wrong {n}") for n in range(200)]
    tried = SecurityEvent.objects.filter(what=SecurityEvent.What.REFUSED).count()
    assert tried <= 10
    refused = [page for page in pages if page.status_code == 429]
    assert len(refused) >= 100
    assert "Retry" in refused[0].content.decode() or "try again" in refused[0].content.decode()
    # The right one is refused as well, from here; and a forged address does not help.
    assert not is_signed_in(client)
    sign_in(client)
    client.post(
        "/accounts/login/", {"login": person.email, "password": PASSWORD},
        headers={"X-Forwarded-For": "203.0.113.7"},
    )  # fmt: skip
    assert not is_signed_in(client)


@pytest.mark.parametrize(
    ("path", "more"),
    [("login", {"password": "wrong password"}), ("password/reset", {}),
     ("signup", {"password1": PASSWORD, "name": "Dana"})],
)  # fmt: skip
@pytest.mark.parametrize("tries", [9, pytest.param(200, marks=pytest.mark.long)])
def test_a_known_and_an_unknown_address_are_answered_alike_in_words_and_time(
    person: User, settings: Any, path: str, more: dict[str, str], tries: int
) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
    settings.ACCOUNT_RATE_LIMITS = False
    person.set_password(PASSWORD)
    person.save()
    assert identify_hasher(person.password).algorithm == "argon2"
    field = "login" if path == "login" else "email"

    def ask(email: str) -> tuple[float, Any]:
        client = Client()
        began = time.perf_counter()
        page = client.post(f"/accounts/{path}/", {field: email, **more})
        took = time.perf_counter() - began
        return took, client.get(page["Location"]) if page.status_code == 302 else page

    def words(page: Any, email: str) -> str:
        text = re.sub(r'(csrf\w*"? value="|content=")[^"]+', "", page.content.decode())
        return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|[\w-]{64}", "", text.replace(email, "someone"))

    took: dict[str, list[float]] = {"known": [], "unknown": []}
    answers = set()
    for number in range(tries):
        # Who has just signed up is known: a fresh address each time.
        for kind, email in (("known", person.email), ("unknown", f"nobody{number}@example.com")):
            seconds, page = ask(email)
            took[kind].append(seconds)
            if number == 0:
                answers.add((page.status_code, words(page, email)))
    assert len(answers) == 1
    known, unknown = (statistics.median(times) for times in took.values())
    # Hashing takes some 50 ms; without it an unknown address would be answered in a fifth of that.
    assert 0.6 < unknown / known < 1.6
    if tries >= 200:
        assert abs(unknown - known) < 0.020, (known, unknown)


def test_the_count_of_failures_is_shared_and_survives_a_dead_broker(
    settings: Any, tmp_path: Path
) -> None:
    given = settings_for(settings.BROKER_URL)
    assert given["BACKEND"] == "config.caches.SharedCache"
    one, other = (SharedCache(given["LOCATION"], given) for _ in range(2))
    one.set("counted", 3, 60)
    assert other.get("counted") == 3
    assert other.add("counted", 4, 60) is False
    other.delete("counted")
    dead = settings_for(f"redis+socket://{tmp_path}/none.sock")
    alone = SharedCache(dead["LOCATION"], dead)
    assert alone.get("counted", 0) == 0
    alone.set("counted", 5, 60)
    assert alone.get("counted") == 5
    assert settings_for("amqp://127.0.0.1//")["BACKEND"].endswith("LocMemCache")


@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize(
    "address",
    ["/accounts/2fa/", "/accounts/2fa/totp/activate/", "/accounts/2fa/webauthn/",
     "/accounts/2fa/webauthn/add/", "/accounts/sessions/", "/accounts/email/",
     "/accounts/2fa/reauthenticate/", "/accounts/2fa/recovery-codes/",
     "/accounts/2fa/recovery-codes/generate/", "/accounts/2fa/totp/deactivate/"],
)  # fmt: skip
def test_every_page_is_ours_in_both_languages(
    client: Client, person: User, address: str, language: str
) -> None:
    sign_in(client)
    prove(client)
    if "recovery" in address or "deactivate" in address or "reauth" in address:
        TOTP.activate(person, "JBSWY3DPEHPK3PXP")
        RecoveryCodes.activate(person)
    response = client.get(address, headers={"Accept-Language": language})
    page = response.content.decode()
    assert response.status_code == 200
    assert 'class="entrance-sheet"' in page
    assert ('lang="zh-Hans"' in page) is (language == "zh-CN")


@pytest.mark.browser
def test_a_passkey_is_added_and_signs_in_alone(
    browser_page: Page, served: str, committed: None
) -> None:
    user = User.objects.create_user("dana@example.com")
    # The product knows no hash but the real one.
    User.objects.filter(pk=user.pk).update(
        password=Argon2PasswordHasher().encode(PASSWORD, "some salt")
    )
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    page = browser_page
    address = served.replace("127.0.0.1", "localhost")
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send(
        "WebAuthn.addVirtualAuthenticator",
        {"options": {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True,
                     "hasUserVerification": True, "isUserVerified": True,
                     "automaticPresenceSimulation": True}},
    )  # fmt: skip
    page.goto(f"{address}/accounts/login/")
    page.fill("[name=login]", user.email)
    page.fill("[name=password]", PASSWORD)
    page.locator("main form").first.locator("button").click()
    page.wait_for_url(f"{address}/")
    page.goto(f"{address}/accounts/2fa/webauthn/add/")
    page.fill("[name=password]", PASSWORD)
    page.locator("main form button").first.click()
    page.fill("[name=name]", "Laptop")
    page.check("[name=passwordless]")
    page.click("#mfa_webauthn_add")
    page.wait_for_url(re.compile("/accounts/2fa/(?!webauthn/add/)"))
    assert Authenticator.objects.filter(type="webauthn").count() == 1
    page.context.clear_cookies()
    page.goto(f"{address}/accounts/login/")
    page.click("#passkey_login")
    page.wait_for_url(f"{address}/")
    expect(page.locator("h1")).to_contain_text("My memories")
