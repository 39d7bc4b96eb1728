"""No value in any form or address of the panel, or of signing in, does harm."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urljoin

import pytest
from django import forms
from django.contrib.auth.models import Permission
from django.core import mail
from django.urls import URLPattern, URLResolver, get_resolver, reverse

import panel.forms
import panel.urls
from accounts.models import User
from memory.adapters.formats.reading import read_file
from memory.border import owner_scope
from memory.domain.values import Source
from memory.models import AgentKey, Conflict, Event, Grant, Memory, Tombstone
from memory.querysets.callers import Caller
from memory.services.erase import delete_memory
from memory.services.exchange import start_import
from memory.services.grant import Wish, grant
from memory.services.recall import Question, recall
from panel.forms import FilterForm
from tests import hostile
from tests.boundary.conftest import Faults, never_raising, undone
from tests.conftest import NOW, MakeAgent

# The fields of each form, and where a form is sent to.
FORMS: dict[str, set[str]] = {
    "FilterForm": {
        "q", "status", "source", "kind", "tier", "visibility", "agent", "project", "archived",
        "when", "view", "sort", "cursor",
    },
    "WaitingForm": {"version", "content"},
    "ConfirmWithWordsForm": {"version", "content"},
    "EditForm": {
        "content", "value", "key", "valid_from", "valid_to", "until", "importance", "how",
        "version",
    },
    "AddForm": {"content"},
    "ManyForm": {"act", "memory", "everything", "count", "query"},
    "TypedForm": {"typed"},
    "SettingsForm": {"name", "language", "zone", "theme", "shortcuts"},
}  # fmt: skip


@dataclass(frozen=True)
class Page:
    """An address: what is sent to it, and in which query parameters it is interested."""

    posted: dict[str, str] = field(default_factory=dict)
    query: tuple[str, ...] = ()
    signed_in: bool = True


_ACT = Page({"version": "1", "content": "Ich wohne in Zürich", "next": "/"})
_EDIT = {
    "content": "Ich wohne in Zürich", "value": "Zürich", "key": "user.home",
    "valid_from": "2024-02-29", "valid_to": "", "importance": "", "how": "correct",
    "until": "", "version": "1", "next": "/",
}  # fmt: skip
_PASSWORD = "correct horse battery"
PAGES: dict[str, Page] = {
    "memories": Page(query=(*sorted(FORMS["FilterForm"]), "exact")),
    "add": Page({"content": "Ich trinke Tee"}),
    "memory": Page(query=("q", "old", "new", "scale")),
    "edit": Page(_EDIT),
    **dict.fromkeys(("confirm", "deny", "out_of_date", "still_true", "delete", "restore"), _ACT),
    **dict.fromkeys(("pin", "unpin", "archive", "unarchive", "reinstate"), _ACT),
    "words_back": Page({"revision": "1", "version": "1", "next": "/"}),
    "share": Page({"to": "user", "sure": "1", "next": "/"}, query=("to",)),
    "activity": Page(query=("by", "what", "when", "cursor")),
    "undo": Page({"next": "/"}),
    "deleted": Page(query=("cursor",)),
    "clear": Page({"typed": "nothing"}),
    "settings": Page(
        {"name": "Alice", "language": "en", "zone": "UTC", "theme": "dark", "shortcuts": "on"}
    ),
    "help": Page(query=("q",)),
    "end_guide": Page(),
    "load_story": Page(),
    "agents": Page(),
    "connect": Page({"name": "Cursor", "scopes": "recall"}),
    "pause_all": Page({"on": "1", "next": "/"}),
    "agent": Page(),
    "see_as": Page(query=("q", "cursor")),
    "pause": Page({"on": "1", "next": "/"}),
    "allow_outside": Page({"on": "1"}),
    "make_project": Page({"name": "Q2 launch"}),
    "place": Page({"on": "1"}),
    "make_key": Page({"scopes": "recall", "days": "30"}),
    "rotate_key": Page({"overlap": "1"}),
    "revoke_key": Page(),
    "sharing": Page(query=("page",)),
    "sharing_preview": Page(query=("to", "source", "about", "topic")),
    "grant": Page({"to": "agent:", "source": "", "about": "ordinary", "topic": "user.tea"}),
    "revoke_grant": Page(),
    "recalls": Page(query=("q", "agent", "what", "when", "cursor")),
    "recall": Page(query=("missing",)),
    "try": Page(query=("q", "agent", "strategy", "beside", "project", "as_of", "max_tokens")),
    "report": Page({"outcome": "unused"}),
    "many": Page({"act": "pin", "memory": "", "count": "1", "query": "q=tea"}),
    "topics": Page(),
    "topic_rename": Page({"key": "user.residence", "name": "user.home"}),
    "topic_values": Page({"key": "user.residence", "values": "many"}),
    "review": Page(query=("from", "later")),
    "card": Page(),
    "answer": Page({"answer": "yes", "text": "我用 Mac", "next": "/", "following": ""}),
    "queue": Page(query=("cursor", "show", "age")),
    "queue_overview": Page(query=("show",)),
    "queue_many": Page(
        {"entry": "01a22b0f-8776-701f-bcc3-9d18bd922f2a", "act": "neither", "note": "As wished."},
        query=("entry", "act"),
    ),
    "queue_entry": Page(),
    "queue_claim": Page(),
    "queue_release": Page(),
    "queue_look": Page({"reason": "The owner asked me to."}),
    "queue_settle": Page({"answer": "neither", "note": "As you wished."}),
    "queue_pass_on": Page({"why": "I do not know the owner."}),
    "queue_take_back": Page(),
    "data": Page(),
    "export": Page({"form": "json"}),
    "import": Page({"text": "我喝绿茶", "source": "user_stated"}),
    "import_shown": Page(query=("show", "page")),
    "import_run": Page(),
    "fetch": Page(),
    "discard": Page(),
    "tombstones": Page({"sentence": "我住在杭州西湖区"}, query=("cursor",)),
    "allow_again": Page(),
    "erase_now": Page({"typed": "no"}),
    "job": Page(query=("looked", "said")),
    "stop_job": Page(),
    "delete_account": Page({"typed": "nothing"}),
    "retry_job": Page(),
    "tune": Page({"strength_rate": "1.5", "recall_days": "90"}),
    "preview": Page(query=("strength_rate", "archive_line")),
    "sign_in_by_link": Page(query=("next",), signed_in=False),
    "account_login": Page(
        {"login": "alice@example.com", "password": "wrong", "remember": "on", "next": "/"},
        query=("next",),
        signed_in=False,
    ),
    "account_logout": Page({"next": "/"}, query=("next",)),
    "account_inactive": Page(query=("next",), signed_in=False),
    "account_signup": Page(
        {"email": "carol@example.com", "password1": _PASSWORD, "next": "/"},
        query=("next",),
        signed_in=False,
    ),
    "account_reauthenticate": Page({"password": _PASSWORD, "next": "/"}, query=("next",)),
    "account_request_reauthentication_code": Page({"next": "/"}),
    "account_confirm_reauthentication_code": Page({"code": "123456"}),
    "account_email": Page(
        {"email": "alice@example.net", "action_add": "", "action_send": "", "action_primary": ""}
    ),
    "account_email_verification_sent": Page(signed_in=False),
    "account_change_password": Page(
        {"oldpassword": _PASSWORD, "password1": _PASSWORD, "password2": _PASSWORD}
    ),
    "account_set_password": Page({"password1": _PASSWORD, "password2": _PASSWORD}),
    "account_reset_password": Page({"email": "alice@example.com"}, signed_in=False),
    "account_confirm_login_code": Page({"code": "123456"}, signed_in=False),
    "account_confirm_email": Page({}, query=("next",), signed_in=False),
    "account_reset_password_from_key_done": Page(signed_in=False),
    "account_reset_password_from_key": Page(
        {"password1": _PASSWORD, "password2": _PASSWORD}, signed_in=False
    ),
    "account_reset_password_done": Page(signed_in=False),
    "mfa_index": Page(),
    "mfa_authenticate": Page({"code": "123456", "credential": "{}"}, signed_in=False),
    "mfa_reauthenticate": Page({"code": "123456", "next": "/"}, query=("next",)),
    "mfa_activate_totp": Page({"code": "123456"}),
    "mfa_deactivate_totp": Page(),
    "mfa_view_recovery_codes": Page(),
    "mfa_generate_recovery_codes": Page(),
    "mfa_download_recovery_codes": Page(),
    "mfa_list_webauthn": Page(),
    "mfa_add_webauthn": Page({"name": "Laptop", "credential": "{}"}),
    "mfa_reauthenticate_webauthn": Page({"credential": "{}", "next": "/"}),
    "mfa_remove_webauthn": Page(),
    "mfa_edit_webauthn": Page({"name": "Laptop"}),
    "mfa_login_webauthn": Page({"credential": "{}", "next": "/"}, signed_in=False),
    "usersessions_list": Page(),
}
# Groups whose members the forms tell apart; of the others one will do.
_SUBTLE = (
    "nul", "surrogate", "only hidden", "lines", "blank", "html",
)  # fmt: skip
# Forms whose answer may be a part of the page.
_IN_PARTS = ("add", "edit", "undo", "answer", "clear", "many", "report")
_WRITTEN = ("content", "value", "key", "name", "login", "email")
_LIKE = {
    "version": ("number", "digits"), "valid_from": ("time", "digits"), "valid_to": ("time",), "until": ("time",),
    "next": ("url", "path", "header"), "email": ("header", "format"), "login": ("header", "format"),
}  # fmt: skip


def _routes(resolver: Any, prefix: str = "") -> Iterator[str]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver) and not str(entry.pattern).startswith("api/"):
            yield from _routes(entry)
        elif isinstance(entry, URLPattern) and entry.name:
            yield entry.name


def test_every_address_and_form_is_attacked() -> None:
    assert set(_routes(get_resolver())) == set(PAGES)
    found = {
        name: set(form.base_fields)
        for name, form in inspect.getmembers(panel.forms, inspect.isclass)
        if issubclass(form, forms.BaseForm) and form.__module__ == "panel.forms"
    }
    assert found == FORMS


@dataclass(frozen=True)
class Visitor:
    """Alice's browser, with and without htmx, and the memory it acts on."""

    owner: User
    memory: str
    gesture: str
    make: Callable[..., Memory]
    make_agent: MakeAgent

    def address(self, name: str) -> str:
        arguments: dict[str, dict[str, str]] = {
            "undo": {"gesture": self.gesture},
            "sign_in_by_link": {"token": "abc"},
            "account_confirm_email": {"key": "abc"},
            "account_reset_password_from_key": {"uidb36": "abc", "key": "abc-def"},
            "mfa_remove_webauthn": {"pk": "1"},
            "mfa_edit_webauthn": {"pk": "1"},
        }
        if named := re.findall(r"<uuid:(agent|project|key|grant|recall)>", _PATTERNS.get(name, "")):
            agents = self._agents()
            if "<uuid:memory>" in _PATTERNS[name]:
                return reverse(name, kwargs={"recall": agents["recall"], "memory": self.memory})
            return reverse(name, kwargs={word: agents[word] for word in named})
        made = re.search(r"<uuid:(card|entry|parcel|tombstone|job)>", _PATTERNS.get(name, ""))
        if made:
            return reverse(name, kwargs={made[1]: self._thing(made[1])})
        if name in PAGES and name not in arguments and "<uuid:memory>" in _PATTERNS.get(name, ""):
            return reverse(name, kwargs={"memory": self.memory})
        return reverse(name, kwargs=arguments.get(name, {}))

    def _agents(self) -> dict[str, str]:
        """An agent, its key, its project, what it was granted and what it asked."""
        owner = self.owner.pk
        agent = self.make_agent(self.owner, project="q2").caller
        grant(owner=owner, wish=Wish(to_agent=agent.agent, topic="user.tea"), now=NOW)
        # As the owner in person, who sees his own row.
        asked = recall(Caller(owner=owner), Question(query="我住在哪里"), now=NOW)
        with owner_scope(owner):
            return {
                "agent": str(agent.agent),
                "project": str(agent.projects["q2"]),
                "key": str(AgentKey.objects.get().pk),
                "grant": str(Grant.objects.get().pk),
                "recall": str(asked.id),
            }

    def _thing(self, kind: str) -> str:
        """One of Alice's, made when an address names it: a question, a file, a job, a tombstone."""
        owner = self.owner.pk
        if kind in ("card", "entry"):
            self.make(self.owner, "可能用 Mac", source="inferred")
            with owner_scope(owner):
                return str(Conflict.objects.latest("opened_at").pk)
        if kind == "tombstone":
            gone = self.make(self.owner, "我养了一只猫")
            delete_memory(owner=owner, memory=gone.pk, now=NOW)
            with owner_scope(owner):
                return str(Tombstone.objects.latest("created_at").pk)
        parcel = start_import(
            owner=owner, upload=read_file("我喝绿茶".encode()), source=Source.USER_STATED, now=NOW
        )
        return str(parcel.pk if kind == "parcel" else parcel.job)

    def client(self, name: str, *, htmx: bool) -> Any:
        headers = {"HX-Request": "true", "HX-Target": f"memory-{self.memory}"} if htmx else {}
        client = never_raising(**headers)
        if name.startswith("queue"):
            admin = User.objects.create_user("carol@example.com", _PASSWORD)
            admin.user_permissions.add(Permission.objects.get(codename="review_conflicts"))
            client.force_login(admin)
        elif PAGES[name].signed_in:
            client.force_login(self.owner)
        return client


