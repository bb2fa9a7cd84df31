"""What a page may load and talk to: one policy for every answer (`settings.CONTENT_SECURITY_POLICY`)."""

from functools import cache

from csp.constants import HEADER
from csp.utils import build_policy
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin


class OnePolicy(MiddlewareMixin):
    """
    Sends django-csp's policy along, built once: its own middleware builds it for each answer, for as long as the
    database takes to lock a table. No page has a nonce or an exception.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Return the answer with the policy."""
        response.headers.setdefault(HEADER, _policy())
        return response


@cache
def _policy() -> str:
    return str(build_policy())
