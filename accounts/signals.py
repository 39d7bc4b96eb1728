"""What touches how somebody signs in is written down, and ends what a thief may hold."""

from __future__ import annotations

from typing import Any

from allauth.account import signals as account
from allauth.account.adapter import get_adapter
from allauth.mfa import signals as factors
from allauth.usersessions.models import UserSession
from django.contrib.auth import signals as auth
from django.core.exceptions import PermissionDenied
from django.dispatch import receiver
from django.http import HttpRequest

from accounts.models import SecurityEvent, User

What = SecurityEvent.What


def note(request: HttpRequest | None, user: User | None, what: str) -> None:
    """One line. Without a person too: an unknown address must cost what a known one costs."""
    try:
        ip = get_adapter().get_client_ip(request) if request is not None else ""
    except PermissionDenied:
        # Nothing says where it came from.
        ip = ""
    SecurityEvent.objects.create(user=user, what=what, ip=ip[:45])


@receiver(auth.user_logged_in)
def on_signed_in(request: HttpRequest, user: User, **_: Any) -> None:
    note(request, user, What.SIGNED_IN)


@receiver(auth.user_login_failed)
def on_refused(credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    address = str(credentials.get("email") or credentials.get("username") or "")[:254].lower()
    # NUL, which no address has, would be refused by the database.
    person = User.objects.filter(email=address.replace("\0", "")).first()
    note(request, person, What.REFUSED)


@receiver(factors.authentication_failed)
def on_factor_refused(request: HttpRequest, user: User, **_: Any) -> None:
    note(request, user, What.FACTOR_REFUSED)


@receiver([account.password_changed, account.password_set, account.password_reset])
def on_password(request: HttpRequest, user: User, **_: Any) -> None:
    note(request, user, What.PASSWORD)
    end_others(request, user)


@receiver([account.email_changed, account.email_added, account.email_removed])
def on_address(request: HttpRequest, user: User, **_: Any) -> None:
    note(request, user, What.ADDRESS)


@receiver(factors.authenticator_added)
def on_factor_added(request: HttpRequest, user: User, **_: Any) -> None:
    note(request, user, What.FACTOR_ADDED)
    end_others(request, user)


@receiver([factors.authenticator_removed, factors.authenticator_reset])
def on_factor_changed(request: HttpRequest, user: User, **_: Any) -> None:
    note(request, user, What.FACTOR_CHANGED)
    end_others(request, user)


def end_others(request: HttpRequest, user: User) -> None:
    """Sign this person out everywhere but here."""
    current = request.session.session_key if hasattr(request, "session") else None
    for session in UserSession.objects.filter(user=user).exclude(session_key=current):
        session.end()
