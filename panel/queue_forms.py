"""What an admin writes in the queue: why he looks, and how he settles."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.domain.decisions import Decision
from memory.domain.values import Ruling
from memory.services.decide_many import MOST_AT_ONCE
from panel.forms import TextField
from panel.reads.queue import Age, Entry, Part, Which

NOTE_LIMIT = 500


class WhichForm(forms.Form):
    """What of the queue an address asks for."""

    show = forms.ChoiceField(required=False, choices=[(part, part) for part in Part])
    age = forms.ChoiceField(required=False, choices=[(age, age) for age in Age])

    @property
    def which(self) -> Which:
        given = self.cleaned_data
        return Which(
            Part(given["show"] or Part.WAITING), Age(given["age"]) if given["age"] else None
        )


class LookForm(forms.Form):
    """The reason for looking at somebody's words; the owner reads it."""

    reason = TextField(
        label=gettext_lazy("Why do you need to read it?"),
        help_text=gettext_lazy("The owner sees your reason, and that you looked."),
        limit=NOTE_LIMIT,
    )


class PassOnForm(forms.Form):
    """Why an admin leaves an entry to the others."""

    why = TextField(
        label=gettext_lazy("Why can you not decide it?"),
        help_text=gettext_lazy("The other administrators read it, and so does the owner."),
        limit=NOTE_LIMIT,
        multiline=True,
        rows=2,
    )


class SeveralForm(forms.Form):
    """Which entries were chosen, and what is to be said of them all."""

    entry = forms.TypedMultipleChoiceField(coerce=UUID)
    act = forms.ChoiceField(required=False, choices=[(one, one) for one in Decision])

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        # Any id may be sent; whether it waits and may be shown, the read says.
        self.fields["entry"].valid_value = _is_id  # type: ignore[attr-defined]

    def clean_entry(self) -> list[UUID]:
        """Each once; no more than a page of them."""
        chosen: list[UUID] = list(dict.fromkeys(self.cleaned_data["entry"]))
        if len(chosen) > MOST_AT_ONCE:
            raise forms.ValidationError(_("Choose fewer."), code="too_many")
        return chosen

    @property
    def decision(self) -> Decision | None:
        act = self.cleaned_data["act"]
        return Decision(act) if act else None


class DecideForm(forms.Form):
    """The note that goes to each owner with a decision about several entries."""

    note = TextField(
        label=gettext_lazy("A note to the owners"),
        help_text=gettext_lazy("Each owner reads it beside the decision."),
        limit=NOTE_LIMIT,
        multiline=True,
        rows=2,
    )


def _is_id(value: str) -> bool:
    try:
        UUID(value)
    except ValueError:
        return False
    return True


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
