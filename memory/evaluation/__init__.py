"""Measuring Memoir on public data and on an owner's own rows. `manage.py evaluate` is the door."""
