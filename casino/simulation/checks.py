"""
What must hold. Asked of the rows by a connection of its own that can only read, and of the pages from outside.

    books     after every step: chips conserved per table and house, ledger plus stated differences equals felt,
              trial balance zero, seats as on the felt, versions never back, the log's new events linked to those before
    screens   every so many steps: each screen's last fragment is what its page shows now
    proof     every so many steps: `ledger check` and `audit verify`, which read everything
"""

import time
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import psycopg

from casino.simulation.broken import Broken
from casino.simulation.felt import Felt
from casino.simulation.front_door import Device
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
    SELECT tables_table.number, seating.seat_number, seating.player_id
    FROM tables_seating seating JOIN tables_table ON tables_table.id = seating.table_id WHERE seating.left_at IS NULL
"""
_BOXES = """
    SELECT tables_table.number, sum(found.rake_cents)::bigint, sum(found.drop_cents)::bigint
    FROM tables_boxdifference found JOIN tables_table ON tables_table.id = found.table_id GROUP BY 1
"""
_HANDS = """
    SELECT tables_table.number, hand.status, count(*), array_agg(hand.number ORDER BY hand.number)
    FROM tables_hand hand JOIN tables_table ON tables_table.id = hand.table_id GROUP BY 1, 2
"""
_UNCOUNTED = """
    SELECT tables_table.number, seating.id
    FROM tables_seating seating JOIN tables_table ON tables_table.id = seating.table_id
    JOIN tables_opening opening ON opening.id = seating.opening_id JOIN rooms_gamingday day ON day.id = opening.day_id
    WHERE seating.left_at IS NOT NULL AND seating.left_stack_cents IS NULL AND day.closed_at IS NULL
"""
_VERSIONS = """
    SELECT 'table', id, version FROM tables_table UNION ALL SELECT 'seat', id, version FROM tables_seating
    UNION ALL SELECT 'slip', id, version FROM cage_slip UNION ALL SELECT 'drawer', id, version FROM cage_drawer
"""
# Some ids more than are new: who took an id first may commit last.
_EVENTS = """
    SELECT id, room_id, chain, number, previous_hash, hash,
        encode(sha256(convert_to(previous_hash || E'\\n' || text, 'UTF8')), 'hex')
    FROM audit_event WHERE id > {newest} - 100 ORDER BY room_id, chain, number
