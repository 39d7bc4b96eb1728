"""The list's address: what is left of it without a filter, and what its filters are called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse

from panel import words
from panel.forms import FilterForm
from panel.fragments import render_page
from panel.reads.filters import FACETS


def query_without(request: HttpRequest, *names: str) -> str:
    query = request.GET.copy()
    for name in names:
        query.pop(name, None)
    for name in [name for name, values in query.lists() if not any(values)]:
        del query[name]
    return query.urlencode()


def render_filtered(
    request: HttpRequest, template: str, context: Mapping[str, Any], *, part: str, status: int
) -> HttpResponse:
    """A list under the filters in its address: the page, its `part`, or `more` of it.

    Where only the part is swapped in, the browser's address follows the filters.
    """
    query = query_without(request, "cursor")
    response = render_page(
        request,
        template,
        {**context, "query": query},
        fragments={part: part, "more": "more"},
        status=status,
    )
    if request.htmx and request.htmx.target == part:  # type: ignore[attr-defined]
        pushed = query_without(request)
        response["HX-Push-Url"] = f"{request.path}?{pushed}" if pushed else request.path
    return response


def clean_address(request: HttpRequest) -> str:
    query = query_without(request, "exact", "pick")
    return f"{request.path}?{query}" if query else request.path


def chosen_filters(request: HttpRequest, form: FilterForm) -> list[dict[str, str]]:
    """The filters in force, each with the address without it."""
    chosen = []
    for name in (*FACETS, "archived", "when", "q"):
        for value in request.GET.getlist(name):
            if not value:
                continue
            query = request.GET.copy()
            query.pop("cursor", None)
            query.pop("exact", None)
            query.pop("pick", None)
            query.setlist(name, [v for v in query.getlist(name) if v != value])
            for empty in [key for key, values in query.lists() if not any(values)]:
                del query[empty]
            field = form.fields[name]
            label = (
                words.quoted(value)
                if name == "q"
                else {str(k): str(v) for k, v in field.choices}.get(value, value)  # type: ignore[attr-defined]
            )
            chosen.append({"label": label, "without": f"{request.path}?{query.urlencode()}"})
    return chosen


def view_links(request: HttpRequest, form: FilterForm) -> list[dict[str, Any]]:
    """The ways the list may stand, each with its address under the same filters."""
    query = query_without(request, "view", "sort", "cursor", "exact", "pick")
    current = form.cleaned_data.get("view", "")
    links = []
    for value, label in form.fields["view"].choices:  # type: ignore[attr-defined]
        parts = [part for part in (query, value and f"view={value}") if part]
        address = f"{request.path}?{'&'.join(parts)}" if parts else request.path
        links.append(
            {
                "id": f"view-{value or 'topic'}",
                "label": label,
                "address": address,
                "current": value == current,
            }
        )
    return links


def select_groups(form: FilterForm, counts: dict[str, dict[str, int]]) -> list[dict[str, Any]]:
    """The filters of which one thing is chosen, as `filter_groups` gives the others."""
    return [
        {
            "name": name,
            "label": form.fields[name].label,
            "choices": [
                {
                    "value": value,
                    "label": label,
                    "checked": value == form.cleaned_data.get(name, ""),
                    "count": counts.get(name, {}).get(value, 0),
                    "id": f"{name}-{value or 'none'}",
                }
                for value, label in form.fields[name].choices  # type: ignore[attr-defined]
            ],
        }
        for name in ("archived", "when")
    ]


def filter_groups(form: FilterForm, counts: dict[str, dict[str, int]]) -> list[dict[str, Any]]:
    """The groups of filters with their counts; groups nothing could be chosen from are left out."""
    facets = []
    for name in FACETS:
        field = form.fields[name]
        chosen = form.cleaned_data.get(name, []) if form.is_valid() else []
        chosen = {str(value) for value in chosen}
        numbers = counts.get(name, {})
        choices = [
            {
                "value": str(value),
                "label": label,
                "checked": str(value) in chosen,
                "count": numbers.get(str(value), 0),
                "id": f"{name}-{value}",
            }
            for value, label in field.choices  # type: ignore[attr-defined]
            if value != FilterForm.ANY
        ]
        if choices:
            facets.append({"name": name, "label": field.label, "choices": choices})
    return facets
