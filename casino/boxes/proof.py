"""What `ledger check` proves of boxes: counts against the log of hands, and both against what was posted for them."""

from typing import LiteralString

from casino.boxes.of_day import IS_OF_DAY
from casino.boxes.selectors.log import BEYOND, IN_BOX
from casino.ledger import proof

# Of each count what the log had put there: a dropped box takes nothing any more.
_EXPECTED: LiteralString = """
    SELECT format('box %%s: its count %%s expected %%s, and %%s should lie there', box_id, number,
        expected_cents, logged)
    FROM (
        SELECT box.id AS box_id, counted.number, counted.expected_cents,
            (SELECT coalesce(sum(posting.cents), 0) {in_box}) + {beyond} AS logged
        FROM boxes_box box JOIN boxes_boxcount counted ON counted.box_id = box.id WHERE box.room_id = %s
    ) both_of WHERE expected_cents <> logged ORDER BY box_id, number
"""
# The first empties the box, another moves by what differs from the one before; and no other transfer does.
_POSTED: LiteralString = """
    WITH here AS (SELECT %s::bigint AS room_id), counted AS (
        SELECT count.room_id, count.transfer_id, count.box_id, count.number, box.table_id, box.charge, box.account,
            CASE WHEN count.number = 1 THEN count.expected_cents ELSE 0 END AS out,
            CASE WHEN count.number = 1 THEN {beyond} ELSE 0 END AS beyond,
            count.cents - coalesce(lag(count.cents) OVER (PARTITION BY count.box_id ORDER BY count.number), 0) AS more
        FROM here JOIN boxes_boxcount count USING (room_id) JOIN boxes_box box ON box.id = count.box_id
    ), should AS (
        SELECT counted.transfer_id, line.owner_kind, line.owner_id, line.kind, line.cents
        FROM counted CROSS JOIN LATERAL (VALUES
            ('table', counted.table_id, counted.account, counted.beyond - counted.out),
            ('table', counted.table_id, 'in_play', -counted.beyond),
            ('house', counted.room_id, 'vault_chips', counted.more),
            ('table', counted.table_id, counted.charge || '_over_short', counted.out - counted.more)
        ) line (owner_kind, owner_id, kind, cents)
        WHERE line.cents <> 0
    ), posted AS (
        SELECT transfer.id AS transfer_id, account.owner_kind, account.owner_id, account.kind, posting.cents
        FROM here JOIN ledger_transfer transfer USING (room_id)
        JOIN ledger_posting posting ON posting.transfer_id = transfer.id
        JOIN ledger_account account ON account.id = posting.account_id
        WHERE transfer.kind = 'box_counted'
    )
    SELECT format('transfer %%s: of %%s %%s %%s the counts of boxes move %%s, and %%s is posted', transfer_id,
        owner_kind, owner_id, kind, coalesce(should.cents, 0), coalesce(posted.cents, 0))
    FROM should FULL JOIN posted USING (transfer_id, owner_kind, owner_id, kind)
    WHERE should.cents IS DISTINCT FROM posted.cents ORDER BY 1
"""
# Boxes of a kind hang at a table one after the other, and nothing lies between them.
_IN_TURN: LiteralString = """
    WITH turn AS (
        SELECT box.*, coalesce(lag(dropped_after) OVER (PARTITION BY table_id, charge ORDER BY id), 0) AS before
        FROM boxes_box box WHERE room_id = %s AND taken_back_at IS NULL
    )
    SELECT format('box %%s: %%s', id, problem) FROM (
        SELECT turn.id, CASE
            WHEN turn.hung_after < turn.before THEN 'it hung there before the last one was dropped'
            WHEN turn.is_counted <> EXISTS (SELECT FROM boxes_boxcount WHERE box_id = turn.id)
                THEN 'whether it was counted is not as it says'
            WHEN EXISTS (
                SELECT FROM ledger_account account JOIN ledger_posting posting ON posting.account_id = account.id
                    AND posting.id > turn.before AND posting.id <= turn.hung_after
                JOIN ledger_transfer transfer ON transfer.id = posting.transfer_id AND transfer.kind <> 'box_counted'
                WHERE account.room_id = turn.room_id AND account.owner_kind = 'table'
                    AND account.owner_id = turn.table_id AND account.kind = turn.account
                HAVING sum(posting.cents) <> 0
            ) THEN 'what the log put there before it is in no box'
        END AS problem
        FROM turn
    ) each_of WHERE problem IS NOT NULL ORDER BY id
"""
# Boxes that wait are few, however many years of them were counted.
_OF_COUNTED_DAYS: LiteralString = """
    SELECT format('box %%s is of the day %%s, which is closed as counted, and was neither counted nor carried', box.id,
        day.date)
    FROM boxes_box box JOIN rooms_gamingday day ON day.room_id = box.room_id AND day.counted_at IS NOT NULL
        AND {is_of_day}
    WHERE box.room_id = %s AND box.taken_back_at IS NULL
        AND NOT EXISTS (SELECT FROM boxes_boxcount WHERE box_id = box.id)
        AND (box.number IS NOT NULL OR box.hung_after > 0) AND NOT EXISTS (
            SELECT FROM cage_carrieditem carried WHERE carried.day_id = day.id AND carried.stage = 'counted'
                AND carried.kind = 'box' AND carried.number = box.id)
    ORDER BY box.id, day.id
"""


def register() -> None:
    """Have `ledger check` ask it."""
    proof.ask("box_expected", _EXPECTED.format(in_box=IN_BOX, beyond=BEYOND))
    proof.ask("box_posted", _POSTED.format(beyond=BEYOND))
    proof.ask("box_in_turn", _IN_TURN)
    proof.ask("box_of_counted_day", _OF_COUNTED_DAYS.format(is_of_day=IS_OF_DAY.format(in_box=IN_BOX)))
