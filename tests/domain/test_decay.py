import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain import decay
from memory.domain.errors import NaiveTime, UnknownStatus
from memory.domain.policy import DEFAULT_POLICY, Policy
from memory.domain.values import Anchor, Source, Status, Tier

NOW = datetime(2026, 2, 1, 12, tzinfo=UTC)
TIERS = (Tier.WORKING, Tier.SHORT_TERM, Tier.LONG_TERM)

# Requirement 5.3.
RETENTION = """
1 .972604 .996040 .999537
6 .846482 .976472 .997226
24 .513417 .909156 .988950
72 .135335 .751477 .967216
168 .00940356 .513417 .925170
336 8.8427e-5 .263597 .855940
720 2.06115e-9 .0574326 .716531
1440 4.248e-18 .00329851 .513417
2160 8.757e-27 1.894e-4 .367879
2880 1.805e-35 1.088e-5 .263597
"""
CELLS = [
    (float(line.split()[0]), tier, float(cell))
    for line in RETENTION.split("\n")
    if line
    for tier, cell in zip(TIERS, line.split()[1:], strict=True)
]
DAYS_UNTIL = [
    (0.4, 1.37, 9.62, 82.47),
    (0.3, 1.81, 12.64, 108.36),
    (0.2, 2.41, 16.90, 144.85),
    (0.1, 3.45, 24.18, 207.23),
    (0.5, 1.04, 7.28, 62.38),
]
CONFLICT = [
    (0, 0.5, 2.0),
    (30, 0.3969, 1.5874),
    (67, 0.2984, 1.1938),
    (90, 0.25, 1.0),
    (119, 0.2000, 0.7998),
    (156, 0.1504, 0.6015),
    (180, 0.125, 0.5),
    (360, 0.0312, 0.125),
]


def remaining(hours, tier, *, served=0, policy=DEFAULT_POLICY):
    return decay.retention(
        NOW - timedelta(hours=hours), tier=tier, times_served=served, now=NOW, policy=policy
    )


@pytest.mark.parametrize(("hours", "tier", "expected"), CELLS)
def test_retention_meets_the_table(hours, tier, expected):
    # The table prints four to six figures.
    assert remaining(hours, tier) == pytest.approx(expected, rel=5e-4 if expected < 0.01 else 1e-4)
    assert decay.calculate_retention(NOW - timedelta(hours=hours), tier.value, 0, NOW) == remaining(
        hours, tier
    )


def test_thirty_days_of_long_term_to_six_places():
    assert round(remaining(720, Tier.LONG_TERM), 6) == 0.716531
    assert remaining(720, Tier.WORKING) == pytest.approx(math.exp(-20))


@pytest.mark.parametrize(("line", "working", "short_term", "long_term"), DAYS_UNTIL)
def test_days_until_a_line(line, working, short_term, long_term):
    for tier, days in zip(TIERS, (working, short_term, long_term), strict=True):
        assert decay.hours_until(line, tier=tier) / 24 == pytest.approx(days, abs=0.006)


def test_hours_until_the_ends_of_the_scale():
    assert decay.hours_until(0, tier=Tier.WORKING) == math.inf
    assert decay.hours_until(1, tier=Tier.WORKING) == 0


@pytest.mark.parametrize(
    ("served", "factor"), [(0, 1), (1, 1.6931), (3, 2.3863), (10, 3.3979), (100, 5.6151)]
)
def test_strength_grows_with_every_service_by_less(served, factor):
    for tier, days in zip(TIERS, (1.5, 10.5, 90), strict=True):
        assert decay.strength(tier, served) == pytest.approx(days * factor, rel=1e-4)
        assert decay.calculate_strength(tier.value, served) == decay.strength(tier, served)


@pytest.mark.parametrize(
    ("factor", "expected"),
    [
        (1.0, (0.0574, 0.1850, 0.3020, 0.4313, 0.6012)),
        (0.3, (0.0574, 0.0939, 0.1329, 0.1898, 0.3017)),
    ],
)
def test_short_term_after_thirty_days_by_times_served(factor, expected):
    policy = Policy(reinforcement_factor=factor)
    for served, r in zip((0, 1, 3, 10, 100), expected, strict=True):
        assert remaining(720, Tier.SHORT_TERM, served=served, policy=policy) == pytest.approx(
            r, abs=6e-5
        )


