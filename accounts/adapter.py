"""How django-allauth does it here, where that differs from its own way."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib.auth.hashers import make_password
from django.utils.crypto import get_random_string


class AccountAdapter(DefaultAccountAdapter):
    """Signing up takes as long for an address that is known as for one that is not."""

    def send_account_already_exists_mail(self, email: str) -> None:
        # A new account costs a hash; without one here, the time would tell that none is made.
        make_password(get_random_string(32))
        super().send_account_already_exists_mail(email)
