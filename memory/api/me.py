"""`/me` and `/health`."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.http import HttpRequest
from ninja import Router

from accounts.models import User
from memory.api.boundary import only
from memory.api.keys import KeyAuth, caller_of
from memory.api.schemas import HealthOut, MeOut, errors

router = Router(tags=["service"])


@router.get(
    "/me",
    auth=KeyAuth(),
    response={200: MeOut, **errors(401, 422, 429, 503)},
    summary="Who this key speaks for",
)
def read_me(request: HttpRequest) -> Any:
    caller = caller_of(request)
    only(request, ())
    return {
        "owner": User.objects.get(pk=caller.owner).display_name,
        "agent": caller.agent_name,
        "scopes": sorted(caller.scopes),
        "projects": sorted(slug for slug, pk in caller.projects.items() if pk in caller.places),
        "paused": caller.paused,
    }


@router.get(
    "/health",
    auth=None,
    response={200: HealthOut, **errors(422, 503)},
    summary="Whether migrations are done and the database answers",
)
def read_health(request: HttpRequest) -> Any:
    only(request, ())
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return {"status": "ok"}
