"""What the tablet sends is what the calls take: the types that its scripts are checked by, and the serializers."""

from collections.abc import Mapping
from typing import Any

from django.urls import resolve
from rest_framework.fields import empty

from casino.rest import input_of
from tables.acts import all_acts
from tests.tables.tapped import Keys, bodies, calls

# What an act of the table's sends goes to the app's own call, and that chips came to the slip's.
ELSEWHERE = {"table-act", "chips-came"}


def taken(kind: str) -> list[Mapping[str, Any]]:
    """Return the fields of each serializer that reads what a kind of tap or request sends."""
    paths = {
        "table-act": [act.path.format(number=1) for act in all_acts()],
        "chips-came": ["/api/v1/cage/slips/1/chips"],
    }
    found = [resolve(path).func for path in paths.get(kind) or [calls()[kind]]]
    return [input_of(view.view_class).body().fields for view in found]  # type: ignore[attr-defined]


def test_each_kind_of_tap_has_its_call() -> None:
    assert set(calls()) == set(bodies()) - ELSEWHERE
    assert all(taken(kind) for kind in bodies())


def test_a_tap_sends_no_key_that_its_call_does_not_take() -> None:
    unknown = {kind: keys.every - set(fields) for kind, keys in bodies().items() for fields in taken(kind)}

    assert {kind: each for kind, each in unknown.items() if each} == {}


def test_a_tap_always_sends_what_its_call_needs() -> None:
    needed = {
        kind: {name for name, field in fields.items() if field.required and field.default is empty} - keys.always
        for kind, keys in bodies().items()
        for fields in taken(kind)
    }

    assert {kind: each for kind, each in needed.items() if each} == {}


def test_what_is_taken_of_a_settled_hand_is_named_by_its_charge() -> None:
    (fields,) = taken("settle")

    assert {name for name in fields if name.endswith("_taken_cents")} == set(fields) - bodies()["settle"].every


def test_bodies_are_read_with_what_they_have_of_others() -> None:
    found = bodies()

    assert found["void"].always == {
        "hand_id", "opening_id", "dealt_in", "button", "small_blind", "big_blind", "dealt_at", "reason",
    }  # fmt: skip
    assert found["rack"] == Keys(frozenset({"down_id"}), frozenset({"down_id", "pieces", "cash"}))
    assert found["clock"] == Keys(frozenset(), frozenset())
