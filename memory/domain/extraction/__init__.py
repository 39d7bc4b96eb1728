"""A conversation read by the rules alone: which of its sentences state a fact about the owner.

`turns` holds the shapes, `clauses` cuts a message up, `subjects` says whom a clause is about,
`statements_zh` and `statements_en` say which clauses state something, `hearsay` reads what others
say of the owner, `dialogue` puts it together.
"""

from memory.domain.extraction.dialogue import extract_facts
from memory.domain.extraction.turns import Extracted, Role, Turn

__all__ = ["Extracted", "Role", "Turn", "extract_facts"]
