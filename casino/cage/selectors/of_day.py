"""A gaming day at the cage, as sums: its drawers with what was counted in them, and its slips."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import LiteralString

from django.db import connection

from casino.cage.models import DrawerCount, DrawerSession, VaultCount
from casino.people.selectors import staff_names
from casino.rooms.models import GamingDay

# Sessions that were open on the day: those too that were carried over to it, or over its end.
_OPEN_ON: LiteralString = """
    cage_drawersession session JOIN cage_drawer drawer ON drawer.id = session.drawer_id
        AND drawer.room_id = %(room)s AND session.day_id <= %(day)s
        AND (session.closed_day_id >= %(day)s OR session.closed_day_id IS NULL)"""


@dataclass(frozen=True)
class DrawerOfDay:
    """
    One drawer's session, as it was on the day. Amounts are cents; what was counted, and when it closed, is None of one
    that was not counted on it, for a count is blind.

    `money_over_short` and `chips_over_short` are what the last count found against what was expected, negative: it is
    missing. Money is cash, card slips and foreign notes together. A bank's `holder` is its runner, by id and name.
    `carried_from` is the earlier gaming day on which it was opened, None where that was this one; `is_carried`: it was
    not counted when the day closed, and carried over its end.
    """

    drawer_id: int
    number: int
    name: str
    opened_at: datetime
    closed_at: datetime | None
    float_cash_cents: int
    float_chips_cents: int
    counts: int
    holder_id: int | None = None
    holder: str = ""
    cash_cents: int | None = None
    card_slips_cents: int | None = None
    chips_cents: int | None = None
    money_over_short_cents: int | None = None
    chips_over_short_cents: int | None = None
    foreign_cents: int | None = None
    carried_from: date | None = None
    is_carried: bool = False


@dataclass(frozen=True)
class SlipsOfDay:
    """
    Slips of one kind and method of one player (None: nobody was named), and what their transfers moved, in cents.

    `is_back`: they were reversed on this day; what is paid on a day and reversed on it is in both.
    """

    kind: str
    method: str
    player_id: int | None
    is_back: bool
    count: int
    cents: int
    posted_cents: int


@dataclass(frozen=True)
class NotesOfDay:
    """
    Foreign notes of one currency in a drawer's session: what slips brought since it was opened and was not given back
    until the day was over, and what its last count found (None where it was not counted on the day); by face, in minor
    units of theirs, and in the room's money.
    """

    number: int
    currency: str
    slips: int
    face_cents: int
    cents: int
    counted_face_cents: int | None
    counted_cents: int | None


@dataclass(frozen=True)
class ExchangeOfDay:
    """
    Foreign notes that went to be exchanged on a day, or came back because that was taken back (`is_back`): by face, in
    minor units of theirs, what they stood at and what the house got, in its own money.
    """

    number: int
    currency: str
    face_cents: int
    worth_cents: int
    got_cents: int
    is_back: bool

    @property
    def difference_cents(self) -> int:
        """What the house has won by it; negative: lost."""
        return self.got_cents - self.worth_cents


@dataclass(frozen=True)
class CarriedOfDay:
    """
    What a runner carried of fills and credits that were counted on a day: how many slips, what was given and what the
    counts found against it (negative: it is missing), in cents.
    """

    runner_id: int
    count: int
    cash_cents: int
    chips_cents: int
    cash_over_short_cents: int
    chips_over_short_cents: int


@dataclass(frozen=True)
class SoldOfDay:
    """
    What one dealer sold on a day out of one place's rack, for cash: how many slips and cents, and what of it was
    reversed, or was never sold, which is said on the same day alone.
    """

    place_number: int
    staff_id: int
    count: int
    cents: int
    back: int
    back_cents: int
    never: int = 0
    never_cents: int = 0


_SOLD: LiteralString = """
    SELECT rack.place_number, slip.paid_by_id, count(*), sum(slip.amount_cents)::bigint,
        count(*) FILTER (WHERE taken_back.kind = 'reversal'),
        coalesce(sum(slip.amount_cents) FILTER (WHERE taken_back.kind = 'reversal'), 0)::bigint,
        count(*) FILTER (WHERE taken_back.kind = 'never_sold'),
        coalesce(sum(slip.amount_cents) FILTER (WHERE taken_back.kind = 'never_sold'), 0)::bigint
    FROM cage_drawersession session JOIN cage_drawer rack ON rack.id = session.drawer_id AND rack.place_kind <> ''
    JOIN cage_slip slip ON slip.session_id = session.id
    LEFT JOIN ledger_transfer taken_back ON taken_back.id = slip.void_transfer_id
    WHERE session.day_id = %s AND slip.status IN ('paid', 'void') GROUP BY 1, 2 ORDER BY 1, 2
