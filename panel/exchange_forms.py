"""What people hand over on the Data page."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.adapters.formats.reading import MOST_BYTES, Unreadable, Upload, read_file
from memory.domain.values import Source
from memory.services.pack import CSV, JSON, MARKDOWN
from panel.exchange_words import UNREADABLE, say_unreadable
from panel.forms import TextField

PASTED_LIMIT = 200_000


class ExportForm(forms.Form):
    """Which kind of file."""

    form = forms.ChoiceField(
        label=gettext_lazy("Kind of file"),
        initial=JSON,
        widget=forms.RadioSelect,
        choices=[
            (JSON, gettext_lazy("JSON: complete, can be imported again")),
            (CSV, gettext_lazy("CSV: for a spreadsheet")),
            (MARKDOWN, gettext_lazy("Markdown: for reading")),
        ],
    )


class ImportForm(forms.Form):
    """A file or pasted text, and whose word it is. What it holds is in `upload` once valid."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        required=False,
        help_text=gettext_lazy("An export of Memoir or mem0, or a list, as JSON or text."),
        allow_empty_file=True,
    )
    text = forms.CharField(
        label=gettext_lazy("Or paste a list"),
        help_text=gettext_lazy("One memory a line."),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 5, "maxlength": str(PASTED_LIMIT)}),
    )
    source = forms.ChoiceField(
        label=gettext_lazy("Where is it from, if it does not say so itself?"),
        initial=Source.EXTERNAL.value,
        widget=forms.RadioSelect,
        choices=[
            (Source.EXTERNAL.value, gettext_lazy("From outside: each waits for your yes")),
            (Source.USER_STATED.value, gettext_lazy("I said all of it myself")),
        ],
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.upload: Upload | None = None
        # The reader names a NUL with the row it is in.
        self.fields["text"].validators = []

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        file, text = given.get("file"), given.get("text", "")
        if not file and not text.strip():
            self.add_error(None, _("Choose a file or paste a list."))
            return given
        name = "file" if file else "text"
        try:
            if file and file.size > MOST_BYTES:
                raise Unreadable("too_large")
            self.upload = read_file(file.read() if file else text.encode("utf-8", "surrogatepass"))
        except Unreadable as error:
            self.add_error(name, ValidationError(say_unreadable(error.code, error.line)))
        except UnicodeEncodeError:
            self.add_error(name, ValidationError(str(UNREADABLE["not_utf8"])))
        return given


class SentenceForm(forms.Form):
    """A sentence to look up among what is not to be learned again. Nothing of it is kept."""

    sentence = TextField(
        label=gettext_lazy("Is this among them?"),
        limit=2_000,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
