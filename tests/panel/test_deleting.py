"""Recently deleted, and clearing everything by typing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from memory.border import owner_scope
from memory.models import Job, Memory
from memory.services.dispatch import run_due_jobs
from tests.panel.conftest import text_of

Make = Callable[..., Memory]


def test_what_was_deleted_comes_back(signed_in: Client, alice: User, make_memory: Make) -> None:
    fact = make_memory(alice, "I am allergic to cats")
    signed_in.post(f"/memories/{fact.pk}/delete/")
    assert signed_in.get(f"/memories/{fact.pk}/").status_code == 404
    page = text_of(signed_in.get("/recently-deleted/").content.decode())
    assert "I am allergic to cats" in page
    assert "7 days left" in page
    response = signed_in.post(f"/memories/{fact.pk}/restore/")
    assert response["Location"] == "/recently-deleted/"
    assert "allergic" in signed_in.get("/").content.decode()


@pytest.mark.parametrize("typed", ["", "clear", "clear all!", "CLEAR  ALL", "\u202eclear all\x00"])
def test_other_words_clear_nothing(
    sure: Client, alice: User, make_memory: Make, typed: str
) -> None:
    make_memory(alice, "I live in Lisbon")
    response = sure.post("/clear/", {"typed": typed})
    assert response.status_code == 422
    assert "Lisbon" in sure.get("/").content.decode()


@pytest.mark.parametrize("typed", ["clear all", "Clear all", " clear all "])
def test_the_typed_words_clear_everything_everywhere(
    sure: Client, alice: User, bob: User, make_memory: Make, typed: str
) -> None:
    for number in range(4):
        make_memory(alice, f"fact {number}")
    make_memory(alice, "may like tea", source="inferred")
    deleted = make_memory(alice, "a deleted fact")
    sure.post(f"/memories/{deleted.pk}/delete/")
    kept = make_memory(bob, "Bob's fact")
    assert "All 6 memories" in text_of(sure.get("/clear/").content.decode())
    assert sure.post("/clear/", {"typed": typed}).status_code == 302
    page = text_of(sure.get("/").content.decode())
    assert "6 memories were cleared." in page
    assert "Nothing is remembered yet" in page
    for address in ("/recently-deleted/", "/?status=any&archived=with", "/?status=conflict"):
        assert "fact" not in text_of(sure.get(address).content.decode())
    with owner_scope(bob.pk):
        assert Memory.objects.of(bob.pk).filter(pk=kept.pk).exists()


def test_clearing_is_a_job_one_can_watch(sure: Client, alice: User, make_memory: Make) -> None:
    make_memory(alice, "I live in Lisbon")
    sure.post("/clear/", {"typed": "clear all"})
    with owner_scope(alice.pk):
        job = Job.objects.of(alice).get()
    link = f'href="/jobs/{job.pk}/"'
    page = sure.get("/").content.decode()
    assert link in page
    assert "See how far it is" in page
    data = sure.get("/data/").content.decode()
    assert link in data
    assert "Erasing what was cleared 0 of 1 row" in text_of(data)
    run_due_jobs()
    assert "1 of 1 row" in text_of(sure.get(f"/jobs/{job.pk}/").content.decode())
    assert "Erasing" not in sure.get("/data/").content.decode()


def test_the_words_to_type_are_in_the_language_of_the_page(
    in_chinese: User, sure: Client, make_memory: Make
) -> None:
    make_memory(in_chinese, "喜欢喝茶")
    assert "输入「一键清空」以继续" in text_of(sure.get("/clear/").content.decode())
    assert sure.post("/clear/", {"typed": "一键清空"}).status_code == 302


def test_clearing_asks_to_sign_in_again_and_says_what_stays(
    signed_in: Client, alice: User, make_memory: Make
) -> None:
    make_memory(alice, "I live in Lisbon")
    page = signed_in.get("/clear/").content.decode()
    assert 'name="typed"' not in page
    assert "Export them first" in text_of(page)
    assert "your agents with their keys and projects" in text_of(page)
    response = signed_in.post("/clear/", {"typed": "clear all"})
    assert response["Location"] == "/accounts/reauthenticate/?next=%2Fclear%2F"
    assert "Lisbon" in signed_in.get("/").content.decode()
    again = signed_in.post(response["Location"], {"password": "correct horse battery"})
    assert again["Location"] == "/clear/"
    assert signed_in.post("/clear/", {"typed": "clear all"})["Location"] == "/"
    assert "Lisbon" not in signed_in.get("/").content.decode()


def test_who_has_no_password_only_types_the_words(
    signed_in: Client, alice: User, make_memory: Make
) -> None:
    make_memory(alice, "I live in Lisbon")
    alice.set_unusable_password()
    alice.save(update_fields=["password"])
    signed_in.force_login(alice)
    assert signed_in.post("/clear/", {"typed": "clear all"})["Location"] == "/"


def test_one_memory_is_erased_at_once_when_typed(
    sure: Client, alice: User, bob: User, make_memory: Make
) -> None:
    fact = make_memory(alice, "I am allergic to cats")
    assert sure.get(f"/recently-deleted/{fact.pk}/erase/").status_code == 404
    sure.post(f"/memories/{fact.pk}/delete/")
    address = f"/recently-deleted/{fact.pk}/erase/"
    assert address in sure.get("/recently-deleted/").content.decode()
    assert sure.post(address, {"typed": "delete"}).status_code == 422
    assert sure.post(address, {"typed": "erase"})["Location"] == "/recently-deleted/"
    with owner_scope(alice.pk):
        assert not Memory.objects.filter(pk=fact.pk).exists()
    other = make_memory(bob, "Bob's fact")
    assert sure.post(f"/recently-deleted/{other.pk}/erase/", {"typed": "erase"}).status_code == 404
