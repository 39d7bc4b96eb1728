"""What most acts are tried on: a contradiction, and a guess."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.models import User
from memory.models import Memory
from tests.acts.looking import read

MakeMemory = Callable[..., Memory]


@pytest.fixture
def pair(alice: User, make_memory: MakeMemory) -> tuple[Memory, Memory]:
    """Two sides of a contradiction."""
    first = make_memory(alice, "我喜欢强类型语言", key="user.style", value="强类型")
    second = make_memory(alice, "我喜欢动态类型语言", key="user.style", value="动态类型")
    return read(alice, first), second


@pytest.fixture
def guess(alice: User, make_memory: MakeMemory) -> Memory:
    return make_memory(alice, "可能用 Mac", source="inferred", key="user.device", value="Mac")
