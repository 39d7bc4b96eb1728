"""One text field: what the API would refuse or remove, a form refuses or removes too."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from panel.forms import TextField
from tests.hostile import TEXTS, storable, stored

FIELD = TextField(limit=20_000, multiline=True, required=False)


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_is_stored_clean_or_refused_by_name(name: str) -> None:
    text = TEXTS[name]
    if not storable(text):
        with pytest.raises(ValidationError):
            FIELD.clean(text)
        return
    if len(text) > 20_000:
        return
    assert FIELD.clean(text) == stored(text).strip()


def test_one_line_stays_one_line() -> None:
    assert TextField(limit=20).clean("a\r\nb\tc") == "a b c"


def test_what_cannot_be_seen_is_nothing() -> None:
    with pytest.raises(ValidationError):
        TextField(limit=20).clean("\u200b\u202e")
