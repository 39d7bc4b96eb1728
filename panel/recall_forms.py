"""What people may ask of the recalls: which to list, and a question to try."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.domain.values import Preset, Strategy
from memory.models import Agent, Project
from panel import words
from panel.forms import QUERY_LIMIT, TextField
from panel.own_words import plain

QUESTION_LIMIT = 4_000
# The lines beside the facts on which something can be said to be wrong.
REPORTED_AT = ("standing", "asked", "history")

Scored = tuple[Strategy, Preset | None]


def _strategies() -> list[tuple[str, Any]]:
    """Every way to score, the presets of `weighted` among them."""
    return [
        (Strategy.TEMPERED.value, words.STRATEGY[Strategy.TEMPERED]),
        *((f"{Strategy.WEIGHTED}:{preset}", words.PRESET[preset]) for preset in Preset),
        (Strategy.MULTIPLICATIVE.value, words.STRATEGY[Strategy.MULTIPLICATIVE]),
    ]


def read_strategy(value: str) -> Scored:
    name, _colon, preset = value.partition(":")
    return Strategy(name), Preset(preset) if preset else None


class WhenField(forms.ChoiceField):
    """How far back a list goes."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("label", gettext_lazy("When"))
        kwargs.setdefault("required", False)
        kwargs.setdefault(
            "choices",
            [
                ("", gettext_lazy("Any time")),
                ("week", gettext_lazy("Last 7 days")),
                ("month", gettext_lazy("Last 30 days")),
            ],
        )
        super().__init__(**kwargs)


class RecallFilterForm(forms.Form):
    """The address of the list. Unknown values are refused."""

    q = TextField(
        label=gettext_lazy("Search the questions"),
        limit=QUERY_LIMIT,
        required=False,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
    agent = forms.ChoiceField(label=gettext_lazy("Agent"), required=False)
    what = forms.ChoiceField(
        label=gettext_lazy("What to list"),
        required=False,
        choices=[
            ("", gettext_lazy("Questions and lists")),
            ("asked", gettext_lazy("Questions")),
            ("read", gettext_lazy("Lists")),
        ],
    )
    when = WhenField()
    cursor = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: Any, *, agents: Sequence[Agent]) -> None:
        super().__init__(data)
        self.fields["agent"].choices = [  # type: ignore[attr-defined]
            ("", _("All agents")),
            *((str(agent.pk), plain(agent.name)) for agent in agents),
        ]


class MomentField(forms.DateTimeField):
    """A past moment in the owner's zone."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("required", False)
        kwargs.setdefault(
            "widget",
            forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        )
        super().__init__(**kwargs)

    def clean(self, value: Any) -> datetime | None:
        moment: datetime | None = super().clean(value)
        if moment is None:
            return None
        if moment.year < 1970 or moment > timezone.now():
            raise ValidationError(_("Enter a moment that has passed."), code="range")
        return moment


class TryForm(forms.Form):
    """A question and how it is to be answered. It changes nothing, so its address says it all."""

    q = TextField(label=gettext_lazy("Question"), limit=QUESTION_LIMIT, multiline=True, rows=2)
    agent = forms.ChoiceField(label=gettext_lazy("Ask as"))
    strategy = forms.ChoiceField(label=gettext_lazy("Ranking"), choices=_strategies)
    beside = forms.ChoiceField(label=gettext_lazy("Compare with"), required=False)
    project = forms.ChoiceField(label=gettext_lazy("Project"), required=False)
    as_of = MomentField(
        label=gettext_lazy("As of"),
        help_text=gettext_lazy("Counts fading as of then; statuses stay today’s."),
    )
    max_tokens = forms.IntegerField(
        label=gettext_lazy("Token budget"), required=False, min_value=1, max_value=1_000_000
    )

    def __init__(
        self, data: Any = None, *, agents: Sequence[Agent], projects: Sequence[Project]
    ) -> None:
        super().__init__(data)
        self.fields["agent"].choices = [(str(a.pk), plain(a.name)) for a in agents]  # type: ignore[attr-defined]
        self.fields["beside"].choices = [("", _("nothing")), *_strategies()]  # type: ignore[attr-defined]
        self.fields["project"].choices = [  # type: ignore[attr-defined]
            ("", _("All it may see")),
            *((project.slug, plain(project.name)) for project in projects),
        ]
        self.fields["max_tokens"].widget.attrs["placeholder"] = _("no limit")

    def strategies(self) -> list[Scored]:
        """One, or two to be compared; a strategy is not compared with itself."""
        given = self.cleaned_data
        chosen = dict.fromkeys([given["strategy"], *filter(None, [given["beside"]])])
        return [read_strategy(value) for value in chosen]


class ReportForm(forms.Form):
    """What the owner says of something that was told."""

    outcome = forms.ChoiceField(choices=[("wrong", "wrong"), ("unused", "unused")])
    # Where on the page the line stands; empty among the facts.
    place = forms.ChoiceField(choices=[(place, place) for place in REPORTED_AT], required=False)
