"""
What must hold. Asked of the rows by a connection of its own that can only read, and of the pages from outside.

    books     after every step: chips conserved per table and house, ledger plus stated differences equals felt,
              trial balance zero, seats, lists and missed blinds as on the felt, versions never back, the log's new
              events linked to those before
    screens   every so many steps: each screen's last fragment is what its page shows now
    proof     every so many steps: `ledger check` and `audit verify`, which read everything
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

import psycopg

from casino.simulation import checks_jackpots
from casino.simulation.boxes import KINDS, Boxes, Place
from casino.simulation.broken import Broken
from casino.simulation.felt import Felt
from casino.simulation.front_door import Device
from casino.simulation.jackpots import Jackpots
from casino.simulation.lists import Lists, WaitRow
from casino.simulation.promotions import Promotions
from casino.simulation.screens import Screen
from casino.simulation.table import Table

# How long after a change a screen may still show what was, on a machine that has nothing else to do.
SCREEN_SECONDS_MAX = 2.0
# Where others work too, the house reads its pages slower than it did at its best, and a push is late by as much.
SLACK_MAX = 4.0

_ACCOUNTS = """
    SELECT account.owner_kind, coalesce(tables_table.number, cage_drawer.number, account.owner_id), account.kind,
        account.balance_cents
    FROM ledger_account account JOIN rooms_room room ON room.id = account.room_id
    LEFT JOIN tables_table ON account.owner_kind = 'table' AND tables_table.id = account.owner_id
    LEFT JOIN cage_drawer ON account.owner_kind = 'drawer' AND cage_drawer.id = account.owner_id
    WHERE room.slug = 'demo'
"""
_TRIAL = """
    SELECT account.unit, account.currency, sum(account.balance_cents) FROM ledger_account account GROUP BY 1, 2
    UNION ALL
    SELECT account.unit, account.currency, sum(posting.cents)
    FROM ledger_posting posting JOIN ledger_account account ON account.id = posting.account_id GROUP BY 1, 2
"""
_SEATS = """
    SELECT tables_table.number, seating.seat_number, seating.player_id, seating.is_held, seating.is_played_over
    FROM tables_seating seating JOIN tables_table ON tables_table.id = seating.table_id WHERE seating.left_at IS NULL
"""
_MARKERS = """
    SELECT tables_table.number, seating.id, seating.missed, seating.entry
    FROM tables_seating seating JOIN tables_table ON tables_table.id = seating.table_id WHERE seating.left_at IS NULL
"""
_POSTED = """
    SELECT hand.hand_id::text, seat.player_id, seat.live_cents, seat.dead_cents
    FROM tables_handseat seat JOIN tables_hand hand ON hand.id = seat.hand_id WHERE hand.hand_id = ANY(%s::uuid[])
"""
_LONG_BREAKS = """
    SELECT seating.player_id, seating.id
    FROM tables_seating seating JOIN tables_opening opening ON opening.id = seating.opening_id
    JOIN rooms_gamingday day ON day.id = opening.day_id
    WHERE seating.long_break_at IS NOT NULL AND day.closed_at IS NULL
"""
_HAVE_LEFT = """
    SELECT DISTINCT seating.player_id
    FROM tables_seating seating JOIN tables_opening opening ON opening.id = seating.opening_id
    JOIN rooms_gamingday day ON day.id = opening.day_id
    WHERE seating.left_at IS NOT NULL AND day.closed_at IS NULL
"""
_BOXES = """
    SELECT tables_table.number, coalesce(sum(found.cents) FILTER (WHERE found.kind = 'rake'), 0)::bigint,
        coalesce(sum(found.cents) FILTER (WHERE found.kind = 'drop'), 0)::bigint
    FROM tables_boxdifference found JOIN tables_table ON tables_table.id = found.table_id GROUP BY 1
"""
_HANDS = """
    SELECT tables_table.number, hand.status, count(*), array_agg(hand.number ORDER BY hand.number)
    FROM tables_hand hand JOIN tables_table ON tables_table.id = hand.table_id GROUP BY 1, 2
