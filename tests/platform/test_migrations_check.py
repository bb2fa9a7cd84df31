"""What `make check` asks of migrations: that none keeps a full house waiting, and why each that may is let pass."""

from typing import Any

import pytest
from django.apps import apps
from django.db import migrations, models
from django.db.models import Q

from casino.migrating import AtOnce, Together, WhileTapsWrite
from tests.platform.test_setup import load

check = load("scripts/migrations.py")

NEW = migrations.AddField("hand", "note", models.CharField(max_length=9, default=""))
INDEX = migrations.AddIndex("hand", models.Index(fields=["note"], name="hand_note"))
RULE = migrations.AddConstraint("hand", models.CheckConstraint(condition=~Q(note="x"), name="hand_note_is_no_x"))
ONCE = migrations.AddField("hand", "key", models.CharField(max_length=9, null=True, unique=True))
OF_PLAYER = migrations.AddField("hand", "by", models.ForeignKey("people.Player", models.PROTECT, null=True))
WRITES = migrations.RunSQL("UPDATE tables_hand SET note = 'y'")
FEW_ROWS = migrations.AddIndex("table", models.Index(fields=["number"], name="table_number"))


@pytest.mark.parametrize(
    ("operations", "count"),
    [
        ([NEW], 0),
        ([INDEX], 1),
        ([RULE], 1),
        ([ONCE], 1),
        ([OF_PLAYER], 1),
        ([NEW, WRITES], 1),
        ([WRITES], 0),
        ([FEW_ROWS], 0),
        ([migrations.CreateModel("Hand", []), INDEX, RULE], 0),
        ([AtOnce([NEW, INDEX, RULE])], 2),
        ([WhileTapsWrite([NEW, INDEX, RULE])], 0),
        ([Together([migrations.CreateModel("Hand", []), INDEX])], 0),
        ([migrations.SeparateDatabaseAndState(state_operations=[INDEX])], 0),
        ([migrations.SeparateDatabaseAndState(database_operations=[INDEX])], 1),
    ],
)
def test_what_would_hold_up_a_long_table_is_found(operations: list[Any], count: int) -> None:
    made = type("Migration", (migrations.Migration,), {"operations": operations})

    assert len(list(check._holds_up(made("0099_said", "tables"), "tables"))) == count


def test_what_is_let_pass_is_there() -> None:
    """A name that nothing has any more would let the next of that name pass."""
    assert {model._meta.label_lower for model in apps.get_models()} >= check.FEW
