"""Where a test of the browser is run, and how a journey is walked by keyboard alone."""

from __future__ import annotations

from itertools import product

import pytest
from playwright.sync_api import Locator, Page, expect

ENGLISH_WIDE, ENGLISH_NARROW = ("en", 1280), ("en", 390)
CHINESE_WIDE, CHINESE_NARROW = ("zh-hans", 1280), ("zh-hans", 390)
EVERYWHERE = (ENGLISH_WIDE, ENGLISH_NARROW, CHINESE_WIDE, CHINESE_NARROW)

# Looking, never acting: whether the control has the focus, and whether one can see that it has.
_HAS_FOCUS = "it => it === document.activeElement"
_IS_SEEN = """it => {
    const box = it.getBoundingClientRect();
    return [box.top + 2, (box.top + box.bottom) / 2, box.bottom - 2].some((y) => {
        const at = document.elementFromPoint(box.x + box.width / 2, y);
        return at && (it.contains(at) || at.closest("label")?.contains(it));
    });
}"""


def walked(*ordinary: tuple[str, int]) -> pytest.MarkDecorator:
    """Both languages at both widths; what is not named here belongs to the long run."""
    return pytest.mark.parametrize(
        ("language", "width"),
        [
            pytest.param(*place, marks=() if place in ordinary else pytest.mark.long)
            for place in EVERYWHERE
        ],
    )


def on_every_screen(*ordinary: tuple[int, str, str]) -> pytest.MarkDecorator:
    """Every width, language and theme; what is not named here belongs to the long run."""
    return pytest.mark.parametrize(
        ("width", "language", "theme"),
        [
            pytest.param(*screen, marks=() if screen in ordinary else pytest.mark.long)
            for screen in product((320, 768, 1280), ("en", "zh-hans"), ("light", "dark"))
        ],
    )


def settled(page: Page) -> None:
    """Once htmx has made what it swapped in its own: before that its forms are plain ones."""
    expect(page.locator(".htmx-added, .htmx-settling, .htmx-swapping")).to_have_count(0)


def tab_to(page: Page, control: Locator, *, key: str = "Tab", most: int = 150) -> None:
    """Press Tab until the control has the focus: fails where no Tab leads, or nothing shows it."""
    expect(control).to_be_visible()
    settled(page)
    for _ in range(most):
        if control.evaluate(_HAS_FOCUS):
            assert control.evaluate(_IS_SEEN), f"{control} has the focus behind something else"
            return
        page.keyboard.press(key)
    raise AssertionError(f"{most} times {key} do not lead to {control}")


def press_on(page: Page, control: Locator, **how: str) -> None:
    """Tab there, then Enter."""
    tab_to(page, control, **how)  # type: ignore[arg-type]
    page.keyboard.press("Enter")


def step_to(page: Page, row: Locator) -> None:
    """Down the rows with `j`."""
    expect(row).to_be_visible()
    for _ in range(60):
        page.keyboard.press("j")
        if row.evaluate(_HAS_FOCUS):
            return
    raise AssertionError(f"j does not lead to {row}")


def write_over(page: Page, field: Locator, words: str) -> None:
    tab_to(page, field)
    page.keyboard.press("Control+A")
    page.keyboard.type(words)