"""
_WAITING = """
    SELECT waiting.id, list.game_id, waiting.player_id, waiting.status, waiting.ended_why, waiting.missed_calls,
        waiting.version, tables_table.number, waiting.seat_number,
        greatest(waiting.fetches_chips_until, waiting.call_expires_at),
        waiting.on_the_way_at IS NOT NULL, waiting.asks_more_at IS NOT NULL, waiting.is_more_refused
    FROM waiting_waiting waiting JOIN waiting_waitinglist list ON list.id = waiting.waiting_list_id
    LEFT JOIN tables_table ON tables_table.id = waiting.table_id
    WHERE waiting.status IN ('waiting', 'called') OR waiting.id = ANY(%s)
    ORDER BY list.game_id, waiting.place, waiting.id
"""
_PROMISED_AND_TAKEN = """
    SELECT tables_table.number, waiting.seat_number, waiting.player_id, seating.player_id
    FROM waiting_waiting waiting JOIN tables_table ON tables_table.id = waiting.table_id
    JOIN tables_seating seating ON seating.table_id = waiting.table_id
        AND seating.seat_number = waiting.seat_number AND seating.left_at IS NULL
    WHERE waiting.status = 'called'
"""
_CALLED_TWICE = "SELECT player_id FROM waiting_waiting WHERE status = 'called' GROUP BY 1 HAVING count(*) > 1"
_VERSIONS = """
    SELECT 'box', id, version FROM boxes_box UNION ALL
    SELECT 'table', id, version FROM tables_table UNION ALL SELECT 'seat', id, version FROM tables_seating
    UNION ALL SELECT 'slip', id, version FROM cage_slip UNION ALL SELECT 'drawer', id, version FROM cage_drawer
    UNION ALL SELECT 'list', id, version FROM waiting_waitinglist
    UNION ALL SELECT 'waiting', id, version FROM waiting_waiting
    UNION ALL SELECT 'fill', id, version FROM cage_fillslip
"""
# Some ids more than are new: who took an id first may commit last.
_EVENTS = """
    SELECT id, room_id, chain, number, previous_hash, hash,
        encode(sha256(convert_to(previous_hash || E'\\n' || text, 'UTF8')), 'hex')
    FROM audit_event WHERE id > {newest} - 100 ORDER BY room_id, chain, number
"""
_BY_TIME = "SELECT coalesce(max(id), 0) FROM audit_event WHERE staff_id IS NULL AND device_id IS NULL"
# Everything that a command changes, except the log of commands itself, who is signed in where, and what refused sales
# leave to the floor, which has a check of its own (`checks_counted.ASKED`).
_STATE = """
    SELECT md5(string_agg(found, '|' ORDER BY found)) FROM (
        SELECT concat('table', id, ',', version, ',', hand_number, ',', hand_id, ',', opening_id) FROM tables_table
        UNION ALL SELECT concat('opening', id, closed_at, last, draw, button_here) FROM tables_opening
        UNION ALL SELECT concat('seat', id, ',', version, ',', entry, is_held, left_at) FROM tables_seating
        UNION ALL SELECT concat('hand', id, status, ',', number) FROM tables_hand
        UNION ALL SELECT concat('todo', id, ',', done_at) FROM tables_todo WHERE NOT data ? 'asked'
        UNION ALL SELECT concat('beyond', id) FROM tables_boxdifference
        UNION ALL SELECT concat('box', id, ',', version) FROM boxes_box
        UNION ALL SELECT concat('count', id) FROM boxes_boxcount
        UNION ALL SELECT concat('slip', id, ',', version, status) FROM cage_slip
        UNION ALL SELECT concat('fill', id, ',', version, status) FROM cage_fillslip
        UNION ALL SELECT concat('rack', id) FROM tables_rackcheck
        UNION ALL SELECT concat('tips', id) FROM tables_tipcount
        UNION ALL SELECT concat('closed', id, ',', noted_cents, waits, taken_back_at) FROM tables_closedtips
        UNION ALL SELECT concat('voucher', id, ',', taken_with_id, ended_as) FROM cage_voucher
        UNION ALL SELECT concat('session', id, closed_at) FROM cage_drawersession
        UNION ALL SELECT concat('vault', id, unjudged) FROM cage_vaultcount
        UNION ALL SELECT concat('chips', id, ',', chips_with, staff_id, ',', delivered_by_id) FROM cage_paidchips
        UNION ALL SELECT concat('rate', id) FROM cage_noterate
        UNION ALL SELECT concat('exchange', id, ',', reversed_at) FROM cage_notesexchanged
        UNION ALL SELECT concat('drawer', id, ',', version, ',', slips_issued) FROM cage_drawer
        UNION ALL SELECT concat('account', id, ',', balance_cents) FROM ledger_account
        UNION ALL SELECT concat('day', id, closed_at, counts_wait) FROM rooms_gamingday
        UNION ALL SELECT concat('player', id, nickname) FROM people_player
        UNION ALL SELECT concat('claim', id, ',', version, status) FROM jackpot_claim
        UNION ALL SELECT concat('check', id) FROM jackpot_claimcheck
        UNION ALL SELECT concat('share', id, ',', slip_id, is_disputed, paid_at) FROM jackpot_claimshare
        UNION ALL SELECT concat('pool', id, ',', version, state) FROM jackpot_pool
    ) AS rows (found)
