"""What the rules refuse. Each error carries the parts a caller needs to answer with."""

from typing import ClassVar


class DomainError(ValueError):
    """Any refusal by a rule."""


class BadText(DomainError):
    """A text that cannot be stored. `field` names it, `reason` is a stable code."""

    MESSAGES: ClassVar[dict[str, str]] = {
        "nul": "contains a NUL character",
        "surrogate": "contains half of a surrogate pair",
        "too_short": "is shorter than {minimum} visible characters",
        "too_long": "is longer than {limit} characters",
        "not_text": "is not text",
    }

    def __init__(
        self, field: str, reason: str, *, minimum: int | None = None, limit: int | None = None
    ) -> None:
        self.field = field
        self.reason = reason
        self.minimum = minimum
        self.limit = limit
        message = self.MESSAGES.get(reason, reason).format(minimum=minimum, limit=limit)
        super().__init__(f"{field} {message}")


class NaiveTime(DomainError):
    """A time without an offset. Guessing a zone would shift every retention by hours."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"{name} has no time zone")


class BadNumber(DomainError):
    """A number that is not finite or outside its range."""

    def __init__(self, name: str, value: object, *, low: float, high: float) -> None:
        self.name = name
        self.value = value
        self.low = low
        self.high = high
        super().__init__(f"{name} must be a number from {low:g} to {high:g}, not {value!r}")


class UnsafePolicy(DomainError):
    """A policy outside its safe ranges. `low` and `high` are None where no range applies."""

    def __init__(
        self,
        field: str,
        *,
        low: float | None = None,
        high: float | None = None,
        explanation: str = "",
    ) -> None:
        self.field = field
        self.low = low
        self.high = high
        self.explanation = explanation
        parts = []
        if low is not None and high is not None:
            parts.append(f"{field} must be from {low:g} to {high:g}")
        if explanation:
            parts.append(explanation if parts else f"{field}: {explanation}")
        super().__init__("; ".join(parts) or f"{field} is not safe")


class UnknownStatus(DomainError):
    """A status without a weight: refused when loaded, never while serving (requirement 5.5 k2)."""

    def __init__(self, value: object) -> None:
        self.value = value
        super().__init__(f"{value!r} is not a status")
