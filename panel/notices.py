"""What the live region says after an act, with the button that takes it back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

UNDO = "undo:"
# What is taken back by an address of its own, and what the button says.
TAKE_BACK = "take-back:"
# What has begun by it: the page of its job is one link away.
BEGUN = "begun:"
_BUTTONS: dict[str, str | Promise] = {
    "queue_release": gettext_lazy("Hand back"),
    "queue_take_back": gettext_lazy("Undo"),
}


@dataclass(frozen=True, slots=True)
class WayBack:
    """Where the button in a notice leads, and its word."""

    address: str
    word: str


def say_done(request: HttpRequest, text: str, *, gesture: UUID | None = None) -> None:
    """Say what was done; with a gesture, offer to undo it."""
    messages.success(request, text, extra_tags=f"{UNDO}{gesture}" if gesture else "")


def say_begun(request: HttpRequest, text: str, *, job: UUID) -> None:
    """Say what was done, and lead to the job that does the rest."""
    messages.success(request, text, extra_tags=f"{BEGUN}{job}")


def say_done_in_queue(request: HttpRequest, text: str, *, way_back: str, entry: UUID) -> None:
    """Say what was done to an entry of the queue, and offer the address that takes it back."""
    messages.success(request, text, extra_tags=f"{TAKE_BACK}{way_back}:{entry}")


def say_refused(request: HttpRequest, text: str) -> None:
    """Say what was not done, and why."""
    messages.error(request, text)


def read_gesture(message: Any) -> str:
    """The gesture a notice offers to undo, or nothing."""
    tags = getattr(message, "extra_tags", "") or ""
    return tags.removeprefix(UNDO) if tags.startswith(UNDO) else ""


def read_begun(message: Any) -> str:
    """The job a notice leads to, or nothing."""
    tags = getattr(message, "extra_tags", "") or ""
    return tags.removeprefix(BEGUN) if tags.startswith(BEGUN) else ""


def read_way_back(message: Any) -> WayBack | None:
    """The address a notice offers to take it back by, if any."""
    tags = getattr(message, "extra_tags", "") or ""
    if not tags.startswith(TAKE_BACK):
        return None
    name, _, entry = tags.removeprefix(TAKE_BACK).partition(":")
    return WayBack(reverse(name, args=[entry]), str(_BUTTONS[name]))
