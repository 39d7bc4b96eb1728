"""The forgetting curve says what the formula says, to the eye and in words."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from xml.etree import ElementTree

import pytest
from django.template import Context, Template
from django.utils import timezone, translation

from memory.domain.decay import conflict_weight, effective_retention, retention
from memory.domain.policy import Policy
from memory.domain.values import Anchor, Tier
from panel.curves import BOTTOM, LEFT, MOST_POINTS, RIGHT, TOP, Life, Step, Waiting, draw
from tests.conftest import NOW

DAY = timedelta(days=1)


def life(**given: Any) -> Life:
    days = given.pop("days", 10.0)
    steps = given.pop("steps", [])
    return Life(
        **{
            "created_at": NOW - days * DAY, "tier": Tier.SHORT_TERM, "steps": steps,
            "times_served": sum(step.kind == "served" for step in steps),
            "anchor": steps[-1].at if steps else NOW - days * DAY, "now": NOW, "policy": Policy(),
            **given,
        }
    )  # fmt: skip


def markup(of: Life, scale: str = "linear") -> str:
    page = Template("{% load curves %}{% forgetting_curve life scale %}")
    return page.render(Context({"life": of, "scale": scale}))


def drawing_in(text: str) -> ElementTree.Element:
    found = re.search(r"<svg.*?</svg>", text, re.DOTALL)
    assert found is not None
    return ElementTree.fromstring(found.group())  # noqa: S314  (our own)


def points_of(svg: ElementTree.Element, name: str) -> list[tuple[float, float]]:
    [path] = [p for p in svg.iter("path") if name in p.get("class", "").split()]
    return [
        (float(x), float(y))
        for x, y in (pair.split(",") for pair in path.get("d", "").removeprefix("M").split(" "))
    ]


MANY = [
    Step(NOW - timedelta(days=60 - 2 * n), "confirmed" if n % 7 == 3 else "served", Tier.SHORT_TERM)
    for n in range(25)
]
LIVES = {
    "new": life(days=0),
    "fading": life(days=3),
    "forgotten": life(days=40),
    "served": life(days=20, steps=[Step(NOW - 8 * DAY, "served", Tier.SHORT_TERM)]),
    "risen": life(
        days=20, tier=Tier.LONG_TERM, steps=[Step(NOW - 8 * DAY, "confirmed", Tier.LONG_TERM)]
    ),
    "busy": life(days=70, steps=MANY),
    "protected": life(days=400, tier=Tier.LONG_TERM, protected=True),
    "young and pinned": life(days=1, tier=Tier.WORKING, protected=True),
    "busy and pinned": life(days=70, steps=MANY, protected=True, tier=Tier.WORKING),
    "promoted": life(
        days=20, tier=Tier.LONG_TERM, first_tier=Tier.WORKING, anchor=NOW - 6 * DAY,
        times_served=1, confirmed_tier=Tier.LONG_TERM, confirmed_protected=True,
        steps=[
            Step(NOW - 12 * DAY, "rose", Tier.SHORT_TERM),
            Step(NOW - 6 * DAY, "served", Tier.SHORT_TERM),
            Step(NOW - 2 * DAY, "rose", Tier.LONG_TERM),
        ],
    ),
    "from creation": life(
        days=20, policy=Policy(anchor=Anchor.CREATED),
        steps=[Step(NOW - 8 * DAY, "served", Tier.SHORT_TERM)],
    ),
    "waiting": life(
        days=30, tier=Tier.LONG_TERM,
        waiting=Waiting(said_at=NOW - 30 * DAY, recent_evidence=False, recurrences=2),
    ),
    "from the future": life(days=-3650),
    "ancient": life(days=20_000, tier=Tier.WORKING),
}  # fmt: skip


@pytest.mark.parametrize("scale", ["linear", "log"])
@pytest.mark.parametrize("name", LIVES)
def test_each_point_is_the_formulas(name: str, scale: str) -> None:
    """Every drawn y against retention() at the time its x stands for, within half a pixel."""
    of = LIVES[name]
    drawing = draw(of, scale=scale)  # type: ignore[arg-type]
    floor = 1 if not of.protected else 0
    for samples in (drawing.past, drawing.future, drawing.confirmed, drawing.raw):
        assert len(samples) <= MOST_POINTS
        for at, left in samples:
            x, y = drawing.place(at, left)
            assert LEFT <= x <= RIGHT
            assert TOP <= y <= BOTTOM
    by_creation = of.policy.anchor is Anchor.CREATED
    for at, left in drawing.future:
        raw = retention(
            of.created_at if by_creation else of.anchor,
            tier=of.tier, times_served=of.times_served, now=at, policy=of.policy,
        )  # fmt: skip
        expected = effective_retention(raw, protected=not floor, policy=of.policy)
        assert left == pytest.approx(expected, abs=1e-9)
    svg = drawing_in(markup(of, scale))
    for x, y in points_of(svg, "curve-future"):
        nearest = min(drawing.future, key=lambda sample: abs(drawing.place(*sample).x - x))
        assert abs(drawing.place(*nearest).x - x) <= 0.5
        steep = [s for s in drawing.future if abs(drawing.place(*s).x - x) <= 0.06]
        assert min(abs(drawing.place(*sample).y - y) for sample in steep) <= 0.5


def test_the_past_goes_by_what_was_true_then() -> None:
    of = LIVES["served"]
    served_at = of.steps[0].at
    drawing = draw(of)
    for at, left in drawing.past:
        if at < served_at:
            expected = retention(of.created_at, tier=of.tier, times_served=0, now=at)
        elif at > served_at:
            expected = retention(served_at, tier=of.tier, times_served=1, now=at)
        else:
            before = retention(of.created_at, tier=of.tier, times_served=0, now=at)
            assert min(abs(left - before), abs(left - 1)) < 1e-9
            continue
        assert left == pytest.approx(expected, abs=1e-9)


def test_the_past_is_drawn_with_the_tier_it_had_then() -> None:
    """Its pixels too: each against retention() at the time its x stands for, within half a one."""
    of = LIVES["promoted"]
    drawing = draw(of)
    stretches = [
        (of.created_at, of.created_at, Tier.WORKING, 0),
        (NOW - 12 * DAY, of.created_at, Tier.SHORT_TERM, 0),
        (NOW - 6 * DAY, NOW - 6 * DAY, Tier.SHORT_TERM, 1),
        (NOW - 2 * DAY, NOW - 6 * DAY, Tier.LONG_TERM, 1),
    ]
    whole = (drawing.end - drawing.start).total_seconds()
    drawn = points_of(drawing_in(markup(of)), "curve-past")
    assert len(drawn) > 30
    seen = set()
    for x, y in drawn:
        lowest = []
        # A tenth of a pixel is what an x is rounded to.
        for n in range(-5, 6):
            at = drawing.start + (x + n / 100 - LEFT) / (RIGHT - LEFT) * timedelta(seconds=whole)
            for since, anchor, tier, served in stretches:
                left = retention(anchor, tier=tier, times_served=served, now=at)
                wanted = TOP + (1 - left) * (BOTTOM - TOP)
                until = min((s for s, *_ in stretches if s > since), default=NOW)
                if since - DAY / 50 <= at <= until + DAY / 50:
                    lowest.append(abs(y - wanted))
                    if abs(y - wanted) <= 0.5:
                        seen.add(since)
        assert min(lowest) <= 0.5
    assert len(seen) == len(stretches)


def test_if_confirmed_is_what_confirming_would_make_of_it() -> None:
    of = LIVES["promoted"]
    for at, left in draw(of).confirmed:
        raw = retention(NOW, tier=Tier.LONG_TERM, times_served=1, now=at)
        assert left == pytest.approx(effective_retention(raw, protected=True), abs=1e-9)
    assert "if confirmed today" in markup(of)
    event = life(days=3, tier=Tier.WORKING, confirmed_tier=Tier.WORKING)
    assert min(left for _at, left in draw(event).confirmed) < 0.3


@pytest.mark.parametrize("name", ["young and pinned", "busy and pinned"])
def test_what_protection_holds_up_goes_on_below_to_the_end(name: str) -> None:
    of = LIVES[name]
    drawing = draw(of)
    assert len(drawing.raw) <= MOST_POINTS
    assert (drawing.raw[0].at, drawing.raw[-1].at) == (drawing.start, drawing.end)
    assert drawing.raw[-1].left == pytest.approx(
        retention(of.anchor, tier=of.tier, times_served=of.times_served, now=drawing.end)
    )
    svg = drawing_in(markup(of))
    assert points_of(svg, "curve-raw")[-1][0] == RIGHT
    assert "without protection" in markup(of)


def test_a_reinforcement_is_a_jump_and_its_kind_shows() -> None:
    steps = [
        Step(NOW - 8 * DAY, "served", Tier.SHORT_TERM),
        Step(NOW - 4 * DAY, "confirmed", Tier.LONG_TERM),
    ]
    of = life(days=20, tier=Tier.LONG_TERM, steps=steps)
    lefts = {at: [s.left for s in draw(of).past if s.at == at] for at in (s.at for s in steps)}
    for at in lefts:
        low, high = lefts[at]
        assert low < 0.9 < high == 1.0
    svg = drawing_in(markup(of))
    assert len([p for p in svg.iter("path") if p.get("class") == "curve-served"]) == 1
    assert len([p for p in svg.iter("path") if p.get("class") == "curve-confirmed"]) == 1


def test_beyond_twenty_only_their_number_is_told() -> None:
    assert "+5 earlier" in markup(LIVES["busy"])
    drawing = draw(LIVES["busy"])
    assert (len(drawing.marks), drawing.earlier) == (20, 5)


@pytest.mark.parametrize(("tier", "served"), [("working", 0), ("short_term", 3), ("long_term", 10)])
@pytest.mark.parametrize("line", [0.2, 0.3, 0.4])
def test_the_crossing_is_right_to_the_minute(tier: str, served: int, line: float) -> None:
    """-24 * S * ln(line) hours after the anchor."""
    import math

    of = life(days=0.5, tier=Tier(tier), times_served=served, policy=Policy(archive_line=line))
    strength = 1.5 * {"working": 1, "short_term": 7, "long_term": 60}[tier]
    strength *= 1 + math.log(1 + served)
    expected = of.anchor + timedelta(hours=-24 * strength * math.log(line))
    crossing = draw(of).forgotten_at
    assert crossing is not None
    assert abs(crossing - expected) < timedelta(minutes=1)
    left = retention(of.anchor, tier=of.tier, times_served=served, now=crossing, policy=of.policy)
    assert left == pytest.approx(line, abs=1e-9)


def test_the_protected_are_flat_at_their_floor_with_the_raw_curve_below() -> None:
    of = LIVES["protected"]
    drawing = draw(of)
    assert drawing.now_left == pytest.approx(0.35)
    assert drawing.forgotten_at is None
    assert min(s.left for s in drawing.future) == pytest.approx(0.35)
    assert min(s.left for s in drawing.raw) < 0.02
    svg = drawing_in(markup(of))
    assert points_of(svg, "curve-raw")[-1][1] > BOTTOM - 5


def test_a_side_that_waits_shows_its_weight() -> None:
    of = LIVES["waiting"]
    drawing = draw(of)
    assert of.waiting is not None
    for at, left in drawing.weight:
        age = max(0.0, (at - of.waiting.said_at) / DAY)
        assert left == pytest.approx(conflict_weight(age, False) * 0.8, abs=1e-9)
    assert points_of(drawing_in(markup(of)), "curve-weight")
    assert "while it waits" in markup(of)


def test_evidence_is_recent_for_as_long_as_the_policy_says() -> None:
    waiting = Waiting(said_at=NOW - 10 * DAY, recent_evidence=True, recurrences=1)
    for at, left in draw(life(days=200, waiting=waiting)).weight:
        age = (at - waiting.said_at) / DAY
        assert left == pytest.approx(min(1.0, conflict_weight(age, age <= 30)), abs=1e-9)


def test_the_lines_are_named_and_stand_where_they_should() -> None:
    of = life(tier=Tier.WORKING, days=1, policy=Policy(archive_line=0.4, purge_enabled=True))
    svg = drawing_in(markup(of))
    levels = {
        p.get("class", "").split()[-1]: p.get("d", "").split(",")[1].split("H")[0]
        for p in svg.iter("path")
        if "curve-level" in p.get("class", "")
    }
    assert {name: float(y) for name, y in levels.items()} == pytest.approx(
        {"curve-stale": 112.0, "curve-archive": 132.0, "curve-purge": 192.0}
    )
    assert "archive 0.4" in markup(of)


@pytest.mark.parametrize(
    ("of", "english", "chinese"),
    [
        (life(days=3), "0.75 left now, below 0.3 in about 10 days.",
         "现在 0.75，约 10 天后低于 0.3。"),
        (life(days=1, tier=Tier.WORKING), "0.51 left now, below 0.3 in about 19 hours.",
         "现在 0.51，约 19 小时后低于 0.3。"),
        (life(days=40), "0.02 left now; below 0.3 since 2026-05-05.",
         "现在 0.02，自 2026-05-05 起低于 0.3。"),
        (LIVES["protected"], "0.35 left now; protected, it never falls below 0.3.",
         "现在 0.35，受保护，不会低于 0.3。"),
    ],
)  # fmt: skip
def test_it_is_said_in_a_sentence_in_both_languages(of: Life, english: str, chinese: str) -> None:
    for language, expected in (("en", english), ("zh-hans", chinese)):
        with translation.override(language):
            text = markup(of)
            svg = drawing_in(text)
        assert svg.get("role") == "img"
        [desc] = svg.iter("desc")
        assert desc.text == expected
        assert desc.get("id") in (svg.get("aria-labelledby") or "")
        [title] = svg.iter("title")
        assert title.text


def test_dates_are_the_owners() -> None:
    """17:30Z is the next day in Shanghai."""
    of = life(created_at=datetime(2026, 5, 20, 17, 30, tzinfo=UTC), days=3)
    with timezone.override("Asia/Shanghai"):
        assert "2026-05-21" in markup(of)
    with timezone.override("America/Los_Angeles"):
        assert "2026-05-20" in markup(of)


@pytest.mark.parametrize("scale", ["linear", "log"])
@pytest.mark.parametrize("name", LIVES)
def test_it_is_small_plain_and_without_exponents(name: str, scale: str) -> None:
    text = markup(LIVES[name], scale)
    assert len(text.encode()) <= 6000
    assert not re.search(r"\d(?:\.\d+)?e[+-]?\d", text)
    assert "nan" not in text.lower().replace("nance", "")
    assert "inf" not in re.sub(r"[a-z]*info[a-z]*", "", text)
    for refused in ("<script", "style=", " on", "href"):
        assert refused not in drawing_text(text)
    assert "<details" in text
    assert "<table" in text


def drawing_text(text: str) -> str:
    found = re.search(r"<svg.*?</svg>", text, re.DOTALL)
    assert found is not None
    return re.sub(r">[^<]*<", "><", found.group())


def test_a_log_scale_gives_the_first_day_more_room() -> None:
    of = life(days=60)
    day = of.created_at + DAY
    linear, log = draw(of), draw(of, scale="log")
    assert log.place(day, 0.5).x - LEFT > 5 * (linear.place(day, 0.5).x - LEFT)
    assert log.place(log.end, 0.5).x == linear.place(linear.end, 0.5).x == RIGHT


def test_drawing_is_quick() -> None:
    import time

    of = LIVES["busy"]
    draw(of)
    began = time.perf_counter()
    for _ in range(20):
        draw(of)
    # 3 ms a drawing on a quiet machine; the guard is for an accident of another order.
    assert (time.perf_counter() - began) / 20 < 0.03


def test_the_three_tiers_for_the_settings_page() -> None:
    page = Template("{% load curves %}{% tier_curves policy %}")
    text = page.render(Context({"policy": Policy(strength_rate=3.0)}))
    svg = drawing_in(text)
    for tier in Tier:
        [path] = [p for p in svg.iter("path") if f"curve-{tier}" in p.get("class", "").split()]
        assert path.get("d", "").startswith(f"M{LEFT},{TOP}")
    assert "0.85" in text  # long_term after 30 days at rate 3 (requirements 5.3)
    assert len(text.encode()) <= 6000