"""


def sold_from_racks(day: GamingDay) -> list[SoldOfDay]:
    """Return what was sold on a gaming day out of racks, by place and dealer. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_SOLD, [day.pk])
        return [SoldOfDay(*row) for row in cursor.fetchall()]


_CARRIED: LiteralString = """
    SELECT slip.runner_id, count(*), sum(slip.sent_cash_cents)::bigint, sum(slip.sent_chips_cents)::bigint,
        sum(slip.got_cash_cents - slip.sent_cash_cents)::bigint,
        sum(slip.got_chips_cents - slip.sent_chips_cents)::bigint
    FROM ledger_transfer transfer JOIN cage_fillslip slip ON slip.got_transfer_id = transfer.id
    WHERE transfer.room_id = %(room)s AND transfer.day_id = %(day)s
        AND transfer.kind IN ('fill_verified', 'fill_returned')
    GROUP BY 1 ORDER BY 1
"""


def carried_by_runners(day: GamingDay) -> list[CarriedOfDay]:
    """Return what runners carried that was counted on a gaming day, by runner. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_CARRIED, {"room": day.room_id, "day": day.pk})
        return [CarriedOfDay(*row) for row in cursor.fetchall()]


_NOTES: LiteralString = """
    WITH taken AS (
        SELECT slip.session_id, notes.currency, count(*) AS slips, sum(notes.face_cents) AS face,
            sum(notes.value_cents) AS cents
        FROM {open_on} JOIN cage_slip slip ON slip.session_id = session.id AND slip.status IN ('paid', 'void')
        JOIN cage_notestaken notes ON notes.slip_id = slip.id
        JOIN ledger_transfer moved ON moved.id = slip.transfer_id AND moved.day_id <= %(day)s
        LEFT JOIN ledger_transfer back ON back.id = slip.void_transfer_id AND back.day_id <= %(day)s
        WHERE back.id IS NULL GROUP BY 1, 2
    ), counted AS (
        SELECT last.session_id, notes.currency, notes.face_cents AS face, notes.cents
        FROM cage_drawersession session CROSS JOIN LATERAL (
            SELECT id, session_id FROM cage_drawercount WHERE session_id = session.id ORDER BY number DESC LIMIT 1
        ) last JOIN cage_notescounted notes ON notes.count_id = last.id
        WHERE session.closed_day_id = %(day)s
    )
    SELECT drawer.number, currency, coalesce(slips, 0), coalesce(taken.face, 0)::bigint,
        coalesce(taken.cents, 0)::bigint,
        CASE WHEN session.closed_day_id = %(day)s THEN coalesce(counted.face, 0) END,
        CASE WHEN session.closed_day_id = %(day)s THEN coalesce(counted.cents, 0) END
    FROM taken FULL JOIN counted USING (session_id, currency)
    JOIN cage_drawersession session ON session.id = session_id JOIN cage_drawer drawer ON drawer.id = session.drawer_id
    ORDER BY drawer.number, session.id, currency
