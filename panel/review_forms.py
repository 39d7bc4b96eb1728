"""What the owner may answer on a card."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.domain.values import Reason
from memory.services.rule import Span
from panel.forms import CONTENT_LIMIT, DayField, TextField
from panel.review import ReviewCard, Side

CONTEXT_LIMIT = 120
MENTION = "mention"
LATER = {"day": timedelta(days=1), "week": timedelta(days=7), MENTION: None}


@dataclass(slots=True)
class Answer:
    """A checked answer: one word, and what belongs to it."""

    word: str
    keep: UUID | None = None
    text: str = ""
    contexts: dict[UUID, str] = field(default_factory=dict)
    spans: dict[UUID, Span] = field(default_factory=dict)
    versions: dict[UUID, int] = field(default_factory=dict)

    def later_until(self, now: datetime) -> datetime | None:
        """When it is asked again; None: once it is mentioned."""
        pause = LATER[self.word.removeprefix("later:")]
        return now + pause if pause else None


def possible_answers(card: ReviewCard) -> set[str]:
    """The words this card may be answered with."""
    later = {f"later:{pause}" for pause in LATER}
    if card.is_check:
        return {"right", "wrong", "correct", *later}
    if card.kind == Reason.SHARING:
        return {"share", "keep_private", *later}
    if card.is_pair:
        kept = {f"keep:{side.id}" for side in card.sides}
        return {*kept, "both", "merge", "neither", *later}
    return {"confirm", "reword", "deny", *later}


class AnswerForm(forms.Form):
    """The answer to one card. Nothing is preselected: without a button's word it is refused."""

    answer = forms.CharField(
        max_length=60, error_messages={"required": gettext_lazy("Choose an answer.")}
    )
    text = TextField(
        label=gettext_lazy("What is true"), limit=CONTENT_LIMIT, multiline=True, required=False
    )

    def __init__(self, data: Any, *, card: ReviewCard, **more: Any) -> None:
        super().__init__(data, **more)
        self.card = card
        for side in card.sides:
            self._add_fields(side)

    def _add_fields(self, side: Side) -> None:
        name = side.id.hex
        self.fields[f"version-{name}"] = forms.IntegerField(
            required=False, min_value=1, max_value=2**31 - 1
        )
        if self.card.is_pair:
            self.fields[f"where-{name}"] = TextField(
                label=_("Where or when it holds"), limit=CONTEXT_LIMIT, required=False
            )
            self.fields[f"from-{name}"] = DayField(label=_("From"))
            self.fields[f"until-{name}"] = DayField(label=_("Until"))

    def clean_answer(self) -> str:
        word: str = self.cleaned_data["answer"]
        if word not in possible_answers(self.card):
            raise forms.ValidationError(_("Choose an answer."), code="unknown")
        return word

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        word = given.get("answer")
        needs_text = word in ("merge", "reword", "correct") and not given.get("text")
        if needs_text and "text" not in self.errors:
            self.add_error("text", _("Say what is true."))
        for side in self.card.sides if word == "both" else ():
            start, end = (given.get(f"{name}-{side.id.hex}") for name in ("from", "until"))
            if start and end and end < start:
                self.add_error(f"until-{side.id.hex}", _("It ends before it begins."))
        return given

    def fields_of(self, side: Side) -> list[forms.BoundField]:
        """The fields that say where and when one side holds."""
        return [self[f"{name}-{side.id.hex}"] for name in ("where", "from", "until")]

    @property
    def opens(self) -> str:
        """The part of the card that holds the refused fields."""
        if not self.errors:
            return ""
        word = str(self.data.get("answer", ""))
        return {"merge": "write", "reword": "edit", "correct": "edit", "both": "both"}.get(word, "")

    def as_answer(self) -> Answer:
        """The answer, once it is valid."""
        given = self.cleaned_data
        word: str = given["answer"]
        answer = Answer(word.partition(":")[0] if word.startswith("keep:") else word)
        answer.text = given["text"]
        if word.startswith("keep:"):
            answer.keep = UUID(word.removeprefix("keep:"))
        for side in self.card.sides:
            name = side.id.hex
            if given.get(f"version-{name}"):
                answer.versions[side.id] = given[f"version-{name}"]
            if given.get(f"where-{name}"):
                answer.contexts[side.id] = given[f"where-{name}"]
            span = (given.get(f"from-{name}"), given.get(f"until-{name}"))
            if any(span):
                answer.spans[side.id] = span
        return answer
