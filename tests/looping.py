"""Running asynchronous code from a test, wherever it runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from asgiref.sync import async_to_sync
from django.db import connections

Found = TypeVar("Found")


def run_async(act: Callable[..., Coroutine[Any, Any, Found]], *args: Any) -> Found:
    """What the coroutine comes to, run in a thread of its own on this thread's connection.

    In this thread the browser of an earlier test may keep an event loop.
    """
    mine = connections["default"]
    mine.inc_thread_sharing()

    def run() -> Found:
        connections["default"] = mine
        try:
            return async_to_sync(act)(*args)
        finally:
            del connections["default"]

    try:
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(run).result()
    finally:
        mine.dec_thread_sharing()


def run_apart(coroutine: Coroutine[Any, Any, Found]) -> Found:
    """The same with nothing of this thread's: whatever it opens is its own."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()
