"""What all processes must count together, such as failed sign-ins, kept in the broker's store."""

from __future__ import annotations

import logging
from typing import Any
from urllib.parse import urlsplit

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

from memory.adapters.circuits import Circuit, CircuitOpen

log = logging.getLogger(__name__)

# What a request may lose to a store that does not answer.
SECONDS = 0.25


def address_of(broker: str) -> str | None:
    """The broker as a cache's address; None for one that can keep nothing (AMQP)."""
    parts = urlsplit(broker)
    if parts.scheme == "redis+socket":
        return f"unix://{parts.path}"
    return broker if parts.scheme in ("redis", "rediss", "unix") else None


def settings_for(broker: str) -> dict[str, Any]:
    """The cache to use beside this broker."""
    address = address_of(broker)
    if address is None:
        return {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    return {
        "BACKEND": "config.caches.SharedCache",
        "LOCATION": address,
        "KEY_PREFIX": "memoir",
        "OPTIONS": {"socket_timeout": SECONDS, "socket_connect_timeout": SECONDS},
    }


class SharedCache(RedisCache):
    """The broker's store; while that is down, each process counts for itself.

    A dead broker must neither refuse anybody nor lift the limits.
    """

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._alone = LocMemCache("memoir-alone", {})
        self._circuit = Circuit(failures=1, pause=5.0)

    def _try(self, name: str, *args: Any, **kwargs: Any) -> Any:
        try:
            self._circuit.enter()
            found = getattr(super(), name)(*args, **kwargs)
        except CircuitOpen:
            return getattr(self._alone, name)(*args, **kwargs)
        except (RedisError, OSError) as error:
            self._circuit.fail(type(error).__name__)
            log.warning("the shared cache is away: %s", type(error).__name__)
            return getattr(self._alone, name)(*args, **kwargs)
        self._circuit.succeed()
        return found

    def add(self, *args: Any, **kwargs: Any) -> Any:
        return self._try("add", *args, **kwargs)

    def get(self, *args: Any, **kwargs: Any) -> Any:
        return self._try("get", *args, **kwargs)

    def set(self, *args: Any, **kwargs: Any) -> Any:
        return self._try("set", *args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        return self._try("delete", *args, **kwargs)

    def clear(self) -> None:
        """Refused: it would empty the broker, jobs' nudges and all."""
        raise NotImplementedError

    def has_key(self, *args: Any, **kwargs: Any) -> Any:
        return self._try("has_key", *args, **kwargs)
