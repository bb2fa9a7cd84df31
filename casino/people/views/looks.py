"""Light or dark, chosen on a device and kept there."""

from django.conf import settings
from django.http import HttpResponse, HttpResponseRedirect
from django.views.decorators.cache import never_cache

from casino.commands.methods import require_POST
from casino.people.http import ActorRequest, page, safe_next
from casino.people.inputs import form_choice
from casino.people.looks import KEPT_SECONDS, THEME_COOKIE, THEMES


@page("page.looks")
@never_cache
@require_POST
def theme_view(request: ActorRequest) -> HttpResponse:
    """Keep light or dark on this device, and go back to where it was chosen."""
    theme = form_choice(request, "theme", THEMES)
    response = HttpResponseRedirect(safe_next(request, request.POST.get("next", "")) or "/")
    response.set_cookie(
        THEME_COOKIE,
        theme,
        max_age=KEPT_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response
