"""The closed vocabularies. Models derive their choices from these, the API prints them."""

from enum import StrEnum


class Status(StrEnum):
    """Whether a memory counts as true today (requirement 5.5 k)."""

    ACTIVE = "active"
    STALE = "stale"
    SUPERSEDED = "superseded"
    # Waits for the owner; `Reason` says why.
    CONFLICT = "conflict"


class Reason(StrEnum):
    """Why a memory has a status other than active."""

    CONTRADICTION = "contradiction"
    INFERRED = "inferred"
    EXTERNAL = "external"
    QUARANTINED = "quarantined"
    SUGGESTION = "suggestion"
    DENIED = "denied"
    REPLACED = "replaced"
    POLARITY = "polarity"
    ENDED = "ended"
    CORRECTED = "corrected"
    OUTDATED = "outdated"
    # An agent says that what it was served is wrong; the fact itself is left alone.
    REPORTED = "reported"
    # Two agents keep, each for itself, what does not go together; neither is told.
    ELSEWHERE = "elsewhere"
    # A safety fact that one agent alone can see: may all know it?
    SHARING = "sharing"
    FADED = "faded"
    EXPIRED = "expired"


class Ruling(StrEnum):
    """What the owner may say about a contradiction (DESIGN section 4, `settle`)."""

    KEPT = "kept"
    BOTH = "both"
    MERGED = "merged"
    NEITHER = "neither"


class AdminsSee(StrEnum):
    """How much of an owner's waiting entries the admins' queue shows."""

    MASKED = "masked"
    NOTHING = "none"
    ALL = "all"


class Source(StrEnum):
    """Who vouches for a memory (requirement 65)."""

    USER_STATED = "user_stated"
    INFERRED = "inferred"
    EXTERNAL = "external"


class Tier(StrEnum):
    """How fast a memory fades (requirement 9)."""

    WORKING = "working"
    SHORT_TERM = "short_term"
    LONG_TERM = "long_term"


class Kind(StrEnum):
    """CoALA's kinds of lasting memory (requirement 108)."""

    SEMANTIC = "semantic"
    EPISODIC = "episodic"
    PROCEDURAL = "procedural"


class Visibility(StrEnum):
    """Which agents of the owner may see a memory (requirement 130)."""

    PRIVATE = "private"
    GROUP = "group"
    USER = "user"


class Decision(StrEnum):
    """What became of a statement that was written."""

    ADD = "ADD"
    UPDATE = "UPDATE"
    DELETE = "DELETE"
    NOOP = "NOOP"
    CONFLICT = "CONFLICT"
    REFUSED = "REFUSED"
    IGNORED = "IGNORED"


class Relation(StrEnum):
    """How a statement stands to the memory it was compared with (requirement 5.5 n)."""

    NEW = "new"
    REPLACEMENT = "replacement"
    REFINEMENT = "refinement"
    DUPLICATE = "duplicate"
    POLARITY = "polarity"
    CONTRADICTION = "contradiction"
    COEXIST = "coexist"
    HISTORICAL = "historical"


class Strategy(StrEnum):
    """How stage 2 of recall scores a candidate (requirement 5.5 a)."""

    TEMPERED = "tempered"
    WEIGHTED = "weighted"
    MULTIPLICATIVE = "multiplicative"


class Preset(StrEnum):
    """The weights of the `weighted` strategy (requirements 72 and 73)."""

    STANDARD = "standard"
    KNOWLEDGE = "knowledge"
    ASSISTANT = "assistant"
    BUSINESS = "business"


class DecidedBy(StrEnum):
    """Which path took a decision."""

    RULES = "rules"
    JUDGE = "judge"
    POLICY = "policy"


class Anchor(StrEnum):
    """Where retention is counted from (requirement 5.5 c)."""

    LAST_REINFORCED = "last_reinforced"
    CREATED = "created"


class ArchiveSignal(StrEnum):
    """What is compared with the archive line (requirement 5.5 l)."""

    RETENTION = "retention"
    # importance * R, S3's and S4's score.
    FORGETTING_SCORE = "forgetting_score"


class ConflictPolicy(StrEnum):
    """How much of a contradiction the program may settle by itself (requirement 5.5 d)."""

    ASK = "ask"
    BALANCED = "balanced"
    ASSERTIVE = "assertive"


class Scenario(StrEnum):
    """Ready-made policies (requirements 26 and 27)."""

    GENERAL = "general"
    SAFETY = "safety"
    LIVELY = "lively"


class TimeSignal(StrEnum):
    """What freshness means in the `weighted` strategy (requirement 5.5 j)."""

    RETENTION = "retention"
    RECENCY30 = "recency30"
