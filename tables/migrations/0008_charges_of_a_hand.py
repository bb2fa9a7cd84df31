"""
Charges of a hand are rows of their own: rake and drop move out of hands, pots, games and differences of boxes.

Nothing is lost: what was due and taken, what each game charges and what lies in each box beyond its log, and what a tap
that waits for the floor says of the boxes, is there afterwards, by kind.

Nobody who writes waits for more than a moment, however many hands there are. The charges are copied some thousand hands
at a time, while a trigger notes the hands that are written meanwhile; only then are the tables locked, for what was
noted, for games, taps that wait and catalogue. So it is no transaction: broken off anywhere, it is begun again where it
stood. The way back is one transaction, and locks all of it; a backup is the other way.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models, transaction
from django.db.models import Q

KINDS = ("rake", "drop")
# Hands that are copied in one transaction: a second's work on a slow machine.
HANDS_AT_A_TIME = 5000

# What rows wait for is judged here: a table with rows still to be judged cannot be altered.
_JUDGED = "SET CONSTRAINTS ALL IMMEDIATE"

# Defaults, for the code of before goes on writing until the end.
_COLUMNS = """
    ALTER TABLE tables_boxdifference
        ADD COLUMN kind varchar(20) NOT NULL DEFAULT '', ADD COLUMN cents bigint NOT NULL DEFAULT 0;
    ALTER TABLE tables_game ADD COLUMN charges jsonb NOT NULL DEFAULT '{}';
"""
# Written with the owner's rights: whoever serves may write hands, and knows of no notes.
_NOTES = """
    CREATE TABLE tables_handwritten (hand_id bigint NOT NULL);
    CREATE FUNCTION tables_note_hand() RETURNS trigger LANGUAGE plpgsql
        SECURITY DEFINER SET search_path FROM CURRENT AS $$
    BEGIN
        INSERT INTO tables_handwritten VALUES ((to_jsonb(NEW) ->> TG_ARGV[0])::bigint);
        RETURN NULL;
    END $$;
    CREATE TRIGGER note_hand AFTER INSERT OR UPDATE ON tables_hand
        FOR EACH ROW EXECUTE FUNCTION tables_note_hand('id');
    CREATE TRIGGER note_hand AFTER INSERT OR UPDATE ON tables_handpot
        FOR EACH ROW EXECUTE FUNCTION tables_note_hand('hand_id');
"""
_CHARGES = """
    INSERT INTO tables_handcharge (room_id, hand_id, kind, due_cents, taken_cents, by_pot)
    SELECT room_id, id, '{kind}', {kind}_due_cents, {kind}_taken_cents, coalesce(paid.by_pot, '{{}}')
    FROM tables_hand LEFT JOIN (
        SELECT hand_id, array_agg({kind}_cents ORDER BY index) AS by_pot FROM tables_handpot
        WHERE hand_id = ANY(%(hands)s) GROUP BY hand_id HAVING sum({kind}_cents) > 0
    ) paid ON paid.hand_id = tables_hand.id
    WHERE id = ANY(%(hands)s) AND ({kind}_due_cents > 0 OR {kind}_taken_cents > 0) ORDER BY id
"""
# The drop comes out of what the rake left.
_DIFFERING = """
    SELECT hand_id, id, taken_cents, by_pot, ARRAY(
        SELECT cents FROM tables_handpot AS pot WHERE pot.hand_id = charge.hand_id AND cents IS NOT NULL ORDER BY index
    ) FROM tables_handcharge AS charge WHERE hand_id = ANY(%(hands)s) AND hand_id IN (
        SELECT hand_id FROM tables_handcharge WHERE hand_id = ANY(%(hands)s) AND taken_cents <> due_cents
    ) ORDER BY hand_id, kind DESC
