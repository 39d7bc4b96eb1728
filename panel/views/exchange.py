"""The owner's data: taken along, brought back, kept from being learned again."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import (
    Http404,
    HttpResponse,
    HttpResponseBase,
    StreamingHttpResponse,
)
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from memory.domain.values import Source
from memory.models.parcels import ParcelKind, ParcelState
from memory.services import exchange
from memory.services.bury import allow_again
from memory.services.errors import AlreadySettled, NotFound, OldEpoch
from memory.services.exchange import discard_parcel
from memory.tasks import nudge
from panel.cursors import BadCursor
from panel.exchange_forms import ExportForm, ImportForm, SentenceForm
from panel.exchange_words import GROUP
from panel.fragments import render_page
from panel.notices import say_done, say_refused
from panel.reads.exchange import (
    find_stone,
    get_parcel,
    read_data,
    read_import,
    read_tombstones,
)
from panel.requests import PanelRequest

_ENDINGS = {
    "json": ("json", "application/json"),
    "csv": ("csv", "text/csv; charset=utf-8"),
    "markdown": ("md", "text/markdown; charset=utf-8"),
}


@require_GET
def show_data(request: PanelRequest) -> HttpResponse:
    return _show_data(request)


def _show_data(
    request: PanelRequest, *, import_form: ImportForm | None = None, status: int = 200
) -> HttpResponse:
    context = {
        "data": read_data(request.user.pk, now=timezone.now()),
        "export_form": ExportForm(),
        "import_form": import_form or ImportForm(),
    }
    return render_page(request, "data/data.html", context, status=status)


@require_POST
def export(request: PanelRequest) -> HttpResponseBase:
    """Have a file written; the page of its job says when it is there."""
    form = ExportForm(request.POST)
    if not form.is_valid():
        raise Http404
    job = exchange.start_export(
        owner=request.user.pk, form=form.cleaned_data["form"], now=timezone.now()
    )
    nudge()
    return redirect("job", job.pk)


@require_GET
def fetch(request: PanelRequest, parcel: UUID) -> HttpResponseBase:
    """The file, to its owner alone, part by part."""
    file = get_parcel(request.user.pk, parcel, ParcelKind.EXPORT, now=timezone.now())
    if file.state != ParcelState.READY:
        raise Http404
    ending, kind = _ENDINGS[file.form]
    response = StreamingHttpResponse(
        exchange.read_file(owner=request.user.pk, parcel=parcel), content_type=kind
    )
    day = timezone.localtime(file.created_at).strftime("%Y-%m-%d")
    response["Content-Disposition"] = f'attachment; filename="memoir-{day}.{ending}"'
    response["Content-Length"] = str(file.size)
    add_never_cache_headers(response)
    return response


@require_POST
def discard(request: PanelRequest, parcel: UUID) -> HttpResponseBase:
    try:
        discard_parcel(owner=request.user.pk, parcel=parcel)
    except NotFound as error:
        raise Http404 from error
    say_done(request, _("Thrown away."))
    return redirect("data")


@require_http_methods(["GET", "POST"])
def bring(request: PanelRequest) -> HttpResponseBase:
    """Read a file or a list; what is wrong with it is said, and nothing is written yet."""
    if request.method == "GET":
        return redirect("data")
    form = ImportForm(request.POST, request.FILES)
    if not form.is_valid() or form.upload is None:
        return _show_data(request, import_form=form, status=422)
    parcel = exchange.start_import(
        owner=request.user.pk,
        upload=form.upload,
        source=Source(form.cleaned_data["source"]),
        now=timezone.now(),
    )
    nudge()
    return redirect("job", parcel.job)


@require_GET
def show_import(request: PanelRequest, parcel: UUID) -> HttpResponseBase:
    """Every decision, before anything is written; afterwards what became of it."""
    file = get_parcel(request.user.pk, parcel, ParcelKind.IMPORT, now=timezone.now())
    if file.state in (ParcelState.MAKING, ParcelState.TAKING) and file.job:
        return redirect("job", file.job)
    show = request.GET.get("show", "")
    number = request.GET.get("page", "1")
    if (show and show not in GROUP) or not (number.isdecimal() and len(number) < 7):
        raise Http404
    page = read_import(request.user.pk, file, show=show, page=int(number))
    return render_page(request, "data/import.html", {"page": page})


@require_POST
def take_in(request: PanelRequest, parcel: UUID) -> HttpResponseBase:
    """Begin to write what was previewed. A second click leads to the same job."""
    owner, now = request.user.pk, timezone.now()
    try:
        job = exchange.run_parcel(owner=owner, parcel=parcel, now=now).pk
    except NotFound as error:
        raise Http404 from error
    except AlreadySettled:
        file = get_parcel(owner, parcel, ParcelKind.IMPORT, now=now)
        return redirect("import_shown", file.pk)
    except OldEpoch:
        say_refused(request, _("You cleared everything since. Import the file anew."))
        return redirect("data")
    nudge()
    return redirect("job", job)


@require_http_methods(["GET", "POST"])
def show_tombstones(request: PanelRequest) -> HttpResponse:
    """What no agent may write again. A sentence is looked up by POST: addresses are kept."""
    owner = request.user.pk
    try:
        stones, after = read_tombstones(owner, request.GET.get("cursor", ""))
    except (BadCursor, ValueError) as error:
        raise Http404 from error
    context: dict[str, Any] = {"stones": stones, "next": after, "form": SentenceForm()}
    status = 200
    if request.method == "POST":
        form = SentenceForm(request.POST)
        context["form"] = form
        if form.is_valid():
            context |= {"asked": True, "found": find_stone(owner, form.cleaned_data["sentence"])}
        else:
            status = 422
    return render_page(request, "data/tombstones.html", context, fragments=["more"], status=status)


@require_POST
def allow(request: PanelRequest, tombstone: UUID) -> HttpResponseBase:
    """Agents may write it again."""
    try:
        allow_again(owner=request.user.pk, tombstone=tombstone, now=timezone.now())
    except NotFound as error:
        raise Http404 from error
    say_done(request, _("Allowed again."))
    return redirect("tombstones")
