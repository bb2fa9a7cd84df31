"""How a refusal is said: as a partial, as a page, as problem details; and what else becomes one."""

import json

import pytest
from django.db import OperationalError, connection
from django.http import Http404, HttpResponse
from django.test import RequestFactory
from django.utils import translation
from psycopg_pool import PoolTimeout
from rest_framework import exceptions

from casino.commands.middleware import RefusalMiddleware, refused
from casino.commands.problems import body_of, problem_response
from casino.commands.refusals import as_refusal
from casino.errors import Busy, Malformed, NotFound, NotPermitted, Refusal, Stale, all_refusals
from casino.money import MoneyFormat
from casino.people.errors import TooSoon, _ToLastDay
from tests.cast import Cast, make_cast
from tests.taps import at_desktop


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()


def get(path: str = "/floor/", **headers: str):
    return RequestFactory().get(path, headers=headers)


def test_a_tap_gets_the_sentence_as_an_alert(db):
    answer = refused(get(HX_Request="true"), Stale(what="table"))

    text = answer.content.decode()
    assert answer.status_code == 409
    assert 'role="alert"' in text
    assert "has changed" in text
    assert "<html" not in text


def test_a_page_gets_a_page(db):
    answer = refused(get(), NotPermitted())

    assert answer.status_code == 403
    assert "<html" in answer.content.decode()


def test_machines_get_problem_details():
    answer = refused(get("/api/v1/tables/"), TooSoon(wait_seconds=7))

    body = json.loads(answer.content)
    assert answer["Content-Type"] == "application/problem+json"
    assert answer["Retry-After"] == "7"
    assert body["status"] == answer.status_code == 429
    assert (body["code"], body["data"]) == ("too_soon", {"wait_seconds": 7})
    assert {"type", "title", "detail", "clause"} <= body.keys()


@pytest.mark.parametrize(
    ("exception", "code"),
    [
        (OperationalError("canceling statement due to lock timeout"), "busy"),
        (PoolTimeout("couldn't get a connection after 10.00 sec"), "busy"),
        (Http404(), "not_found"),
        (NotFound(what="table"), "not_found"),
    ],
)
def test_what_the_database_and_django_refuse_are_refusals_too(exception, code):
    refusal = as_refusal(exception)

    assert refusal is not None
    assert refusal.code == code


def test_a_connection_that_broke_under_a_command_is_not_said_to_have_done_nothing(committing_db):
    """It may have broken under the COMMIT; the same tap finds out."""
    with pytest.raises(OperationalError) as lost, connection.cursor() as cursor:
        cursor.execute("SET ROLE NONE; SELECT pg_terminate_backend(pg_backend_pid())")

    refusal = as_refusal(lost.value)

    assert refusal is not None
    assert (refusal.code, refusal.status) == ("away", 503)
    assert "not done twice" in str(refusal)


def test_a_bug_is_no_refusal():
    assert as_refusal(ZeroDivisionError()) is None
    assert RefusalMiddleware(lambda request: HttpResponse()).process_exception(get(), ZeroDivisionError()) is None


def test_a_busy_room_says_when_to_come_again(db):
    answer = refused(get(HX_Request="true"), Busy())

    assert (answer.status_code, answer["Retry-After"]) == (503, "1")


NOT_A_NUMBER = exceptions.ValidationError({"pots": [{}, {"cents": ["A valid integer is required."]}]})


@pytest.mark.parametrize(
    ("exception", "status", "code", "data"),
    [
        (NOT_A_NUMBER, 400, "malformed", "pots.1.cents"),
        (exceptions.ValidationError(["wrong"]), 400, "malformed", "body"),
        (exceptions.ParseError(), 400, "malformed", "body"),
        (exceptions.NotAuthenticated(), 401, "token_unknown", None),
        (exceptions.PermissionDenied(), 403, "not_permitted", None),
        (exceptions.NotFound(), 404, "not_found", None),
        (exceptions.MethodNotAllowed("PUT"), 405, "method_or_format", None),
        (exceptions.UnsupportedMediaType("text/plain"), 415, "method_or_format", None),
        (Malformed(field="X"), 400, "malformed", "X"),
    ],
)  # fmt: skip
def test_drfs_own_refusals_are_ours(exception, status, code, data):
    answer = problem_response(exception, {})

    assert answer is not None
    assert (answer.status_code, answer.data["status"], answer.data["code"]) == (status, status, code)
    if data:
        assert answer.data["data"]["field"] == data
    assert problem_response(ZeroDivisionError(), {}) is None


def test_every_refusal_can_be_said_in_every_language_without_its_data_missing():
    for code, kind in all_refusals().items():
        assert kind.code == code
        assert 400 <= kind.status < 600
        for language in ("en", "fi"):
            with translation.override(language):
                assert str(kind.sentence), code


def test_a_refusal_writes_its_sentence_as_all_do_and_only_names_what_that_fills_in():
    """One that wrote its own would drop the house's clause and sentence. Of `book_wrong` each thing has its clause."""
    own = {code for code, kind in all_refusals().items() if kind.text is not Refusal.text}

    # The last day of an exclusion stands behind the sentence, whoever wrote that.
    assert own == {"book_wrong", *(kind.code for kind in _ToLastDay.__subclasses__())}


def test_a_page_that_is_not_there_says_so_in_the_house_style(cast):
    page = at_desktop(cast.mari).get("/no-such-page/")
    api = at_desktop().get("/api/no-such-thing/")

    assert (page.status_code, api.status_code) == (404, 404)
    assert 'data-code="not_found"' in page.content.decode()
    assert api.json()["code"] == "not_found"


def test_a_problem_writes_money_as_the_room_does():
    from casino.errors import Refusal

    class TooDear(Refusal):
        code = "test_too_dear"
        sentence = "At most %(most)s."

    euros = MoneyFormat("EUR", "fi_FI")
    try:
        assert body_of(TooDear(most_cents=125_000), money=euros)["detail"].replace("\u00a0", " ") == "At most 1 250 €."
    finally:
        from casino import errors

        del errors._by_code["test_too_dear"]