_PATTERNS = {entry.name: str(entry.pattern) for entry in panel.urls.urlpatterns}


@pytest.fixture
def visitor(alice: User, make_memory: Callable[..., Memory], make_agent: MakeAgent) -> Visitor:
    row = make_memory(alice, "我住在杭州西湖区", key="user.residence", value="杭州")
    with owner_scope(alice.pk):
        event = Event.objects.of(alice.pk).order_by("-at").first()
    return Visitor(alice, str(row.pk), str(event.gesture or row.pk), make_memory, make_agent)


_DANGEROUS = [
    text for name, text in hostile.TEXTS.items() if name.startswith("html: ") and text[0] == "<"
]


def _fault(answer: Any, sent: str) -> str:
    """What no page may be, whatever was sent."""
    if answer.status_code >= 500:
        return f"{answer.status_code}"
    try:
        text = answer.content.decode("utf-8")
    except UnicodeDecodeError:
        return f"{answer.status_code} is not UTF-8"
    if sent in _DANGEROUS and sent in text:
        return f"{answer.status_code} shows HTML as HTML"
    if any(f"{{{{{expression}" in sent for expression in ("7*7",)) and ">49<" in text:
        return f"{answer.status_code} runs templates"
    if any("\n" in value or "\r" in value for value in answer.headers.values()):
        return f"{answer.status_code} has a header of two lines"
    location = answer.headers.get("Location", "") or answer.headers.get("HX-Redirect", "")
    # As browsers read it: a backslash is a slash. A bare "//" names no host and leads nowhere.
    there = urljoin("http://testserver/here/", location.replace("\\", "/"))
    if not there.startswith("http://testserver/"):
        return f"{answer.status_code} leads away: {location[:80]}"
    return ""


