"""What the OpenAPI page says of how callers of the REST interface are known."""

from typing import Any

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension

from casino.people.middleware import DEVICE_COOKIE


class DeviceTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[misc]  # drf-spectacular has no types
    """Tells drf-spectacular what the Authorization header holds."""

    target_class = "casino.people.api_auth.DeviceTokenAuthentication"
    name = "deviceToken"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """Return the scheme of the Authorization header."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token that a manager issued on the people page; it is shown once and stored hashed.",
        }


class CookieScheme(OpenApiAuthenticationExtension):  # type: ignore[misc]  # drf-spectacular has no types
    """Tells drf-spectacular of the cookies that the house's own pages are known by."""

    target_class = "casino.people.api_auth.CookieAuthentication"
    name = ["deviceCookie", "session"]

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, Any]]:
        """Return the schemes of the two cookies: an enrolled device's, and a desktop's session."""
        return [
            {
                "type": "apiKey",
                "in": "cookie",
                "name": DEVICE_COOKIE,
                "description": "An enrolled device; with X-CSRFToken from the cookie `csrftoken` on every POST.",
            },
            {
                "type": "apiKey",
                "in": "cookie",
                "name": settings.SESSION_COOKIE_NAME,
                "description": "A desktop where somebody signed in; with X-CSRFToken likewise.",
            },
        ]