"""


class Books:
    """The rows of the house, read by a connection of its own."""

    def __init__(self, database_url: str) -> None:
        self._database_url = database_url
        self._connection = self._connect()
        self._versions: dict[tuple[str, int], int] = {}
        # The newest event, and number and hash of each chain's.
        self._newest_event = 0
        self._heads: dict[tuple[int, str], tuple[int, str]] = {}
        self._settled_before: dict[int, int] = {}
        self._in_play_before: dict[int, int] = {}
        self._difference_before: dict[int, int] = {}
        # By how much counts of before differed, by place.
        self._short_before: dict[Place, int] = {}
        # Disputed pots that somebody who was stopped has left undecided.
        self._aside_before: dict[int, int] = {}
        # The latest that the house's clock has been: it may be set back.
        self._latest = datetime.min.replace(tzinfo=UTC)

    def in_play(self, number: int) -> int:
        """Return what is in play at a table by the log, in cents."""
        return self._accounts()["table", number]["in_play"]

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def begin(self, felt: Felt, tables: Iterable[Table]) -> None:
        """Take what was counted before the first night as the truth that it begins from."""
        accounts = self._accounts()
        boxes = self._boxes()
        for table in tables:
            own = accounts["table", table.number]
            rake, drop = boxes.get(table.number, (0, 0))
            table.felt.rake_box = own["rake_box"] + rake
            table.felt.jackpot_box = own["jackpot_box"] + drop
            table.felt.tip_box = own["tip_box"]
            # What a box has of hands that nobody logged is in play by the ledger.
            self._in_play_before[table.number] = own["in_play"] - rake - drop
            self._aside_before[table.number] = own["set_aside"]
            self._difference_before[table.number] = own["difference"]
            for kind in KINDS:
                self._short_before[table.number, kind] = own[f"{kind}_over_short"]
            self._settled_before[table.number] = self._hands().get((table.number, "settled"), (0, []))[0]
        breaks: dict[int, int] = dict(self.rows(_LONG_BREAKS))
        have_left = {player_id for (player_id,) in self.rows(_HAVE_LEFT)}
        for player in felt.players.values():
            player.deposit = accounts["player", player.id]["deposit"]
            player.break_in = breaks.get(player.id)
            player.has_left = player.id in have_left
        self.begin_at_the_cage(felt)

    def begin_at_the_cage(self, felt: Felt) -> None:
        """Take what the house knows of drawer, vault and chips elsewhere as the truth from now on."""
        accounts = self._accounts()
        drawer, house = accounts["drawer", 1], self._house(accounts)
        felt.drawer.cash, felt.drawer.card_slips = drawer["cash"] - felt.drawer.taken["cash"], drawer["card_slips"]
        felt.drawer.chips = drawer["chips"] - felt.drawer.chips_missing - felt.drawer.taken["chips"]
        felt.vault_cash, felt.vault_chips = house["vault_cash"], house["vault_chips"]
        felt.vault_card_slips = house["vault_card_slips"]
        felt.chips_elsewhere = self._in_hands(accounts, felt) - felt.chips_in_pockets

    def state(self) -> str:
        """Return a short text that differs whenever a command has changed any row."""
        return str(self.rows(_STATE)[0][0])

    def newest_by_time(self) -> int:
        """Return the id of the newest event that nobody tapped, 0 where there is none."""
        return int(self.rows(_BY_TIME)[0][0])

    def clock_was(self, moment: datetime) -> None:
        """
        Note that the house's clock has been as late as this: what ran out by then may have ended though the clock was
        set back.
        """
        self._latest = max(self._latest, moment)

    def logged_at(self, place: Place) -> int:
        """Return what lies in the boxes of a place by the log, with what is stated to lie there beyond it."""
        number, kind = place
        account = "rake_box" if kind == "rake" else "jackpot_box"
        return self._accounts()["table", number][account] + self._boxes().get(number, (0, 0))[KINDS.index(kind)]

    def check(
        self, felt: Felt, lists: Lists, tables: Iterable[Table], boxes: Boxes, *, now: Callable[[], datetime]
    ) -> None:
        """Hold the rows against the felt; `now` is asked for the house's clock. :raises Broken: they do not agree."""
        tables = list(tables)
        accounts = self._accounts()
        self._trial_balance()
        self._seats(tables)
        self._markers(tables)
        self._long_breaks(felt)
        self._lists(lists, now)
        self._versions_go_on()
        self._chains_go_on()
        self._tables(accounts, tables, boxes)
        self._cage_and_house(accounts, felt)

    def check_jackpots(self, jackpots: Jackpots, tables: Iterable[Table]) -> None:
        """Hold the rows against what each jackpot really holds. :raises Broken: they do not agree."""
        checks_jackpots.check_rows(self.rows, jackpots, tables)

    def check_promotions(self, promotions: Promotions) -> None:
        """Hold the funds against what was promised and won. :raises Broken: they do not agree."""
        checks_jackpots.check_funds(self.rows, promotions)

    def _trial_balance(self) -> None:
        wrong = [row for row in self.rows(_TRIAL) if row[2]]
        _holds("trial balance zero", not wrong, f"{wrong}")

    def _seats(self, tables: list[Table]) -> None:
        found = self.rows(_SEATS)
        ours = {table.number for table in tables}
        for what in ((row[0], row[1]) for row in found if not row[4]), ((row[2],) for row in found if row[0] in ours):
            each = list(what)
            _holds("no seat with two players, no player in two seats", len(each) == len(set(each)), f"{found}")
        sitting = {tuple(row) for row in found if row[0] in ours}
        felt = {
            (table.number, sitter.seat, sitter.player.id, sitter.is_held, is_over)
            for table in tables
            for is_over, sitters in ((False, table.felt.sitters), (True, table.felt.played_over))
            for sitter in sitters.values()
        }
        _holds(
            "seats as on the felt", sitting == felt, f"only in the log {sitting - felt}, only there {felt - sitting}"
        )

    def _markers(self, tables: list[Table]) -> None:
        rows = defaultdict(list)
        for number, *row in self.rows(_MARKERS):
            rows[number].append(tuple(row))
        for table in tables:
            table.felt.markers.follow(rows[table.number], is_log_current=not (table.is_offline or table.waiting))
        paid = [hand for table in tables for hand in table.felt.markers.paid]
        posted = self.rows(_POSTED, paid) if paid else []
        for table in tables:
            table.felt.markers.check_paid(posted)

    def _long_breaks(self, felt: Felt) -> None:
        found = sorted(tuple(row) for row in self.rows(_LONG_BREAKS))
        had = sorted((player.id, player.break_in) for player in felt.players.values() if player.break_in is not None)
        _holds("one long break an evening, as on the felt", set(found) <= set(had), f"{found}, on the felt {had}")
        _holds("one long break an evening, as on the felt", len(found) in {0, len(had)}, f"{found}, on the felt {had}")

    def _lists(self, lists: Lists, now: Callable[[], datetime]) -> None:
        taken = self.rows(_PROMISED_AND_TAKEN)
        _holds("nobody has a seat that is promised to another", all(row[2] == row[3] for row in taken), f"{taken}")
        twice = self.rows(_CALLED_TWICE)
        _holds("nobody is called to two seats", not twice, f"{twice}")
        ours = [wait.id for _, wait in lists.live()]
        rows = [WaitRow.of(*row) for row in self.rows(_WAITING, ours)]
        # Asked after they were read: the clock runs fast, and a worker may have ended a call just before.
        self.clock_was(now())
        lists.follow(rows, ran_out=lambda until: until <= self._latest)

    def _versions_go_on(self) -> None:
        for kind, row_id, version in self.rows(_VERSIONS):
            before = self._versions.get((kind, row_id), 0)
            _holds("versions monotonic", version >= before, f"{kind} {row_id} was at {before} and is at {version}")
            self._versions[kind, row_id] = version

    def _chains_go_on(self) -> None:
        for event, room, chain, number, previous, own, made in self.rows(_EVENTS.format(newest=self._newest_event)):
            self._newest_event = max(self._newest_event, event)
            before, head = self._heads.get((room, chain), (number - 1, previous))
            if number > before:
                is_whole = (number, previous, own) == (before + 1, head, made)
                _holds("the log's chains whole", is_whole, f"{chain} {number} after {before}")
                self._heads[room, chain] = (number, own)

    def _tables(self, accounts: dict[tuple[str, int], dict[str, int]], tables: list[Table], boxes: Boxes) -> None:
        beyond, hands = self._boxes(), self._hands()
        for table in tables:
            own, felt = accounts["table", table.number], table.felt
            rake, drop = beyond.get(table.number, (0, 0))
            short, stolen, wrong = {}, {}, {}
            for kind in KINDS:
                place = (table.number, kind)
                short[kind] = own[f"{kind}_over_short"] - self._short_before[place]
                stolen[kind], wrong[kind] = boxes.stolen[place], boxes.mistyped[place]
                found = boxes.expected[place] - boxes.counted[place]
                _equal(f"table {table.number}: what counts of {kind} boxes found short", short[kind], found)
            # What the log cannot know yet: taps that wait on the tablet, and hands that nobody has supplied.
            unsaid = [*table.unlogged.values(), *table.not_logged.values()]
            stated = {
                "rake_box": rake + sum(each[0] for each in unsaid) + short["rake"] - stolen["rake"] - wrong["rake"],
                "jackpot_box": drop + sum(each[1] for each in unsaid) + short["drop"] - stolen["drop"] - wrong["drop"],
                # What was noted of boxes that were taken along lies in those.
                "tip_box": felt.tips_uncounted - felt.tips_stolen - sum(box.noted for box in felt.tips_apart),
            }
            for box, difference in stated.items():
                _equal(f"table {table.number}: {box}", own[box] + difference, getattr(felt, box))
            aside = own["set_aside"] - self._aside_before[table.number]
            _equal(f"table {table.number}: pots that lie apart", aside, felt.aside)
            in_ledger = own["in_play"] + aside + own["rake_box"] + own["jackpot_box"] + own["tip_box"]
            in_ledger -= (
                table.uncounted + felt.sold_wrongly + felt.not_come + felt.pocketed + self._in_play_before[table.number]
            )
            in_ledger += sum(short.values()) - sum(stolen.values()) - felt.tips_stolen - felt.tips_missing
            missing = own["difference"] - self._difference_before[table.number]
            _equal(f"table {table.number}: what is stated to be missing", missing, felt.difference)
            in_ledger += missing
            in_ledger -= sum(box.stolen for box in felt.tips_apart)
            _equal(f"table {table.number}: all chips", in_ledger, felt.chips)
            settled = hands.get((table.number, "settled"), (0, []))[0] - self._settled_before.get(table.number, 0)
            _equal(f"table {table.number}: hands that stand settled", settled, table.settled)
            not_logged = hands.get((table.number, "not_logged"), (0, []))[1]
            known = sorted(table.not_logged)
            _holds(
                "every hand that was not logged waits for the floor",
                set(known) <= set(not_logged),
                f"table {table.number}: {known}, in the log {not_logged}",
            )

    def _cage_and_house(self, accounts: dict[tuple[str, int], dict[str, int]], felt: Felt) -> None:
        drawer, house = accounts["drawer", 1], self._house(accounts)
        taken = felt.drawer.taken
        _equal("drawer: cash", drawer["cash"] - taken["cash"], felt.drawer.cash)
        _equal("drawer: card slips", drawer["card_slips"], felt.drawer.card_slips)
        _equal("drawer: chips", drawer["chips"] - felt.drawer.chips_missing - taken["chips"], felt.drawer.chips)
        for what in ("cash", "chips", "card_slips"):
            lies = getattr(felt, f"vault_{what}")
            _equal(f"vault: {what}", house[f"vault_{what}"] - felt.vault_missing[what], lies)
        in_pockets = self._in_hands(accounts, felt) - felt.chips_elsewhere
        _equal("chips in players' hands", in_pockets, felt.chips_in_pockets)
        for player in felt.players.values():
            owed = accounts["player", player.id]["deposit"]
            _equal(f"deposit of {player.nickname}", owed, player.deposit)

    def _accounts(self) -> dict[tuple[str, int], dict[str, int]]:
        found: dict[tuple[str, int], dict[str, int]] = defaultdict(lambda: defaultdict(int))
        for owner_kind, owner, kind, cents in self.rows(_ACCOUNTS):
            found[owner_kind, owner][kind] += cents
        return found

    def _house(self, accounts: dict[tuple[str, int], dict[str, int]]) -> dict[str, int]:
        return next(kinds for (owner_kind, _), kinds in accounts.items() if owner_kind == "house")

    def _hands_of_players(self, accounts: dict[tuple[str, int], dict[str, int]]) -> int:
        return sum(kinds["hands"] for kinds in list(accounts.values()) if "hands" in kinds)

    def _in_hands(self, accounts: dict[tuple[str, int], dict[str, int]], felt: Felt) -> int:
        """Return the chips that are in somebody's hands, by the log and what is stated beside it."""
        return self._hands_of_players(accounts) + felt.chips_beyond_the_log

    def _boxes(self) -> dict[int, tuple[int, int]]:
        return {number: (int(rake), int(drop)) for number, rake, drop in self.rows(_BOXES)}

    def _hands(self) -> dict[tuple[int, str], tuple[int, list[int]]]:
        return {(number, status): (count, numbers) for number, status, count, numbers in self.rows(_HANDS)}

    def rows(self, question: str, *values: Any) -> list[Any]:
        """Return the rows of a query."""
        try:
            return self._connection.execute(question.encode(), values or None).fetchall()
        except psycopg.OperationalError:
            # The server crashed since the last question, and is there again: nobody asks while it is away.
            self._connection.close()
            self._connection = self._connect()
            return self._connection.execute(question.encode(), values or None).fetchall()

    def _connect(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self._database_url, autocommit=True, options="-c default_transaction_read_only=on")


