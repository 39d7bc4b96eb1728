"""People, and how they like to be shown things. Nothing here knows of memories."""

from __future__ import annotations

from typing import Any, ClassVar
from zoneinfo import available_timezones

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from accounts.ids import uuid7


def validate_zone(value: str) -> None:
    """Refuse a name that is no IANA time zone."""
    if value not in available_timezones():
        raise ValidationError(_("“%(zone)s” is not a time zone."), params={"zone": value})


class UserManager(BaseUserManager["User"]):
    def create_user(
        self, email: str | None = None, password: str | None = None, **fields: Any
    ) -> User:
        """Make a person. Without an e-mail address they own memories but cannot sign in yet."""
        user = self.model(email=email.lower() if email else None, **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(email=username.lower() if username else None)


class User(AbstractBaseUser, PermissionsMixin):
    """The owner of memories. The hard border of the whole product is this id."""

    class Theme(models.TextChoices):
        SYSTEM = "system", _("Like the system")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    class Language(models.TextChoices):
        BROWSER = "", _("Like the browser")
        ENGLISH = "en", "English"
        CHINESE = "zh-hans", "简体中文"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    # Null, not empty: an owner may exist before claiming the account.
    email = models.EmailField(_("e-mail address"), unique=True, null=True, blank=True)
    name = models.CharField(_("name"), max_length=100, blank=True)
    language = models.CharField(
        _("language"), max_length=10, choices=Language, default=Language.BROWSER, blank=True
    )
    zone = models.CharField(
        _("time zone"), max_length=64, default="UTC", validators=[validate_zone]
    )
    theme = models.CharField(_("theme"), max_length=10, choices=Theme, default=Theme.SYSTEM)
    shortcuts = models.BooleanField(_("keyboard shortcuts"), default=True)
    # Since when the panel offers the three steps of a first visit; null: it does not.
    guided_since = models.DateTimeField(null=True, blank=True)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="user_email_is_lower_case",
                condition=models.Q(email__isnull=True) | models.Q(email=Lower("email")),
            ),
            models.CheckConstraint(
                name="user_theme_is_known",
                condition=models.Q(theme__in=["system", "light", "dark"]),
            ),
        ]

    def __str__(self) -> str:
        return self.display_name

    def close(self) -> None:
        """End the account: nobody signs in to it any more, and its e-mail address is free again.

        Within a transaction. What the person owns is for others to erase.
        """
        self.email, self.name, self.is_active = None, "", False
        self.set_unusable_password()
        self.save(update_fields=["email", "name", "is_active", "password"])
        for session in self.usersession_set.all():
            session.end()
        self.emailaddress_set.all().delete()
        self.authenticator_set.all().delete()

    @property
    def display_name(self) -> str:
        return self.name or (self.email or "").partition("@")[0] or str(self.id)[:8]


class SecurityEvent(models.Model):
    """One line of what touched how somebody signs in: signed in, refused, changed.

    No address and no words; `user` None where somebody tried an address nobody has.
    """

    class What(models.TextChoices):
        SIGNED_IN = "signed_in", _("Signed in")
        REFUSED = "refused", _("A wrong password was tried")
        FACTOR_REFUSED = "factor_refused", _("A wrong second factor was tried")
        PASSWORD = "password", _("The password was changed")
        ADDRESS = "address", _("The email addresses were changed")
        FACTOR_ADDED = "factor_added", _("A second factor was added")
        FACTOR_CHANGED = "factor_changed", _("A second factor was changed or removed")

    user = models.ForeignKey(User, models.CASCADE, null=True, related_name="security_events")
    what = models.CharField(max_length=16, choices=What)
    ip = models.CharField(max_length=45, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(name="security_event_recent", fields=["user", "-at"])]
        constraints = [
            models.CheckConstraint(
                name="security_event_is_known",
                condition=models.Q(
                    what__in=[
                        "signed_in",
                        "refused",
                        "factor_refused",
                        "password",
                        "address",
                        "factor_added",
                        "factor_changed",
                    ]
                ),
            )
        ]

    def __str__(self) -> str:
        return self.what


class SignInLink(models.Model):
    """A one-click sign-in link that was used. Rows older than the links' life mean nothing."""

    id = models.UUIDField(primary_key=True)
    used_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return str(self.id)
