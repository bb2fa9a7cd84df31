"""What the OpenAPI page says of the door of the REST interface."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension


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
