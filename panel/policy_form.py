"""How memory behaves, as a form: an owner's numbers within their safe ranges."""

from __future__ import annotations

import math
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.domain.policy import RANGES, SCENARIO_NUMBERS, Policy
from memory.domain.values import AdminsSee, ConflictPolicy, Scenario


class NumberField(forms.FloatField):
    """A number within the range the rules hold safe. A refusal names the range."""

    def __init__(
        self, name: str, *, step: float, whole: bool = False, most: float | None = None, **more: Any
    ) -> None:
        self.low, high = RANGES[name]
        self.high = high if most is None else most
        self.whole = whole
        super().__init__(**more)
        self.widget.attrs |= {
            "min": f"{self.low:g}",
            "max": f"{self.high:g}",
            "step": f"{step:g}",
            "inputmode": "numeric" if whole else "decimal",
        }

    def to_python(self, value: Any) -> Any:
        """Django's words for what is no number would not say which numbers are."""
        try:
            number = super().to_python(value)
        except ValidationError as error:
            raise self._refusal() from error
        if number is None:
            return None
        # "inf" and "nan" are numbers to Python, and in no range.
        if not math.isfinite(number) or (self.whole and number != math.floor(number)):
            raise self._refusal()
        return int(number) if self.whole else number

    def validate(self, value: Any) -> None:
        if value is not None and not self.low <= value <= self.high:
            raise self._refusal()
        super().validate(value)

    def prepare_value(self, value: Any) -> Any:
        return f"{value:g}" if isinstance(value, float | int) else value

    def _refusal(self) -> ValidationError:
        words = (
            _("Enter a whole number from %(low)s to %(high)s.")
            if self.whole
            else _("Enter a number from %(low)s to %(high)s.")
        )
        range_words = {"low": f"{self.low:g}", "high": f"{self.high:g}"}
        return ValidationError(words % range_words, code="range")


SCENARIO_WORDS = [
    (Scenario.GENERAL.value, gettext_lazy("Everyday: life and work")),
    (Scenario.SAFETY.value, gettext_lazy("Safety: medical, legal; forgets late")),
    (Scenario.LIVELY.value, gettext_lazy("Lively: entertainment, chat; forgets soon")),
]
CONFLICT_WORDS = [
    (ConflictPolicy.ASK.value, gettext_lazy("Ask me, unless my words say plainly what changed")),
    (
        ConflictPolicy.BALANCED.value,
        gettext_lazy("Follow clear words of change; ask me about the rest"),
    ),
    (
        ConflictPolicy.ASSERTIVE.value,
        gettext_lazy("Take what is newer; ask me only about safety, work, health and money"),
    ),
]


ADMINS_WORDS = [
    (AdminsSee.MASKED.value, gettext_lazy("That something waits, and its words masked")),
    (AdminsSee.NOTHING.value, gettext_lazy("Nothing")),
    (AdminsSee.ALL.value, gettext_lazy("All of it, words included")),
]


class PolicyForm(forms.Form):
    """Scenario, fading, contradictions, ranking, and how long things are kept."""

    scenario = forms.ChoiceField(
        label=gettext_lazy("What your agents are for"),
        choices=SCENARIO_WORDS,
        widget=forms.RadioSelect,
    )
    strength_rate = NumberField(
        "strength_rate",
        step=0.1,
        label=gettext_lazy("Fading speed"),
        help_text=gettext_lazy("The larger the number, the slower it fades."),
    )
    archive_line = NumberField(
        "archive_line",
        step=0.01,
        most=0.49,
        label=gettext_lazy("Archive line"),
        help_text=gettext_lazy(
            "What has less than this share left goes to the archive: out of everyday answers, "
            "still yours to find."
        ),
    )
    conflict_policy = forms.ChoiceField(
        label=gettext_lazy("When two memories contradict each other"),
        choices=CONFLICT_WORDS,
        widget=forms.RadioSelect,
    )
    admins_see = forms.ChoiceField(
        label=gettext_lazy("What administrators see of what waits for you"),
        choices=ADMINS_WORDS,
        widget=forms.RadioSelect,
    )
    tempered_a = NumberField(
        "tempered_a",
        step=0.05,
        label=gettext_lazy("How much fading counts in the order of answers"),
        help_text=gettext_lazy("0: not at all. 1: what has faded away comes last."),
    )
    tempered_b = NumberField(
        "tempered_b",
        step=0.05,
        label=gettext_lazy("How much importance counts in the order of answers"),
        help_text=gettext_lazy("0: not at all. 1: unimportant things come last."),
    )
    days_recently_deleted = NumberField(
        "days_recently_deleted",
        step=1,
        whole=True,
        label=gettext_lazy("Days in Recently deleted"),
        help_text=gettext_lazy("0 erases at once."),
    )
    recall_days = NumberField(
        "recall_days",
        step=1,
        whole=True,
        label=gettext_lazy("Days that questions of agents are kept"),
    )
    message_days = NumberField(
        "message_days",
        step=1,
        whole=True,
        label=gettext_lazy("Days that conversations nobody quotes are kept"),
    )
    purge_enabled = forms.BooleanField(
        required=False,
        label=gettext_lazy("Let Memoir erase what was passing and nobody ever asked for"),
        help_text=gettext_lazy(
            "Only unconfirmed short-lived memories that have been in the archive for long. "
            "Off: only you erase."
        ),
    )
    purge_archived_days = NumberField(
        "purge_archived_days",
        step=1,
        whole=True,
        label=gettext_lazy("Days in the archive before that"),
    )

    def __init__(self, data: Any = None, *, rules: Policy, admins_see: str) -> None:
        numbers = [name for name in self.base_fields if name != "admins_see"]
        initial = {name: _plain(rules, name) for name in numbers}
        super().__init__(data, initial={**initial, "admins_see": admins_see})

    def changes(self, *, follow: bool = False) -> dict[str, Any]:
        """What was changed, for `set_policy`. A new scenario brings its own rate and line along,
        unless they were changed too; with `follow` in any case."""
        given = self.cleaned_data
        changed = {name: given[name] for name in self.changed_data if name in given}
        changed.pop("admins_see", None)
        if follow:
            kept = {name: value for name, value in changed.items() if name not in SCENARIO_NUMBERS}
            return kept | {"scenario": given["scenario"]}
        if "scenario" in changed:
            return changed
        return changed | {name: given[name] for name in SCENARIO_NUMBERS if name in given}

    def take_refusal(self, fields: dict[str, str]) -> None:
        """What the rules still refuse together, said at the field it is about."""
        for name in fields:
            known = self.fields.get(name)
            refusal = known._refusal() if isinstance(known, NumberField) else None
            self.add_error(name if known else None, refusal or _("These numbers do not fit."))


def _plain(rules: Policy, name: str) -> Any:
    value = getattr(rules, name)
    return value.value if isinstance(value, Scenario | ConflictPolicy) else value
