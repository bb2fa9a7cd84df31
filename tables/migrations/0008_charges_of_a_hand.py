"""
Charges of a hand are rows of their own: rake and drop move out of hands, pots, games and differences of boxes.

Nothing is lost: what was due and taken, what each game charges and what lies in each box beyond its log, and what a tap
that waits for the floor says of the boxes, is there afterwards, by kind. It reads every hand once, and those that took something else than was due twice.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q

KINDS = ("rake", "drop")

# What rows wait for is judged here: a table with rows still to be judged cannot be altered.
_JUDGED = "SET CONSTRAINTS ALL IMMEDIATE"
_CHARGES = """
    INSERT INTO tables_handcharge (room_id, hand_id, kind, due_cents, taken_cents, by_pot)
    SELECT room_id, id, '{kind}', {kind}_due_cents, {kind}_taken_cents, coalesce(paid.by_pot, '{{}}')
    FROM tables_hand LEFT JOIN (
        SELECT hand_id, array_agg({kind}_cents ORDER BY index) AS by_pot FROM tables_handpot
        GROUP BY hand_id HAVING sum({kind}_cents) > 0
    ) paid ON paid.hand_id = tables_hand.id
    WHERE {kind}_due_cents > 0 OR {kind}_taken_cents > 0 ORDER BY id
"""
_DIFFERENCES = """
    INSERT INTO tables_boxdifference (room_id, table_id, hand_id, kind, cents, rake_cents, drop_cents, reason, at)
    SELECT room_id, table_id, hand_id, '{kind}', {kind}_cents, 0, 0, reason, at
    FROM tables_boxdifference WHERE kind = '' AND {kind}_cents <> 0 ORDER BY id
"""
_GAMES = """
    UPDATE tables_game SET charges = charges || jsonb_build_object('{kind}', "{kind}") WHERE "{kind}" IS NOT NULL
"""
# A settlement that waits for the floor: its arguments are read back into the shape that commands have then.
_TAPS = """
    UPDATE tables_todo SET data = jsonb_set(
        data #- '{arguments,hand,rake_taken_cents}' #- '{arguments,hand,drop_taken_cents}',
        '{arguments,hand,taken}',
        jsonb_strip_nulls(jsonb_build_object(
            'rake', data #> '{arguments,hand,rake_taken_cents}', 'drop', data #> '{arguments,hand,drop_taken_cents}'
        ))
    ) WHERE kind = 'tap_kept' AND done_at IS NULL AND data ->> 'tap' = 'tables.settle_hand'
"""
FORWARDS = [
    *(text.format(kind=kind) for text in (_CHARGES, _DIFFERENCES, _GAMES) for kind in KINDS),
    "DELETE FROM tables_boxdifference WHERE kind = ''",
    _TAPS,
    _JUDGED,
]

_CHARGES_BACK = """
    UPDATE tables_hand SET {kind}_due_cents = due_cents, {kind}_taken_cents = taken_cents
    FROM tables_handcharge WHERE tables_handcharge.hand_id = tables_hand.id AND kind = '{kind}'
"""
_POTS_BACK = """
    UPDATE tables_handpot SET {kind}_cents = coalesce(by_pot[index + 1], 0)
    FROM tables_handcharge WHERE tables_handcharge.hand_id = tables_handpot.hand_id AND kind = '{kind}'
"""
_DIFFERENCES_BACK = "UPDATE tables_boxdifference SET {kind}_cents = cents WHERE kind = '{kind}'"
_GAMES_BACK = """UPDATE tables_game SET "{kind}" = charges -> '{kind}' WHERE charges ? '{kind}'"""
_TAPS_BACK = """
    UPDATE tables_todo SET data = jsonb_set(data, '{arguments,hand}',
        (data #> '{arguments,hand}') - 'taken' || jsonb_build_object(
            'rake_taken_cents', data #> '{arguments,hand,taken,rake}',
            'drop_taken_cents', data #> '{arguments,hand,taken,drop}'
        )
    ) WHERE kind = 'tap_kept' AND done_at IS NULL AND data ->> 'tap' = 'tables.settle_hand'
