"""The one place that chooses between a page and a part of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers, patch_vary_headers

# What the choice reads, and what a cache must therefore tell apart.
VARY = ("HX-Request", "HX-Target", "HX-History-Restore-Request")


def requested_fragment(
    request: HttpRequest, allowed: Collection[str] | Mapping[str, str]
) -> str | None:
    """The part that was asked for, if the view allows it; None means the whole page.

    `allowed` names the ids that may be targets; a mapping says which partial each of them is,
    for ids that carry a row's own id. Restoring history never gets a part.
    """
    htmx = request.htmx  # type: ignore[attr-defined]
    if not htmx or htmx.history_restore_request or htmx.target not in allowed:
        return None
    return allowed[htmx.target] if isinstance(allowed, Mapping) else str(htmx.target)


def render_page(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any] | None = None,
    *,
    fragments: Collection[str] | Mapping[str, str] = (),
    status: int = 200,
) -> HttpResponse:
    """The page, or the one of its parts that htmx will put in place."""
    fragment = requested_fragment(request, fragments)
    name = f"{template}#{fragment}" if fragment else template
    response = render(request, name, dict(context or {}), status=status)
    patch_vary_headers(response, VARY)
    add_never_cache_headers(response)
    return response
