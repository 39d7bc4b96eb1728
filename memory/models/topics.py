"""What an owner says about topics: which keys are one, and whether a topic holds one value."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from accounts.models import User
from memory.querysets.topics import TopicRuleQuerySet


class TopicRule(models.Model):
    """Every statement about `from_key` is about `to_key`, for this owner.

    The two are the same where the owner only said whether one value excludes another.
    """

    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    from_key = models.CharField(max_length=200)
    to_key = models.CharField(max_length=200)
    # None: as the key's last word says (memory.domain.keys).
    single_valued = models.BooleanField(null=True, blank=True)
    made_at = models.DateTimeField()
    epoch = models.PositiveIntegerField(default=0)

    objects: ClassVar = TopicRuleQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="topic_rule_once_a_key", fields=["owner", "from_key", "epoch"]
            )
        ]

    def __str__(self) -> str:
        return f"rule of {self.owner_id}"