"""
# A row becomes that of one kind, and keeps what it said for the code of before; of two kinds, the other gets its own.
_DIFFERENCES = """
    WITH before AS (
        UPDATE tables_boxdifference SET
            kind = CASE WHEN rake_cents <> 0 THEN 'rake' ELSE 'drop' END,
            cents = CASE WHEN rake_cents <> 0 THEN rake_cents ELSE drop_cents END
        WHERE kind = '' AND (rake_cents <> 0 OR drop_cents <> 0) RETURNING *
    )
    INSERT INTO tables_boxdifference (room_id, table_id, hand_id, kind, cents, rake_cents, drop_cents, reason, at)
    SELECT room_id, table_id, hand_id, 'drop', drop_cents, 0, 0, reason, at
    FROM before WHERE rake_cents <> 0 AND drop_cents <> 0 ORDER BY id
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
_LOCKED = "LOCK TABLE tables_hand, tables_handpot, tables_game, tables_boxdifference, tables_todo"
TAKEN_OVER = (
    _DIFFERENCES,
    "DELETE FROM tables_boxdifference WHERE kind = ''",
    *(_GAMES.format(kind=kind) for kind in KINDS),
    _TAPS,
    _JUDGED,
    """
    ALTER TABLE tables_game DROP CONSTRAINT game_with_jackpot_has_ten_seats_at_most,
        DROP CONSTRAINT game_charges_in_one_way, DROP COLUMN rake, DROP COLUMN "drop", ALTER COLUMN charges DROP DEFAULT,
        ADD CONSTRAINT game_charges_in_one_way CHECK (NOT (charges ? 'rake') OR time_charge IS NULL);
    ALTER TABLE tables_hand DROP COLUMN rake_due_cents, DROP COLUMN rake_taken_cents,
        DROP COLUMN drop_due_cents, DROP COLUMN drop_taken_cents;
    ALTER TABLE tables_handpot DROP COLUMN rake_cents, DROP COLUMN drop_cents;
    ALTER TABLE tables_boxdifference DROP COLUMN rake_cents, DROP COLUMN drop_cents,
        ALTER COLUMN kind DROP DEFAULT, ALTER COLUMN cents DROP DEFAULT;
    DROP TRIGGER note_hand ON tables_hand;
    DROP TRIGGER note_hand ON tables_handpot;
    DROP FUNCTION tables_note_hand();
    DROP TABLE tables_handwritten;
    """,
)

_COLUMNS_BACK = """
    ALTER TABLE tables_hand
        ADD COLUMN rake_due_cents bigint NOT NULL DEFAULT 0 CHECK (rake_due_cents >= 0),
        ADD COLUMN rake_taken_cents bigint NOT NULL DEFAULT 0 CHECK (rake_taken_cents >= 0),
        ADD COLUMN drop_due_cents bigint NOT NULL DEFAULT 0 CHECK (drop_due_cents >= 0),
        ADD COLUMN drop_taken_cents bigint NOT NULL DEFAULT 0 CHECK (drop_taken_cents >= 0);
    ALTER TABLE tables_handpot
        ADD COLUMN rake_cents bigint NOT NULL DEFAULT 0 CHECK (rake_cents >= 0),
        ADD COLUMN drop_cents bigint NOT NULL DEFAULT 0 CHECK (drop_cents >= 0);
    ALTER TABLE tables_boxdifference
        ADD COLUMN rake_cents bigint NOT NULL DEFAULT 0, ADD COLUMN drop_cents bigint NOT NULL DEFAULT 0;
    ALTER TABLE tables_game ADD COLUMN rake jsonb NULL, ADD COLUMN "drop" jsonb NULL;
"""
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
GIVEN_BACK = (
    _JUDGED,
    _COLUMNS_BACK,
    *(text.format(kind=kind) for text in (_CHARGES_BACK, _POTS_BACK, _DIFFERENCES_BACK, _GAMES_BACK) for kind in KINDS),
    _TAPS_BACK,
    _JUDGED,
    """
    ALTER TABLE tables_hand ALTER COLUMN rake_due_cents DROP DEFAULT, ALTER COLUMN rake_taken_cents DROP DEFAULT,
        ALTER COLUMN drop_due_cents DROP DEFAULT, ALTER COLUMN drop_taken_cents DROP DEFAULT;
    ALTER TABLE tables_handpot ALTER COLUMN rake_cents DROP DEFAULT, ALTER COLUMN drop_cents DROP DEFAULT;
    ALTER TABLE tables_boxdifference DROP COLUMN kind, DROP COLUMN cents,
        ALTER COLUMN rake_cents DROP DEFAULT, ALTER COLUMN drop_cents DROP DEFAULT;
    ALTER TABLE tables_game DROP CONSTRAINT game_charges_in_one_way, DROP COLUMN charges,
        ADD CONSTRAINT game_charges_in_one_way CHECK (rake IS NULL OR time_charge IS NULL),
        ADD CONSTRAINT game_with_jackpot_has_ten_seats_at_most CHECK ("drop" IS NULL OR seats <= 10);
    DROP TABLE tables_handcharge;
    """,
)


def _taken(due_by_pot: Sequence[int], pots: Sequence[int], cents: int) -> list[int]:
    """
    Return what each pot paid of what was really taken, in cents: hands settle so from here on.

    What is lacking, lacks in the pots that were to pay last; what is too much came out of the first pot that can bear
    it whole, else of all in turn. More than the pots hold is taken from none of them.
    """
    paid: list[int] = []
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


def _share_out_what_was_taken(cursor: Any, hands: Sequence[int]) -> None:
    """
    Have each pot say what it paid of what was taken, where that is not what was due: pots of before said what was due.
    """
    cursor.execute(_DIFFERING, {"hands": hands})
    for _, of_hand in groupby(cursor.fetchall(), key=lambda row: row[0]):
        charges = list(of_hand)
        left = charges[0][-1]
        for _, charge_id, taken_cents, due_by_pot, _ in charges:
            by_pot = _taken(due_by_pot or [0] * len(left), left, taken_cents)
            left = [pot - paid for pot, paid in zip(left, by_pot, strict=True)]
            cursor.execute(
                "UPDATE tables_handcharge SET by_pot = %s::bigint[] WHERE id = %s",
                [by_pot if any(by_pot) else [], charge_id],
            )


