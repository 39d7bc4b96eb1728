"""Identifiers: UUID version 7, made in Python, so that ids sort by the time they were made."""

import os
import time
import uuid


def uuid7() -> uuid.UUID:
    """A UUIDv7 (RFC 9562): 48 bits of Unix milliseconds, the rest random."""
    value = (time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10))
    value &= ~(0xF << 76) & ~(0x3 << 62)
    return uuid.UUID(int=value | 0x7 << 76 | 0x2 << 62)
