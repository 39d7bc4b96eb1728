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
}


def topic_label(key: str) -> str:
    """The name of a key in the language of the page; rows without one share a name."""
    words = [part for word in words_of(key) for part in word.split("_") if part]
    if not words:
        return _("No topic")
    if len(words) > 1 and words[0] in GENERAL:
        words = words[1:]
    return _name_of(words)


def _name_of(words: list[str]) -> str:
    whole = _WHOLE.get(" ".join(words))
    if whole:
        return str(whole)
    if len(words) > 1 and words[0] in _BEFORE:
        return _("%(whose)s: %(what)s") % {
            "whose": _BEFORE[words[0]],
            "what": _name_of(words[1:]),
        }
    known = _LAST.get(words[-1]) or (_BEFORE.get(words[0]) if len(words) == 1 else None)
    return str(known) if known else " ".join(words).capitalize()


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
