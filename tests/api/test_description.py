"""The OpenAPI document, its page, and what every call says of itself."""

import json
import re
from collections import Counter

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema
from playwright.sync_api import expect

from casino.api_docs import _described
from casino.commands.carrying_out import services
from casino.people.permissions import MAY, Role
from casino.rulebooks.coverage import citations
from tests.doors.routes import all_routes, import_all_services
from tests.support.servers import ROOT

# Facts, and what decides on nothing that has a version: they are never stale.
NEED_A_VERSION = {
    "boxes_count_box",
    "boxes_judge_count",
    "boxes_take_back",
    "promotions_change_fund",
    "promotions_call_off_period",
    "promotions_decide_period",
    "promotions_take_back_decision",
    "promotions_take_back_splash",
    "tables_open_table",
    "tables_take_back_leaving",
    "waiting_take_back_call",
    "waiting_strike",
    "waiting_take_back_strike",
    "waiting_reorder_list",
    "tables_edit_book",
    "tables_discard_book",
    "tables_ask_for_book",
    "tables_approve_book",
    "tables_refuse_book",
    "tables_withdraw_book",
    "cage_open_bank",
    "cage_open_drawer",
    "cage_authorise_fill",
    "cage_refuse_fill",
    "cage_deliver_fill",
    "cage_verify_fill",
    "cage_return_fill",
    "cage_recount_drawer",
    "cage_count_vault",
    "cage_close_counts",
    "tables_count_through",
    "cage_cancel_slip",
    "cage_sell_from_bank",
    "cage_take_money",
    "cage_refuse_request",
    "cage_reverse_slip",
    "jackpot_withdraw_claim",
    "jackpot_enter_hands",
    "jackpot_dispute_claim",
    "jackpot_verify_claim",
    "jackpot_refuse_claim",
    "jackpot_approve_claim",
    "jackpot_correct_sum",
    "jackpot_recover_seed",
    "jackpot_wind_down",
}


@pytest.fixture(scope="module")
def document():
    return SchemaGenerator().get_schema(public=True)


def test_the_document_is_sound_and_says_nothing_twice(document, capsys: pytest.CaptureFixture[str]):
    validate_schema(document)

    operations = [each for methods in document["paths"].values() for each in methods.values()]
    ids = [operation["operationId"] for operation in operations]
    assert len(ids) == len(set(ids))
    assert not [name for name in document["components"]["schemas"] if re.search(r"[0-9a-f]{3}Enum", name)]
    assert "Warning" not in capsys.readouterr().err


def test_it_quotes_no_house_s_clauses(document):
    """It is every house's; docstrings of calls and bodies are part of it."""
    assert citations(json.dumps(document, default=str, ensure_ascii=False)) == set()


def test_every_command_declares_its_refusals_and_headers(document):
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            statuses = set(operation["responses"])
            assert {"200", "401", "403", "503"} <= statuses, path
            assert "{" not in path or "404" in statuses, path
            assert operation["summary"]
            if method == "post":
                headers = {each["name"]: each for each in operation["parameters"] if each["in"] == "header"}
                needs_version = operation["operationId"] in NEED_A_VERSION
                assert headers["Idempotency-Key"]["required"]
                assert {"400", "404", "409", "422"} <= statuses
                assert ("428" in statuses) is needs_version
                assert bool(headers.get("If-Match", {}).get("required")) is needs_version


def test_every_body_comes_with_an_example(document):
    for path, methods in document["paths"].items():
        for operation in methods.values():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json")
            assert content is None or content.get("examples"), path


def test_everything_that_staff_do_can_be_asked_for():
    import_all_services()
    views = [route.api_view for route in all_routes() if route.api_view is not None]
    needed = {name for view in views for name in ([view.needs] if isinstance(view.needs, str) else view.needs.values())}
    # What a call carries out on the way: a reversal tries the second person's PIN.
    needed |= {name for view in views for name in getattr(view, "steps", ())}

    assert needed <= set(MAY)
    # A guest's phone has its own page, and no token of this interface; what a table's tablet does by itself is kept.
    by_itself = {name for name, roles in MAY.items() if roles <= {Role.TIME, Role.GUEST, Role.TABLE}}
    missing = {name for name in services() if not name.startswith("test.")} - needed - by_itself
    assert not missing, f"no call under /api/v1/ for {sorted(missing)}"


