"""How often a key may be used: a bucket each in the broker's store, shared by all processes."""

from __future__ import annotations

import math
from functools import cache
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from redis.exceptions import RedisError
from throttled import RateLimiterType, Throttled, rate_limiter, store
from throttled.exceptions import BaseThrottledError

from memory.adapters.circuits import Circuit, CircuitOpen

log = structlog.get_logger(__name__)

# What a request may lose to a store that does not answer, before it goes on without.
SECONDS = 0.25
_circuit = Circuit(failures=1, pause=5.0)


def wait_needed(bucket: str) -> int:
    """Take one from the bucket: 0 where the request may go on, else the seconds to wait.

    One atomic script in the store. With the store down every request goes on: a limit protects
    from too much, and must not be what stops everybody.
    """
    if not settings.MEMOIR_REQUESTS_A_MINUTE:
        return 0
    try:
        _circuit.enter()
    except CircuitOpen:
        return 0
    try:
        result = _limiter(
            settings.BROKER_URL, settings.MEMOIR_REQUESTS_A_MINUTE, settings.MEMOIR_REQUESTS_BURST
        ).limit(bucket)
    except (BaseThrottledError, RedisError, OSError) as error:
        _circuit.fail(type(error).__name__)
        log.warning("requests are not counted", error=type(error).__name__)
        return 0
    _circuit.succeed()
    return max(1, math.ceil(result.state.retry_after)) if result.limited else 0


@cache
def _limiter(broker: str, a_minute: int, burst: int) -> Throttled:
    return Throttled(
        using=RateLimiterType.TOKEN_BUCKET.value,
        quota=rate_limiter.per_min(a_minute, burst=burst),
        store=_store(broker),
        key_prefix="memoir:requests",
    )


def _store(broker: str) -> store.BaseStore:
    """The broker, where it is Valkey or Redis; else this process's memory, a bucket in each."""
    scheme = urlsplit(broker).scheme
    if scheme == "redis+socket":
        broker = "unix://" + urlsplit(broker).path
    elif scheme not in ("redis", "rediss", "unix"):
        return store.MemoryStore()
    patience = {"socket_timeout": SECONDS, "socket_connect_timeout": SECONDS}
    return store.RedisStore(server=broker, options={"CONNECTION_POOL_KWARGS": patience})
