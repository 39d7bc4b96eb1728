"""Is it still you? Asked before what cannot be taken back."""

from __future__ import annotations

from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.reauthentication import (
    get_reauthentication_flows,
    is_reauthentication_required,
)
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpResponseRedirect

from panel.requests import PanelRequest


def must_sign_in_again(request: PanelRequest) -> bool:
    """Whether the person has to show again who it is. Who has nothing to show (the demo owner,
    let in by a link) only types the words."""
    if not get_reauthentication_flows(request.user):
        return False
    return bool(is_reauthentication_required(request, app="account"))


def sign_in_again(request: PanelRequest, then: str) -> HttpResponseRedirect:
    """To where that is done, and back. A method of signing in there is: see above."""
    [method, *_others] = get_adapter().get_reauthentication_methods(request.user)
    return HttpResponseRedirect(f"{method['url']}?{urlencode({REDIRECT_FIELD_NAME: then})}")
