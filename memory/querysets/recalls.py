"""Questions asked of past recalls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.querysets.owned import EpochQuerySet

if TYPE_CHECKING:
    from memory.models.recalls import Recall  # noqa: F401  (types only)


class RecallQuerySet(EpochQuerySet["Recall"]):
    pass
