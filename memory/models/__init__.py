"""Tables. Fields, constraints and properties only: reads are in querysets/, acts in services/."""

from memory.models.checks import SpotCheck
from memory.models.conflicts import AdminNote, Conflict, ConflictMember
from memory.models.conversations import Conversation, Message
from memory.models.events import Event, Operation
from memory.models.idempotency import Idempotency
from memory.models.jobs import Job
from memory.models.judging import JudgeUse
from memory.models.memories import Memory, MemoryRevision, MemoryUse, Posting
from memory.models.namespaces import SCOPES, Agent, AgentKey, AgentProject, Grant, Project
from memory.models.parcels import Parcel, ParcelPart
from memory.models.policies import Policy
from memory.models.recalls import Reading, Recall, RecallItem
from memory.models.tombstones import Tombstone
from memory.models.topics import TopicRule

__all__ = [
    "SCOPES",
    "AdminNote",
    "Agent",
    "AgentKey",
    "AgentProject",
    "Conflict",
    "ConflictMember",
    "Conversation",
    "Event",
    "Grant",
    "Idempotency",
    "Job",
    "JudgeUse",
    "Memory",
    "MemoryRevision",
    "MemoryUse",
    "Message",
    "Operation",
    "Parcel",
    "ParcelPart",
    "Policy",
    "Posting",
    "Project",
    "Reading",
    "Recall",
    "RecallItem",
    "SpotCheck",
    "Tombstone",
    "TopicRule",
]