def test_secrets_come_in_and_never_go_out(document):
    schemas = document["components"]["schemas"]
    secret = {
        (name, field) for name, form in schemas.items() for field in form.get("properties", {}) if _is_secret(field)
    }

    assert {field for _name, field in secret} == {"pin", "new_pin", "password", "new_password", "code"}
    for name, field in secret - {("Problem", "code")}:
        assert schemas[name]["properties"][field].get("writeOnly"), (name, field)
    for path, methods in document["paths"].items():
        for operation in methods.values():
            assert not [each["name"] for each in operation["parameters"] if _is_secret(each["name"])], path


def _is_secret(field: str) -> bool:
    return field.removeprefix("new_") in {"pin", "password", "token", "code"}


def test_a_seat_s_buy_in_says_where_the_money_is_and_nothing_of_how_it_is_paid(document):
    operation = document["paths"]["/api/v1/tables/{number}/seatings/{seating_id}/buy-in"]["post"]
    form = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[1]

    assert set(document["components"]["schemas"][form]["properties"]) == {
        "amount_cents",
        "stack_cents",
        "stack",
        "again",
        "money_with",
    }


def test_the_guide_names_calls_that_exist(document):
    guide = (ROOT / "docs" / "api.md").read_text()
    calls = re.findall(r"^    (GET|POST) +(/api/v1/\S+)", guide, re.MULTILINE)

    assert len(calls) > 10
    for method, path in calls:
        assert any(method.lower() in document["paths"][each] for each in document["paths"] if _same(each, path)), path


def _same(pattern: str, path: str) -> bool:
    return re.fullmatch(re.sub(r"{\w+}", r"\\d+", pattern), path) is not None


@pytest.mark.django_db
def test_the_document_is_made_once_for_each_format(monkeypatch):
    made: list[object] = []
    make = SchemaGenerator.get_schema

    def counted(*args, **more):
        made.append(args)
        return make(*args, **more)

    monkeypatch.setattr(SchemaGenerator, "get_schema", counted)
    _described.cache_clear()
    http = Client()

    answers = [
        http.get(f"/api/schema/{query}", headers={"Accept": "application/json", "Accept-Language": language})
        for query in ("", "?lang=fi", "?version=2")
        for language in ("en", "fi")
    ]

    assert len(made) == 1
    assert {(answer.status_code, answer.content) for answer in answers} == {(200, answers[0].content)}
    assert "/api/schema/" not in answers[0].json()["paths"]


@pytest.mark.django_db
def test_the_document_and_its_pages_are_served_to_anybody(document):
    http = Client()

    assert http.get("/api/schema/", headers={"Accept": "application/json"}).json()["info"]["title"] == "Brush"
    page = http.get("/api/docs/")
    refusals = http.get("/api/docs/problems/").content.decode()

    assert "script-src 'self'" in page.headers["Content-Security-Policy"]
    assert "unsafe" not in page.headers["Content-Security-Policy"]
    assert "<script>" not in page.content.decode()
    assert 'id="buy_in_over_maximum"' in refusals
    assert "Seat [seat_number] is taken." in refusals
    # On which clause one stands is said by a house's book.
    assert "Clause" not in refusals


@pytest.mark.slow
@pytest.mark.browser
def test_the_page_shows_every_call_under_our_content_policy(document, brush_server, chromium):
    operations = [each for methods in document["paths"].values() for each in methods.values()]
    calls = Counter(tag for operation in operations for tag in operation["tags"])
    page = chromium.page("cage")
    messages: list[str] = []
    page.on("console", lambda message: messages.append(message.text) if message.type == "error" else None)

    page.goto("/api/docs/")
    for desk, number in calls.items():
        heading = page.locator(f'.opblock-tag[data-tag="{desk}"]')
        heading.click()
        expect(page.locator(".opblock")).to_have_count(number)
        if desk == "tables":
            page.get_by_text("A hand was settled").click()
            page.get_by_text("winners", exact=False).first.wait_for()
        heading.click()

    assert calls.total() > 100
    assert not [text for text in messages if "Content Security Policy" in text], messages
