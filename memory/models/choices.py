"""From the rules' words to what a model field and a database constraint need."""

from enum import StrEnum

from django.db import models


def choices(values: type[StrEnum]) -> list[tuple[str, str]]:
    """The choices of a field that holds one of `values`; the panel has the words for people."""
    return [(value.value, value.value) for value in values]


def known(field: str, values: type[StrEnum], *, empty: bool = False) -> models.Q:
    """The condition that a column holds one of `values`, or nothing where `empty` says so."""
    return models.Q(**{f"{field}__in": [*([""] if empty else []), *(v.value for v in values)]})
