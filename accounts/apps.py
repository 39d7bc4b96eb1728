from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        """Listen to what touches how somebody signs in."""
        from accounts import signals  # noqa: F401  (registering is the point)
