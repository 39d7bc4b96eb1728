"""What the page of one memory asks for besides new words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.domain.values import Visibility
from memory.models import Memory
from panel.own_words import plain

_WIDTH = {Visibility.PRIVATE: 0, Visibility.GROUP: 1, Visibility.USER: 2}


@dataclass(frozen=True, slots=True)
class Audience:
    """Who could see a memory instead. `asks`: it is sensitive, and more would see it."""

    visibility: Visibility
    word: str
    asks: bool


def audiences_of(memory: Memory) -> list[Audience]:
    """The choices for a memory, without the one in force. Reads agent and project."""
    now = Visibility(memory.visibility)
    found = {Visibility.USER: _("Show it to all your agents")}
    if memory.project:
        found[Visibility.GROUP] = _("Show it to agents in %(project)s") % {
            "project": memory.project.name
        }
    found[Visibility.PRIVATE] = (
        _("Show it to %(agent)s only") % {"agent": memory.agent.name}
        if memory.agent
        else _("Show it to no agent")
    )
    return [
        Audience(one, word, bool(memory.sensitivity) and _WIDTH[one] > _WIDTH[now])
        for one, word in found.items()
        if one is not now
    ]


class CompareForm(forms.Form):
    """Two versions to be compared, by the names the page gives them."""

    old = forms.ChoiceField(label=gettext_lazy("Compare"))
    new = forms.ChoiceField(label=gettext_lazy("with"))

    def __init__(self, data: Any, *, versions: Sequence[tuple[str, str]]) -> None:
        """`versions`: newest first; the two newest are proposed."""
        first = versions[1:2] or versions[:1]
        super().__init__(data, initial={"old": first[0][0], "new": versions[0][0]})
        for field in self.fields.values():
            field.choices = [  # type: ignore[attr-defined]
                (name, plain(text)) for name, text in versions
            ]


class ShareForm(forms.Form):
    """Who is to see a memory; `sure` where he was asked about what is sensitive."""

    to = forms.ChoiceField(choices=[(one.value, one.value) for one in Visibility])
    sure = forms.BooleanField(required=False)


class OldWordsForm(forms.Form):
    """Which of a memory's earlier wordings is to come back, and the version that was on screen."""

    revision = forms.IntegerField(min_value=1, max_value=2**31 - 1)
    version = forms.IntegerField(min_value=1, max_value=2**31 - 1)
