"""What the live region says after an act, with the button that takes it back."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest

UNDO = "undo:"


def say_done(request: HttpRequest, text: str, *, gesture: UUID | None = None) -> None:
    """Say what was done; with a gesture, offer to undo it."""
    messages.success(request, text, extra_tags=f"{UNDO}{gesture}" if gesture else "")


def say_refused(request: HttpRequest, text: str) -> None:
    """Say what was not done, and why."""
    messages.error(request, text)
