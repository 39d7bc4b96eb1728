"""The three steps of a first visit, and which of them are done."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from memory.domain.values import Reason, Status
from memory.models import Conflict, Memory
from memory.models.conflicts import ConflictState

LOOKED = "guide_looked"
_GUESSES = (Reason.INFERRED, Reason.EXTERNAL)


@dataclass(frozen=True, slots=True)
class Step:
    """What to try, where, and whether it was tried. Without an address there is nothing to try."""

    name: str
    text: str
    address: str | None
    done: bool


@dataclass(frozen=True, slots=True)
class Guide:
    steps: list[Step]

    @property
    def is_over(self) -> bool:
        return all(step.done for step in self.steps)


def read_guide(owner: User, *, looked: bool) -> Guide | None:
    """The steps for who is on a first visit, else None. Inside owner_scope; three statements.

    `looked` says whether a memory's page was opened since. The other two are done when the owner
    answered a guess and settled a contradiction since the visit began, or when none is left.
    """
    if owner.guided_since is None:
        return None
    cards = Conflict.objects.of(owner.pk)
    settled = set(
        cards.filter(
            state=ConflictState.SETTLED,
            settled_by=owner.pk,
            settled_at__gte=owner.guided_since,
        ).values_list("reason", flat=True)
    )
    waiting = cards.waiting().filter(reason__in=(*_GUESSES, Reason.CONTRADICTION))
    open_cards = list(waiting.order_by("-opened_at").values_list("reason", "pk"))
    guess = next((pk for reason, pk in open_cards if reason in _GUESSES), None)
    pair = next((pk for reason, pk in open_cards if reason == Reason.CONTRADICTION), None)
    changed = (
        Memory.objects.of(owner.pk)
        .kept()
        .filter(status=Status.ACTIVE, replaces__isnull=False)
        .order_by("-created_at")
        .values("pk")
        .first()
    )
    return Guide(
        [
            Step(
                _("Look where one came from"),
                _("The words it was taken from, how it changed, and who may see it."),
                reverse("memory", args=[changed["pk"]]) if changed else None,
                looked or changed is None,
            ),
            Step(
                _("Answer a guess"),
                _("An agent concluded something. Nobody uses it as a fact until you say so."),
                reverse("card", args=[guess]) if guess else None,
                guess is None or not settled.isdisjoint(_GUESSES),
            ),
            Step(
                _("Settle a contradiction"),
                _("Two things do not go together. You decide, and can take it back."),
                reverse("card", args=[pair]) if pair else None,
                pair is None or Reason.CONTRADICTION in settled,
            ),
        ]
    )
