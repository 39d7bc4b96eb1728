"""The page of one memory is for everyone: whatever its status, narrow and wide."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from accounts.models import User
from memory.border import owner_scope
from memory.models import Agent, Memory
from memory.services.pin import pin_memory
from memory.services.revise import edit_memory
from tests.conftest import NOW, MakeAgent
from tests.panel.walking import faults_of, on_every_screen, small_targets

pytestmark = pytest.mark.browser
Make = Callable[..., Memory]


@pytest.fixture
def page(browser_page: Page, alice: User, sign_in: Callable[[Page, User], None]) -> Page:
    sign_in(browser_page, alice)
    return browser_page


@pytest.fixture
def addresses(alice: User, make_agent: MakeAgent, make_memory: Make) -> list[str]:
    """Contested and corrected, past, waiting against it, sensitive, and asked who may see it."""
    make_agent(alice, "chat", project="q2")
    with owner_scope(alice.pk):
        chat = Agent.objects.get()
    past = make_memory(alice, "I moved to Lisbon", key="user.residence", value="Lisbon")
    home = make_memory(alice, "I moved to Porto", key="user.residence", value="Porto")
    edit_memory(
        owner=alice.pk, memory=home.pk, version=1, how="correct", value="Porto",
        content="I moved to Porto for good", now=NOW,
    )  # fmt: skip
    pin_memory(owner=alice.pk, memory=home.pk, pinned=True, now=NOW)
    guess = make_memory(
        alice, "may live in Faro", key="user.residence", value="Faro", source="inferred"
    )
    for tint in ("dark", "light"):
        side = make_memory(alice, f"My editor theme is {tint}", key="user.editor.theme", value=tint)
    pills = make_memory(alice, "I take pills against my depression", agent=chat)
    return [
        f"/memories/{home.pk}/?old={past.pk}&new={home.pk}&scale=log",
        *(f"/memories/{row.pk}/" for row in (past, guess, side, pills)),
        f"/memories/{pills.pk}/share/?to=user",
        f"/memories/{home.pk}/edit/",
    ]


@on_every_screen((320, "zh-hans", "dark"), (1280, "en", "light"))
def test_for_everyone(
    page: Page, alice: User, addresses: list[str], width: int, language: str, theme: str
) -> None:
    User.objects.filter(pk=alice.pk).update(language=language, theme=theme)
    page.set_viewport_size({"width": width, "height": 900})
    wrong = []
    for address in addresses:
        page.goto(address)
        wrong += [f"{address}: {one}" for one in (*faults_of(page), *small_targets(page, 24))]
    assert not wrong, "\n".join(wrong)