def _posts() -> Iterator[tuple[str, str, bool]]:
    for name, page in PAGES.items():
        for posted in page.posted:
            for htmx in (False, True):
                # All acts share their form.
                if htmx and (page is _ACT or not name.startswith(_IN_PARTS)):
                    continue
                if page is not _ACT or name == "confirm" or posted == "next":
                    yield name, posted, htmx


@pytest.mark.parametrize(
    ("name", "posted", "htmx"),
    [pytest.param(*post, id="-".join(map(str, post))) for post in _posts()],
)
def test_no_value_of_a_form_does_harm(name: str, posted: str, htmx: bool, visitor: Visitor) -> None:
    faults = Faults()
    client, address = visitor.client(name, htmx=htmx), visitor.address(name)
    groups = _LIKE.get(posted, ())
    if posted in _WRITTEN and not htmx:
        groups += _SUBTLE
    texts = hostile.texts_about(*groups)
    if posted not in _WRITTEN:
        # What is chosen and not written: all that is not offered is refused in one place.
        texts = hostile.third(texts, f"{name}-{posted}")
    for label, text in texts.items():
        body = urlencode(
            PAGES[name].posted | {posted: text}, encoding="utf-8", errors="surrogatepass"
        )
        with undone():
            mail.outbox.clear()
            answer = client.post(address, body, "application/x-www-form-urlencoded")
            fault = _fault(answer, text)
            if not fault and name in ("add", "edit") and posted == "content":
                fault = _fault_in_kept(visitor, answer, text)
            faults.note(f"{label} → {answer.content[-100:]!r}", fault)
    faults.expect_none()


