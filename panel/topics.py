"""What a key is called on screen. A table of the common ones; others stand in their own words."""

from __future__ import annotations

from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from memory.domain.keys import GENERAL, words_of

Names = dict[str, str | Promise]

# Whole attributes, as words.
_WHOLE: Names = {
    "stack": gettext_lazy("Tech stack"),
    "tech": gettext_lazy("Tech stack"),
    "tech stack": gettext_lazy("Tech stack"),
    "techstack": gettext_lazy("Tech stack"),
    "lang": gettext_lazy("Tech stack"),
    "language primary": gettext_lazy("Main programming language"),
    "primary language": gettext_lazy("Main programming language"),
    "programming languages": gettext_lazy("Programming languages"),
    "language native": gettext_lazy("Mother tongue"),
    "answers language": gettext_lazy("Language of answers"),
    "answers verbosity": gettext_lazy("Length of answers"),
    "answers tone": gettext_lazy("Tone of answers"),
    "answers format": gettext_lazy("Form of answers"),
    "answer style": gettext_lazy("Answers"),
    "children count": gettext_lazy("Number of children"),
    "editor theme": gettext_lazy("Editor theme"),
    "blood type": gettext_lazy("Blood type"),
    "work mode": gettext_lazy("Way of working"),
    "working hours": gettext_lazy("Working hours"),
    "work hours": gettext_lazy("Working hours"),
    "team size": gettext_lazy("Team size"),
    "phone model": gettext_lazy("Phone model"),
    "marital status": gettext_lazy("Marital status"),
    "alma mater": gettext_lazy("School"),
    "birth year": gettext_lazy("Year of birth"),
    "wake time": gettext_lazy("Getting up"),
    "sleep time": gettext_lazy("Going to bed"),
    "sleep hours": gettext_lazy("Hours of sleep"),
    "commute time": gettext_lazy("Way to work"),
    "commute distance": gettext_lazy("Way to work"),
    "favorite drink": gettext_lazy("Favourite drink"),
    "favorite food": gettext_lazy("Favourite food"),
    "commit rules": gettext_lazy("Rules for commits"),
    "review rules": gettext_lazy("Rules for reviews"),
    "project rules": gettext_lazy("Rules of the project"),
    "airline status": gettext_lazy("Airline status"),
    "country of origin": gettext_lazy("Country of origin"),
    "original language": gettext_lazy("Original language"),
    "known for": gettext_lazy("Known for"),
    "known as": gettext_lazy("Also known as"),
    "work city": gettext_lazy("City of work"),
}
# Last words of a key.
_LAST: Names = {
    "language": gettext_lazy("Languages"),
    "languages": gettext_lazy("Languages"),
    "diet": gettext_lazy("Diet"),
    "style": gettext_lazy("Style"),
    "job": gettext_lazy("Occupation"),
    "occupation": gettext_lazy("Occupation"),
    "profession": gettext_lazy("Occupation"),
    "role": gettext_lazy("Role"),
    "position": gettext_lazy("Role"),
    "company": gettext_lazy("Employer"),
    "employer": gettext_lazy("Employer"),
    "manager": gettext_lazy("Manager"),
    "salary": gettext_lazy("Salary"),
    "budget": gettext_lazy("Budget"),
    "rent": gettext_lazy("Rent"),
    "mortgage": gettext_lazy("Mortgage"),
    "deadline": gettext_lazy("Deadline"),
    "version": gettext_lazy("Version"),
    "owner": gettext_lazy("Owner"),
    "time": gettext_lazy("Time"),
    "major": gettext_lazy("Subject of study"),
    "learning": gettext_lazy("Learning"),
    "editor": gettext_lazy("Editor"),
    "os": gettext_lazy("System"),
    "system": gettext_lazy("System"),
    "device": gettext_lazy("Devices"),
    "devices": gettext_lazy("Devices"),
    "computer": gettext_lazy("Computer"),
    "vehicle": gettext_lazy("Vehicle"),
    "residence": gettext_lazy("Home"),
    "home": gettext_lazy("Home"),
    "city": gettext_lazy("City"),
    "hometown": gettext_lazy("Home town"),
    "birthplace": gettext_lazy("Birthplace"),
    "birthday": gettext_lazy("Birthday"),
    "nationality": gettext_lazy("Nationality"),
    "zodiac": gettext_lazy("Star sign"),
    "age": gettext_lazy("Age"),
    "height": gettext_lazy("Height"),
    "weight": gettext_lazy("Weight"),
    "name": gettext_lazy("Name"),
    "nickname": gettext_lazy("Nickname"),
    "phone": gettext_lazy("Phone"),
    "email": gettext_lazy("Email"),
    "allergy": gettext_lazy("Allergies"),
    "allergies": gettext_lazy("Allergies"),
    "medication": gettext_lazy("Medication"),
    "medications": gettext_lazy("Medication"),
    "health": gettext_lazy("Health"),
    "pet": gettext_lazy("Pets"),
    "pets": gettext_lazy("Pets"),
    "hobby": gettext_lazy("Hobbies"),
    "hobbies": gettext_lazy("Hobbies"),
    "instruments": gettext_lazy("Instruments"),
    "sport": gettext_lazy("Sport"),
    "sports": gettext_lazy("Sport"),
    "habits": gettext_lazy("Habits"),
    "likes": gettext_lazy("Likes"),
    "dislikes": gettext_lazy("Dislikes"),
    "tastes": gettext_lazy("Tastes"),
    "food": gettext_lazy("Food"),
    "foods": gettext_lazy("Food"),
    "breakfast": gettext_lazy("Breakfast"),
    "lunch": gettext_lazy("Lunch"),
    "dinner": gettext_lazy("Dinner"),
    "drink": gettext_lazy("Drinks"),
    "backend": gettext_lazy("Backend"),
    "frontend": gettext_lazy("Frontend"),
    "mobile": gettext_lazy("Mobile"),
    "framework": gettext_lazy("Frameworks"),
    "frameworks": gettext_lazy("Frameworks"),
    "tool": gettext_lazy("Tools"),
    "tools": gettext_lazy("Tools"),
    "database": gettext_lazy("Database"),
    "databases": gettext_lazy("Database"),
    "cache": gettext_lazy("Cache"),
    "cloud": gettext_lazy("Cloud"),
    "broker": gettext_lazy("Message broker"),
    "container": gettext_lazy("Containers"),
    "containers": gettext_lazy("Containers"),
    "ci": gettext_lazy("Continuous integration"),
    "browser": gettext_lazy("Browser"),
    "chat": gettext_lazy("Chat"),
    "notes": gettext_lazy("Notes"),
    "tracker": gettext_lazy("Issue tracker"),
    "theme": gettext_lazy("Theme"),
    "timezone": gettext_lazy("Time zone"),
    "project": gettext_lazy("Projects"),
    "projects": gettext_lazy("Projects"),
    "goal": gettext_lazy("Goals"),
    "goals": gettext_lazy("Goals"),
    "plans": gettext_lazy("Plans"),
    "travel": gettext_lazy("Travel"),
    "trips": gettext_lazy("Travel"),
    "commute": gettext_lazy("Way to work"),
    "transport": gettext_lazy("Transport"),
    "seat": gettext_lazy("Seat"),
    "lodging": gettext_lazy("Lodging"),
    "family": gettext_lazy("Family"),
    "siblings": gettext_lazy("Siblings"),
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
    "audience": gettext_lazy("Audience"),
    "scope": gettext_lazy("Scope"),
    "staging": gettext_lazy("Staging"),
    "window": gettext_lazy("Time window"),
    "release": gettext_lazy("Release"),
    "plants": gettext_lazy("Plants"),
    "router": gettext_lazy("Router"),
    "station": gettext_lazy("Station"),
    "meeting": gettext_lazy("Meeting"),
    "queue": gettext_lazy("Message queue"),
    "author": gettext_lazy("Author"),
    "director": gettext_lazy("Director"),
    "founder": gettext_lazy("Founder"),
    "creator": gettext_lazy("Creator"),
    "developer": gettext_lazy("Developer"),
    "performer": gettext_lazy("Performer"),
    "leader": gettext_lazy("Leader"),
    "ceo": gettext_lazy("Chief executive"),
    "chair": gettext_lazy("Chair"),
    "citizenship": gettext_lazy("Citizenship"),
    "religion": gettext_lazy("Religion"),
    "continent": gettext_lazy("Continent"),
    "field": gettext_lazy("Field"),
    "headquarters": gettext_lazy("Headquarters"),
    "producer": gettext_lazy("Producer"),
    "capital": gettext_lazy("Capital"),
    "deathplace": gettext_lazy("Place of death"),
    "country": gettext_lazy("Country"),
    "movie": gettext_lazy("Films"),
    "movies": gettext_lazy("Films"),
    "book": gettext_lazy("Books"),
    "books": gettext_lazy("Books"),
    "song": gettext_lazy("Songs"),
    "songs": gettext_lazy("Songs"),
    "music": gettext_lazy("Music"),
    "color": gettext_lazy("Colour"),
    "colour": gettext_lazy("Colour"),
    "restaurant": gettext_lazy("Restaurant"),
    "season": gettext_lazy("Season"),
    "fruit": gettext_lazy("Fruit"),
    "animal": gettext_lazy("Animal"),
    "game": gettext_lazy("Games"),
    "games": gettext_lazy("Games"),
    "band": gettext_lazy("Band"),
    "place": gettext_lazy("Place"),
    "coffee": gettext_lazy("Coffee"),
    "tea": gettext_lazy("Tea"),
    "accountant": gettext_lazy("Accountant"),
    "coach": gettext_lazy("Coach"),
    "dentist": gettext_lazy("Dentist"),
    "landlord": gettext_lazy("Landlord"),
    "lawyer": gettext_lazy("Lawyer"),
    "therapist": gettext_lazy("Therapist"),
}
# What a key begins with: whom or which time it speaks of, before what it says of them.
_BEFORE: Names = {
    "plans": gettext_lazy("Plans"),
    "past": pgettext_lazy("topic", "Past"),
    "lately": gettext_lazy("Lately"),
    "reported": gettext_lazy("Hearsay"),
    "preference": gettext_lazy("Preference"),
    "team": gettext_lazy("Team"),
    "mother": gettext_lazy("Mother"),
    "father": gettext_lazy("Father"),
    "parents": gettext_lazy("Parents"),
    "partner": gettext_lazy("Partner"),
    "wife": gettext_lazy("Wife"),
    "husband": gettext_lazy("Husband"),
    "son": gettext_lazy("Son"),
    "daughter": gettext_lazy("Daughter"),
    "child": gettext_lazy("Child"),
    "brother": gettext_lazy("Brother"),
    "sister": gettext_lazy("Sister"),
    "sibling": gettext_lazy("Sibling"),
    "grandmother": gettext_lazy("Grandmother"),
    "grandfather": gettext_lazy("Grandfather"),
    "grandparent": gettext_lazy("Grandparents"),
    "relative": gettext_lazy("Relatives"),
    "friend": gettext_lazy("Friend"),
    "colleague": gettext_lazy("Colleague"),
    "manager": gettext_lazy("Manager"),
    "boss": gettext_lazy("Manager"),
    "roommate": gettext_lazy("Flatmate"),
    "neighbor": gettext_lazy("Neighbour"),
    "neighbour": gettext_lazy("Neighbour"),
    "girlfriend": gettext_lazy("Girlfriend"),
    "boyfriend": gettext_lazy("Boyfriend"),
    "classmate": gettext_lazy("Classmate"),
    "doctor": gettext_lazy("Doctor"),
    "teacher": gettext_lazy("Teacher"),
    "cat": gettext_lazy("Cat"),
    "dog": gettext_lazy("Dog"),
    "pet": gettext_lazy("Pet"),
    "client": gettext_lazy("Client"),
    "other": gettext_lazy("Others"),
    "favorite": gettext_lazy("Favourite"),
    "favourite": gettext_lazy("Favourite"),
    "project": pgettext_lazy("topic", "Project"),
}


