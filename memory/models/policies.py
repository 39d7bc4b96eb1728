"""An owner's own numbers, where they differ from Memoir's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.conf import settings
from django.db import models

from accounts.models import User
from memory.domain.policy import DEFAULT_POLICY, SCENARIO_NUMBERS
from memory.domain.policy import Policy as Rules
from memory.domain.values import AdminsSee
from memory.models.choices import choices, known
from memory.querysets.owned import OwnedQuerySet


class Policy(models.Model):
    """One row an owner: the numbers changed, whether all is paused, and the epoch."""

    owner = models.OneToOneField(User, models.CASCADE, primary_key=True, related_name="+")
    numbers = models.JSONField(default=dict, blank=True)
    paused = models.BooleanField(default=False)
    # Raised by "clear all": whatever began under an older epoch is refused.
    epoch = models.PositiveIntegerField(default=0)
    visited_at = models.DateTimeField(null=True, blank=True)
    visit_before = models.DateTimeField(null=True, blank=True)
    # What of the words that wait the admins' queue shows.
    admins_see = models.CharField(
        max_length=6, choices=choices(AdminsSee), default=AdminsSee.MASKED
    )

    objects: ClassVar = OwnedQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="policy_admins_see_is_known", condition=known("admins_see", AdminsSee)
            )
        ]

    def __str__(self) -> str:
        return f"policy of {self.owner_id}"

    def rules(self) -> Rules:
        """The numbers the rules work with: Memoir's, with this owner's changes."""
        return rules_of(self.numbers)


def rules_of(numbers: Mapping[str, Any]) -> Rules:
    """The policy of an owner's numbers, over the site's. Raises UnsafePolicy.

    A scenario the owner chose decides its numbers, whatever the site says about them.
    """
    site = dict(settings.MEMOIR_POLICY)
    if not numbers and not site:
        return DEFAULT_POLICY
    if "scenario" in numbers:
        site = {name: value for name, value in site.items() if name not in SCENARIO_NUMBERS}
    return Rules.from_mapping({**site, **numbers})