def _fault_in_kept(visitor: Visitor, answer: Any, text: str) -> str:
    with owner_scope(visitor.owner.pk):
        row = Memory.objects.of(visitor.owner.pk).latest("updated_at", "id")
    if answer.status_code in (400, 409, 413, 422):
        return "" if row.content == "我住在杭州西湖区" else "refused, and yet stored"
    # What is no UTF-8 arrives as U+FFFD: Django's forms know nothing else.
    text = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    if not hostile.storable(text):
        return f"{answer.status_code}: a text that cannot be stored was accepted"
    # Browsers end lines with CR LF; around a text they leave what people did not mean.
    same = row.content == hostile.stored(text).strip()
    return "" if same else f"{answer.status_code}: not kept as documented"


@pytest.mark.parametrize(
    ("name", "parameter"),
    [(name, parameter) for name, page in PAGES.items() for parameter in page.query],
)
def test_no_query_parameter_does_harm(name: str, parameter: str, visitor: Visitor) -> None:
    faults = Faults()
    client, address = visitor.client(name, htmx=False), visitor.address(name)
    groups = _LIKE.get(parameter, ())
    if parameter == "q" and name == "memories":
        groups = ("nul", "surrogate", "sql", "long", "html")
    for label, text in hostile.texts_about(*groups, "word", "id").items():
        query = urlencode({parameter: text}, encoding="utf-8", errors="surrogatepass")
        answer = client.get(f"{address}?{query}")
        faults.note(f"{label} → {answer.content[-100:]!r}", _fault(answer, text))
    faults.expect_none()


