"""Where a test of the browser is run, and how a journey is walked by keyboard alone."""

from __future__ import annotations

from itertools import product

import pytest
from axe_playwright_python.sync_playwright import Axe
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

# axe leaves its rule on the size of targets off unless asked.
AXE = {"rules": {"target-size": {"enabled": True}}}
_SMALL = """least => [...document.querySelectorAll("a, button, input, select, textarea, summary")]
    .map((it) => [it, it.closest("label") || it])
    .filter(([it, area]) => {
        const box = area.getBoundingClientRect();
        if (it.type === "hidden" || it.disabled || !it.checkVisibility() || box.right <= 0) {
            return false;
        }
        if (getComputedStyle(it).clipPath !== "none" || box.bottom <= 0) return false;
        if (it.tagName === "A" && getComputedStyle(it).display === "inline") {
            const among = it.closest("p, li, dd, dt, td, div, h1, h2, h3");
            if (among.innerText.trim().length - it.innerText.trim().length > 20) return false;
        }
        return box.height < least - 0.5 || box.width < least - 0.5;
    })
    .map(([it, area]) => {
        const { width, height } = area.getBoundingClientRect();
        const place = it.closest("[class]:not(a, button)");
        return `${Math.round(width)}×${Math.round(height)} ${it.outerHTML.slice(0, 110)}`
            + ` in .${place && place.className}`;
    })"""

_LONG = """most => {
    const blocks = new Map(), range = document.createRange();
    const main = document.querySelector("main");
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const text = texts.currentNode;
        let block = text.parentElement;
        if (!text.data.trim() || block.closest("pre") || !block.checkVisibility()) continue;
        while (getComputedStyle(block).display.startsWith("inline")) block = block.parentElement;
        if (getComputedStyle(block).clipPath !== "none") continue;
        if (!blocks.has(block)) blocks.set(block, new Map());
        for (let at = 0; at < text.data.length; at++) {
            range.setStart(text, at);
            range.setEnd(text, at + 1);
            const box = range.getBoundingClientRect();
            const line = Math.round(box.bottom / 6), lines = blocks.get(block);
            if (box.width) lines.set(line, (lines.get(line) || "") + text.data[at]);
        }
    }
    return [...blocks].flatMap(([block, lines]) => [...lines.values()]
        .map((line) => line.trim().replace(/\\s+/g, " "))
        .filter((line) => line.length > most)
        .map((line) => `${line.length} in ${block.className || block.tagName}: ${line}`));
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


def faults_of(page: Page) -> list[object]:
    """What axe finds, and how far the page scrolls sideways: nothing, where all is well."""
    found = Axe().run(page, options=AXE).response["violations"]
    told: list[object] = [
        (one["id"], [node["html"][:160] for node in one["nodes"][:3]]) for one in found
    ]
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return told + ([f"scrolls sideways by {wide}"] if wide > 0 else [])


def expect_for_everyone(page: Page) -> None:
    faults = faults_of(page)
    assert not faults, (page.url, faults)


def small_targets(page: Page, least: int) -> list[str]:
    """What one presses and is lower or narrower than that. A link among words is as they are."""
    page.evaluate("document.querySelectorAll('details').forEach(it => { it.open = true })")
    found: list[str] = page.evaluate(_SMALL, least)
    return found


def long_lines(page: Page, most: int = 68) -> list[str]:
    """Lines of more letters than that. What an agent got is shown as it got it, so not that."""
    found: list[str] = page.evaluate(_LONG, most)
    return found
