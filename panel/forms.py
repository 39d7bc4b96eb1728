"""What people may type. Every text goes through the same cleaning as an agent's does."""

from __future__ import annotations

from datetime import datetime, time
from typing import Any
from uuid import UUID
from zoneinfo import available_timezones

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from memory.domain.errors import BadText
from memory.domain.text import clean
from memory.domain.values import Kind, Source, Visibility
from memory.models import Agent, Memory, Project
from panel import words
from panel.own_words import plain

CONTENT_LIMIT = 2_000
KEY_LIMIT = 200
QUERY_LIMIT = 200

_REFUSALS = {
    "nul": gettext_lazy("Remove the invisible NUL character."),
    "surrogate": gettext_lazy("Half of a character is missing. Paste the text again."),
    "not_text": gettext_lazy("Enter text."),
    "too_short": gettext_lazy("Enter at least one visible character."),
    "too_long": gettext_lazy("Shorten this to %(limit)d characters."),
}


class TextField(forms.CharField):
    """The one field for text: NFC, no NUL, no half characters, nothing that reorders words.

    The same rules as the API's (`memory.domain.text.clean`), so that nothing a form accepts is
    refused or changed later.
    """

    def __init__(
        self, *, limit: int, multiline: bool = False, rows: int = 3, **kwargs: Any
    ) -> None:
        self.limit = limit
        self.multiline = multiline
        kwargs.setdefault("strip", False)
        kwargs.setdefault("widget", forms.Textarea(attrs={"rows": rows}) if multiline else None)
        super().__init__(**kwargs)
        # Cleaning has its own words for NUL, and runs first.
        self.validators = []
        self.widget.attrs.setdefault("maxlength", str(limit))

    def to_python(self, value: object) -> str:
        if value is None or value == "":
            return ""
        try:
            text = clean(
                value,
                field=str(self.label or ""),
                limit=self.limit,
                minimum=1 if self.required else 0,
                multiline=self.multiline,
            )
        except BadText as error:
            message = str(_REFUSALS[error.reason])
            raise ValidationError(
                message % {"limit": self.limit} if error.reason == "too_long" else message,
                code=error.reason,
            ) from error
        return text.strip()


class DayField(forms.DateField):
    """A day in the owner's zone, as the moment it begins."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("required", False)
        kwargs.setdefault("widget", forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
        super().__init__(**kwargs)

    def clean(self, value: Any) -> datetime | None:
        day = super().clean(value)
        if day is None:
            return None
        if not 1900 <= day.year <= 2200:
            raise ValidationError(_("Enter a year from 1900 to 2200."), code="range")
        return datetime.combine(day, time(), tzinfo=timezone.get_current_timezone())


def _choices(words_for: words.Words, values: Any) -> list[tuple[str, Any]]:
    return [(value.value, words_for[value]) for value in values]


class FilterForm(forms.Form):
    """The list's address: what is shown, and in which order. Unknown values are refused."""

    ANY = "any"

    q = TextField(
        label=gettext_lazy("Search"),
        limit=QUERY_LIMIT,
        required=False,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
    status = forms.MultipleChoiceField(
        label=gettext_lazy("Status"),
        required=False,
        choices=[*_choices(words.STATUS, [*words.STATUS]), (ANY, gettext_lazy("All"))],
    )
    source = forms.MultipleChoiceField(
        label=gettext_lazy("Source"), required=False, choices=_choices(words.SOURCE, Source)
    )
    kind = forms.MultipleChoiceField(
        label=gettext_lazy("Kind"), required=False, choices=_choices(words.KIND, Kind)
    )
    tier = forms.MultipleChoiceField(
        label=gettext_lazy("Tier"), required=False, choices=_choices(words.TIER, [*words.TIER])
    )
    visibility = forms.MultipleChoiceField(
        label=gettext_lazy("Who can see it"),
        required=False,
        choices=_choices(words.VISIBILITY, Visibility),
    )
    agent = forms.TypedMultipleChoiceField(label=gettext_lazy("Agent"), required=False, coerce=UUID)
    project = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Project"), required=False, coerce=UUID
    )
    archived = forms.ChoiceField(
        label=gettext_lazy("Archive"),
        required=False,
        choices=[
            ("", gettext_lazy("Without the archive")),
            ("with", gettext_lazy("With the archive")),
            ("only", gettext_lazy("Only the archive")),
        ],
    )
    when = forms.ChoiceField(
        label=gettext_lazy("Remembered"),
        required=False,
        choices=[
            ("", gettext_lazy("At any time")),
            ("visit", gettext_lazy("Since your last visit")),
            ("week", gettext_lazy("In the last 7 days")),
            ("month", gettext_lazy("In the last 30 days")),
            ("year", gettext_lazy("In the last year")),
        ],
    )
    view = forms.ChoiceField(
        label=gettext_lazy("Show by"),
        required=False,
        choices=[
            ("", gettext_lazy("Topic")),
            ("month", gettext_lazy("Month")),
            ("chains", gettext_lazy("Versions")),
        ],
    )
    sort = forms.ChoiceField(
        label=gettext_lazy("Sort by"),
        required=False,
        choices=[
            ("", gettext_lazy("Topic")),
            ("newest", gettext_lazy("Newest")),
            ("left", gettext_lazy("How much is left")),
            ("importance", gettext_lazy("Importance")),
        ],
    )
    cursor = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: Any, *, agents: list[Agent], projects: list[Project]) -> None:
        super().__init__(data)
        self.fields["agent"].choices = [(str(a.pk), plain(a.name)) for a in agents]  # type: ignore[attr-defined]
        self.fields["project"].choices = [(str(p.pk), plain(p.name)) for p in projects]  # type: ignore[attr-defined]


