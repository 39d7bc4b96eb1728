"""Who calls: the key in the Authorization header, and nothing else."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils import timezone
from ninja.security.base import AuthBase

from memory.adapters.limits import wait_needed
from memory.api.errors import ApiError
from memory.querysets.callers import Caller
from memory.services.admit import KeyRefused, admit_key

_SAYS = {
    "missing_key": "Send an agent's key: Authorization: Bearer mk_…",
    "unknown_key": "This key is not known. Make a new one on the Agents page.",
    "revoked_key": "This key was revoked. Make a new one on the Agents page.",
    "expired_key": "This key has expired. Make a new one on the Agents page.",
}


class KeyAuth(AuthBase):
    """`Authorization: Bearer mk_…`, with the scope an operation asks for."""

    openapi_type = "http"
    openapi_scheme = "bearer"

    def __init__(self, scope: str | None = None) -> None:
        self.scope = scope
        super().__init__()

    def __call__(self, request: HttpRequest) -> Caller:
        caller = let_in(read_bearer(request.headers.get("Authorization", "")))
        if self.scope is not None:
            need_scope(caller, self.scope)
        return caller


def read_bearer(header: str) -> str:
    """The key of an Authorization header. Raises ApiError where there is none."""
    scheme, _, key = header.partition(" ")
    if scheme.lower() != "bearer" or not key.strip():
        raise _refuse("missing_key")
    return key


def let_in(key: str) -> Caller:
    """Who this key speaks for, unless it is refused or used too often. Raises ApiError."""
    try:
        caller = admit_key(key.strip(), now=timezone.now())
    except KeyRefused as refused:
        raise _refuse(refused.code) from None
    wait = wait_needed(str(caller.key))
    if wait:
        raise ApiError(
            429,
            "rate_limited",
            f"This key was used too often. Try again in {wait} s.",
            {"retry_after": wait},
        )
    return caller


def need_scope(caller: Caller, scope: str) -> None:
    if scope not in caller.scopes:
        raise ApiError(
            403, "scope_missing", f"This key lacks the scope “{scope}”.", {"scope": scope}
        )


def _refuse(code: str) -> ApiError:
    return ApiError(401, code, _SAYS[code])


def caller_of(request: HttpRequest) -> Caller:
    """The agent that was let in."""
    caller = request.auth  # type: ignore[attr-defined]
    if not isinstance(caller, Caller):
        raise TypeError("this operation asks for no key")
    return caller
