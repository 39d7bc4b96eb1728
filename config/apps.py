from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """Puts the parts together once Django is up."""

    name = "config"
    verbose_name = "Memoir"

    def ready(self) -> None:
        """Load the Celery application, so that tasks know where to go, and the system checks."""
        from config import celery, checks  # noqa: F401  (registering is the point)