class ManyForm(forms.Form):
    """An act on many: these rows, or all that match a query, of which so many were seen."""

    IN_PROJECT = "share_in_project"
    ACTS = (
        "confirm", "delete", "archive", "pin", "share", IN_PROJECT, "keep_private", "export",
    )  # fmt: skip

    act = forms.ChoiceField(choices=[(act, act) for act in ACTS])
    memory = forms.TypedMultipleChoiceField(required=False, coerce=UUID)
    everything = forms.BooleanField(required=False)
    count = forms.IntegerField(required=False, min_value=0, max_value=2**31 - 1)
    query = forms.CharField(required=False, max_length=4_000)

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        # Any id may be sent; whose it is, the query says.
        self.fields["memory"].valid_value = _is_id  # type: ignore[attr-defined]


def _is_id(value: str) -> bool:
    try:
        UUID(value)
    except ValueError:
        return False
    return True


class WaitingForm(forms.Form):
    """An answer to what waits, seen in this version."""

    version = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1)
    content = TextField(limit=CONTENT_LIMIT, multiline=True, required=False)


class ConfirmWithWordsForm(forms.Form):
    """Confirming what waits, in the owner's own words."""

    content = TextField(
        label=gettext_lazy("What is true"), limit=CONTENT_LIMIT, multiline=True, rows=3
    )
    version = forms.IntegerField(
        min_value=1, max_value=2**31 - 1, widget=forms.HiddenInput, required=False
    )


