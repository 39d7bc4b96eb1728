"""The database and the broker that `make run` brings along, for those who have none.

Only the standard library is imported here: the settings, `manage.py` and the supervisor all begin
with this package.
"""

from config.embedded.addresses import Addresses, addresses
from config.embedded.claim import MARK, AlreadyRunning, running
from config.embedded.errors import EmbeddedError
from config.embedded.home import Home, is_wanted
from config.embedded.services import Services, use

__all__ = [
    "MARK",
    "Addresses",
    "AlreadyRunning",
    "EmbeddedError",
    "Home",
    "Services",
    "addresses",
    "is_wanted",
    "running",
    "use",
]
