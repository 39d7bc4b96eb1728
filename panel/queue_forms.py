"""What an admin writes in the queue: why he looks, and how he settles."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.domain.values import Ruling
from panel.forms import TextField
from panel.reads.queue import Entry

NOTE_LIMIT = 500


class LookForm(forms.Form):
    """The reason for looking at somebody's words; the owner reads it."""

    reason = TextField(
        label=gettext_lazy("Why do you need to read it?"),
        help_text=gettext_lazy("The owner sees your reason, and that you looked."),
        limit=NOTE_LIMIT,
    )


class RulingForm(forms.Form):
    """An admin's ruling, with a note to the owner."""

    note = TextField(
        label=gettext_lazy("A note to the owner"), limit=NOTE_LIMIT, multiline=True, rows=2
    )
    answer = forms.CharField(max_length=60)

    def __init__(self, data: Any = None, *, entry: Entry) -> None:
        super().__init__(data)
        self.entry = entry

    def clean_answer(self) -> tuple[Ruling, UUID | None]:
        word = self.cleaned_data["answer"]
        members = {f"keep:{told.id}": told.id for told in self.entry.told}
        if word in members:
            return Ruling.KEPT, members[word]
        allowed = [Ruling.NEITHER, *([Ruling.BOTH] if self.entry.is_pair else [])]
        if word in allowed:
            return Ruling(word), None
        raise forms.ValidationError(_("Choose an answer."), code="unknown")
