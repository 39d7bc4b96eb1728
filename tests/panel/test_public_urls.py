"""Deny by default: what can be reached without signing in is this list, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

PUBLIC = {
    "memories",  # signed out, it says what Memoir is
    "sign_in_by_link",
    "account_login",
    "account_logout",
    "account_signup",
    "account_inactive",
    "account_confirm_email",
    "account_confirm_login_code",
    "account_email_verification_sent",
    "account_reset_password",
    "account_reset_password_done",
    "account_reset_password_from_key",
    "account_reset_password_from_key_done",
    "mfa_authenticate",
    "mfa_login_webauthn",
}


def patterns(resolver: URLResolver, prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    for entry in resolver.url_patterns:
        path = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from patterns(entry, path)
        else:
            yield path, entry


def test_only_these_pages_are_public() -> None:
    public = {
        entry.name
        for path, entry in patterns(get_resolver())
        if not path.lstrip("^").startswith("api/")
        and not getattr(entry.callback, "login_required", True)
    }
    assert public == PUBLIC


def test_all_others_ask_to_sign_in(db: None, client: Client) -> None:
    for path in ("/activity/", "/settings/", "/clear/", "/recently-deleted/", "/memories/add/"):
        response = client.get(path)
        assert response.status_code == 302
        assert response["Location"] == f"/accounts/login/?next={path}"