# Words in front that add nothing to what comes after them.
_QUIET = frozenset(
    (
        "main", "primary", "current", "default", "preferred", "personal", "daily", "usual",
        "basic", "info", "details", "dev", "tech", "contact", "account",
    )
)  # fmt: skip


def topic_label(key: str) -> str:
    """The name of a key in the language of the page; rows without one share a name.

    Every key has one: the table's where it is known, else its own words; and where only its end is
    known, its beginning in its own words before that (`q2-launch.owner`: "Q2 launch: Owner").
    """
    parts = _parts_of(key)
    return _name_of(parts) if parts else _("No topic")


def known_label(key: str, *, plain: bool) -> str:
    """The name of a key for somebody who may not read its owner's words.

    A key may hold some of them, so one that the table does not name altogether is not told.
    """
    if plain or not key or is_known_topic(key):
        return topic_label(key) if key else ""
    return _("Another topic")


def is_known_topic(key: str) -> bool:
    """Whether every word of the key is the table's, so that its name stands in both languages."""
    parts = _parts_of(key)
    return bool(parts) and _is_known(parts)


def _parts_of(key: str) -> list[list[str]]:
    """The words of a key by its dots, without those that say it is about the owner."""
    parts = [words for part in key.split(".") if (words := words_of(part))]
    if len(parts) > 1 and len(parts[0]) == 1 and parts[0][0] in GENERAL:
        parts = parts[1:]
    return parts


