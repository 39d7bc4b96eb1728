"""Embedders: calibrated, checked, and allowed to be down."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.adapters.embedders import (
    BundledEmbedder,
    Calibration,
    Embedder,
    EmbedderDown,
    EndpointEmbedder,
    HashEmbedder,
    check_vectors,
)

UNRELATED = [
    "主力语言是 Go", "对花生过敏", "I live in Hangzhou", "下周三去京都", "my cat is called Miso",
    "the launch is on 12 May", "每天坐地铁上班", "she plays the violin", "预算是三千美元",
    "他在学游泳", "our database is PostgreSQL", "喜欢看科幻电影", "allergic to penicillin",
    "the meeting moved to Friday", "早上喝一杯拿铁", "working on a marathon plan",
]  # fmt: skip
PARAPHRASES = [
    ("我喜欢披萨", "我很爱吃披萨"),
    ("对花生过敏", "花生会让我过敏"),
    ("Not a fan of horror films", "I don't like horror movies"),
    ("I drink coffee every day", "I have coffee daily"),
    ("住在杭州", "家在杭州"),
    ("I live in Berlin", "My home is in Berlin"),
    ("每天都喝咖啡", "我天天喝咖啡"),
    ("The deadline is on Friday", "It is due on Friday"),
]


@pytest.fixture(scope="module")
def bundled() -> BundledEmbedder:
    return BundledEmbedder()


def closeness(embedder: Embedder, one: str, other: str) -> float:
    a, b = embedder.embed([one, other])
    return embedder.calibrate(sum(x * y for x, y in zip(a, b, strict=True)))


def test_unrelated_pairs_fall_below_point_three(bundled: BundledEmbedder) -> None:
    scores = sorted(closeness(bundled, *pair) for pair in combinations(UNRELATED, 2))
    assert scores[int(len(scores) * 0.95)] < 0.3


def test_paraphrases_rise_above_point_seven(bundled: BundledEmbedder) -> None:
    scores = {pair: closeness(bundled, *pair) for pair in PARAPHRASES}
    assert sum(score > 0.7 for score in scores.values()) >= 7, scores


def test_vectors_are_of_length_one_and_the_same_every_time(bundled: BundledEmbedder) -> None:
    [one], [same] = bundled.embed(["对花生过敏"]), bundled.embed(["对花生过敏"])
    assert one == same
    assert len(one) == 512
    assert math.isclose(sum(x * x for x in one), 1, abs_tol=1e-6)
    assert bundled.embed([]) == []


def test_a_hash_embedder_needs_no_model() -> None:
    [one, two] = HashEmbedder().embed(["likes tea", "likes coffee"])
    assert one != two


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_a_calibration_rises_and_stays_in_range(one: float, other: float) -> None:
    curve = Calibration((0.42, 0.29), (0.53, 0.7))
    low, high = sorted((one, other))
    assert 0 <= curve(low) <= curve(high) <= 1


@pytest.mark.parametrize(
    "vectors",
    [[], [[0.0, 0.0]], [[math.nan, 1.0]], [[math.inf, 1.0]], [[]], [[1.0, 0.0], [1.0, 0.0]]],
)
def test_a_vector_that_cannot_be_compared_is_never_let_in(vectors: list[list[float]]) -> None:
    with pytest.raises(EmbedderDown):
        check_vectors(vectors, count=1)


class Endpoint(BaseHTTPRequestHandler):
    """An OpenAI-compatible endpoint that can be told to misbehave."""

    answer: Any = None
    status = 200

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        data = [{"index": n, "embedding": [1.0, float(n)]} for n, _ in enumerate(body["input"])]
        answer = json.dumps({"data": data[::-1]}) if self.answer is None else self.answer
        self.send_response(self.status)
        if self.status == 302:
            self.send_header("Location", "http://127.0.0.1:9/")
        self.end_headers()
        self.wfile.write(answer.encode())

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def endpoint() -> Iterator[str]:
    Endpoint.answer, Endpoint.status = None, 200
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_endpoint_embeds_in_the_order_asked(endpoint: str) -> None:
    embedder = EndpointEmbedder(url=endpoint, model="m")
    first, second = embedder.embed(["a", "b"])
    assert first == [1.0, 0.0]
    assert second[1] > 0
    assert embedder.name.startswith("m@127.0.0.1")


@pytest.mark.parametrize(
    ("status", "answer"),
    [(500, "no"), (429, "{}"), (302, ""), (200, ""), (200, "```json"), (200, '{"data": []}'),
     (200, '{"data": [{"index": 0, "embedding": [0, 0]}]}'),
     (200, '{"data": [{"index": 0, "embedding": ["x"]}]}')],
)  # fmt: skip
def test_an_endpoint_that_misbehaves_is_down_and_nothing_more(
    endpoint: str, status: int, answer: str
) -> None:
    Endpoint.status, Endpoint.answer = status, answer
    with pytest.raises(EmbedderDown):
        EndpointEmbedder(url=endpoint, model="m").embed(["a"])


@pytest.mark.parametrize("name", ["multilingual-e5-small", "intfloat/multilingual-E5-large"])
def test_a_model_that_was_measured_has_its_own_scale(name: str) -> None:
    """E5 gives .85 to sentences that have nothing in common."""
    e5 = EndpointEmbedder(url="http://localhost/v1", model=name)
    assert e5.calibrate(0.85) < 0.3 < e5.calibrate(0.9) < 0.7 < e5.calibrate(0.94)
    assert EndpointEmbedder(url="http://localhost/v1", model="other-e50").calibrate(0.85) > 0.7


def test_only_web_addresses_are_asked() -> None:
    with pytest.raises(EmbedderDown):
        EndpointEmbedder(url="file:///etc/passwd", model="m")
