"""What a page may load and talk to: one policy for every answer (`settings.CONTENT_SECURITY_POLICY`)."""

from functools import cache
from http import HTTPStatus

from csp.constants import HEADER
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin


class OnePolicy(MiddlewareMixin):
    """
    Sends django-csp's policy along, built once: no page has a nonce or an exception. Its own middleware builds it for
    each answer, which takes as long as locking a table does.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Return the answer with the policy."""
        # As django-csp has it: a developer's tracebacks have scripts and styles in them.
        if settings.DEBUG and response.status_code in (HTTPStatus.NOT_FOUND, HTTPStatus.INTERNAL_SERVER_ERROR):
            return response
        response.headers.setdefault(HEADER, _policy())
        return response


@cache
def _policy() -> str:
    return str(build_policy())
