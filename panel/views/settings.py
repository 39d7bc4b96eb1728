"""The owner's own taste, how memory behaves, and a page of help."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.models import User
from memory.border import owner_scope
from memory.domain.policy import Policy as Rules
from memory.domain.values import AdminsSee
from memory.services.errors import InvalidInput
from memory.services.tune import set_policy, try_policy
from panel.forms import SettingsForm
from panel.fragments import render_page
from panel.help import make_help
from panel.notices import say_done
from panel.policy_form import PolicyForm
from panel.reads.settings import Effect, read_condition, read_effect, read_rules
from panel.requests import PanelRequest
from panel.visits import read_policy

FIELDS = ["name", "language", "zone", "theme", "shortcuts"]


@require_http_methods(["GET", "POST"])
def show_settings(request: PanelRequest) -> HttpResponseBase:
    """Saving reloads the page, so that language and theme take hold at once."""
    # A second instance: a refused value must not reach the page around the form.
    user = User.objects.get(pk=request.user.pk)
    form = SettingsForm(request.POST if request.method == "POST" else None, instance=user)
    if request.method == "POST" and form.is_valid():
        form.save(commit=False)
        user.save(update_fields=FIELDS)
        language = user.language or translation.get_language_from_request(request)
        with translation.override(language):
            say_done(request, _("Saved."))
        return redirect(reverse("settings"))
    return _show(request, form=form, status=422 if form.is_bound else 200)


@require_POST
def tune(request: PanelRequest) -> HttpResponseBase:
    """Save how memory behaves; with the button Preview, only say what it would do."""
    current, admins_see, _paused = read_rules(request.user.pk)
    policy_form = PolicyForm(request.POST, rules=current, admins_see=admins_see)
    rules = _try(request, policy_form)
    if rules is None:
        return _show(request, policy_form=policy_form, status=422)
    if "preview" in request.POST:
        effect = read_effect(request.user.pk, rules, current, now=timezone.now())
        return _show(request, policy_form=policy_form, effect=effect)
    gesture = set_policy(
        request.user.pk,
        policy_form.changes(),
        timezone.now(),
        admins_see=AdminsSee(policy_form.cleaned_data["admins_see"]),
    )
    say_done(request, _("Saved. The next sweep goes by these numbers."), gesture=gesture)
    return redirect(reverse("settings") + "#memory")


@require_GET
def preview(request: PanelRequest) -> HttpResponseBase:
    """The curves and the counts while the slider moves. Without htmx: the page itself."""
    if not request.htmx:
        return redirect(reverse("settings") + "#memory")
    current, admins_see, _paused = read_rules(request.user.pk)
    policy_form = PolicyForm(request.GET, rules=current, admins_see=admins_see)
    # A scenario brings its own numbers: the fields follow it.
    moved = request.htmx.trigger_name == "scenario"
    rules = _try(request, policy_form, follow=moved)
    if rules is None:
        return render_page(
            request, "settings/effect.html", {"policy_form": policy_form}, status=422
        )
    effect = read_effect(request.user.pk, rules, current, now=timezone.now())
    return render_page(
        request,
        "settings/effect.html",
        {
            "effect": effect,
            "moved": PolicyForm(rules=rules, admins_see=admins_see) if moved else None,
        },
    )


@require_GET
def show_help(request: PanelRequest) -> HttpResponse:
    rules, *_others = read_rules(request.user.pk)
    return render_page(request, "help.html", {"help": make_help(rules)})


def _try(request: PanelRequest, form: PolicyForm, *, follow: bool = False) -> Rules | None:
    """The policy the form asks for, or None with the form's errors saying why not."""
    if not form.is_valid():
        return None
    with owner_scope(request.user.pk):
        numbers = read_policy(request.user.pk).numbers
    try:
        return try_policy(numbers, form.changes(follow=follow))[1]
    except InvalidInput as error:
        form.take_refusal(error.fields)
        return None


def _show(
    request: PanelRequest,
    *,
    form: SettingsForm | None = None,
    policy_form: PolicyForm | None = None,
    effect: Effect | None = None,
    status: int = 200,
) -> HttpResponse:
    now = timezone.now()
    owner = request.user.pk
    rules, admins_see, paused = read_rules(owner)
    context: dict[str, Any] = {
        "form": form or SettingsForm(instance=User.objects.get(pk=owner)),
        "policy_form": policy_form or PolicyForm(rules=rules, admins_see=admins_see),
        "effect": effect or read_effect(owner, rules, rules, now=now),
        "condition": read_condition(owner, now=now),
        "rules": rules,
        "paused": paused,
    }
    return render_page(request, "settings.html", context, status=status)
