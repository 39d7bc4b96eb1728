"""Where everything is found."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import include, path, re_path
from django.views.decorators.csrf import csrf_exempt

from config.signin import sign_in_by_link
from memory.api.app import api
from memory.api.errors import not_found

# Programs show keys, not sessions: without this even a valid key would be sent to the login page.
api_urls = api.urls  # made anew at each reading
for route in api_urls[0]:
    route.callback = login_not_required(route.callback)  # type: ignore[type-var]  # never None


@csrf_exempt
@login_not_required
def api_not_found(request: HttpRequest, rest: str = "") -> HttpResponse:
    """An unknown address of the API, answered in the API's own shape."""
    return JsonResponse(not_found().body(), status=404)


urlpatterns = [
    re_path(r"^api/v1/$", api_not_found),
    path("api/v1/", api_urls),
    path("api/", api_not_found),
    path("api/<path:rest>", api_not_found),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("accounts/sessions/", include("allauth.usersessions.urls")),
    path("sign-in/<str:token>/", sign_in_by_link, name="sign_in_by_link"),
    path("", include("panel.urls")),
]

handler400 = "panel.views.errors.bad_request"
handler403 = "panel.views.errors.forbidden"
handler404 = "panel.views.errors.not_found"
handler429 = "panel.views.errors.too_many_requests"
handler500 = "panel.views.errors.failed"
