"""Beginning with the demo story, and ending a first visit."""

from __future__ import annotations

from django.http import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from memory.services.errors import AlreadySettled
from memory.services.tell import start_story
from memory.tasks import nudge
from panel.notices import say_refused
from panel.requests import PanelRequest


@require_POST
def end_guide(request: PanelRequest) -> HttpResponseBase:
    """Done with the three steps, or not interested: they do not come back."""
    request.user.guided_since = None
    request.user.save(update_fields=["guided_since"])
    return redirect(reverse("memories"))


@require_POST
def load_story(request: PanelRequest) -> HttpResponseBase:
    """Have the demo story told here, where there is nothing; its job's page says how far it is."""
    try:
        job = start_story(owner=request.user.pk, now=timezone.now())
    except AlreadySettled:
        say_refused(request, _("There is something here already, so the story was not loaded."))
        return redirect(reverse("memories"))
    nudge()
    return redirect("job", job.pk)