def test_no_id_in_an_address_does_harm(visitor: Visitor) -> None:
    faults = Faults()
    client = visitor.client("memories", htmx=False)
    wire = {
        label: text.encode("utf-8", "surrogatepass").decode("latin-1")
        for label, text in hostile.texts_about("id", "path", "url", "nul", "surrogate").items()
        if len(text) < 70_000
    }
    for label, text in wire.items():
        for address in (
            f"/memories/{text}/", f"/undo/{text}/", f"/sign-in/{text}/", f"/{text}", f"/api/{text}",
            f"/accounts/confirm-email/{text}/", f"/accounts/password/reset/key/{text}-{text}/",
            f"/static/{text}",
        ):  # fmt: skip
            answer = client.get("/", PATH_INFO=address)
            fault = _fault(answer, text)
            if not fault and address.startswith("/api/") and answer.status_code != 404:
                fault = f"{answer.status_code} for an unknown address of the API"
            faults.note(f"{label} in {address[:30]}", fault)
    faults.expect_none()


def test_no_header_and_no_cookie_does_harm(visitor: Visitor) -> None:
    faults = Faults()
    client = visitor.client("memories", htmx=False)
    for label, text in hostile.texts_about("nul", "surrogate", "header", "url").items():
        if len(text) > 70_000:
            continue
        value = text.encode("utf-8", "surrogatepass").decode("latin-1")
        headers = {
            f"HTTP_{name}": value
            for name in (
                "ACCEPT_LANGUAGE", "REFERER", "USER_AGENT", "X_FORWARDED_FOR", "HX_TARGET",
                "HX_CURRENT_URL", "HX_TRIGGER_NAME", "IF_NONE_MATCH", "IF_MODIFIED_SINCE",
                "X_REQUEST_ID", "ACCEPT", "ACCEPT_ENCODING",
            )
        }  # fmt: skip
        stranger = never_raising().get("/settings/", **headers, HTTP_HX_REQUEST="true")
        faults.note(f"{label}, not signed in", _fault(stranger, text))
        own = client.cookies["session"].value
        for more in (
            headers,
            headers | {"HTTP_HX_REQUEST": "true"},
            {"HTTP_COOKIE": f"session={value}; csrf={value}; messages={value}"},
            {"HTTP_COOKIE": f"session={own}; csrf={value}; messages={value}; django_language={value}"},
            {"HTTP_HOST": value},
        ):  # fmt: skip
            answer = client.get("/", **more)
            faults.note(f"{label} in {', '.join(more)[:60]}", _fault(answer, text))
    faults.expect_none()


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_whatever_an_agent_wrote_can_be_looked_at(zone: str, alice: User, agent: Any) -> None:
    """Every page that shows a memory, for every text and time the API accepts."""
    faults = Faults()
    alice.zone = zone
    alice.save(update_fields=["zone"])
    client = never_raising()
    client.force_login(alice)
    facts: list[tuple[str, dict[str, Any]]] = [
        (name, {"content": text, "key": text, "value": text, "quote": text})
        for name, text in hostile.texts_about("html", "only hidden", "lines").items()
        if len(text) <= 200
    ]
    if zone == "Pacific/Pago_Pago":
        facts = []
    facts += [
        (f"{name} as {moment}", {"content": name, moment: text})
        for name, text in hostile.TEXTS.items()
        for moment in ("occurred_at", "valid_from", "valid_to")
        if name.startswith("time: year ")
    ]
    for name, fact in facts:
        with undone():
            answer = agent.post("memories", {"facts": [fact]})
            memory = answer.json()["results"][0]["memory"] if answer.status_code == 201 else None
            if memory is None:
                continue
            for address in (
                "/", f"/memories/{memory['id']}/", f"/memories/{memory['id']}/edit/", "/activity/",
            ):  # fmt: skip
                shown = client.get(address)
                fault = _fault(shown, str(fact["content"]))
                if not fault and shown.status_code != 200:
                    fault = f"answered {shown.status_code}"
                if fault:
                    fault = f"{fault} on {address.replace(memory['id'], 'ID')}"
                faults.note(name, fault)
    faults.expect_none()


def test_filters_of_the_list_are_those_of_the_form() -> None:
    assert set(FilterForm.base_fields) <= set(PAGES["memories"].query)
