"""System checks for settings that must agree with each other."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

from memory.domain.errors import UnsafePolicy
from memory.domain.policy import Policy

_HINT = "docs/lifecycle.md lists every number, memory/domain/policy.py its safe range."


@register()
def check_site_policy(app_configs: Any = None, **_: Any) -> list[CheckMessage]:
    """The site's own numbers: each in its range, and none at odds with another."""
    try:
        policy = Policy.from_mapping(dict(settings.MEMOIR_POLICY))
    except UnsafePolicy as error:
        return [Error(f"MEMOIR_POLICY is not safe: {error}.", hint=_HINT, id="memoir.E001")]
    found: list[CheckMessage] = []
    if policy.recall_days < policy.promotion_days:
        found.append(
            Warning(
                "MEMOIR_POLICY forgets recalls before they can lift a memory a tier "
                f"(recall_days {policy.recall_days}, promotion_days {policy.promotion_days}).",
                hint="Keep recalls for at least as many days as promotion asks for.",
                id="memoir.W001",
            )
        )
    if policy.purge_enabled and policy.purge_line >= policy.archive_line:
        found.append(
            Warning(
                "MEMOIR_POLICY purges at the line at which it archives "
                f"(purge_line {policy.purge_line:g}, archive_line {policy.archive_line:g}).",
                hint="Keep purge_line below archive_line.",
                id="memoir.W002",
            )
        )
    return found
