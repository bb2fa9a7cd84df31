"""
Catching a table up: what was written on its sheet while Brush was down is recorded, whole or not at all.

What is wrong on paper is refused by its line before anything is written. What happened on the felt is recorded, and
stands on the floor's to-do where the house would not have let it be so.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from casino.audit.hashes import canonical
from casino.cage.audiences import EVERY_WINDOW
from casino.cage.services.carried import ask_cash_out, ask_paid
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound, Refusal, Stale
from casino.paper.entered import ChipLine, Entered, check_readable, digest_of, who_sits
from casino.paper.errors import NobodyInSeat, PlayedOnSince, SheetCaughtUp, clock_time
from casino.paper.models import CaughtUp, Sheet
from casino.paper.services import keep_caught_up
from casino.paper.signers import NEEDS, check_signer
from casino.paper.slips import DESTINATION, OnPaper, check_none_waits
from casino.paper.time_and_decks import check_time_and_decks, enter_decks, enter_times
from casino.people.models import Player, Staff
from casino.people.services import NewPlayer, player_meant
from casino.people.services.signatures import check_signed
from casino.rooms.models import GamingDay
from casino.rooms.selectors import lock_open_day, room_of
from casino.rows import Update
from tables.audiences import DEALERS
from tables.charges import cents_name, charge_codes
from tables.claims import claims
from tables.models import Hand, Opening, Seating, Table, ToDo
from tables.selectors.continued import openings_of_game
from tables.services.arrival import has_newer
from tables.services.caught_up import PaperHand, data_of_paper_hand, enter_downs, enter_hands
from tables.services.caught_up_seats import button_at, got_up, put_in, sat_down, sits_there, stands
from tables.services.seat_buy_ins import seat_of
from tables.services.state import done, leave_to_the_floor, lock_table
from tables.services.time_charges import data_of_period

_PICKED_UP = "picked_up"


def catch_up_signs(*, number: int, entered: Entered, names: Mapping[str, str]) -> str:
    """Return what the dealer signs: of which sheet, and all that is entered of it."""
    return f"sheet.{number}.{digest_of(entered, names)}"


@dataclass(frozen=True)
class Place:
    """
    Where a sheet is caught up: its table and the game that ran there, and who sat there by Brush.

    `is_current`: nothing was dealt there by Brush after the time of the sheet, so seats, chips and button are taken
    from paper; `in_play` is the hand that was when Brush went down.
    """

    sheet: Sheet
    table: Table
    opening: Opening
    is_current: bool
    in_play: Hand | None
    sitting: Mapping[int, Seating]

    @property
    def players(self) -> dict[int, int]:
        """Who sits there by Brush: ids by seat."""
        return {seat: each.player_id for seat, each in self.sitting.items()}

    @property
    def holders(self) -> dict[int, int]:
        """In whose seat some of them play over: ids by seat."""
        return {seat: each.holder.player_id for seat, each in self.sitting.items() if each.holder}


def sheet_of(room_id: int, number: int) -> Sheet:
    """Return a table's sheet. :raises NotFound: the room has no such sheet, or it is one of the lists."""
    sheet = Sheet.objects.select_related("table", "opening__game").filter(room_id=room_id, number=number).first()
    if sheet is None or sheet.table is None:
        raise NotFound(what="sheet")
    return sheet


def place_of(sheet: Sheet, table: Table, *, until: datetime, at: datetime) -> Place:
    """Return where a sheet is caught up; a `table` that is locked stays so. A few queries."""
    opening = table.opening
    is_same = opening is not None and sheet.opening_id in openings_of_game(opening)
    if opening is None or not is_same or (opening.pk != sheet.opening_id and opening.opened_at > until):
        assert sheet.opening is not None, "a table's sheet has its opening"
        return Place(sheet, table, sheet.opening, False, None, {})
    is_current = not has_newer(opening, until, now=at)
    return Place(sheet, table, opening, is_current, table.hand if is_current else None, sits_there(table))


def check_place(place: Place, entered: Entered, *, zone: str) -> None:
    """:raises PlayedOnSince: it says who sits there, and the table has gone on."""
    if entered.is_of_seats and not place.is_current:
        raise PlayedOnSince(table=place.table.number, until=clock_time(entered.until_at, zone))


