"""Long work: how far it is, whoever looks, however often the page is reloaded."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from memory.services.errors import NotFound
from memory.services.progress import retry_job, stop_job
from memory.tasks import nudge
from panel.fragments import render_page, requested_fragment
from panel.notices import say_done, say_refused
from panel.reads.jobs import JobView, read_job
from panel.requests import PanelRequest

# Seconds from one look to the next; the last goes on. What takes a minute need not be watched.
PAUSES = (1, 1, 2, 2, 3, 5, 8, 10)
# htmx's sign that there is nothing more to ask for.
STOP_POLLING = 286


@require_GET
def show_job(request: PanelRequest, job: UUID) -> HttpResponse:
    view = read_job(request.user.pk, job, now=timezone.now())
    looked = request.GET.get("looked", "")
    place = min(int(looked) if looked.isdecimal() and len(looked) < 4 else 0, len(PAUSES) - 1)
    context = {"job": view, "pause": PAUSES[place], "looked": place + 1}
    polled = requested_fragment(request, ["job"]) is not None
    if polled:
        _say_news(request, view)
    status = STOP_POLLING if polled and view.over else 200
    return render_page(request, "jobs/job.html", context, fragments=["job"], status=status)


@require_POST
def stop(request: PanelRequest, job: UUID) -> HttpResponseBase:
    """Stop it between two rows. One that is over already is left as it is."""
    try:
        stop_job(owner=request.user.pk, job=job, now=timezone.now())
    except NotFound as error:
        if not read_job(request.user.pk, job, now=timezone.now()).over:
            raise Http404 from error
    else:
        say_done(request, _("Stopped."))
    return redirect("job", job)


@require_POST
def retry(request: PanelRequest, job: UUID) -> HttpResponseBase:
    """Try it again. One that is tried already is left as it is."""
    try:
        retry_job(owner=request.user.pk, job=job, now=timezone.now())
    except NotFound as error:
        if read_job(request.user.pk, job, now=timezone.now()).over:
            raise Http404 from error
    else:
        nudge()
        say_done(request, _("It is tried again."))
    return redirect("job", job)


def _say_news(request: PanelRequest, view: JobView) -> None:
    """Say how it ended, or that it stalls, once: where nobody looks, the part itself is silent."""
    words = f"{view.name}: {view.state}"
    if view.over and not view.failed:
        say_done(request, words)
    elif view.failed or (view.stalled and request.GET.get("said") != "stalled"):
        say_refused(request, words)