"""


def notes_of(day: GamingDay) -> list[NotesOfDay]:
    """Return the foreign notes of a gaming day, by drawer and currency. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_NOTES.format(open_on=_OPEN_ON), {"room": day.room_id, "day": day.pk})
        return [NotesOfDay(*row) for row in cursor.fetchall()]


@dataclass(frozen=True)
class VaultCountOfDay:
    """
    One count of the vault on a day, by id and names of who counted and stood by: what was counted and expected, cents.
    """

    number: int
    counted_at: datetime
    counted_by_id: int
    counted_with_id: int
    counted_by: str
    counted_with: str
    after_transfer_id: int
    cash_cents: int
    card_slips_cents: int
    foreign_cents: int
    chips_cents: int
    expected_cash_cents: int
    expected_card_slips_cents: int
    expected_foreign_cents: int
    expected_chips_cents: int

    @property
    def money_over_short_cents(self) -> int:
        """Cash, card slips and foreign notes together against what was expected; negative: it is missing."""
        counted = self.cash_cents + self.card_slips_cents + self.foreign_cents
        return counted - self.expected_cash_cents - self.expected_card_slips_cents - self.expected_foreign_cents

    @property
    def chips_over_short_cents(self) -> int:
        """Chips against what was expected; negative: they are missing."""
        return self.chips_cents - self.expected_chips_cents


def vault_counts_on(day: GamingDay) -> list[VaultCountOfDay]:
    """Return the counts of the vault on a gaming day, in order. One query, one more where there are any."""
    counts = list(VaultCount.objects.filter(day=day).order_by("number"))
    who = {each for count in counts for each in (count.counted_by_id, count.counted_with_id)}
    names = staff_names(who) if who else {}
    return [
        VaultCountOfDay(
            count.number,
            count.counted_at,
            count.counted_by_id,
            count.counted_with_id,
            names.get(count.counted_by_id, ""),
            names.get(count.counted_with_id, ""),
            count.after_transfer_id,
            count.cash_cents,
            count.card_slips_cents,
            count.foreign_cents,
            count.chips_cents,
            count.expected_cash_cents,
            count.expected_card_slips_cents,
            count.expected_foreign_cents,
            count.expected_chips_cents,
        )
        for count in counts
    ]


_EXCHANGES: LiteralString = """
    SELECT exchange.number, exchange.currency, exchange.face_cents * sign, exchange.worth_cents * sign,
        exchange.got_cents * sign, sign < 0
    FROM cage_notesexchanged exchange
    CROSS JOIN LATERAL (VALUES (exchange.transfer_id, 1), (exchange.reversal_transfer_id, -1)) moved (transfer_id, sign)
    JOIN ledger_transfer transfer ON transfer.id = moved.transfer_id
    WHERE exchange.room_id = %(room)s AND transfer.day_id = %(day)s
    ORDER BY exchange.number, sign DESC
"""


