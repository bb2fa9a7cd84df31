"""What `ledger check` proves of sheets that were caught up: all that one says is there, and nothing names another."""

from casino.ledger import proof

# Hands as they were entered: what they were corrected to has rows of its own.
_HANDS = """
    SELECT format('sheet %%s: %%s hands were caught up from it, and %%s are there',
        sheet.number, caught.figures ->> 'hands', there.hands)
    FROM paper_caughtup caught JOIN paper_sheet sheet ON sheet.id = caught.sheet_id
    JOIN LATERAL (
        SELECT count(*) AS hands FROM tables_hand hand
        WHERE hand.table_id = sheet.table_id AND hand.from_sheet = sheet.number AND hand.corrects_id IS NULL
    ) there ON true
    WHERE caught.room_id = %s AND there.hands <> (caught.figures ->> 'hands')::bigint
    ORDER BY sheet.number
"""
_CHARGES = """
    SELECT format('sheet %%s: %%s of %%s is on it, and its hands paid %%s',
        sheet.number, said.value, said.key, there.cents)
    FROM paper_caughtup caught JOIN paper_sheet sheet ON sheet.id = caught.sheet_id
    JOIN LATERAL jsonb_each_text(caught.figures) said
        ON said.key LIKE '%%%%\\_cents' AND said.key NOT IN ('time_cents', 'sold_cents', 'brought_cents', 'left_cents')
    JOIN LATERAL (
        SELECT coalesce(sum(charge.taken_cents), 0)::bigint AS cents
        FROM tables_hand hand JOIN tables_handcharge charge ON charge.hand_id = hand.id
        WHERE hand.table_id = sheet.table_id AND hand.from_sheet = sheet.number AND hand.corrects_id IS NULL
            AND charge.kind || '_cents' = said.key
    ) there ON true
    WHERE caught.room_id = %s AND there.cents <> said.value::bigint
    ORDER BY sheet.number, said.key
"""
# Sheets of before say nothing of time and decks: they had no place for them.
_TIME = """
    SELECT format('sheet %%s: %%s periods, %%s were taken by the time, and %%s, %%s are there; %%s decks, and %%s',
        sheet.number, caught.figures ->> 'periods', caught.figures ->> 'time_cents', times.periods, times.cents,
        caught.figures ->> 'decks', decks.changes)
    FROM paper_caughtup caught JOIN paper_sheet sheet ON sheet.id = caught.sheet_id
    JOIN LATERAL (
        SELECT count(*) AS periods, coalesce(sum(taken.paid_cents), 0)::bigint AS cents FROM tables_timetaken taken
        WHERE taken.table_id = sheet.table_id AND taken.from_sheet = sheet.number
    ) times ON true
    JOIN LATERAL (
        SELECT count(*) AS changes FROM tables_deckchange deck
        WHERE deck.table_id = sheet.table_id AND deck.from_sheet = sheet.number
    ) decks ON true
    WHERE caught.room_id = %s AND sheet.table_id IS NOT NULL AND (
        times.periods <> coalesce(caught.figures ->> 'periods', '0')::bigint
        OR times.cents <> coalesce(caught.figures ->> 'time_cents', '0')::bigint
        OR decks.changes <> coalesce(caught.figures ->> 'decks', '0')::bigint
    ) ORDER BY sheet.number
"""
# What was put on the table, and what of it the cage has to confirm or has confirmed.
_CHIPS = """
    SELECT format('sheet %%s: %%s were put on the table by it, and %%s were posted; %%s were sold, and slips say %%s',
        sheet.number, (caught.figures ->> 'sold_cents')::bigint + (caught.figures ->> 'brought_cents')::bigint,
        posted.cents, caught.figures ->> 'sold_cents', slips.cents)
    FROM paper_caughtup caught JOIN paper_sheet sheet ON sheet.id = caught.sheet_id
    JOIN LATERAL (
        SELECT coalesce(sum(posting.cents), 0)::bigint AS cents FROM ledger_transfer transfer
        JOIN ledger_posting posting ON posting.transfer_id = transfer.id
        JOIN ledger_account account ON account.id = posting.account_id AND account.kind = 'in_play'
        WHERE transfer.room_id = caught.room_id AND transfer.kind = 'chips_brought'
            AND (transfer.about ->> 'sheet')::bigint = sheet.number
    ) posted ON true
    JOIN LATERAL (
        SELECT coalesce(sum(slip.amount_cents), 0)::bigint AS cents FROM cage_slip slip
        WHERE slip.room_id = caught.room_id AND slip.destination = 'paper'
            AND (slip.about ->> 'sheet')::bigint = sheet.number
    ) slips ON true
    WHERE caught.room_id = %s AND (
        posted.cents <> (caught.figures ->> 'sold_cents')::bigint + (caught.figures ->> 'brought_cents')::bigint
        OR slips.cents <> (caught.figures ->> 'sold_cents')::bigint
    ) ORDER BY sheet.number
"""
_NAMED = """
    SELECT format('hand %%s of table %%s names sheet %%s, which was not caught up',
        hand.number, a_table.number, hand.from_sheet)
    FROM tables_hand hand JOIN tables_table a_table ON a_table.id = hand.table_id
    WHERE hand.room_id = %s AND hand.from_sheet IS NOT NULL AND NOT EXISTS (
        SELECT FROM paper_caughtup caught JOIN paper_sheet sheet ON sheet.id = caught.sheet_id
        WHERE sheet.table_id = hand.table_id AND sheet.number = hand.from_sheet
    ) ORDER BY hand.id
"""


_LISTS = """
    SELECT format('a place on a list names sheet %%s, from which no lists were caught up', entry.from_sheet)
    FROM waiting_waiting entry WHERE entry.room_id = %s AND entry.from_sheet IS NOT NULL AND NOT EXISTS (
        SELECT FROM paper_caughtup caught JOIN paper_sheet sheet ON sheet.id = caught.sheet_id
        WHERE sheet.room_id = entry.room_id AND sheet.table_id IS NULL AND sheet.number = entry.from_sheet
    ) ORDER BY entry.id
"""


def register() -> None:
    """Have `ledger check` ask it."""
    proof.ask("paper_hands", _HANDS)
    proof.ask("paper_charges", _CHARGES)
    proof.ask("paper_time", _TIME)
    proof.ask("paper_chips", _CHIPS)
    proof.ask("paper_lists", _LISTS)
    proof.ask("paper_named", _NAMED)
