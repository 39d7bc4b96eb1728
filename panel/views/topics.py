"""The owner's topics: renamed, made one, and how many values each may hold."""

from __future__ import annotations

from django import forms
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_POST

from memory.services.errors import InvalidInput, NotFound
from memory.services.rename import rename_topic, set_topic_values
from panel.forms import KEY_LIMIT, TextField
from panel.fragments import render_page
from panel.notices import say_done
from panel.own_words import in_a_row, sentence
from panel.reads.topics import find_key, read_topics
from panel.requests import PanelRequest
from panel.topics import topic_label


class TopicForm(forms.Form):
    """Which topic is meant, and its new name."""

    key = TextField(limit=KEY_LIMIT)
    # What a topic's own words add to a name must still fit into a key.
    name = TextField(label=gettext_lazy("New name"), limit=KEY_LIMIT - 10)


class ValuesForm(forms.Form):
    """Which topic is meant, and whether one value excludes another."""

    key = TextField(limit=KEY_LIMIT)
    values = forms.ChoiceField(choices=[("one", "one"), ("many", "many")])


@require_GET
def show_topics(request: PanelRequest) -> HttpResponse:
    return _show(request)


@require_POST
def rename(request: PanelRequest) -> HttpResponseBase:
    """Give a topic another name. The name of another topic makes the two one."""
    form = TopicForm(request.POST)
    if not form.is_valid():
        return _show(request, form, status=422)
    old = form.cleaned_data["key"]
    topics = read_topics(request.user.pk)
    new = find_key(form.cleaned_data["name"], topics)
    try:
        done = rename_topic(owner=request.user.pk, from_key=old, to_key=new, now=timezone.now())
    except NotFound as error:
        raise Http404 from error
    except InvalidInput:
        form.add_error("name", _("Give it another name than it has."))
        return _show(request, form, status=422)
    names = {"old": topic_label(old), "new": topic_label(new)}
    if new in {topic.key for topic in topics}:
        said = ngettext(
            "“%(old)s” is part of “%(new)s” now: %(count)s memory moved.",
            "“%(old)s” is part of “%(new)s” now: %(count)s memories moved.",
            done.moved,
        )
    else:
        said = ngettext(
            "“%(old)s” is called “%(new)s” now: %(count)s memory moved.",
            "“%(old)s” is called “%(new)s” now: %(count)s memories moved.",
            done.moved,
        )
    text = sentence(said, count=done.moved, **names)
    if done.asked:
        asked = _("Two values exclude each other; Review asks you.")
        text = in_a_row(text, asked)
    say_done(request, text, gesture=done.gesture)
    return redirect(reverse("topics"))


@require_POST
def set_values(request: PanelRequest) -> HttpResponseBase:
    """Say whether a topic holds one value at a time or several."""
    form = ValuesForm(request.POST)
    if not form.is_valid():
        raise Http404
    key, single = form.cleaned_data["key"], form.cleaned_data["values"] == "one"
    if key not in {topic.key for topic in read_topics(request.user.pk)}:
        raise Http404
    gesture = set_topic_values(owner=request.user.pk, key=key, single=single, now=timezone.now())
    said = _("One value at a time: %(name)s") if single else _("Several values: %(name)s")
    say_done(request, sentence(said, name=topic_label(key)), gesture=gesture)
    return redirect(reverse("topics"))


def _show(
    request: PanelRequest, form: TopicForm | None = None, *, status: int = 200
) -> HttpResponse:
    context = {"topics": read_topics(request.user.pk), "form": form}
    return render_page(request, "topics.html", context, status=status)
