"""For finger and eye: what one presses is large enough, what one reads has no long lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.utils import timezone
from playwright.sync_api import Browser, Page

from accounts.models import User
from memory.border import owner_scope
from memory.demo import load_demo
from memory.domain.values import Status
from memory.models import Agent, Conflict, Memory, Recall
from tests.browsing import fresh_page
from tests.panel.walking import long_lines, small_targets

pytestmark = pytest.mark.browser
POINTERS: dict[str, tuple[int, dict[str, Any]]] = {
    "a mouse": (24, {"viewport": {"width": 1280, "height": 900}}),
    "a finger": (44, {"viewport": {"width": 390, "height": 844}, "has_touch": True}),
}
FIXED = (
    "/", "/?view=month", "/?view=chains", "/?status=any&archived=with", "/?q=xyzzy",
    "/review/", "/recalls/", "/recalls/try/", "/agents/", "/agents/sharing/", "/agents/connect/",
    "/activity/", "/data/", "/data/not-again/", "/recently-deleted/", "/topics/", "/settings/",
    "/help/", "/memories/add/", "/queue/", "/queue/overview/",
)  # fmt: skip


@pytest.fixture
def story(database: None) -> User:
    """The demo story, told to somebody who may also see the admins' queue."""
    owner = User.objects.get(pk=load_demo(timezone.now()))
    owner.user_permissions.add(Permission.objects.get(codename="review_conflicts"))
    return owner


def addresses_of(owner: User) -> list[str]:
    with owner_scope(owner.pk):
        kept = Memory.objects.of(owner).kept()
        shown = [kept.filter(status=status)[0] for status in Status]
        shown.append(kept.get(key="user.language.primary", status=Status.ACTIVE))
        cards = Conflict.objects.of(owner).filter(settled_at=None)
        agent = Agent.objects.of(owner.pk)[0]
        return [
            *FIXED,
            *(f"/memories/{memory.pk}/" for memory in shown),
            *(f"/review/{card.pk}/" for card in cards),
            f"/memories/{shown[0].pk}/edit/", f"/agents/{agent.pk}/", f"/agents/{agent.pk}/see/",
            f"/recalls/{Recall.objects.of(owner).latest('asked_at').pk}/",
        ]  # fmt: skip


@pytest.mark.parametrize("pointer", ["a finger", pytest.param("a mouse", marks=pytest.mark.long)])
def test_targets_are_large_enough_and_lines_short(
    browser: Browser,
    served: str,
    story: User,
    sign_in: Callable[[Page, User], None],
    pointer: str,
) -> None:
    least, how = POINTERS[pointer]
    wrong = []
    with fresh_page(browser, served, **how) as page:
        sign_in(page, story)
        for address in addresses_of(story):
            page.goto(address)
            wrong += [f"{address} | {one}" for one in small_targets(page, least)]
            wrong += [f"{address} | {one}" for one in long_lines(page)]
    assert not wrong, "\n".join(wrong)