def exchanges_on(day: GamingDay) -> list[ExchangeOfDay]:
    """Return what was exchanged on a gaming day, and what was taken back on it, by number. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_EXCHANGES, {"room": day.room_id, "day": day.pk})
        return [ExchangeOfDay(*row) for row in cursor.fetchall()]


def drawers_of(day: GamingDay) -> Iterator[DrawerOfDay]:
    """
    Yield the drawers that were open on a gaming day, by number and in order, with their counts of it: none is counted
    again once that day is over (`CountStands`). Two queries, one more for banks.
    """
    found_on = DrawerSession.objects.filter(DrawerSession.open_on(day.room_id, [day.pk]), drawer__place_kind="")
    found_on = found_on.select_related("drawer", "day")
    sessions = list(found_on.order_by("drawer__number", "id"))
    holders = {session.holder_id for session in sessions if session.holder_id is not None}
    names = staff_names(holders) if holders else {}
    counts: dict[int, list[DrawerCount]] = {}
    for count in DrawerCount.objects.filter(session__closed_day=day).order_by("number"):
        counts.setdefault(count.session_id, []).append(count)
    for session in sessions:
        drawer, of_session = session.drawer, counts.get(session.pk, [])
        is_counted = session.closed_day_id == day.pk
        last = of_session[-1] if of_session and is_counted else None
        of_drawer = DrawerOfDay(
            drawer.pk,
            drawer.number,
            drawer.name,
            session.opened_at,
            session.closed_at if is_counted else None,
            session.float_cash_cents,
            session.float_chips_cents,
            len(of_session),
            session.holder_id,
            names.get(session.holder_id or 0, ""),
            carried_from=session.day.date if session.day_id != day.pk else None,
            is_carried=not is_counted and day.closed_at is not None,
        )
        yield _counted(of_drawer, last) if last else of_drawer


def _counted(of_drawer: DrawerOfDay, last: DrawerCount) -> DrawerOfDay:
    return replace(
        of_drawer,
        cash_cents=last.cash_cents,
        card_slips_cents=last.card_slips_cents,
        chips_cents=last.chips_cents,
        money_over_short_cents=last.money_difference_cents,
        chips_over_short_cents=last.chips_difference_cents,
        foreign_cents=last.foreign_cents,
    )


# What was paid on the day, and what was reversed on it, also of days before: a reversal names its drawer and slip by
# their numbers. The largest posting of a slip's transfer that takes something away is its amount, whichever
# way it was paid, and of its mirror the largest that brings something: foreign notes may be worth more than the chips,
# and then the drawer's cash is the change.
_SLIPS: LiteralString = """
    WITH moved AS (
        SELECT slip.id, slip.transfer_id, false AS is_back
        FROM {open_on} JOIN cage_slip slip ON slip.session_id = session.id AND slip.status IN ('paid', 'void')
        JOIN ledger_transfer transfer ON transfer.id = slip.transfer_id AND transfer.day_id = %(day)s
        UNION ALL
        SELECT slip.id, transfer.id, true FROM ledger_transfer transfer
        JOIN cage_drawer drawer ON drawer.room_id = transfer.room_id
            AND drawer.number = (transfer.about ->> 'drawer')::int
        JOIN cage_slip slip ON slip.drawer_id = drawer.id AND slip.number = (transfer.about ->> 'slip')::int
            AND slip.void_transfer_id = transfer.id
        WHERE transfer.room_id = %(room)s AND transfer.day_id = %(day)s
            AND transfer.kind IN ('reversal', 'never_sold')
    )
    SELECT slip.kind, slip.method,
        CASE WHEN %(as_closed)s THEN slip.player_id ELSE coalesce(player.merged_into_id, slip.player_id) END,
        moved.is_back,
        count(*), sum(slip.amount_cents)::bigint, coalesce(sum(posted.cents), 0)::bigint
    FROM moved JOIN cage_slip slip ON slip.id = moved.id
    LEFT JOIN people_player player ON player.id = slip.player_id
    CROSS JOIN LATERAL (
        SELECT max(CASE WHEN moved.is_back THEN posting.cents ELSE -posting.cents END) AS cents
        FROM ledger_posting posting JOIN ledger_account account ON account.id = posting.account_id
        WHERE posting.transfer_id = moved.transfer_id
            AND NOT (slip.method = 'foreign' AND account.owner_kind = 'drawer' AND account.kind = 'cash')
    ) posted
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
"""


def slips_of(day: GamingDay, *, as_closed: bool = False) -> list[SlipsOfDay]:
    """
    Return the slips that were paid or reversed on a gaming day, by kind, method and player; `as_closed` by the record
    under which each was made, though it was joined with another since. One query.
    """
    with connection.cursor() as cursor:
        params = {"room": day.room_id, "day": day.pk, "as_closed": as_closed}
        cursor.execute(_SLIPS.format(open_on=_OPEN_ON), params)
        return [SlipsOfDay(*row) for row in cursor.fetchall()]
