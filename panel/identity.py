"""Is it still you, and do you mean it? Asked before what cannot be taken back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.reauthentication import (
    get_reauthentication_flows,
    is_reauthentication_required,
)
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpResponseRedirect

from panel.forms import TypedForm
from panel.requests import PanelRequest


@dataclass(frozen=True, slots=True)
class Question:
    """What stands before an act that cannot be taken back: signing in again, and words to type."""

    form: TypedForm
    # Where to sign in again first, and back from there; None: not needed.
    sign_in: HttpResponseRedirect | None

    @property
    def answered(self) -> bool:
        return self.sign_in is None and self.form.is_valid()

    @property
    def status(self) -> int:
        return 422 if self.form.is_bound else 200

    def context(self) -> dict[str, Any]:
        """What `_for_good.html` shows of it."""
        return {"form": self.form, "sign_in": self.sign_in and self.sign_in["Location"]}


def ask_for_words(request: PanelRequest, phrase: str) -> Question:
    """Put the question to the person, or read the answer. Who has to sign in again answers later:
    what was typed before that counts for nothing."""
    if must_sign_in_again(request):
        return Question(TypedForm(phrase=phrase), sign_in_again(request, request.path))
    given = request.POST if request.method == "POST" else None
    return Question(TypedForm(given, phrase=phrase), None)


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
