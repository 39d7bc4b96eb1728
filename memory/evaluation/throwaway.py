"""Owners that exist for one measurement: everything they hold is rolled back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from accounts.models import User
from memory.border import owner_scope
from memory.domain.policy import DEFAULT_POLICY, Policy
from memory.models import Agent
from memory.querysets.callers import Caller

SCOPES = frozenset({"recall", "write"})


@contextmanager
def throwaway_owner(policy: Policy = DEFAULT_POLICY) -> Iterator[Caller]:
    """An owner with one agent, who acts for it; gone when the block ends."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            # Embedding a batch can take longer than a request may leave a transaction idle.
            # Rows that nobody has committed have no statistics, so plans are poor.
            cursor.execute(
                "SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL statement_timeout = 0"
            )
        owner = User.objects.create_user()
        with owner_scope(owner.pk):
            agent = Agent.objects.create(owner=owner, name="evaluation")
        yield Caller(
            owner=owner.pk,
            agent=agent.pk,
            agent_name=agent.name,
            scopes=SCOPES,
            policy=policy,
        )
        transaction.set_rollback(True)
