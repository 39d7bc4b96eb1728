"""The one place that talks to a judge's endpoint. Imported only where one is configured.

The client follows no redirects and reads no more than a fixed amount, uncompressed: a redirect
could lead to an address the operator never named, and an endless answer could fill the memory.
What the other side says in an error is neither kept nor logged.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import httpx2
import openai

T = TypeVar("T")

MOST_BYTES = 1024 * 1024
MOST_AT_ONCE = 16

# At DEBUG they print what they send.
for _name in ("openai", "httpx2", "httpcore2"):
    logging.getLogger(_name).setLevel(logging.WARNING)


class ChatFailed(Exception):
    """No usable answer; `code` says why and holds nothing the other side said."""

    def __init__(self, code: str, *, again: bool = False) -> None:
        super().__init__(code)
        self.code = code
        # Whether asking once more may help.
        self.again = again


class _TooLarge(httpx2.TransportError):
    pass


class _Limited(httpx2.SyncByteStream):
    """A body that ends with an error once it has given too much."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __iter__(self) -> Iterator[bytes]:
        left = MOST_BYTES
        for chunk in self._inner:
            left -= len(chunk)
            if left < 0:
                raise _TooLarge("the answer is too large")
            yield chunk

    def close(self) -> None:
        self._inner.close()


class _Guarded(httpx2.HTTPTransport):
    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        response = super().handle_request(request)
        if response.headers.get("content-encoding", "identity") != "identity":
            response.close()
            raise _TooLarge("the answer is compressed, though that was not asked for")
        response.stream = _Limited(response.stream)
        return response


class Chat:
    """An OpenAI-compatible endpoint. Safe to share between threads."""

    def __init__(self, *, url: str, model: str, key: str) -> None:
        self._model = model or "default"
        self._client = openai.OpenAI(
            base_url=url,
            api_key=key or "none",
            max_retries=0,
            default_headers={"Accept-Encoding": "identity"},
            http_client=httpx2.Client(
                transport=_Guarded(retries=0), follow_redirects=False, trust_env=False
            ),
        )
        # Some endpoints refuse one of these; then they are left out from then on.
        self._extras: dict[str, Any] = {
            "temperature": 0,
            "response_format": {"type": "json_object"},
        }
        self._slots = threading.BoundedSemaphore(MOST_AT_ONCE)

    def ask(self, prompt: str, data: str, *, seconds: float) -> tuple[str, int]:
        """The answer's text and the tokens it cost. Raises ChatFailed.

        Comes back within `seconds` whatever the other side does: a read time-out alone would let
        it send one byte a second for ever, so the call runs in a thread that is left behind.
        """
        return self._within(seconds, lambda: self._ask(prompt, data, seconds))

    def close(self) -> None:
        self._client.close()

    def _within(self, seconds: float, call: Callable[[], T]) -> T:
        if not self._slots.acquire(blocking=False):
            raise ChatFailed("busy")
        done: list[T] = []
        failed: list[ChatFailed] = []

        def run() -> None:
            try:
                done.append(call())
            except ChatFailed as error:
                failed.append(error)
            finally:
                self._slots.release()

        thread = threading.Thread(target=run, name="judge", daemon=True)
        thread.start()
        thread.join(seconds)
        if done:
            return done[0]
        raise failed[0] if failed else ChatFailed("timeout")

    def _ask(self, prompt: str, data: str, seconds: float) -> tuple[str, int]:
        try:
            answer = self._client.chat.completions.create(
                model=self._model,
                messages=[
                    {"role": "system", "content": prompt},
                    {"role": "user", "content": data},
                ],
                timeout=seconds,
                **self._extras,
            )
            [choice, *_] = answer.choices
            text, finish = choice.message.content, choice.finish_reason
            refusal = choice.message.refusal
            tokens = answer.usage.total_tokens if answer.usage else 0
        except openai.APITimeoutError:
            raise ChatFailed("timeout") from None
        except openai.APIStatusError as error:
            raise self._refused(error.status_code) from None
        except openai.APIConnectionError as error:
            large = isinstance(error.__cause__, _TooLarge)
            raise ChatFailed("too_large" if large else "connection", again=not large) from None
        except _TooLarge:
            raise ChatFailed("too_large") from None
        except (openai.OpenAIError, httpx2.HTTPError) as error:
            raise ChatFailed("connection", again=True) from error
        except (ValueError, TypeError, AttributeError, KeyError, IndexError):
            # Not the protocol: no JSON, no choices, something else altogether.
            raise ChatFailed("not_json") from None
        if refusal:
            raise ChatFailed("refused")
        if finish == "length":
            raise ChatFailed("truncated")
        if not isinstance(text, str) or not text.strip():
            raise ChatFailed("empty", again=True)
        return text, tokens if isinstance(tokens, int) and tokens > 0 else 0

    def _refused(self, status: int) -> ChatFailed:
        if status in (400, 422) and self._extras:
            self._extras = {}
            return ChatFailed(f"http_{status}", again=True)
        if 300 <= status < 400:
            return ChatFailed("redirect")
        return ChatFailed(f"http_{status}", again=status == 429 or status >= 500)
