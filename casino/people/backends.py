"""Password sign-in at a desktop."""

from typing import Any

from django.contrib.auth.backends import BaseBackend
from django.http import HttpRequest

from casino.people.models import Staff
from casino.people.selectors import person_of_session


class RoomBackend(BaseBackend):
    """
    Loads the person of a session, with the room in the same query; who left or was sent away is nobody.

    Checking the password is a command like any other (`people.sign_in`): it is counted and logged.
    """

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> None:
        """Return None: nobody signs in past `people.sign_in`, which is counted and logged."""
        return None

    def get_user(self, user_id: int) -> Staff | None:
        return person_of_session(user_id)