def check_screens(screens: Iterable[tuple[Screen, Device]]) -> None:
    """
    Hold what each screen was shown last against its page, rendered now.

    A push is on its way for a moment; a screen that does not show it within `SCREEN_SECONDS_MAX` is wrong. Time
    changes a page too (a call runs out), and so one that differs is read again.
    """
    pages = [(screen, device, device.get(screen.page)) for screen, device in screens]
    for screen, _, page in pages:
        screen.page_seconds_min = min(screen.page_seconds_min or page.seconds, page.seconds)
    took, at_best = sum(page.seconds for *_, page in pages), sum(screen.page_seconds_min for screen, *_ in pages)
    # From now on: on a busy machine it takes longer than that to read all pages, and the first are old by then.
    deadline = time.monotonic() + SCREEN_SECONDS_MAX * min(took / at_best if at_best else 1.0, SLACK_MAX)
    for screen, device, page in pages:
        for audience in screen.audiences:
            text = page.text
            while not _shows(text, audience, screen.shown(audience)):
                if time.monotonic() > deadline:
                    where = _first_difference(text, audience, screen.shown(audience))
                    raise Broken("each screen equals a fresh render", f"{audience} on {screen} does not: {where}")
                screen.wait(0.1)
                if not _shows(text, audience, screen.shown(audience)):
                    text = device.get(screen.page).text


def _shows(page: str, audience: str, html: str) -> bool:
    begun = page.find(f'data-audience="{audience}"')
    assert begun >= 0, f"the page does not show {audience}"
    inner = page.index(">", begun) + 1
    return bool(html) and page.startswith(f"{html}</div>", inner)


def _equal(what: str, log: int, felt: int) -> None:
    _holds("ledger plus stated differences equals felt", log == felt, f"{what}: by the log {log}, on the felt {felt}")


def _holds(check: str, is_so: bool, seen: str) -> None:
    if not is_so:
        raise Broken(check, seen)


def _first_difference(page: str, audience: str, html: str) -> str:
    """Return what a screen shows, and what its page does, from where they differ first."""
    inner = page.index(">", page.find(f'data-audience="{audience}"')) + 1
    differs = (at for at, (one, other) in enumerate(zip(html, page[inner:], strict=False)) if one != other)
    same = next(differs, len(html))
    begun = max(same - 40, 0)
    return f"{html[begun : same + 120]!r}, rendered now {page[inner + begun : inner + same + 120]!r}"