def _copy(cursor: Any, hands: Sequence[int]) -> None:
    """Write the charges of these hands as they stand in hands and pots now, whatever was copied of them before."""
    cursor.execute("DELETE FROM tables_handcharge WHERE hand_id = ANY(%s)", [hands])
    for kind in KINDS:
        cursor.execute(_CHARGES.format(kind=kind), {"hands": hands})
    _share_out_what_was_taken(cursor, hands)


def _copy_what_was_written(cursor: Any) -> None:
    """
    Copy the hands that were noted, and forget the notes.

    By two statements: the second sees all that was written when a note was, and a note that comes between them stays.
    """
    cursor.execute("DELETE FROM tables_handwritten RETURNING hand_id")
    if hands := sorted({hand for (hand,) in cursor.fetchall()}):
        _copy(cursor, hands)


def _is_taken_over(cursor: Any) -> bool:
    cursor.execute(
        "SELECT NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'tables_hand'::regclass"
        " AND attname = 'rake_due_cents' AND NOT attisdropped)"
    )
    return bool(cursor.fetchone()[0])


def begin(apps: Any, schema_editor: Any) -> None:
    """Make what is new, empty, beside what is there, and have written hands noted. All of it or nothing."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('tables_handcharge') IS NOT NULL")
        if cursor.fetchone()[0]:
            return
        schema_editor.create_model(apps.get_model("tables", "HandCharge"))
        # Left to the end of the migration, its foreign keys would be judged for all rows, with the hands locked.
        for statement in schema_editor.deferred_sql:
            cursor.execute(str(statement))
        schema_editor.deferred_sql.clear()
        cursor.execute(_COLUMNS)
        cursor.execute(_NOTES)


def copy(apps: Any, schema_editor: Any) -> None:
    """Copy some thousand hands at a time, from the last one that was copied; then those written meanwhile."""
    with schema_editor.connection.cursor() as cursor:
        if _is_taken_over(cursor):
            return
        cursor.execute("SELECT coalesce(max(hand_id), 0) FROM tables_handcharge")
        last = cursor.fetchone()[0]
        while True:
            cursor.execute("SELECT id FROM tables_hand WHERE id > %s ORDER BY id LIMIT %s", [last, HANDS_AT_A_TIME])
            hands = [hand for (hand,) in cursor.fetchall()]
            if not hands:
                break
            with transaction.atomic():
                _copy(cursor, hands)
            last = hands[-1]
        cursor.execute(_DIFFERENCES)
        with transaction.atomic():
            _copy_what_was_written(cursor)


def take_over(apps: Any, schema_editor: Any) -> None:
    """Copy what was written last, with nobody writing, and drop what is old. All of it or nothing."""
    with schema_editor.connection.cursor() as cursor:
        if _is_taken_over(cursor):
            return
        cursor.execute(_LOCKED)
        _copy_what_was_written(cursor)
        for text in TAKEN_OVER:
            cursor.execute(text)


def give_back(apps: Any, schema_editor: Any) -> None:
    """Have all as it was, in hands, pots, games and differences. All of it or nothing."""
    with schema_editor.connection.cursor() as cursor:
        if not _is_taken_over(cursor):
            return
        for text in GIVEN_BACK:
            cursor.execute(text)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("rooms", "0002_floor_by_the_book"),
        ("tables", "0007_positions_that_nobody_told"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="HandCharge",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
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
                migrations.AddField(
                    "boxdifference", "cents", models.BigIntegerField(default=0), preserve_default=False
                ),
                migrations.AddField("game", "charges", models.JSONField(default=dict)),
                migrations.RemoveConstraint("game", "game_with_jackpot_has_ten_seats_at_most"),
                migrations.RemoveConstraint("game", "game_charges_in_one_way"),
                migrations.AddConstraint(
                    "game",
                    models.CheckConstraint(
                        condition=Q(
                            Q(("charges__has_key", "rake"), _negated=True),
                            ("time_charge__isnull", True),
                            _connector="OR",
                        ),
                        name="game_charges_in_one_way",
                    ),
                ),
                migrations.RemoveField("game", "rake"),
                migrations.RemoveField("game", "drop"),
                *(
                    migrations.RemoveField("hand", f"{kind}_{what}_cents")
                    for kind in KINDS
                    for what in ("due", "taken")
                ),
                *(migrations.RemoveField("handpot", f"{kind}_cents") for kind in KINDS),
                *(migrations.RemoveField("boxdifference", f"{kind}_cents") for kind in KINDS),
            ],
        ),
        migrations.RunPython(begin, migrations.RunPython.noop, atomic=True),
        migrations.RunPython(copy, migrations.RunPython.noop),
        migrations.RunPython(take_over, give_back, atomic=True),
    ]