@pytest.mark.parametrize(
    ("rate", "long_term", "short_term"),
    [
        (0.5, 0.3679, 0.0002),
        (1, 0.6065, 0.0138),
        (1.5, 0.7165, 0.0574),
        (3, 0.8465, 0.2397),
        (5, 0.9048, 0.4244),
    ],
)
def test_a_larger_rate_fades_slower(rate, long_term, short_term):
    policy = Policy(strength_rate=rate)
    assert remaining(720, Tier.LONG_TERM, policy=policy) == pytest.approx(long_term, abs=6e-5)
    assert remaining(720, Tier.SHORT_TERM, policy=policy) == pytest.approx(short_term, abs=6e-5)


def test_two_months_of_long_term_at_half_rate():
    assert remaining(1440, Tier.LONG_TERM, policy=Policy(strength_rate=0.5)) == pytest.approx(
        0.1353, abs=6e-5
    )


def test_tiers_are_orders_of_magnitude_apart_after_thirty_days():
    ratio = remaining(720, Tier.LONG_TERM) / remaining(720, Tier.WORKING)
    assert math.log10(ratio) == pytest.approx(8.5, abs=0.05)
    assert decay.strength(Tier.SHORT_TERM, 1941) == pytest.approx(90, rel=1e-3)


@pytest.mark.parametrize(
    ("tier", "hours"), [(Tier.WORKING, 36), (Tier.SHORT_TERM, 252), (Tier.LONG_TERM, 2160)]
)
def test_classic_lambda_per_hour(tier, hours):
    assert decay.classic_lambda(tier) == pytest.approx(1 / hours)


def test_a_future_anchor_is_exactly_one():
    assert remaining(-24 * 3650, Tier.WORKING) == 1.0


@pytest.mark.parametrize("naive", ["anchor", "now"])
def test_a_time_without_a_zone_is_an_error(naive):
    times = {"anchor": NOW, "now": NOW}
    assert decay.retention(times["anchor"], tier=Tier.WORKING, times_served=0, now=NOW) == 1
    times[naive] = times[naive].replace(tzinfo=None)
    with pytest.raises(NaiveTime):
        decay.retention(times["anchor"], tier=Tier.WORKING, times_served=0, now=times["now"])


def test_retention_is_the_same_in_every_zone():
    far = NOW - timedelta(hours=30)
    shifted = far.astimezone(tz=datetime.strptime("+0800", "%z").tzinfo)
    assert decay.retention(far, tier=Tier.WORKING, times_served=0, now=NOW) == decay.retention(
        shifted, tier=Tier.WORKING, times_served=0, now=NOW
    )


def test_the_anchor_is_the_latest_reinforcement_or_creation():
    said = NOW - timedelta(days=1)
    served = NOW - timedelta(days=2)
    created = NOW - timedelta(days=9)
    assert decay.anchor_of(created) == created
    assert decay.anchor_of(created, last_served=served, last_said=said) == said
    assert decay.anchor_of(created, confirmed=NOW) == NOW
    by_creation = Policy(anchor=Anchor.CREATED)
    assert decay.anchor_of(created, last_said=said, policy=by_creation) == created
    with pytest.raises(NaiveTime):
        decay.anchor_of(created, last_said=said.replace(tzinfo=None))


@pytest.mark.parametrize(
    ("facts", "protected"),
    [
        ({}, False),
        ({"safety": 0.8}, True),
        ({"safety": 0.79}, False),
        ({"pinned": True}, True),
        ({"confirmed": True, "tier": Tier.LONG_TERM}, True),
        ({"confirmed": True, "tier": Tier.SHORT_TERM}, False),
        ({"pinned": True, "status": Status.STALE}, True),
        ({"pinned": True, "safety": 1.0, "status": Status.SUPERSEDED}, False),
        ({"pinned": True, "safety": 1.0, "status": Status.CONFLICT}, False),
    ],
)
def test_protection(facts, protected):
    default = {
        "status": Status.ACTIVE,
        "safety": 0.0,
        "pinned": False,
        "confirmed": False,
        "tier": Tier.WORKING,
    }
    assert decay.is_protected(**{**default, **facts}) is protected


def test_a_protected_memory_stays_above_the_archive_line():
    assert decay.effective_retention(0.01, protected=True) == pytest.approx(0.35)
    assert decay.effective_retention(0.9, protected=True) == 0.9
    assert decay.effective_retention(0.01, protected=False) == 0.01


