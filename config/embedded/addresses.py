"""What the settings need to know about the embedded services, whether they run or not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from config.embedded.home import Home

DATABASE = "memoir"


@dataclass(frozen=True)
class Addresses:
    """Where the embedded services listen, and the key that signs sessions."""

    database_url: str
    database_schema_url: str
    broker_url: str
    secret_key: str


def addresses(home: Path) -> Addresses:
    """Read the addresses of one MEMOIR_HOME. Makes the secrets on first use; starts nothing."""
    place = Home(home)
    known = place.secrets
    sockets = place.sockets
    host = quote(str(sockets), safe="")

    def database(role: str) -> str:
        return f"postgresql://{role}:{quote(known[role], safe='')}@{host}/{DATABASE}"

    return Addresses(
        database_url=database("memoir_app"),
        database_schema_url=database("memoir_schema"),
        broker_url=f"redis+socket://{sockets}/broker.sock",
        secret_key=known["secret_key"],
    )