def check_kinds(entered: Entered) -> None:
    """:raises Malformed: the house has no such charge."""
    if {kind for line in entered.lines for kind in line.taken} - set(charge_codes()):
        raise Malformed(field="lines")


def check_seats(entered: Entered, sits: Mapping[int, int]) -> None:
    """:raises NobodyInSeat: it is said how a seat stands where nobody sits in the end."""
    for line in entered.seats:
        if line.seat_number not in sits:
            raise NobodyInSeat(seat_number=line.seat_number)


def known_by_name(room_id: int, nickname: str) -> int | None:
    """Return the player who is called so in a room, whatever the case. One query."""
    players = Player.objects.filter(room_id=room_id, erased_at=None, merged_into=None, nickname__iexact=nickname)
    return players.values_list("id", flat=True).first()


@service("paper.catch_up", private=["names"])
def catch_up(
    command: Command,
    *,
    number: int,
    entered: Entered,
    names: Mapping[str, str],
    approved_by_id: int,
    overrule: str = "",
) -> Outcome:
    """
    Record all that was written on a table's sheet, marked as caught up from it.

    `names` are nicknames of who came, by the number of their line; a name that nobody has is a new player's.
    `approved_by_id` is the dealer, who has signed `catch_up_signs` with their own PIN
    (`people.services.second_person`, before this command): somebody who dealt there (`who_dealt`). Where nobody of
    those can, `overrule` says why it is another dealer, and the exception report has it. Hands get the table's next
    numbers. Where nothing was dealt by Brush since, seats, markers, chips and the button are then what the sheet says.
    What the cage sold waits there as paid, for the cashier to confirm.

    :raises NotFound: the room has no such sheet of a table, or nobody of that id.
    :raises NeedsSecondSignature: the dealer is not a second person, or has not signed this.
    :raises NoOpenDay: no gaming day is open.
    :raises SheetCaughtUp: it was caught up before.
    :raises Stale: somebody has sat down there at this very moment.
    :raises BuyInWaits: what was sold on paper to a seat waits at the cage already.
    :raises PlayedOnSince: the table has gone on in Brush, and seats, chips or the button are entered.
    :raises NoTimeCharge, PeriodKnown, DeckChangedSince: and others, as `check_time_and_decks`.
    :raises SitsElsewhere: by Brush somebody who came sits at another table, which is caught up first.
    :raises SignerNotDealer, NoDealerToSign: as `check_signer`.
    :raises NicknameTaken, Malformed: a name, a charge or a reason that cannot be.
    :raises Refusal: as `check_readable`, `who_sits`, `check_seats`: it cannot be read.
    """
    check_signed(
        command, approved_by_id, needs=NEEDS, signs=catch_up_signs(number=number, entered=entered, names=names)
    )
    sheet, zone = sheet_of(command.room_id, number), room_of(command.room_id).time_zone
    assert sheet.opening is not None
    check_readable(entered, seats=sheet.opening.game.seats, at=command.at, zone=zone)
    check_kinds(entered)
    day = lock_open_day(command.room_id)
    _check_dealers(command, entered)
    entered = _with_players(command, entered, names)
    players = _lock_players(command, entered, table_id=sheet.table_id or 0)
    table = lock_table(command, sheet.table_id or 0)
    _check_locked(entered, players, table)
    before = CaughtUp.objects.filter(sheet=sheet).first()
    if before is not None:
        raise caught_up_before(before, zone=zone)
    place = place_of(sheet, table, until=entered.until_at, at=command.at)
    check_place(place, entered, zone=zone)
    check_time_and_decks(table, place.opening, entered, zone=zone)
    sits = who_sits(entered.chips, place.players, place.holders)
    check_seats(entered, sits)
    check_none_waits(entered.chips, place.sitting)
    overrule = check_signer(
        sheet, table, entered, floor_id=command.staff_id, signer_id=approved_by_id, overrule=overrule, zone=zone
    )
    return _record(_Catching(command, place, day, entered, players), dealer_id=approved_by_id, overrule=overrule)


