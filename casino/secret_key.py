"""
Whether this house has a secret.

Importing settings proves nothing, for tools do that before there is a key; whoever begins to serve asks here.
"""

from django.conf import settings
from django.core.checks.security.base import (
    SECRET_KEY_INSECURE_PREFIX,
    SECRET_KEY_MIN_LENGTH,
    SECRET_KEY_MIN_UNIQUE_CHARACTERS,
)


def why_not_to_serve() -> str:
    """Return why nobody must be served with this key, in a sentence for whoever runs the house; "" when all is well."""
    key = settings.SECRET_KEY
    if key.startswith(SECRET_KEY_INSECURE_PREFIX):
        return "There is no secret key: set BRUSH_SECRET_KEY (deploy/env.example says how), or start with make run."
    if len(key) < SECRET_KEY_MIN_LENGTH or len(set(key)) < SECRET_KEY_MIN_UNIQUE_CHARACTERS:
        return (
            f"BRUSH_SECRET_KEY is too short to keep a secret: take {SECRET_KEY_MIN_LENGTH} random characters or more."
        )
    return ""
