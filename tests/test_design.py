"""The design is kept: the colours agreed on, contrast enough, no colour or size outside tokens."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CSS = ROOT / "static" / "css"
SHEETS = sorted(path for path in CSS.glob("*.css") if path.name != "tokens.css")
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
THEMES = ("light", "dark")
AGREED = {
    "ground": ("#faf9f7", "#15171a"), "surface": ("#ffffff", "#1d2024"),
    "text": ("#1f2328", "#e8e6e1"), "quiet": ("#5b6168", "#a3a8ae"),
    "control": ("#80868d", "#7b8189"), "accent": ("#0b6b62", "#5cc8bb"),
    "amber": ("#8a5a00", "#e0ac4f"), "grey": ("#646a71", "#9aa0a6"),
    "violet": ("#6b3fb5", "#bda0f2"), "danger": ("#b3261e", "#f2877f"),
}  # fmt: skip
SIZES = {
    **{f"space-{px}": px for px in (4, 8, 12, 16, 24, 32, 48)},
    **{f"text-{px}": px for px in (13, 15, 18, 22, 28)},
    "icon-16": 16, "icon-20": 20, "radius": 6, "row": 44, "ring": 2,
}  # fmt: skip

WORDS = ("text", "quiet", "accent", "amber", "grey", "violet", "danger")
GROUNDS = ("ground", "surface")
# What else words stand on, and which of them.
ON_WASHES = {
    "wash": ("text", "quiet", "accent", "violet", "grey"),
    "accent-wash": ("text", "quiet", "accent"),
    "violet-wash": ("text", "quiet", "violet", "accent", "grey", "amber"),
    "accent-mark": ("text", "quiet"),
    "violet-mark": ("text",),
}
# Full grounds, and the words on them.
FILLED = {
    "accent": "on-accent", "accent-deep": "on-accent", "danger": "on-accent",
    "danger-deep": "on-accent", "violet": "ground", "text": "ground",
}  # fmt: skip
COLOURS_OF_WORDS = {*WORDS, "ground", "on-accent"}
# Edges by which a control is known. Lines between rows and around sheets tell nothing alone.
EDGES = ("control", "quiet", "text", "accent", "violet", "danger")
# No variable may stand in a media query, nor is the window's own height a size of ours.
WIDTHS = {"50rem", "50.01rem", "64rem", "70rem"}
HEIGHTS = {"100vh"}
LENGTH = re.compile(r"(?<![\w-])-?(?:\d*\.)?\d+(?:px|r?em|r?lh|ch|ex|pt|pc|cm|mm|in|[sld]?v\w+)\b")
COLOUR = re.compile(r"#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix)\(")

Rgb = tuple[float, ...]


def without_comments(path: Path) -> str:
    return re.sub(r"/\*.*?\*/", lambda it: "\n" * it[0].count("\n"), path.read_text(), flags=re.S)


def declared(block: str) -> dict[str, str]:
    return {
        name: re.sub(r"\s+", " ", value)
        for name, value in re.findall(r"--([\w-]+):([^;]+);", block)
    }


def read_tokens() -> dict[str, dict[str, str]]:
    """What each theme says, the dark one over the light one; both ways into it say the same."""
    css = without_comments(CSS / "tokens.css")
    light = declared(css[: css.index("}")])
    by_system = re.search(
        r"prefers-color-scheme: dark\) \{\s*:root:not\([^)]*\) \{(.*?)\}", css, re.S
    )
    by_choice = re.search(r':root\[data-theme="dark"\] \{(.*?)\}', css, re.S)
    assert by_system
    assert by_choice
    dark = declared(by_choice[1])
    assert declared(by_system[1]) == dark
    return {"light": light, "dark": {**light, **dark}}


TOKENS = read_tokens()


def painted(token: str, theme: str, under: Rgb) -> Rgb:
    """The colour one sees where a token is laid over another colour."""
    *rgb, alpha = read_colour(TOKENS[theme][token].strip(), theme)
    return tuple(top * alpha + below * (1 - alpha) for top, below in zip(rgb, under, strict=True))


def read_colour(value: str, theme: str) -> Rgb:
    """Red, green, blue from 0 to 1, and how much it covers."""
    if value == "transparent":
        return (0, 0, 0, 0)
    if named := re.fullmatch(r"var\(--([\w-]+)\)", value):
        return read_colour(TOKENS[theme][named[1]].strip(), theme)
    if mixed := re.fullmatch(r"color-mix\(in srgb, (\S+) (\d+)%, (\S+)\)", value):
        first, share, other = read_colour(mixed[1], theme), int(mixed[2]) / 100, mixed[3]
        if other == "transparent":
            return (*first[:3], share)
        return tuple(
            a * share + b * (1 - share)
            for a, b in zip(first, read_colour(other, theme), strict=True)
        )
    assert re.fullmatch(r"#[0-9a-f]{6}", value), value
    return (*(int(value[at : at + 2], 16) / 255 for at in (1, 3, 5)), 1)


def contrast(one: Rgb, other: Rgb) -> float:
    """As WCAG 2 reckons it."""

    def luminance(colour: Rgb) -> float:
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def plain(token: str, theme: str) -> Rgb:
    return painted(token, theme, (0, 0, 0))


@pytest.mark.parametrize("theme", THEMES)
def test_the_colours_are_those_agreed_on(theme: str) -> None:
    assert {name: TOKENS[theme][name].strip() for name in AGREED} == {
        name: pair[THEMES.index(theme)] for name, pair in AGREED.items()
    }
    written = re.findall(r"#[0-9a-fA-F]+", without_comments(CSS / "tokens.css"))
    assert set(written) <= {colour for pair in AGREED.values() for colour in pair}


def test_the_sizes_are_those_agreed_on() -> None:
    def px(value: str) -> float:
        number, unit = re.fullmatch(r" ([\d.]+)(rem|px)", value).groups()  # type: ignore[union-attr]
        return float(number) * (16 if unit == "rem" else 1)

    assert {name: px(TOKENS["light"][name]) for name in SIZES} == SIZES
    assert all("rem" in TOKENS["light"][name] for name in SIZES if name.startswith("text-"))
    css = without_comments(CSS / "tokens.css")
    assert re.search(r":lang\(zh\) \{\s*--leading: 1\.7;", css)
    assert TOKENS["light"]["leading"].strip() == "1.5"


@pytest.mark.parametrize(("theme", "words", "ground"), list(product(THEMES, WORDS, GROUNDS)))
def test_words_can_be_read(theme: str, words: str, ground: str) -> None:
    assert contrast(plain(words, theme), plain(ground, theme)) >= 4.5


@pytest.mark.parametrize(("theme", "wash", "ground"), list(product(THEMES, ON_WASHES, GROUNDS)))
def test_words_on_a_wash_can_be_read(theme: str, wash: str, ground: str) -> None:
    below = painted(wash, theme, plain(ground, theme))
    told = {words: contrast(plain(words, theme), below) for words in ON_WASHES[wash]}
    assert min(told.values()) >= 4.5, told


@pytest.mark.parametrize(("theme", "fill"), list(product(THEMES, FILLED)))
def test_words_on_a_full_ground_can_be_read(theme: str, fill: str) -> None:
    below = plain(fill, theme)
    assert contrast(plain(FILLED[fill], theme), below) >= 4.5
    if fill == "text":
        assert contrast(plain("ground", theme), painted("toast-wash", theme, below)) >= 4.5


@pytest.mark.parametrize(("theme", "edge", "ground"), list(product(THEMES, EDGES, GROUNDS)))
def test_controls_can_be_seen(theme: str, edge: str, ground: str) -> None:
    assert contrast(plain(edge, theme), plain(ground, theme)) >= 3
    for wash in ("accent-wash", "violet-wash", "wash"):
        assert contrast(plain(edge, theme), painted(wash, theme, plain(ground, theme))) >= 3


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_no_colour_or_size_outside_the_tokens(sheet: Path) -> None:
    wrong = []
    for number, line in enumerate(without_comments(sheet).splitlines(), 1):
        if line.lstrip().startswith("@media"):
            found = set(LENGTH.findall(line)) - WIDTHS
        elif ":" in line and line.rstrip().endswith((";", ",", ")")):
            found = (set(LENGTH.findall(line)) - HEIGHTS) | set(COLOUR.findall(line))
        else:
            found = set(LENGTH.findall(line))
        wrong += [f"{sheet.name}:{number}: {one}" for one in found]
    assert wrong == []


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_words_and_controls_have_only_colours_that_were_measured(sheet: Path) -> None:
    css = without_comments(sheet)
    keywords = {"inherit", "currentcolor", "transparent"}
    # The dots that stand for the parts of a score are no words; their names stand beside them.
    drawn = {"step-2", "step-3", "step-4", "control", "control-pale"}
    for value in re.findall(r"(?<![\w-])color:\s*([^;]+);", css):
        named = re.fullmatch(r"var\(--([\w-]+)\)", value)
        allowed = COLOURS_OF_WORDS | (
            drawn if sheet.name in ("recalls.css", "lists.css") else set()
        )
        assert value in keywords or (named and named[1] in allowed), value
    for value in re.findall(r"background(?:-color)?:\s*([^;]+);", css):
        named = re.fullmatch(r"var\(--([\w-]+)\)", value)
        known = {*GROUNDS, *ON_WASHES, *FILLED, "toast-wash", "control", "on-accent", "paper"}
        assert value in keywords | {"none"} or (named and named[1] in known), value


def test_every_token_is_used_and_every_use_has_its_token() -> None:
    sheets = [without_comments(path) for path in (*SHEETS, CSS / "tokens.css")]
    used = {name for css in sheets for name in re.findall(r"var\(--([\w-]+)\)", css)}
    assert used == set(TOKENS["light"])


def test_hues_of_a_status_are_for_a_status_and_danger_for_erasing() -> None:
    """Errors, pauses, deletions in a comparison have a sign, an edge, a weight instead."""
    told: dict[str, set[str]] = {"amber": set(), "danger": set()}
    for sheet in SHEETS:
        for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", without_comments(sheet)):
            for hue in told:
                if f"var(--{hue}" in body:
                    told[hue] |= {re.sub(r"\s+", " ", one.strip()) for one in selector.split(",")}
    assert told == {
        "amber": {".count-stale b", ".stale-word", ".pill-stale", ".curve .curve-stale"},
        "danger": {
            "a.danger", ".button.danger", ".button-danger", ".button-danger:hover",
            ".curve .curve-purge",
        },
    }  # fmt: skip


def test_motion_is_short_and_rests_where_one_asks_for_rest() -> None:
    tokens = without_comments(CSS / "tokens.css")
    assert int(re.search(r"--quick: (\d+)ms", tokens)[1]) < 150  # type: ignore[index]
    # The spinner alone goes on moving, for as long as one waits.
    rest = r"prefers-reduced-motion: reduce\) \{\s*:root \{\s*--quick: 0s;\s*--turn: 0s;"
    assert re.search(rest, tokens)
    for sheet in SHEETS:
        css = without_comments(sheet)
        for value in re.findall(r"(?:transition|animation)(?:-duration)?:\s*([^;]+);", css):
            assert value == "none" or re.search(r"var\(--(quick|turn)\)", value), value
            assert not re.search(r"[\d.]m?s\b", value), value


def test_chinese_has_no_slanted_and_no_spaced_letters() -> None:
    for path in CSS.glob("*.css"):
        css = without_comments(path)
        assert "italic" not in css
        assert "letter-spacing" not in css
    slanted = [
        path.name
        for path in TEMPLATES
        if re.search(r"<(em|i|cite|dfn|address|var)\b", path.read_text())
    ]
    assert slanted == []


def test_the_theme_is_on_the_page_before_anything_is_drawn() -> None:
    """Chosen in Settings, it comes with the first byte: no script changes it, nothing flashes."""
    skeleton = (ROOT / "templates" / "skeleton.html").read_text()
    assert re.search(r"<html[^>]*data-theme", skeleton)
    for script in (ROOT / "static" / "js").glob("*.js"):
        assert "data-theme" not in script.read_text()
        assert "dataset.theme" not in script.read_text()
