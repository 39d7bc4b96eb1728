"""A real Chromium: the system's where there is one, else Playwright's own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.hashers import make_password
from playwright.sync_api import Browser, Page, sync_playwright

from accounts.models import User

# Playwright's sync API runs an event loop in this thread, which Django takes for async code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"


@contextmanager
def open_browser() -> Iterator[Browser]:
    system = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    arguments = ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=system, args=arguments)
        yield browser
        browser.close()


@contextmanager
def fresh_page(browser: Browser, address: str, **options: object) -> Iterator[Page]:
    """A page of a context of its own. Script errors and CSP violations fail the test at its end."""
    context = browser.new_context(base_url=address, **options)  # type: ignore[arg-type]
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on(
        "console",
        lambda message: (
            problems.append(message.text) if "Content Security Policy" in message.text else None
        ),
    )
    page.set_default_timeout(10_000)
    try:
        yield page
    finally:
        context.close()
    assert not problems, problems


def give_password(user: User, password: str) -> None:
    """A password the running product can check: the suite's quick hash is not among its own.

    Ends the person's sessions.
    """
    user.password = make_password(password, hasher="argon2")
    user.save(update_fields=["password"])


def give_session(page: Page, user: User, address: str) -> None:
    """Sign in by a session of our own making, as signing in by form is tested once elsewhere."""
    engine = import_module(settings.SESSION_ENGINE)
    session = engine.SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    page.context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": str(session.session_key), "url": address}]
    )