def _joined(parts: list[list[str]]) -> str:
    return " ".join(word for part in parts for word in part)


def _is_known(parts: list[list[str]]) -> bool:
    if _joined(parts) in _WHOLE:
        return True
    first, rest = parts[0], parts[1:]
    if not rest:
        words = " ".join(first)
        return words in _WHOLE or words in _LAST or words in _BEFORE
    head = " ".join(first)
    return (head in _BEFORE or head in _LAST or head in _QUIET) and _is_known(rest)


def _name_of(parts: list[list[str]]) -> str:
    whole = _WHOLE.get(_joined(parts))
    if whole:
        return str(whole)
    first, rest = parts[0], parts[1:]
    head = " ".join(first)
    if not rest:
        return _name_of_words(first)
    if head in _BEFORE:
        return _("%(whose)s: %(what)s") % {"whose": _BEFORE[head], "what": _name_of(rest)}
    if head in _QUIET or head in _LAST or head in _WHOLE:
        return _name_of(rest)
    return _("%(whose)s: %(what)s") % {"whose": _own_words(first), "what": _name_of(rest)}


def _name_of_words(words: list[str]) -> str:
    """The name of one part: whole, by its last word, or in its own words."""
    for start in range(len(words)):
        found = _WHOLE.get(" ".join(words[start:]))
        if found:
            return str(found) if start == 0 or _all_quiet(words[:start]) else _own_words(words)
    if len(words) == 1:
        known = _LAST.get(words[0]) or _BEFORE.get(words[0])
        return str(known) if known else _own_words(words)
    if words[0] in _BEFORE:
        return _("%(whose)s: %(what)s") % {
            "whose": _BEFORE[words[0]],
            "what": _name_of_words(words[1:]),
        }
    if words[-1] in _LAST and _all_quiet(words[:-1]):
        return str(_LAST[words[-1]])
    return _own_words(words)


def _all_quiet(words: list[str]) -> bool:
    return all(word in _QUIET or word in _LAST for word in words)


def _own_words(words: list[str]) -> str:
    text = " ".join(words)
    return text[:1].upper() + text[1:]


def words_named(query: str) -> tuple[list[str], list[str]]:
    """Whole attributes and last words whose name, in either language, contains the query."""
    wanted = query.casefold().strip()
    if not wanted:
        return [], []
    whole, last = [], []
    for language in ("en", "zh-hans"):
        with translation.override(language):
            whole += [words for words, name in _WHOLE.items() if wanted in str(name).casefold()]
            last += [word for word, name in _LAST.items() if wanted in str(name).casefold()]
    return sorted(set(whole)), sorted(set(last))