@pytest.mark.parametrize(("days", "without", "with_evidence"), CONFLICT)
def test_conflict_weight_meets_the_table(days, without, with_evidence):
    assert decay.conflict_weight(days, False) == pytest.approx(without, abs=1e-4)
    assert decay.conflict_weight(days, True) == pytest.approx(with_evidence, abs=1e-4)


def test_status_weights():
    assert decay.status_weight(Status.ACTIVE) == 1
    assert decay.status_weight(Status.STALE) == 0.5
    assert decay.status_weight(Status.SUPERSEDED) == 0.1
    assert decay.status_weight(Status.CONFLICT) == 0.5
    assert decay.status_weight(Status.CONFLICT, recent_evidence=True) == 1
    uncapped = Policy(conflict_weight_cap=None)
    assert decay.status_weight(Status.CONFLICT, recent_evidence=True, policy=uncapped) == 2
    with pytest.raises(UnknownStatus):
        decay.status_weight("gone")


def test_a_conflict_that_recurs_keeps_losing_weight():
    weights = [decay.status_weight(Status.CONFLICT, recurrences=n) for n in (1, 2, 3)]
    assert weights == pytest.approx([0.5, 0.4, 0.32])


def test_source_weights():
    assert [decay.source_weight(source) for source in Source] == [1, 0.3, 0]
    assert decay.source_weight(Source.EXTERNAL, confirmed=True) == 1


# Twelve rows of our own with the spread of requirement 5.6:
# importance, tier, days old, times served, R at rate 1.5.
ROWS = [
    (0.90, Tier.LONG_TERM, 60, 8, 0.8118),
    (0.72, Tier.SHORT_TERM, 41, 3, 0.1947),
    (0.65, Tier.SHORT_TERM, 22, 1, 0.2901),
    (0.95, Tier.LONG_TERM, 240, 1, 0.2070),
    (0.20, Tier.WORKING, 13, 0, 0.0002),
    (0.70, Tier.SHORT_TERM, 10, 0, 0.3858),
    (0.30, Tier.WORKING, 60, 1, 0.0000),
    (0.10, Tier.WORKING, 90, 0, 0.0000),
    (0.82, Tier.LONG_TERM, 180, 7, 0.5223),
    (0.88, Tier.LONG_TERM, 30, 3, 0.8696),
    (0.40, Tier.WORKING, 15, 3, 0.0151),
    (0.62, Tier.SHORT_TERM, 28, 4, 0.3599),
]


@pytest.mark.parametrize(("importance", "tier", "days", "served", "expected"), ROWS)
def test_twelve_rows_at_the_default_rate(importance, tier, days, served, expected):
    assert remaining(days * 24, tier, served=served) == pytest.approx(expected, abs=6e-5)


def test_the_old_allergy_is_wrongly_forgotten_unless_the_rate_rises_or_the_line_falls():
    def forgotten(rate, line):
        policy = Policy(strength_rate=rate)
        return [
            importance
            for importance, tier, days, served, _ in ROWS
            if importance >= 0.8 and remaining(days * 24, tier, served=served, policy=policy) < line
        ]

    assert forgotten(0.5, 0.3) == [0.95, 0.82]
    assert forgotten(1.0, 0.3) == [0.95]
    assert forgotten(1.5, 0.3) == [0.95]
    assert forgotten(3.0, 0.3) == []
    assert forgotten(1.5, 0.2) == []


times = st.floats(0, 1e5)
served = st.integers(0, 10_000)


@given(times, times, served, st.sampled_from(TIERS))
def test_retention_falls_with_time_and_stays_a_share(one, other, n, tier):
    sooner, later = sorted((one, other))
    assert 0 <= remaining(later, tier, served=n) <= remaining(sooner, tier, served=n) <= 1


@given(times, served, served, st.sampled_from(TIERS))
def test_retention_rises_with_use(hours, one, other, tier):
    fewer, more = sorted((one, other))
    assert remaining(hours, tier, served=fewer) <= remaining(hours, tier, served=more)


@given(times, served)
def test_retention_rises_with_the_tier(hours, n):
    working, short_term, long_term = (remaining(hours, tier, served=n) for tier in TIERS)
    assert working <= short_term <= long_term