"""
BACKWARDS = [
    *(text.format(kind=kind) for text in (_CHARGES_BACK, _POTS_BACK, _DIFFERENCES_BACK, _GAMES_BACK) for kind in KINDS),
    _TAPS_BACK,
    _JUDGED,
]


def _taken(due_by_pot: Sequence[int], pots: Sequence[int], cents: int) -> list[int]:
    """
    Return what each pot paid of what was really taken, in cents: hands settle so from here on.

    What is lacking, lacks in the pots that were to pay last; what is too much came out of the first pot that can bear
    it whole, else of all in turn. More than the pots hold is taken from none of them.
    """
    paid = []
    for due, pot in zip(due_by_pot, pots, strict=True):
        paid.append(min(due, pot, cents - sum(paid)))
    over, rest = cents - sum(paid), [pot - each for pot, each in zip(pots, paid, strict=True)]
    if over > sum(rest):
        return paid
    bearer = next((index for index, left in enumerate(rest) if left >= over), None)
    for index in [bearer] if bearer is not None else range(len(rest)):
        part = min(over, rest[index])
        paid[index] += part
        over -= part
    return paid


def share_out_what_was_taken(apps: Any, schema_editor: Any) -> None:
    """
    Have each pot say what it paid of what was taken, where that is not what was due: pots of before said what was due.
    """
    charges, pots = apps.get_model("tables", "HandCharge").objects, apps.get_model("tables", "HandPot").objects
    differing = charges.exclude(taken_cents=models.F("due_cents")).values("hand_id")
    # The drop comes out of what the rake left.
    rows = charges.filter(hand_id__in=differing).order_by("hand_id", "-kind")
    for hand_id, of_hand in groupby(rows.iterator(), key=lambda charge: charge.hand_id):
        left = list(pots.filter(hand_id=hand_id, cents__isnull=False).order_by("index").values_list("cents", flat=True))
        for charge in of_hand:
            by_pot = _taken(charge.by_pot or [0] * len(left), left, charge.taken_cents)
            left = [pot - paid for pot, paid in zip(left, by_pot, strict=True)]
            charge.by_pot = by_pot if any(by_pot) else []
            charge.save(update_fields=["by_pot"])


class Migration(migrations.Migration):
    dependencies = [
        ("rooms", "0002_floor_by_the_book"),
        ("tables", "0007_positions_that_nobody_told"),
    ]

    operations = [
        migrations.CreateModel(
            name="HandCharge",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=20)),
                ("due_cents", models.PositiveBigIntegerField(default=0)),
                ("taken_cents", models.PositiveBigIntegerField(default=0)),
                (
                    "by_pot",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.PositiveBigIntegerField(), default=list, size=None
                    ),
                ),
                (
                    "hand",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="charges",
                        to="tables.hand",
                    ),
                ),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("hand", "kind"), name="hand_charged_once_of_a_kind"),
                    models.CheckConstraint(
                        condition=Q(("due_cents__gt", 0), ("taken_cents__gt", 0), _connector="OR"),
                        name="hand_charge_is_something",
                    ),
                ],
            },
        ),
        migrations.AddField(
            "boxdifference", "kind", models.CharField(default="", max_length=20), preserve_default=False
        ),
        migrations.AddField("boxdifference", "cents", models.BigIntegerField(default=0), preserve_default=False),
        migrations.AddField("game", "charges", models.JSONField(default=dict)),
        migrations.RemoveConstraint("game", "game_with_jackpot_has_ten_seats_at_most"),
        migrations.RemoveConstraint("game", "game_charges_in_one_way"),
        migrations.RunSQL(FORWARDS, BACKWARDS),
        migrations.RunPython(share_out_what_was_taken, migrations.RunPython.noop),
        migrations.AddConstraint(
            "game",
            models.CheckConstraint(
                condition=Q(
                    Q(("charges__has_key", "rake"), _negated=True), ("time_charge__isnull", True), _connector="OR"
                ),
                name="game_charges_in_one_way",
            ),
        ),
        migrations.RemoveField("game", "rake"),
        migrations.RemoveField("game", "drop"),
        *(migrations.RemoveField("hand", f"{kind}_{what}_cents") for kind in KINDS for what in ("due", "taken")),
        *(migrations.RemoveField("handpot", f"{kind}_cents") for kind in KINDS),
        *(migrations.RemoveField("boxdifference", f"{kind}_cents") for kind in KINDS),
    ]
