"""What is kept for a while only is erased when its days are over."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from accounts.models import User
from memory.border import owner_scope
from memory.models import Reading, Recall, RecallItem
from memory.services.expire import expire, expire_all
from memory.services.tune import set_policy
from tests.conftest import ApiClient


def counts(owner: User) -> tuple[int, int, int]:
    with owner_scope(owner.pk):
        return (
            Recall.objects.of(owner.pk).count(),
            RecallItem.objects.of(owner.pk).count(),
            Reading.objects.of(owner.pk).count(),
        )


def test_questions_are_erased_after_the_owners_days(alice: User, agent: ApiClient) -> None:
    agent.write("I live in Lisbon", key="user.residence", value="Lisbon")
    agent.recall("where do I live?")
    agent.get("memories")
    now = timezone.now()
    set_policy(alice.pk, {"recall_days": 10}, now)
    assert counts(alice) == (1, 1, 1)
    expire(alice.pk, now + timedelta(days=9))
    assert counts(alice) == (1, 1, 1)
    expire_all(now + timedelta(days=11))
    assert counts(alice) == (0, 0, 0)
    answer = agent.recall("where do I live?")
    assert "I live in Lisbon" in str(answer["memories"])