class EditForm(forms.Form):
    """A memory's words and what else the owner may set. Saving asks which kind of change it is."""

    KEEP = ""
    IMPORTANCE = (
        (KEEP, gettext_lazy("Leave as it is")),
        ("0.4", gettext_lazy("Passing: fades within days")),
        ("0.7", gettext_lazy("Useful: fades within weeks")),
        ("0.9", gettext_lazy("Important: stays for months")),
    )

    content = TextField(label=gettext_lazy("Memory"), limit=CONTENT_LIMIT, multiline=True, rows=3)
    value = TextField(
        label=gettext_lazy("In short"),
        help_text=gettext_lazy("What stands large in the list."),
        limit=CONTENT_LIMIT,
        required=False,
    )
    key = TextField(
        label=gettext_lazy("Topic"),
        help_text=gettext_lazy("What it is about, in small words with dots: user.editor"),
        limit=KEY_LIMIT,
        required=False,
    )
    valid_from = DayField(label=gettext_lazy("Valid from"))
    valid_to = DayField(label=gettext_lazy("Valid until"))
    importance = forms.ChoiceField(
        label=gettext_lazy("Importance"), required=False, choices=IMPORTANCE
    )
    how = forms.ChoiceField(
        label=gettext_lazy("What kind of change is it?"),
        choices=[
            ("correct", gettext_lazy("Correct a mistake")),
            ("changed", gettext_lazy("It changed")),
        ],
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Say which of the two it is.")},
    )
    until = DayField(
        label=gettext_lazy("It was true until"),
        help_text=gettext_lazy("Where it changed. Empty: until now."),
    )
    version = forms.IntegerField(min_value=1, max_value=2**31 - 1, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, memory: Memory) -> None:
        self.memory = memory
        super().__init__(
            data,
            initial={
                "content": memory.content,
                "value": memory.value,
                "key": memory.key,
                "valid_from": _day(memory.valid_from),
                "valid_to": _day(memory.valid_to),
                "importance": self.KEEP,
                "version": memory.version,
            },
        )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        start, end = given.get("valid_from"), given.get("valid_to")
        if start and end and end < start:
            self.add_error("valid_to", _("It ends before it begins."))
        until = given.get("until")
        if until and given.get("how") == "changed":
            if until > timezone.now():
                self.add_error("until", _("Choose a day that has passed, or today."))
            elif self.memory.valid_from and until < self.memory.valid_from:
                self.add_error("until", _("It ends before it begins."))
        return given

    def changed_words(self) -> dict[str, Any]:
        """What `edit_memory` is to set; fields left as they were are None."""
        given = self.cleaned_data
        memory = self.memory
        return {
            "content": given["content"],
            "key": given["key"] if given["key"] != memory.key else None,
            "value": given["value"] if given["value"] != memory.value else None,
            "valid_from": self._moment("valid_from"),
            "valid_to": self._moment("valid_to"),
            "importance": float(given["importance"]) if given["importance"] else None,
            "until": self._until(),
        }

    def _until(self) -> datetime | None:
        """The day it ended; today means now."""
        until: datetime | None = self.cleaned_data["until"]
        today = until is not None and _day(until) == timezone.localdate()
        return None if today else until

    def _moment(self, name: str) -> datetime | None:
        """The day that was entered; an untouched one keeps its hour."""
        if name in self.changed_data:
            entered: datetime | None = self.cleaned_data[name]
            return entered
        kept: datetime | None = getattr(self.memory, name)
        return kept


def _day(moment: datetime | None) -> Any:
    return timezone.localdate(moment) if moment else None


class AddForm(forms.Form):
    """A memory the owner writes down."""

    content = TextField(
        label=gettext_lazy("Memory"),
        help_text=gettext_lazy("One fact, as you would say it."),
        limit=CONTENT_LIMIT,
        multiline=True,
        rows=3,
    )


class TypedForm(forms.Form):
    """Typed confirmation: nothing happens unless the words are the ones asked for."""

    typed = TextField(
        limit=60,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )

    def __init__(self, data: Any = None, *, phrase: str) -> None:
        super().__init__(data)
        self.phrase = phrase
        self.fields["typed"].label = _("Type “%(phrase)s” to go on") % {"phrase": phrase}

    def clean_typed(self) -> str:
        typed: str = self.cleaned_data["typed"]
        if typed.casefold() != self.phrase.casefold():
            words = _("Nothing has changed. The words must be “%(phrase)s”.")
            raise ValidationError(words % {"phrase": self.phrase}, code="other_words")
        return typed


class SettingsForm(forms.ModelForm):  # type: ignore[type-arg]  # Django generic only in stubs
    """Name, language, zone, theme and shortcuts."""

    name = TextField(label=gettext_lazy("Name"), limit=100, required=False)
    zone = forms.ChoiceField(label=gettext_lazy("Time zone"), choices=())

    class Meta:
        model = User
        fields = ("name", "language", "zone", "theme", "shortcuts")
        labels = {"shortcuts": gettext_lazy("Keyboard shortcuts")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["zone"].choices = [  # type: ignore[attr-defined]
            (name, name.replace("_", " ")) for name in _zones()
        ]
        self.fields["name"].widget.attrs["autocomplete"] = "name"


def _zones() -> list[str]:
    """Zones people know by a place; UTC first."""
    places = sorted(
        name
        for name in available_timezones()
        if "/" in name and not name.startswith(("Etc/", "posix/", "right/", "SystemV/", "US/"))
    )
    return ["UTC", *places]
