"""What the terminal says once Memoir is up."""

import json
import os
import time
from email.message import EmailMessage
from pathlib import Path

from config.greeting import Mailbox, greeting

ADDRESS = "http://127.0.0.1:8000"
LINK = f"{ADDRESS}/accounts/confirm-email/" + "x" * 120


def put_mail(directory: Path, name: str, body: str, age: float = 10) -> None:
    """As Django's file backend writes it."""
    message = EmailMessage()
    message["Subject"] = "请确认"
    message.set_content(body, cte="quoted-printable")
    (directory / name).write_bytes(message.as_bytes() + b"\n" + b"-" * 79 + b"\n")
    os.utime(directory / name, (time.time() - age, time.time() - age))


def test_it_says_where_and_how_to_get_in() -> None:
    answer = {
        "sign_in": f"{ADDRESS}/in/abc",
        "key": "mk_1",
        "curl": f"curl {ADDRESS} \\\n  -d '{{}}'",
    }
    said = greeting(ADDRESS, json.dumps(answer))
    assert f"Memoir is running at {ADDRESS}" in said
    assert f"  {ADDRESS}/in/abc\n" in said
    assert f"  curl {ADDRESS} \\\n    -d '{{}}'" in said


def test_without_a_demo_it_says_where() -> None:
    for answer in ("", "not JSON", "[]"):
        assert f"Memoir is running at {ADDRESS}" in greeting(ADDRESS, answer)


def test_it_shows_the_link_of_new_mail_once_and_in_one_piece(tmp_path: Path) -> None:
    put_mail(tmp_path, "old.log", f"{ADDRESS}/old")
    mailbox = Mailbox(tmp_path)
    assert mailbox.new_links() == []
    put_mail(tmp_path, "new.log", f"您好\n\n{LINK}\n")
    assert mailbox.new_links() == [LINK]
    assert mailbox.new_links() == []


def test_it_waits_until_a_mail_is_written(tmp_path: Path) -> None:
    mailbox = Mailbox(tmp_path)
    put_mail(tmp_path, "new.log", LINK, age=0)
    assert mailbox.new_links() == []


def test_mail_without_a_link_and_no_directory_at_all_are_nothing(tmp_path: Path) -> None:
    assert Mailbox(tmp_path / "none").new_links() == []
    mailbox = Mailbox(tmp_path)
    put_mail(tmp_path, "new.log", "nothing to click")
    (tmp_path / "empty.log").write_bytes(b"")
    assert mailbox.new_links() == []
