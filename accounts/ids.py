"""Identifiers: UUID version 7, made in Python, so that ids sort by the time they were made."""

import os
import time
import uuid
from datetime import UTC, datetime


def uuid7() -> uuid.UUID:
    """A UUIDv7 (RFC 9562): 48 bits of Unix milliseconds, the rest random."""
    value = (time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10))
    value &= ~(0xF << 76) & ~(0x3 << 62)
    return uuid.UUID(int=value | 0x7 << 76 | 0x2 << 62)


def made_at(identifier: uuid.UUID) -> datetime | None:
    """When a UUIDv7 was made; None for any other, and for times no calendar has."""
    if identifier.version != 7:
        return None
    try:
        return datetime.fromtimestamp((identifier.int >> 80) / 1000, UTC)
    except (OverflowError, ValueError):
        return None
