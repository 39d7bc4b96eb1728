"""Tables. Fields, constraints and properties only: reads are in querysets/, acts in services/."""

from memory.models.conflicts import Conflict, ConflictMember
from memory.models.events import Event, Operation
from memory.models.jobs import Job
from memory.models.memories import Memory, MemoryRevision, MemoryUse, Posting
from memory.models.namespaces import SCOPES, Agent, AgentKey, AgentProject, Project
from memory.models.policies import Policy
from memory.models.recalls import Reading, Recall, RecallItem

__all__ = [
    "SCOPES",
    "Agent",
    "AgentKey",
    "AgentProject",
    "Conflict",
    "ConflictMember",
    "Event",
    "Job",
    "Memory",
    "MemoryRevision",
    "MemoryUse",
    "Operation",
    "Policy",
    "Posting",
    "Project",
    "Reading",
    "Recall",
    "RecallItem",
]