"""
# Everything that a command changes, except the log of commands itself and who is signed in where.
_STATE = """
    SELECT md5(string_agg(found, '|' ORDER BY found)) FROM (
        SELECT concat('table', id, ',', version, ',', hand_number, ',', hand_id, ',', opening_id) FROM tables_table
        UNION ALL SELECT concat('opening', id, closed_at, last, draw, button_here) FROM tables_opening
        UNION ALL SELECT concat('seat', id, ',', version, ',', entry, is_held, left_at) FROM tables_seating
        UNION ALL SELECT concat('hand', id, status, ',', number) FROM tables_hand
        UNION ALL SELECT concat('todo', id, ',', done_at) FROM tables_todo
        UNION ALL SELECT concat('box', id) FROM tables_boxdifference
        UNION ALL SELECT concat('slip', id, ',', version, status) FROM cage_slip
        UNION ALL SELECT concat('drawer', id, ',', version, ',', slips_issued) FROM cage_drawer
        UNION ALL SELECT concat('account', id, ',', balance_cents) FROM ledger_account
        UNION ALL SELECT concat('day', id, closed_at) FROM rooms_gamingday
        UNION ALL SELECT concat('player', id, nickname) FROM people_player
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

    def close(self) -> None:
        """Let go of the database."""
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
            self._in_play_before[table.number] = own["in_play"]
            self._settled_before[table.number] = self._hands().get((table.number, "settled"), (0, []))[0]
        for player in felt.players.values():
            player.deposit = accounts["player", player.id]["deposit"]
        self.begin_at_the_cage(felt)

    def begin_at_the_cage(self, felt: Felt) -> None:
        """Take what the house knows of drawer, vault and chips elsewhere as the truth from now on."""
        accounts = self._accounts()
        drawer, house = accounts["drawer", 1], self._house(accounts)
        felt.drawer.cash, felt.drawer.card_slips = drawer["cash"], drawer["card_slips"]
        felt.drawer.chips = drawer["chips"] - felt.drawer.chips_missing
        felt.vault_cash, felt.vault_chips = house["vault_cash"], house["vault_chips"]
        felt.vault_card_slips = house["vault_card_slips"]
        felt.chips_elsewhere = self._in_hands(accounts, felt) - felt.chips_in_pockets

    def uncounted(self) -> list[tuple[int, int]]:
        """Return departures of the open day that nobody has counted: table and seating."""
        return [(number, seating) for number, seating in self._rows(_UNCOUNTED)]

    def in_play(self, number: int) -> int:
        """Return what is in play at a table by the log, in cents."""
        return self._accounts()["table", number]["in_play"]

    def state(self) -> str:
        """Return a short name for everything that a command may change."""
        return str(self._rows(_STATE)[0][0])

    def check(self, felt: Felt, tables: Iterable[Table]) -> None:
        """Hold the rows against the felt. :raises Broken: they do not agree."""
        tables = list(tables)
        accounts = self._accounts()
        self._trial_balance()
        self._seats(tables)
        self._versions_go_on()
        self._chains_go_on()
        self._tables(accounts, tables)
        self._cage_and_house(accounts, felt)

    def _trial_balance(self) -> None:
        wrong = [row for row in self._rows(_TRIAL) if row[2]]
        _holds("trial balance zero", not wrong, f"{wrong}")

    def _seats(self, tables: list[Table]) -> None:
        found = self._rows(_SEATS)
        ours = {table.number for table in tables}
        for what in ((row[0], row[1]) for row in found), ((row[0], row[2]) for row in found):
            each = list(what)
            _holds("no seat with two players, no player twice at a table", len(each) == len(set(each)), f"{found}")
        sitting = {tuple(row) for row in found if row[0] in ours}
        felt = {
            (table.number, sitter.seat, sitter.player.id) for table in tables for sitter in table.felt.sitters.values()
        }
        _holds(
            "seats as on the felt", sitting == felt, f"only in the log {sitting - felt}, only there {felt - sitting}"
        )

    def _versions_go_on(self) -> None:
        for kind, row_id, version in self._rows(_VERSIONS):
            before = self._versions.get((kind, row_id), 0)
            _holds("versions monotonic", version >= before, f"{kind} {row_id} was at {before} and is at {version}")
            self._versions[kind, row_id] = version

    def _chains_go_on(self) -> None:
        for event, room, chain, number, previous, own, made in self._rows(_EVENTS.format(newest=self._newest_event)):
            self._newest_event = max(self._newest_event, event)
            before, head = self._heads.get((room, chain), (number - 1, previous))
            if number > before:
                is_whole = (number, previous, own) == (before + 1, head, made)
                _holds("the log's chains whole", is_whole, f"{chain} {number} after {before}")
                self._heads[room, chain] = (number, own)

    def _tables(self, accounts: dict[tuple[str, int], dict[str, int]], tables: list[Table]) -> None:
        boxes, hands = self._boxes(), self._hands()
        for table in tables:
            own, felt = accounts["table", table.number], table.felt
            rake, drop = boxes.get(table.number, (0, 0))
            # What the log cannot know yet: taps that wait on the tablet, and hands that nobody has supplied.
            unsaid = [*table.unlogged.values(), *table.not_logged.values()]
            stated = {
                "rake_box": rake + sum(each[0] for each in unsaid),
                "jackpot_box": drop + sum(each[1] for each in unsaid),
                "tip_box": felt.tips_uncounted,
            }
            for box, difference in stated.items():
                _equal(f"table {table.number}: {box}", own[box] + difference, getattr(felt, box))
            in_ledger = own["in_play"] + own["rake_box"] + own["jackpot_box"] + own["tip_box"]
            in_ledger -= table.uncounted + self._in_play_before[table.number]
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
        _equal("drawer: cash", drawer["cash"], felt.drawer.cash)
        _equal("drawer: card slips", drawer["card_slips"], felt.drawer.card_slips)
        _equal("drawer: chips", drawer["chips"] - felt.drawer.chips_missing, felt.drawer.chips)
        for place in ("vault_cash", "vault_chips", "vault_card_slips"):
            _equal(f"house: {place}", house[place], getattr(felt, place))
        in_pockets = self._in_hands(accounts, felt) - felt.chips_elsewhere
        _equal("chips in players' hands", in_pockets, felt.chips_in_pockets)
        for player in felt.players.values():
            owed = accounts["player", player.id]["deposit"]
            _equal(f"deposit of {player.nickname}", owed, player.deposit)

    def _accounts(self) -> dict[tuple[str, int], dict[str, int]]:
        found: dict[tuple[str, int], dict[str, int]] = defaultdict(lambda: defaultdict(int))
        for owner_kind, owner, kind, cents in self._rows(_ACCOUNTS):
            found[owner_kind, owner][kind] += cents
        return found

    def _house(self, accounts: dict[tuple[str, int], dict[str, int]]) -> dict[str, int]:
        return next(kinds for (owner_kind, _), kinds in accounts.items() if owner_kind == "house")

    def _hands_of_players(self, accounts: dict[tuple[str, int], dict[str, int]]) -> int:
        return sum(kinds["hands"] for kinds in list(accounts.values()) if "hands" in kinds)

    def _in_hands(self, accounts: dict[tuple[str, int], dict[str, int]], felt: Felt) -> int:
        """Return the chips that are in somebody's hands, by the log and what is stated beside it."""
        guests = felt.players.values()
        stated = sum(player.uncounted[2] for player in guests if player.uncounted)
        stated += sum(player.miscounted[2] for player in guests if player.miscounted)
        # What the cashier handed out wrongly is in pockets, until the count of the drawer says so and ever after.
        stated += felt.drawer.chips_missing + felt.chips_found_missing
        return self._hands_of_players(accounts) + stated

    def _boxes(self) -> dict[int, tuple[int, int]]:
        return {number: (int(rake), int(drop)) for number, rake, drop in self._rows(_BOXES)}

    def _hands(self) -> dict[tuple[int, str], tuple[int, list[int]]]:
        return {(number, status): (count, numbers) for number, status, count, numbers in self._rows(_HANDS)}

    def _rows(self, question: str) -> list[Any]:
        try:
            return self._connection.execute(question.encode()).fetchall()
        except psycopg.OperationalError:
            # The server crashed since the last question, and is there again: nobody asks while it is away.
            self._connection.close()
            self._connection = self._connect()
            return self._connection.execute(question.encode()).fetchall()

    def _connect(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self._database_url, autocommit=True, options="-c default_transaction_read_only=on")


def check_screens(screens: Iterable[tuple[Screen, Device]]) -> None:
    """
    Hold what each screen was shown last against its page, rendered now.

    A push is on its way for a moment; a screen that does not show it within `SCREEN_SECONDS_MAX` is wrong.
    """
    begun = time.monotonic()
    pages = [(screen, device.get(screen.page)) for screen, device in screens]
    for screen, page in pages:
        screen.page_seconds_min = min(screen.page_seconds_min or page.seconds, page.seconds)
    took, at_best = sum(page.seconds for _, page in pages), sum(screen.page_seconds_min for screen, _ in pages)
    deadline = begun + SCREEN_SECONDS_MAX * min(took / at_best if at_best else 1.0, SLACK_MAX)
    for screen, page in pages:
        for audience in screen.audiences:
            while not _shows(page.text, audience, screen.shown(audience)):
                if time.monotonic() > deadline:
                    raise Broken("each screen equals a fresh render", f"{audience} on {screen} does not")
                screen.wait(0.1)


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
