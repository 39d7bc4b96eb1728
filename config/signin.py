"""The one-click sign-in link that `make run` prints for the demo owner, in embedded mode only.

Signed, good for a quarter of an hour, for one use, and refused with any forwarding header: it is
for the person in front of this machine.
"""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.core import signing
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.ids import uuid7
from accounts.models import SignInLink, User

SALT = "one-click sign-in"
SECONDS = 15 * 60
FORWARDED = (
    "HTTP_FORWARDED",
    "HTTP_VIA",
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_FORWARDED_PORT",
    "HTTP_X_REAL_IP",
)


def make_link(owner: UUID) -> str:
    """An address that signs this person in, once."""
    token = signing.dumps([str(uuid7()), str(owner)], salt=SALT)
    return settings.MEMOIR_BASE_URL + reverse("sign_in_by_link", args=[token])


@require_GET
@never_cache
@login_not_required
def sign_in_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Sign in by a link; 404 for all that is not a fresh link of this machine's own."""
    if not settings.EMBEDDED or any(name in request.META for name in FORWARDED):
        raise Http404
    try:
        number, owner = signing.loads(token, salt=SALT, max_age=SECONDS)
    except (signing.BadSignature, ValueError):
        raise Http404 from None
    person = User.objects.filter(pk=owner, is_active=True).first()
    if person is None:
        raise Http404
    try:
        # The row is the lock: a second use, even at the same moment, finds it there.
        with transaction.atomic():
            SignInLink.objects.create(id=number)
    except IntegrityError:
        raise Http404 from None
    login(request, person, backend=settings.AUTHENTICATION_BACKENDS[0])
    return redirect("/")
