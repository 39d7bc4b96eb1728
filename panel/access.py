"""How a view gets hold of what its address names. Strangers get 404, as if it were not there."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404

from accounts.models import User
from memory.models import Memory, Recall


def get_memory_for_owner(memory: UUID, owner: User) -> Memory:
    """A memory that is not deleted, of this owner. Inside owner_scope. One query, uses included."""
    return _get(memory, owner, deleted=False)


def get_deleted_memory_for_owner(memory: UUID, owner: User) -> Memory:
    """A memory in Recently deleted, of this owner. Inside owner_scope."""
    return _get(memory, owner, deleted=True)


def _get(memory: UUID, owner: User, *, deleted: bool) -> Memory:
    found: Memory | None = (
        Memory.objects.of(owner.pk)
        .filter(pk=memory, deleted_at__isnull=not deleted)
        .select_related("use", "agent", "project", "superseded_by", "replaces")
        .first()
    )
    if found is None:
        raise Http404
    return found


def get_recall_for_owner(recall: UUID, owner: User) -> Recall:
    """A recall of one of this owner's agents. Inside owner_scope."""
    found: Recall | None = (
        Recall.objects.of(owner.pk).filter(pk=recall).select_related("agent").first()
    )
    if found is None:
        raise Http404
    return found