def caught_up_before(before: CaughtUp, *, zone: str) -> SheetCaughtUp:
    """Return what is said of a sheet that was caught up before, with when and by whom."""
    on = f"{before.caught_up_at.astimezone(ZoneInfo(zone)):%d.%m.%Y %H:%M}"
    return SheetCaughtUp(sheet=before.sheet.number, on=on, floor_id=before.floor_id, dealer_id=before.dealer_id)


@dataclass
class _Catching:
    """A sheet that is being caught up, and what has come of it so far."""

    command: Command
    place: Place
    day: GamingDay
    entered: Entered
    players: Mapping[int, Player]
    against: list[dict[str, Any]] = field(default_factory=list)
    slips: list[int] = field(default_factory=list)
    screens: list[str] = field(default_factory=list)
    came: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)

    @property
    def number(self) -> int:
        return self.place.sheet.number

    def note(self, seat_number: int, refusals: Sequence[Refusal]) -> None:
        """Keep for the floor what the house would have refused at a seat."""
        for refusal in refusals:
            data = json.loads(canonical(refusal.data))
            self.against.append({"seat": seat_number, "code": refusal.code, "data": data})


def _record(catching: _Catching, *, dealer_id: int, overrule: str) -> Outcome:
    command, place, entered = catching.command, catching.place, catching.entered
    table, opening, sheet = place.table, place.opening, place.sheet
    common: dict[str, Any] = {"day": catching.day, "table": table, "opening": opening, "sheet": sheet.number}
    on_paper = list(_hands(entered))
    hands = enter_hands(command, on_paper, in_play=place.in_play, **common)
    for line in entered.chips:
        _enter_line(catching, line)
    now = sits_there(table) if entered.is_of_seats else {}
    for seat in entered.seats:
        stands(
            now[seat.seat_number], opening=opening, how=seat.stands, away_since=seat.away_since, missed=seat.missed,
            sheet=sheet.number,
        )  # fmt: skip
    if entered.button is not None:
        button_at(opening, entered.button, now.values())
    times = enter_times(command, entered, **common)
    enter_decks(command, entered, table=table, opening=opening, sheet=sheet.number)
    downs = enter_downs(command, [(each.dealer_id, each.began_at, each.ended_at) for each in entered.downs], **common)
    figures = _figures(catching, hands, downs=len(downs)) | ({"overrule": overrule} if overrule else {})
    keep_caught_up(command, sheet, entered, figures, dealer_id=dealer_id)
    if catching.against:
        data = {"sheet": sheet.number, "against": catching.against}
        leave_to_the_floor(table, ToDo.Kind.CAUGHT_UP, at=command.at, data=data)
    return done(
        table,
        data={
            "sheet": sheet.number,
            "signed_by": dealer_id,
            **figures,
            "logged": [data_of_paper_hand(row, hand) for row, hand in zip(hands, on_paper, strict=True)],
            "not_logged": str(place.in_play.hand_id) if place.in_play and not hands else None,
            "times": [data_of_period(row) for row in times],
        },
        audiences=(EVERY_WINDOW, DEALERS, *catching.screens),
        changes=[Update(opening)] if place.is_current else [],
    )


def _hands(entered: Entered) -> Iterator[PaperHand]:
    for line in entered.by_hand():
        at = entered.dealt_at(line.number)
        yield PaperHand(line.number, line.button, line.taken, at, entered.dealer_at(at))


def _enter_line(catching: _Catching, line: ChipLine) -> None:
    """Record a line of buy-ins, and of who came and left, as it follows from those before it."""
    command, place, entered = catching.command, catching.place, catching.entered
    table, at = place.table, line.at or entered.until_at
    common: dict[str, Any] = {"day": catching.day, "table": table, "sheet": catching.number}
    seating = sits_there(table).get(line.seat_number)
    if line.player_id is not None and (seating is None or seating.player_id != line.player_id):
        player = catching.players[line.player_id]
        seating, refusals = sat_down(
            command, opening=place.opening, player=player, seat_number=line.seat_number, at=at, **common
        )
        catching.note(line.seat_number, refusals)
        catching.came.append(seating.pk)
        catching.screens += claims().met(command, table, place.opening.game, player.pk).screens
    assert seating is not None, "it was looked at who sits there"
    if line.chips_cents:
        refusals = put_in(
            command, opening=place.opening, seating=seating, cents=line.chips_cents, at=at, is_sold=bool(line.paid),
            line=line.number, **common,
        )  # fmt: skip
        catching.note(line.seat_number, refusals)
        if line.paid:
            catching.slips.append(_requested(catching, line, seating.player_id))
    if line.left:
        got_up(command, seating=seating, stack_cents=line.stack_cents, at=at, **common)
        catching.left.append(seating.pk)
        if line.carried and line.stack_cents:
            slip_id = ask_cash_out(
                command,
                player_id=seating.player_id,
                amount_cents=line.stack_cents,
                destination=_PICKED_UP,
                seat=seat_of(table, seating),
            )
            catching.slips += [slip_id] if slip_id else []


