"""The owner's own taste, and a page of help."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from accounts.models import User
from panel.forms import SettingsForm
from panel.fragments import render_page
from panel.notices import say_done
from panel.requests import PanelRequest

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
    status = 422 if form.is_bound else 200
    return render_page(request, "settings.html", {"form": form}, status=status)


@require_GET
def show_help(request: PanelRequest) -> HttpResponse:
    return render_page(request, "help.html")
