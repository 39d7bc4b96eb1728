"""When the number of rows dropped for having faded rises so suddenly that somebody should look."""

from collections.abc import Sequence
from statistics import median

# A rise is sudden at this many times the usual, and worth a look only from this many rows on.
SUDDEN = 3.0
LEAST_DROPPED = 20
# Days of which "the usual" is made; with fewer than that nothing is usual yet.
USUAL_DAYS = 14
LEAST_USUAL_DAYS = 5


def is_sudden_rise(today: float, before: Sequence[float]) -> bool:
    """Whether today's count stands far above the days before (requirement 95).

    Against the median of the last two weeks, so that one bad day does not hide the next.
    """
    usual = before[-USUAL_DAYS:]
    if len(usual) < LEAST_USUAL_DAYS or today < LEAST_DROPPED:
        return False
    return today > SUDDEN * max(1.0, median(usual))
