"""`{% forgetting_curve life %}`: a memory's fading as a drawing, a sentence and a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django import template
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory.domain.policy import Policy
from memory.domain.values import Tier
from panel import curves
from panel.curves import BOTTOM, LEFT, RIGHT, TOP, Drawing, Life, Point, Sample
from panel.words import TIER

register = template.Library()

_TABLE_ROWS = 6


@register.inclusion_tag("curves/curve.html")
def forgetting_curve(life: Life, scale: str = "linear", name: str = "curve") -> dict[str, Any]:
    """The curve of one memory. `name` makes ids unique where a page shows several."""
    drawing = curves.draw(life, scale="log" if scale == "log" else "linear")
    now = drawing.place(life.now, drawing.now_left)
    return {
        "name": name,
        "sentence": say_curve(drawing),
        "past": _path(drawing, drawing.past),
        "future": _path(drawing, drawing.future),
        "confirmed": _path(drawing, drawing.confirmed),
        "raw": _path(drawing, drawing.raw),
        "weight": _path(drawing, drawing.weight),
        "lines": [
            {
                "name": line.name,
                "words": f"{_line_name(line.name)} {line.level:.2g}",
                "y": _short(curves.height(line.level)),
            }
            for line in drawing.lines
        ],
        "served": _ticks(drawing, "served", "said"),
        "confirmations": _ticks(drawing, "confirmed", "back"),
        "legend": _legend(drawing),
        "earlier": drawing.earlier,
        "now": {"x": _short(now.x), "y": _short(now.y), "left": f"{drawing.now_left:.2f}"},
        "dates": _dates(drawing),
        "rows": _rows(drawing),
        "protected": life.protected,
        "frame": f"M{LEFT},{TOP}V{BOTTOM}H{RIGHT}",
        "left": LEFT,
        "right": RIGHT,
        "foot": BOTTOM + 18,
    }


@register.inclusion_tag("curves/tiers.html")
def tier_curves(policy: Policy, days: int = 120, name: str = "tiers") -> dict[str, Any]:
    """How fast the three tiers fade by these numbers, for choosing them."""
    drawn = curves.draw_tiers(policy, days=days)
    at = [0, days // 8, days // 4, days // 2, days]
    return {
        "name": name,
        "tiers": [
            {
                "code": tier.value,
                "words": TIER[tier],
                "path": _line(
                    Point(LEFT + day / days * (RIGHT - LEFT), curves.height(left))
                    for day, left in drawn[tier]
                ),
                "by_day": [(day, f"{_nearest(drawn[tier], day):.2f}") for day in at],
            }
            for tier in (Tier.LONG_TERM, Tier.SHORT_TERM, Tier.WORKING)
        ],
        "days": at,
        "line": _short(curves.height(policy.archive_line)),
        "line_words": f"{_line_name('archive')} {policy.archive_line:.2g}",
        "frame": f"M{LEFT},{TOP}V{BOTTOM}H{RIGHT}",
        "left": LEFT,
        "right": RIGHT,
        "foot": BOTTOM + 18,
        "last": days,
    }


def say_curve(drawing: Drawing) -> str:
    """The drawing in one sentence: how much is left, and when it will be forgotten."""
    life = drawing.life
    numbers: dict[str, Any] = {
        "left": f"{drawing.now_left:.2f}",
        "line": f"{life.policy.archive_line:.2g}",
    }
    if life.protected:
        return _("%(left)s left now; protected, it never falls below %(line)s.") % numbers
    crossed = drawing.forgotten_at
    if crossed is None:
        return _("%(left)s left now.") % numbers
    numbers["date"] = _date(crossed)
    if crossed <= life.now:
        return _("%(left)s left now; below %(line)s since %(date)s.") % numbers
    hours = (crossed - life.now).total_seconds() / 3600
    if hours < 36:
        numbers["hours"] = max(1, round(hours))
        return (
            ngettext(
                "%(left)s left now, below %(line)s in about %(hours)s hour.",
                "%(left)s left now, below %(line)s in about %(hours)s hours.",
                numbers["hours"],
            )
            % numbers
        )
    numbers["days"] = round(hours / 24)
    return (
        ngettext(
            "%(left)s left now, below %(line)s in about %(days)s day.",
            "%(left)s left now, below %(line)s in about %(days)s days.",
            numbers["days"],
        )
        % numbers
    )


def _line_name(name: str) -> str:
    return {
        "stale": _("may be out of date"),
        "archive": _("archive"),
        "purge": _("purge"),
    }[name]


def _legend(drawing: Drawing) -> list[tuple[str, str]]:
    """The lines that have no name at their side: class and words."""
    found = [("if", _("if confirmed today"))]
    if drawing.raw:
        found.append(("raw", _("without protection")))
    if drawing.weight:
        found.append(("weight", _("what it counts for while it waits")))
    return found


def _rows(drawing: Drawing) -> list[dict[str, str]]:
    """What the drawing shows, for those who cannot see it: dates, numbers, what happened."""
    life = drawing.life
    happened = {
        "served": _("served"),
        "said": _("said again"),
        "confirmed": _("confirmed"),
        "back": _("brought back"),
    }
    found = [(mark.at, happened[mark.kind], "") for mark in drawing.marks[-_TABLE_ROWS:]]
    found.append((life.now, _("now"), f"{drawing.now_left:.2f}"))
    found += [
        (line.crossed_at, _line_name(line.name), f"{line.level:.2g}")
        for line in drawing.lines
        if line.crossed_at is not None and line.crossed_at > life.now
    ]
    return [
        {"at": _date(at), "what": what, "left": left}
        for at, what, left in sorted(found, key=lambda row: row[0])
    ]


def _dates(drawing: Drawing) -> list[dict[str, Any]]:
    """The days under the drawing: its beginning, the crossing or its end."""
    found = [{"x": LEFT, "words": _date(drawing.start), "anchor": "start"}]
    crossed = drawing.forgotten_at
    if crossed is not None and drawing.life.now < crossed <= drawing.end:
        point = drawing.place(crossed, drawing.life.policy.archive_line)
        found.append({"x": _short(min(point.x, RIGHT - 40)), "words": _date(crossed),
                      "anchor": "middle", "crossing": _short(point.x)})  # fmt: skip
    else:
        found.append({"x": RIGHT, "words": _date(drawing.end), "anchor": "end"})
    return found


def _date(at: datetime) -> str:
    return timezone.localtime(at).date().isoformat()


def _path(drawing: Drawing, samples: Sequence[Sample]) -> str:
    return _line(drawing.place(at, left) for at, left in samples)


def _line(points: Iterable[Point]) -> str:
    """Points as a path. Two that come to the same place are one."""
    found: list[str] = []
    for x, y in points:
        place = f"{_short(x)},{_short(y)}"
        if not found or found[-1] != place:
            found.append(place)
    return f"M{' '.join(found)}" if len(found) > 1 else ""


def _ticks(drawing: Drawing, *kinds: str) -> str:
    """One short stroke a mark, at the foot of the drawing, all in one path."""
    return "".join(
        f"M{_short(drawing.place(mark.at, 0).x)},{BOTTOM - 8}v8"
        for mark in drawing.marks
        if mark.kind in kinds
    )


def _short(value: float) -> str:
    """A tenth of a pixel is enough, and never an exponent."""
    return f"{value:.1f}".removesuffix(".0")


def _nearest(drawn: Sequence[tuple[float, float]], day: float) -> float:
    return min(drawn, key=lambda sample: abs(sample[0] - day))[1]
