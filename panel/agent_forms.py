"""What people may type about their agents: names, keys, places, and what may be used by whom."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.domain.sensitivity import NAMES
from memory.models import SCOPES, Agent, Project
from memory.services.grant import Wish
from panel import words
from panel.forms import TextField
from panel.own_words import plain

NAME_LIMIT = 100


def _scopes() -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(
        label=gettext_lazy("It may"),
        choices=[(scope, words.SCOPE[scope]) for scope in SCOPES],
        widget=forms.CheckboxSelectMultiple,
        initial=["recall", "write"],
        error_messages={"required": gettext_lazy("Choose at least one.")},
    )


class ConnectForm(forms.Form):
    """A new agent, and what its first key may do."""

    name = TextField(
        label=gettext_lazy("What is it called?"),
        help_text=gettext_lazy("As you know it: Cursor, Chat, Travel planner."),
        limit=NAME_LIMIT,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = _scopes()


class KeyForm(forms.Form):
    """One more key for an agent."""

    scopes = _scopes()
    days = forms.TypedChoiceField(
        label=gettext_lazy("It ends"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=[
            ("", gettext_lazy("when you revoke it")),
            ("30", gettext_lazy("after 30 days")),
            ("90", gettext_lazy("after 90 days")),
            ("365", gettext_lazy("after a year")),
        ],
    )


class RotateForm(forms.Form):
    """How long the old key stays good beside the new one."""

    overlap = forms.TypedChoiceField(
        label=gettext_lazy("The old key ends"),
        coerce=int,
        choices=[
            ("1", gettext_lazy("after a day")),
            ("7", gettext_lazy("after a week")),
            ("0", gettext_lazy("at once")),
        ],
    )


class SwitchForm(forms.Form):
    """On or off, said outright: pressing twice does nothing twice."""

    on = forms.ChoiceField(choices=[("1", ""), ("0", "")])

    def is_on(self) -> bool:
        return bool(self.cleaned_data["on"] == "1")


class ProjectForm(forms.Form):
    name = TextField(
        label=gettext_lazy("New project"),
        limit=NAME_LIMIT,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class WishForm(forms.Form):
    """“Let Cursor use what Chat knows about your health”, as three choices."""

    ANYTHING = "ordinary"

    to = forms.ChoiceField(label=gettext_lazy("Let"))
    source = forms.ChoiceField(label=gettext_lazy("use what"), required=False)
    about = forms.ChoiceField(label=gettext_lazy("knows about"))
    # From a switch of the grid: a topic instead of one of the choices above.
    topic = TextField(limit=200, required=False, widget=forms.HiddenInput)

    def __init__(
        self, data: Any = None, *, agents: Iterable[Agent], projects: Iterable[Project]
    ) -> None:
        super().__init__(data)
        agents = list(agents)
        named = [(str(agent.pk), plain(agent.name)) for agent in agents]
        groups = [
            (f"project:{p.pk}", _("all agents in %(project)s") % {"project": plain(p.name)})
            for p in projects
        ]
        choices: dict[str, list[tuple[str, Any]]] = {
            "to": [*((f"agent:{pk}", name) for pk, name in named), *groups],
            "source": [("", _("anybody")), *named],
            "about": [
                *((kind, words.SENSITIVITY[kind]) for kind in NAMES),
                (self.ANYTHING, _("anything not sensitive")),
            ],
        }
        for name, offered in choices.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = offered

    def wish(self) -> Wish:
        """What was wished. Only after `is_valid`."""
        given = self.cleaned_data
        kind, pk = given["to"].split(":")
        ordinary = given["about"] == self.ANYTHING
        return Wish(
            to_agent=UUID(pk) if kind == "agent" else None,
            to_project=UUID(pk) if kind == "project" else None,
            from_agent=UUID(given["source"]) if given["source"] else None,
            sensitivity="" if ordinary else given["about"],
            topic=given["topic"] if ordinary else "",
        )
