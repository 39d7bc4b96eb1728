"""What people may ask of Activity. It changes nothing, so its address says it all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from memory.models import Agent
from memory.models.events import Actor
from panel.activity_words import GROUP
from panel.own_words import plain
from panel.recall_forms import WhenField


class ActivityFilterForm(forms.Form):
    """The address of the list. Unknown values are refused."""

    by = forms.ChoiceField(label=gettext_lazy("By whom"), required=False)
    what = forms.ChoiceField(
        label=gettext_lazy("What happened"),
        required=False,
        choices=[("", gettext_lazy("Everything that happened")), *GROUP.items()],
    )
    when = WhenField()
    cursor = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: Any, *, agents: Sequence[Agent]) -> None:
        super().__init__(data)
        self.fields["by"].choices = [  # type: ignore[attr-defined]
            ("", _("By anybody")),
            (Actor.OWNER.value, _("You")),
            (Actor.PROGRAM.value, pgettext("who did it", "Memoir")),
            (Actor.ADMIN.value, _("Administrators")),
            *((str(agent.pk), plain(agent.name)) for agent in agents),
        ]
