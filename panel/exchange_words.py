"""The words people read for what exports, imports and jobs go by."""

from __future__ import annotations

from django.utils.html import escape
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.models.jobs import JobKind
from panel.own_words import sentence
from panel.words import Words

FORM: Words = {
    "json": "JSON",
    "csv": "CSV",
    "markdown": "Markdown",
    "memoir": gettext_lazy("an export of Memoir"),
    "mem0": gettext_lazy("an export of mem0"),
    "list": gettext_lazy("a list"),
}
UNREADABLE: Words = {
    "empty": gettext_lazy("There is nothing in it."),
    "too_large": gettext_lazy("It is larger than 64 MB. Split it up."),
    "not_utf8": gettext_lazy("It is not text in UTF-8. Save it as UTF-8 and try again."),
    "too_deep": gettext_lazy("It is nested too deep to be a list of memories."),
    "broken_json": gettext_lazy("It is not valid JSON."),
    "unknown_form": gettext_lazy(
        "No list of memories is in it. Memoir reads its own exports, those of mem0, and lists."
    ),
    "newer_form": gettext_lazy("It was written by a newer Memoir. Update this one first."),
    "no_rows": gettext_lazy("There is no memory in it."),
    "too_many_rows": gettext_lazy("It has too many rows: at most 5,000 in a list. Split it up."),
}
PROBLEM: Words = {
    "nul": gettext_lazy("holds an invisible NUL character"),
    "surrogate": gettext_lazy("holds half of a character"),
    "not_text": gettext_lazy("is not text"),
    "too_short": gettext_lazy("is empty"),
    "too_long": gettext_lazy("is too long"),
    "too_deep": gettext_lazy("is nested too deep"),
    "not_a_memory": gettext_lazy("is no memory"),
    "not_a_time": gettext_lazy("is no date from 1900 to 2200"),
    "not_a_number": gettext_lazy("is not a number"),
    "out_of_range": gettext_lazy("is out of range"),
    "unknown_word": gettext_lazy("has a value Memoir does not know"),
    "missing": gettext_lazy("is missing"),
}
GROUP: Words = {
    "ADD": gettext_lazy("New"),
    "WAITS": gettext_lazy("Will wait for your yes"),
    "CONFLICT": gettext_lazy("Contradicts what is known"),
    "UPDATE": gettext_lazy("Replaces something"),
    "DELETE": gettext_lazy("Ends something"),
    "NOOP": gettext_lazy("Known already"),
    "REFUSED": gettext_lazy("Not taken in"),
}
WHY: Words = {
    "secret": gettext_lazy("It holds a secret. Secrets are not remembered."),
    "empty_of_facts": gettext_lazy("It says nothing to remember."),
    "question": gettext_lazy("It is a question."),
    "deleted_by_owner": gettext_lazy("You deleted this. Allow it again first."),
    "denied_by_owner": gettext_lazy("You said this is not so. Allow it again first."),
    "external": gettext_lazy("It comes from outside."),
    "inferred": gettext_lazy("It was concluded, not said."),
    "quarantined": gettext_lazy("It gives orders to an agent, so no agent gets it."),
    "restored": gettext_lazy("It comes back as it was."),
    "restored_past": gettext_lazy("It comes back as past."),
    "restored_waiting": gettext_lazy("It comes back with its question."),
}
JOB: Words = {
    JobKind.EMBED: gettext_lazy("Making memories findable by meaning"),
    JobKind.ERASE: gettext_lazy("Erasing what was cleared"),
    JobKind.EXTRACT: gettext_lazy("Reading a conversation"),
    JobKind.EXPORT: gettext_lazy("Export"),
    JobKind.PREVIEW: gettext_lazy("Reading your file"),
    JobKind.IMPORT: gettext_lazy("Import"),
    JobKind.STORY: gettext_lazy("The demo story"),
    JobKind.LEAVE: gettext_lazy("Erasing the account"),
}
GAVE_UP: Words = {
    "cleared": gettext_lazy("Everything was cleared meanwhile, so this was not finished."),
    "gone": gettext_lazy("The file was thrown away meanwhile."),
    "half_told": gettext_lazy("It was interrupted. Clear all takes away what was told so far."),
}


def say_unreadable(code: str, line: int | None) -> str:
    """Why a file cannot be read, and where."""
    words = str(UNREADABLE[code])
    return f"{words} " + _("See line %(line)d.") % {"line": line} if line else words


def say_problem(row: int, code: str, name: str) -> str:
    """What is wrong with which row; a field is named as it is in the file."""
    words = escape(PROBLEM.get(code, PROBLEM["unknown_word"]))
    if row and name:
        return sentence(_("Row %(row)s: “%(name)s” %(words)s."), row=row, name=name, words=words)
    if row:
        return sentence(_("Row %(row)s %(words)s."), row=row, words=words)
    return sentence(_("In “%(name)s”, something %(words)s."), name=name, words=words)
