"""Who acts for an owner, and in which piece of work."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.ids import uuid7
from accounts.models import User
from memory.domain.sensitivity import NAMES
from memory.querysets.grants import GrantQuerySet
from memory.querysets.owned import OwnedQuerySet

SCOPES = ("recall", "write", "delete")


class Project(models.Model):
    """A named piece of work of one owner; agents in it share its `group` memories."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    slug = models.SlugField(max_length=50)
    name = models.CharField(_("name"), max_length=100)
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar = OwnedQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="project_slug_once_per_owner", fields=["owner", "slug"])
        ]

    def __str__(self) -> str:
        return self.name


class Agent(models.Model):
    """A program that acts for its owner: a coding assistant, a chat app."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    name = models.CharField(_("name"), max_length=100)
    projects = models.ManyToManyField(Project, through="AgentProject", related_name="agents")
    external_allowed = models.BooleanField(_("text from outside may wait here"), default=False)
    paused = models.BooleanField(_("paused"), default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar = OwnedQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="agent_name_once_per_owner", fields=["owner", "name"])
        ]

    def __str__(self) -> str:
        return self.name


class AgentProject(models.Model):
    """An agent's place in a project."""

    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    agent = models.ForeignKey(Agent, models.CASCADE)
    project = models.ForeignKey(Project, models.CASCADE)

    objects: ClassVar = OwnedQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="agent_once_per_project", fields=["agent", "project"])
        ]

    def __str__(self) -> str:
        return f"{self.agent_id} in {self.project_id}"


class AgentKey(models.Model):
    """What an agent shows to be let in. Only a hash is kept: a lost key is replaced, not found."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    agent = models.ForeignKey(Agent, models.CASCADE, related_name="keys")
    prefix = models.CharField(max_length=12)
    # SHA-256 of the whole key: 32 random bytes need no slow hash.
    hash = models.BinaryField(max_length=32)
    scopes = ArrayField(models.CharField(max_length=10))
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar = OwnedQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="agent_key_hash_once", fields=["hash"]),
            models.CheckConstraint(
                name="agent_key_scopes_are_known",
                condition=models.Q(scopes__contained_by=list(SCOPES)),
            ),
        ]

    def __str__(self) -> str:
        return f"mk_{self.prefix}…"


class Grant(models.Model):
    """The owner's word that one agent, or all of a project, may use more than is theirs.

    From whom: what `from_agent` wrote, None for whoever wrote it. Of what: memories of one
    `sensitivity`, or ordinary ones under one `topic` (a key and all below it; "" for any). Read
    with every request, so a revoked one counts for nothing from the next one on.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    from_agent = models.ForeignKey(Agent, models.CASCADE, null=True, blank=True, related_name="+")
    to_agent = models.ForeignKey(Agent, models.CASCADE, null=True, blank=True, related_name="+")
    to_project = models.ForeignKey(Project, models.CASCADE, null=True, blank=True, related_name="+")
    sensitivity = models.CharField(max_length=20, blank=True)
    topic = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar = GrantQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="grant_to_an_agent_or_a_project",
                condition=models.Q(to_agent__isnull=True) ^ models.Q(to_project__isnull=True),
            ),
            models.CheckConstraint(
                name="grant_of_one_thing",
                condition=models.Q(sensitivity="") | models.Q(topic=""),
            ),
            models.CheckConstraint(
                name="grant_sensitivity_is_known",
                condition=models.Q(sensitivity__in=["", *NAMES]),
            ),
            models.CheckConstraint(
                name="grant_to_another",
                condition=models.Q(from_agent__isnull=True)
                | models.Q(to_agent__isnull=True)
                | ~models.Q(from_agent=models.F("to_agent")),
            ),
            models.UniqueConstraint(
                name="grant_in_force_once",
                fields=["owner", "from_agent", "to_agent", "to_project", "sensitivity", "topic"],
                condition=models.Q(revoked_at__isnull=True),
                nulls_distinct=False,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sensitivity or self.topic or 'anything ordinary'}"
