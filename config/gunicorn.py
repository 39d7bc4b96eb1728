"""How the web is served, under `manage.py run` and in the container alike."""

from __future__ import annotations

worker_class = "gthread"
workers = 2
threads = 4
timeout = 30
# The application is loaded once and shared by both workers: half the start, half the memory.
preload_app = True
# A socket to steer gunicorn by is one more door; the supervisor steers by signals.
control_socket_disable = True
loglevel = "warning"


def pre_fork(server: object, worker: object) -> None:
    """Close what start-up checks opened: workers sharing a connection read each other's rows."""
    from django.db import connections

    connections.close_all()
