"""What a key is called on screen. A small table; other keys are shown in their own words."""

from __future__ import annotations

from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.domain.keys import words_of

# Whole keys, without a leading "user".
_WHOLE: dict[str, str | Promise] = {
    "stack": gettext_lazy("Tech stack"),
    "tech": gettext_lazy("Tech stack"),
    "tech stack": gettext_lazy("Tech stack"),
    "techstack": gettext_lazy("Tech stack"),
    "lang": gettext_lazy("Tech stack"),
    "language primary": gettext_lazy("Main language"),
    "primary language": gettext_lazy("Main language"),
    "languages": gettext_lazy("Languages"),
    "language": gettext_lazy("Languages"),
    "diet": gettext_lazy("Diet"),
    "style": gettext_lazy("Style"),
    "answer style": gettext_lazy("Answers"),
}
# Last words of a key.
_LAST: dict[str, str | Promise] = {
    "job": gettext_lazy("Occupation"),
    "occupation": gettext_lazy("Occupation"),
    "profession": gettext_lazy("Occupation"),
    "role": gettext_lazy("Role"),
    "position": gettext_lazy("Role"),
    "company": gettext_lazy("Employer"),
    "employer": gettext_lazy("Employer"),
    "editor": gettext_lazy("Editor"),
    "os": gettext_lazy("System"),
    "system": gettext_lazy("System"),
    "device": gettext_lazy("Devices"),
    "devices": gettext_lazy("Devices"),
    "computer": gettext_lazy("Devices"),
    "residence": gettext_lazy("Home"),
    "home": gettext_lazy("Home"),
    "city": gettext_lazy("City"),
    "hometown": gettext_lazy("Home town"),
    "birthplace": gettext_lazy("Birthplace"),
    "birthday": gettext_lazy("Birthday"),
    "age": gettext_lazy("Age"),
    "name": gettext_lazy("Name"),
    "nickname": gettext_lazy("Nickname"),
    "allergy": gettext_lazy("Allergies"),
    "allergies": gettext_lazy("Allergies"),
    "medication": gettext_lazy("Medication"),
    "medications": gettext_lazy("Medication"),
    "health": gettext_lazy("Health"),
    "pet": gettext_lazy("Pets"),
    "pets": gettext_lazy("Pets"),
    "hobby": gettext_lazy("Hobbies"),
    "hobbies": gettext_lazy("Hobbies"),
    "sport": gettext_lazy("Sport"),
    "food": gettext_lazy("Food"),
    "foods": gettext_lazy("Food"),
    "drink": gettext_lazy("Drinks"),
    "framework": gettext_lazy("Frameworks"),
    "frameworks": gettext_lazy("Frameworks"),
    "tool": gettext_lazy("Tools"),
    "tools": gettext_lazy("Tools"),
    "database": gettext_lazy("Database"),
    "theme": gettext_lazy("Theme"),
    "timezone": gettext_lazy("Time zone"),
    "project": gettext_lazy("Projects"),
    "projects": gettext_lazy("Projects"),
    "goal": gettext_lazy("Goals"),
    "goals": gettext_lazy("Goals"),
    "travel": gettext_lazy("Travel"),
    "trips": gettext_lazy("Travel"),
    "family": gettext_lazy("Family"),
    "partner": gettext_lazy("Partner"),
    "spouse": gettext_lazy("Partner"),
    "children": gettext_lazy("Children"),
    "child": gettext_lazy("Children"),
    "friends": gettext_lazy("Friends"),
    "school": gettext_lazy("School"),
    "skills": gettext_lazy("Skills"),
    "rule": gettext_lazy("Rules"),
    "rules": gettext_lazy("Rules"),
    "work": gettext_lazy("Work"),
}
_GENERAL = frozenset({"user", "owner", "me", "my", "profile", "preference", "preferences"})


def topic_label(key: str) -> str:
    """The name of a key in the language of the page; rows without one share a name."""
    words = [word for word in words_of(key) if word not in _GENERAL]
    if not key or not words_of(key):
        return _("No topic")
    if not words:
        return " ".join(words_of(key)).capitalize()
    known = _WHOLE.get(" ".join(words)) or _LAST.get(words[-1])
    return str(known) if known else " ".join(words).capitalize()


def words_named(query: str) -> tuple[list[str], list[str]]:
    """Whole keys and last words whose name, in either language, contains the query."""
    wanted = query.casefold().strip()
    if not wanted:
        return [], []
    whole, last = [], []
    for language in ("en", "zh-hans"):
        with translation.override(language):
            whole += [words for words, name in _WHOLE.items() if wanted in str(name).casefold()]
            last += [word for word, name in _LAST.items() if wanted in str(name).casefold()]
    return sorted(set(whole)), sorted(set(last))
