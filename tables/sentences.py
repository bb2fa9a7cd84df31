"""What the tables' events say in the log; how hands, seats, tables and games are named there: `sentences_names`."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from casino.audit.sentences import By, Values, name_codes, say
from tables import sentences_names
from tables.charges import cents_name, charge_codes
from tables.incident_words import KINDS
from tables.views.floor_words import CORRECTION_REASONS, VOID_REASONS

sentences_names.register()
name_codes("kind", KINDS)
name_codes("reason", {**CORRECTION_REASONS, **VOID_REASONS})


def _charged(args: Values, data: Values) -> Values:
    """Return what a hand paid, also nothing, by kind of charge (`kind:cents`)."""
    paid = [(kind, data.get(cents_name(kind))) for kind in charge_codes()]
    return {"charged": [f"{kind}:{cents}" for kind, cents in paid if cents is not None] or "–"}


def _of_hand(args: Values, data: Values) -> Values:
    """Return what a logged hand comes to: the pot as it was counted, and who it went to (`hand:seat`)."""
    shares = data.get("shares") or [[{"seat_number": seat} for seat in pot] for pot in args["hand"]["winners"]]
    seats = sorted({share["seat_number"] for pot in shares for share in pot})
    pots = [cents for cents in args["hand"]["pots"] if cents is not None]
    return {"pot_cents": sum(pots) if pots else "–", "won_by": [f"{data['hand']}:{seat}" for seat in seats] or "–"}


def _of_paid_pot(args: Values, data: Values) -> Values:
    """Return what was paid of a disputed pot, and to whom."""
    shares = data["shares"]
    return {"paid_cents": sum(share["cents"] for share in shares), "players": [share["player"] for share in shares]}


def _of_rack(args: Values, data: Values) -> Values:
    """Return how a rack was found: its cash is told of where it differs, or was brought to the vault."""
    tells_cash = data.get("cash_difference_cents") or (data.get("kind") == "closing" and data.get("counted_cash_cents"))
    return {"how": "cash"} if tells_cash else {}


def _ways(key: str, true: Any, false: Any) -> By:
    return By(key, {True: true, False: false})


_TIPS_TAKEN = By(
    "is_own",
    {
        True: _("The tip box of table {table} was emptied: {counted_cents}, of {dealer}; signed by {approved_by_id}."),
        False: _("The tip box of table {table} was emptied: {counted_cents}; signed by {approved_by_id}."),
        "shared": _(
            "The tip box of table {table} was emptied: {counted_cents}, shared by who dealt meanwhile;"
            " signed by {approved_by_id}."
        ),
    },
)
_CLOSED_TIPS_TAKEN = By(
    "is_own",
    {
        True: _(
            "The tip box taken along from table {table} was emptied: {counted_cents}, of {dealer};"
            " signed by {approved_by_id}."
        ),
        "shared": _(
            "The tip box taken along from table {table} was emptied: {counted_cents}, shared by who dealt meanwhile;"
            " signed by {approved_by_id}."
        ),
    },
)

say(
    {
        # Hands.
        "tables.deal_hand": _("Hand {hand} at table {table} was dealt."),
        "tables.show_flop": _("Hand {hand} at table {table} went beyond the first deal."),
        "tables.settle_hand": _("Hand {hand} at table {table} settled: pot {pot_cents}, {charged}, to {won_by}."),
        "tables.skip_hand": _("Hand {hand} at table {table} was played and not logged."),
        "tables.void_hand": _("Hand {hand} at table {table} was a misdeal."),
        "tables.undo_hand": _("Hand {hand} at table {table} was undone by its dealer."),
        "tables.void_settled_hand": _("Hand {hand} at table {table} was voided: {reason}."),
        "tables.correct_hand": _("Hand {hand} at table {table} was replaced: {reason}; pot {pot_cents}, to {won_by}."),
        "tables.supply_hand": _("Hand {hand_row_id} at table {table} was supplied: {charged}."),
        "tables.judge": _("Something to be judged at table {table} was judged."),
        "tables.set_pot_aside": _("A disputed pot of hand {hand} at table {table} was set aside: {aside_cents}."),
        "tables.pay_disputed_pot": _(
            "The disputed pot of hand {hand} at table {table} was paid: {paid_cents}, to {players}."
        ),
        "tables.put_pot_back": _("The disputed pot of hand {hand} at table {table} was put back."),
        "tables.keep_tap": _("A tap at table {table} was kept for the floor."),
        "tables.enter_tap": _("A kept tap at table {table} was entered by the floor."),
        # Tables.
        "tables.add_table": _("The room has a table {table} now."),
        "tables.offer_games": _("The games on offer were put in order: {games}."),
        "tables.open_table": _("Table {table} opened: {game}."),
        "tables.close_table": _("Table {table} closed."),
        "tables.count_through": By(
            "differs",
            {
                False: _("Table {table} was counted through between two hands: {counted_cents}, as the log has it."),
                True: _(
                    "Table {table} was counted through between two hands: {counted_cents}, and the log has"
                    " {in_play_cents} in play."
                ),
            },
        ),
        "tables.state_difference": By(
            "is_over",
            {
                False: _("At table {table} {missing_cents} was stated to be missing of the chips in play."),
                True: _("At table {table} {over_cents} was stated to be there beyond the chips in play."),
            },
        ),
        "tables.change_stakes": _("Table {table} changed its stakes: {from_game}, now {game}; agreed by {players}."),
        "tables.record_draw": _("The button was drawn at table {table}: seat {winner}."),
        "tables.button_here": _("The button at table {table} was said to be at seat {seat}."),
        "tables.announce_last_orbit": _("Table {table} closes: last hands announced."),
        "tables.take_back_last_orbit": _("Table {table} does not close after all."),
        "tables.prepare_seat_draw": _("A draw of the free seats was prepared at table {table}."),
        "tables.draw_seats": _("Players of table {table} drew for the free seats: seats {order}."),
        "tables.count_tip_box": _("The tip box of table {table} was counted: {counted_cents}."),
        "tables.fill_rack": _("The rack of table {table} was filled with {filled_cents}; signed by {approved_by_id}."),
        "tables.sell_from_rack": _(
            "{player_id} bought {amount_cents} in chips at the table, from its rack (slip {slip_id})."
        ),
        "tables.check_rack": By(
            "how",
            {
                "as_left": _("The rack of table {table} was taken over as it was left."),
                "agrees": _("The rack of table {table} was counted at the push, and nothing differs."),
                "cash": _(
                    "The rack of table {table} was counted at the push: chips differ by {difference_cents}, cash by"
                    " {cash_difference_cents}."
                ),
                "differs": _(
                    "The rack of table {table} was counted at the push, and it differs by {difference_cents}:"
                    " {counted_cents} of {expected_cents}."
                ),
            },
        ),
        "tables.count_rack": By(
            "how",
            {
                "agrees": _("The rack of table {table} was counted by the floor, and nothing differs."),
                "cash": _(
                    "The rack of table {table} was counted by the floor: chips differ by {difference_cents}, cash by"
                    " {cash_difference_cents}."
                ),
                "differs": _(
                    "The rack of table {table} was counted by the floor, and it differs by {difference_cents}:"
                    " {counted_cents} of {expected_cents}."
                ),
            },
        ),
        "tables.close_rack": By(
            "how",
            {
                "agrees": _(
                    "The rack of table {table} was counted at its closing, and nothing differs; signed by"
                    " {approved_by_id}."
                ),
                "cash": _(
                    "The rack of table {table} was counted at its closing: chips differ by {difference_cents}, cash by"
                    " {cash_difference_cents}; signed by {approved_by_id}."
                ),
                "differs": _(
                    "The rack of table {table} was counted at its closing, and it differs by {difference_cents}:"
                    " {counted_cents} of {expected_cents}; signed by {approved_by_id}."
                ),
            },
        ),
        "tables.clear_rack": By(
            "how",
            {
                "agrees": _(
                    "The rack of table {table} was counted and brought to the vault, and nothing differs:"
                    " {counted_cents}; signed by {approved_by_id}."
                ),
                "cash": _(
                    "The rack of table {table} was counted and brought to the vault, {counted_cents} in chips and"
                    " {counted_cash_cents} in cash: chips differ by {difference_cents}, cash by"
                    " {cash_difference_cents}; signed by {approved_by_id}."
                ),
                "differs": _(
                    "The rack of table {table} was counted and brought to the vault, and it differs by"
                    " {difference_cents}: {counted_cents} of {expected_cents}; signed by {approved_by_id}."
                ),
            },
        ),
        "tables.close_tips": _ways(
            "is_closed",
            _("{dealer} closed their tips at table {table} and took the box along."),
            _("{dealer} took a tip box along at table {table}: there were no tips to close."),
        ),
        "tables.take_back_closed_tips": _(
            "The tip box of {dealer} at table {table} was not taken along: it had been said by mistake."
        ),
        "tables.take_tips": _TIPS_TAKEN,
        "tables.take_closed_tips": _CLOSED_TIPS_TAKEN,
        "tables.note_tip_receipt": _("Receipt {number} of tips was printed."),
        "tables.hand_tips_on": _(
            "The tips of {gaming_day} were handed to payroll: {handed_cents}; signed by {approved_by_id}."
        ),
        "tables.change_deck": _("Table {table} got another deck: {colour}."),
        "tables.call_floor": _("Table {table} called the floor: {reason}."),
        "tables.push_dealer": _("{dealer} began to deal at table {table}."),
        "tables.end_down": _("{dealer} stopped dealing at table {table}."),
        "tables.take_time": _("Time was charged at table {table}: due {due_cents}, paid {paid_cents}."),
        "tables.pay_by_time": _(
            "Table {table} pays {charge_cents} for each started {minutes} minutes instead of by the hand;"
            " agreed by {players}."
        ),
        "tables.pay_by_hand": _("Table {table} pays by the hand again."),
        "tables.let_time_go": _("Time at table {table} was not charged for a period."),
        "tables.take_back_time": _("A time charge at table {table} was taken back."),
        # Seats.
        "tables.seat_player": _("{player} sat down at table {table}, seat {seat}."),
        "tables.play_over": _("{player} plays over at table {table}, seat {seat}."),
        "tables.leave_seat": By(
            "was_counted",
            {
                True: _("{player} left table {table}, seat {seat}, with {stack_cents}."),
                False: _("{player} left table {table}, seat {seat}; the stack was not counted."),
            },
        ),
        "tables.take_back_leaving": _("{player} did not leave table {table}, seat {seat}, after all."),
        "tables.count_stack": _("The stack of {seating} at table {table} was counted: {stack_cents}."),
        "tables.bring_chips": _("{seating} brought {chips_cents} along to table {table}."),
        "tables.pick_up_stack": _("The stack of {player} at table {table} was picked up: {stack_cents}."),
        "tables.move_player": _(
            "{player} moved from table {table}, seat {seat}, to table {to_table}, seat {to_seat}, with {stack_cents}."
        ),
        "tables.take_back_move": _("The move of {player} from table {to_table} to table {table} was taken back."),
        "tables.change_seat": _("{seating} changed seats at table {table}: from {from} to {seat}."),
        "tables.take_back_seat_change": _("{seating} is back in seat {seat} at table {table}."),
        "tables.ask_seat_change": _ways(
            "asks",
            _("{seating} asked for another seat at table {table}."),
            _("{seating} asks for no other seat at table {table} any more."),
        ),
        "tables.ask_table_change": _("{player} asked to leave table {table} for another."),
        "tables.end_table_change": _("The wish of {player} to leave table {table} for another was ended."),
        "tables.choose_entry": _("{seating} said how to come in at table {table}."),
        "tables.hold_seat": _ways(
            "held", _("The seat of {seating} at table {table} is held."), _("{seating} is back at table {table}.")
        ),
        "tables.set_straddle": _ways(
            "straddles",
            _("{seating} straddles at table {table}."),
            _("{seating} straddles no more at table {table}."),
        ),
        "tables.set_long_break": _ways(
            "has_break",
            _("{seating} has a long break at table {table}."),
            _("{seating} has no long break at table {table} any more."),
        ),
        "tables.set_absence_limit": _("{seating} may be away from table {table} for {minutes} minutes."),
        "tables.call_clock": _("The clock was called on {player} at table {table}."),
        "tables.end_clock": _("The clock on {player} at table {table} ended."),
        # Lists.
        "tables.note_overrule": _("Another than the house’s order was followed for a seat: {game}."),
        # Rulings and the rule book.
        "tables.write_incident": _("An incident was written: {kind}; {players}."),
        "tables.end_penalty": _("A penalty was ended."),
        "tables.let_penalty_run_out": _("A penalty ran out."),
        "tables.let_ban_end": _("The ban of {player_id} ended by time."),
        "tables.edit_book": _("The next rule book was edited."),
        "tables.discard_book": _("The next rule book was discarded."),
        "tables.ask_for_book": _("The next rule book was put up for approval, by {asked_by}."),
        "tables.approve_book": _("The next rule book was approved, by {decided_by}."),
        "tables.refuse_book": _("The next rule book was refused, by {decided_by}."),
        "tables.withdraw_book": _("The next rule book was withdrawn."),
        "tables.let_book_hold": _("Rule book {number} is in force."),
    },
    more={
        "tables.settle_hand": lambda args, data: _of_hand(args, data) | _charged(args, data),
        "tables.correct_hand": _of_hand,
        "tables.check_rack": _of_rack,
        "tables.count_rack": _of_rack,
        "tables.close_rack": _of_rack,
        "tables.clear_rack": _of_rack,
        "tables.supply_hand": _charged,
        "tables.leave_seat": lambda args, data: {"was_counted": data.get("stack_cents") is not None},
        "tables.set_pot_aside": lambda args, data: {"aside_cents": data.get("cents", "–")},
        "tables.pay_disputed_pot": _of_paid_pot,
    },
)