def _requested(catching: _Catching, line: ChipLine, player_id: int) -> int:
    """Have what was sold on paper wait at the cage, to be confirmed; return its slip."""
    about = OnPaper(
        table_number=catching.place.table.number,
        seat_number=line.seat_number,
        sheet=catching.number,
        paper=line.slip,
        method=line.paid,
    )
    return ask_paid(
        catching.command, player_id=player_id, amount_cents=line.chips_cents, destination=DESTINATION, about=about
    )


def _figures(catching: _Catching, hands: Sequence[Hand], *, downs: int) -> dict[str, Any]:
    """Return what was recorded, for the event and for whoever looks at the sheet again."""
    chips = catching.entered.chips
    return {
        "hands": len(hands),
        "first_hand": hands[0].number if hands else None,
        "last_hand": hands[-1].number if hands else None,
        **{cents_name(kind): cents for kind, cents in catching.entered.taken(charge_codes()).items()},
        "time_cents": catching.entered.time_cents,
        "periods": len(catching.entered.times),
        "decks": len(catching.entered.decks),
        "sold_cents": sum(line.chips_cents for line in chips if line.paid),
        "brought_cents": sum(line.chips_cents for line in chips if not line.paid),
        "left_cents": sum(line.stack_cents or 0 for line in chips if line.left),
        "seatings_came": catching.came,
        "seatings_left": catching.left,
        "slips": catching.slips,
        "downs": downs,
        "to_judge": len(catching.against),
    }


def _check_dealers(command: Command, entered: Entered) -> None:
    ids = {down.dealer_id for down in entered.downs}
    if Staff.objects.filter(room_id=command.room_id, id__in=ids).count() != len(ids):
        raise NotFound(what="person")


def _with_players(command: Command, entered: Entered, names: Mapping[str, str]) -> Entered:
    """Return it with a player for each name; whom nobody knows is added. :raises NicknameTaken: as `player_meant`."""
    ids: dict[str, int] = {}
    for nickname in names.values():
        key = nickname.casefold()
        if key not in ids:
            known = known_by_name(command.room_id, nickname)
            ids[key] = known or player_meant(command, None, NewPlayer(nickname))
    chips = tuple(
        replace(line, player_id=ids[names[str(line.number)].casefold()]) if str(line.number) in names else line
        for line in entered.chips
    )
    return replace(entered, chips=chips)


def _lock_players(command: Command, entered: Entered, *, table_id: int) -> dict[int, Player]:
    """Lock whoever is meant, by id: who came, and who sits there. :raises NotFound: the room has no such player."""
    # Read without the table's lock, which comes after people's: `_check_locked` looks again.
    came = {line.player_id for line in entered.chips if line.player_id is not None}
    sits = Seating.objects.filter(table_id=table_id, left_at=None) if entered.chips else Seating.objects.none()
    meant = came | set(sits.values_list("player_id", flat=True))
    rows = Player.objects.select_for_update(no_key=True).filter(room_id=command.room_id, id__in=meant).order_by("id")
    players = {row.pk: row for row in rows.filter(erased_at=None, merged_into=None)}
    if came - players.keys():
        raise NotFound(what="player")
    return players


def _check_locked(entered: Entered, players: Mapping[int, Player], table: Table) -> None:
    """
    Ask whether everybody who sits at the locked table was locked before it: a person's row comes before a table's.

    :raises Stale: somebody has sat down since.
    """
    sits = Seating.objects.filter(table=table, left_at=None) if entered.chips else Seating.objects.none()
    if not set(sits.values_list("player_id", flat=True)) <= players.keys():
        raise Stale(what="table", version=table.version)
