"""Write facts one after another and print each acknowledgement; run by test_crash as a process.

A write that finds the database away is asked again under its own Idempotency-Key, as a careful
caller does. Prints `<number> <status> <decision> <memory>` for each answer.
"""

from __future__ import annotations

import os
import sys
import time

import django
from django.db import connection

os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
django.setup()

from django.test import Client  # noqa: E402

from memory.services.provision import provision  # noqa: E402

COLOURS = "amber black blue brown coral green indigo olive purple red teal white".split()  # noqa: SIM905
THINGS = "apples bicycles candles drums envelopes flutes gloves hats inks jackets".split()  # noqa: SIM905


def main(writes: int) -> None:
    made = provision(email="alice@example.com", agent="crash", scopes=["write"])
    client = Client(SERVER_NAME="127.0.0.1", headers={"Authorization": f"Bearer {made.key}"})
    for number in range(writes):
        colour, thing = COLOURS[number % len(COLOURS)], THINGS[number // len(COLOURS)]
        body = {"facts": [{"content": f"likes {colour} {thing}"}]}
        status = 0
        while status != 201:
            answer = client.post(
                "/api/v1/memories",
                body,
                "application/json",
                headers={"Idempotency-Key": f"write-{number}"},
            )
            status = answer.status_code
            if status == 201:
                [result] = answer.json()["results"]
                memory = result["memory"] or {}
                sys.stdout.write(f"{number} {status} {result['decision']} {memory.get('id')}\n")
            else:
                sys.stdout.write(f"{number} {status} - -\n")
                connection.close()
                time.sleep(0.05)
            sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]))
