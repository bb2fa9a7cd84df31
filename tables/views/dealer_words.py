"""What the dealer's tablet says by its own script, in the page's language."""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tables.acts import all_acts
from tables.charges import charge_kinds


def words() -> dict[str, str]:
    """Return the texts of static/brush/dealer/ by their names there; `%(name)s` is filled in by the script."""
    return {
        **_bar(),
        **_middle(),
        **_answer(),
        **_side(),
        **_pad(),
        **_seat(),
        **_menu(),
        **_rack(),
        **_time(),
        **_charges(),
        **_acts(),
    }


def _charges() -> dict[str, str]:
    """Return what each kind of charge is called, and what is said of it beside the hand."""
    texts = {}
    for kind in charge_kinds():
        texts[f"charge_{kind.code}"] = str(kind.words.name)
        texts[f"box_{kind.code}"] = str(kind.words.box)
        texts |= {f"charge_{kind.code}_{when}": str(text) for when, text in kind.words.tablet.items()}
        texts |= {f"time_{each}_{kind.code}": str(kind.words.by_time.get(each, "")) for each in ("take", "taken")}
    return texts


def _acts() -> dict[str, str]:
    """Return what the acts of other apps say, each by its code: the label alone, and the rest behind it."""
    all_texts = {}
    for act in all_acts():
        all_texts[f"act_{act.code}"] = str(act.label)
        texts = {"why": act.why, "ask": act.ask, "yes": act.yes, "no": act.no, "after": act.after}
        all_texts |= {f"act_{act.code}_{name}": str(text) for name, text in texts.items()}
    return all_texts


def _bar() -> dict[str, str]:
    return {
        "deal": pgettext("button", "Deal"),
        "draw": pgettext("button", "Button draw"),
        "flop": pgettext("button", "Flop"),
        "pot": pgettext("button", "Pot"),
        "split": pgettext("button", "Split"),
        "done": pgettext("button", "Done"),
        "cancel": pgettext("button", "Back"),
        "pot_idle": _("whole hand at once"),
        "split_hint": _("then the seats"),
        "split_count": _("%(count)s seats share"),
        "next_hand": _("hand %(number)s"),
        "draw_hint": _("first hand"),
    }


def _middle() -> dict[str, str]:
    return {
        "hand": _("Hand %(number)s"),
        "ready": _("ready to deal"),
        "dealt_in": _("%(count)s dealt in"),
        "closed": _("This table is closed. The floor opens it."),
        "held_for_floor": _("Nothing is dealt until the floor has decided."),
        "day_over": _("No gaming day is open. What is tapped waits on this tablet until a manager opens the next day."),
        "too_few": _("Two players with chips are needed to deal."),
        "too_few_for_three": _("Three players with chips are needed to deal."),
        "draw_due": _("Who draws the highest card gets the button."),
        "tap_draw": _("Tap the seat that drew the highest card."),
        "tap_button": _("Tap the seat where the button is."),
        "tap_player": _("Tap a player."),
        "tap_winner": _("Tap the winner’s seat"),
        "tap_or_flop": _("Flop, or tap the winner’s seat"),
        "tap_pot": _("Betting over? Pot."),
        "tap_shares": _("Tap all who share it, then Done."),
        "no_flop_winner": _("No flop: tap the winner’s seat"),
        "who_wins_main": _("Main pot %(amount)s: who wins it?"),
        "who_wins_side": _("Side pot %(index)s, %(amount)s: who wins it?"),
        "who_shares_main": _("Main pot %(amount)s: tap all who share it, then Done."),
        "who_shares_side": _("Side pot %(index)s, %(amount)s: tap all who share it, then Done."),
        "type_pot": _("Type the pot"),
        "type_main": _("Type the main pot"),
        "type_side": _("Type side pot %(index)s"),
        "no_flop_pot": _("No flop: type the pot"),
    }


def _answer() -> dict[str, str]:
    return {
        "take": pgettext("rake", "take"),
        "take_more": pgettext("rake", "take another"),
        "give_back": pgettext("rake", "put back into the pot"),
        "already": pgettext("rake", "already in the box:"),
        "nothing_to_take": _("nothing to take"),
        "push": pgettext("pot", "push"),
        "push_to": _("to seat %(seat)s"),
        "push_pot": _("the pot"),
        "push_rest": _("the rest"),
        "main_pot": _("main pot"),
        "side_pot": _("side pot %(index)s"),
        "taken_back": _("Hand %(number)s is taken back."),
        "undone": _("Hand %(number)s is taken back. It is dealt and logged again."),
        "voided": _("Hand %(number)s is void. It is dealt again."),
        "skipped": _("Hand %(number)s was not logged. The floor asks what went into the boxes."),
    }


def _side() -> dict[str, str]:
    return {
        "next_begins": _("The next hand begins with"),
        "this_hand": _("This hand"),
        "small_blind": _("small blind"),
        "big_blind": _("big blind"),
        "dead_small": _("no small blind"),
        "new_player": _("new player"),
        "missed_blinds": _("missed blinds"),
        "dead_to_pot": _("dead, into the pot"),
        "straddle": _("straddle"),
        "draw_first": _("The button is drawn first."),
        "hand_before": _("Last hand"),
        "not_logged": _("%(number)s · not logged"),
        "at_least": _("%(amount)s or more"),
        "no_flop": _("no flop"),
        "undo": pgettext("button", "Undo"),
        "undo_ask": _(
            "Take back hand %(number)s? Button and blinds go back with it. What lies in the boxes stays there."
        ),
        "undo_yes": _("Take it back"),
        "keep": _("No, keep it"),
        "no_hand_before": _("No hand yet."),
        "hands_left": _("Last orbit, hands to go: %(count)s"),
        "final_hand": _("This is the last hand of the table"),
        "final_hand_over": _("The last hand is dealt. The floor moves the players."),
    }


def _pad() -> dict[str, str]:
    return {
        "pot_title": _("Pot"),
        "maximum": pgettext("rake", "Maximum"),
        "maximum_from": _("%(amount)s or more"),
        "side_pots": _("Side pots"),
        "side_pots_why": _("may be left out"),
        "next_side_pot": _("One more side pot"),
        "was_no_flop": _("There was no flop"),
        "too_much": _("More than the whole pot."),
        "buy_in_title": _("Buy-in · %(name)s"),
        "buy_in_limits": _("%(least)s to %(most)s"),
        "buy_in_least": _("at least %(least)s"),
        "buy_in_send": _("Ask the cage"),
        "buy_in_send_why": _("the player has the money"),
        "buy_in_money_here": _("Ask, I have the money"),
        "buy_in_money_here_why": _("a runner fetches it"),
        "sell": _("Sold from the rack"),
        "sell_why": _("for cash, which lies there"),
        "sold": _("%(amount)s from the rack for seat %(seat)s."),
        "again_yes": _("Yes, another one"),
        "again_no": _("No, once"),
        "buy_in_sent": _("%(amount)s for seat %(seat)s: the cage knows."),
        "stack_ask": _("How much does %(name)s have on the table?"),
        "stack_under": _("Less than one blind"),
        "stack_count": _("Counted …"),
        "stack_full": _("A full stack"),
        "stack_title": _("Counted stack · %(name)s"),
        "leave_title": _("%(name)s leaves with"),
        "leave_send": _("Leaves with %(amount)s"),
        "tips_title": _("Tip box"),
        "tips_of": _("The tips of %(name)s"),
        "tips_along": _("Box taken along"),
        "tips_along_why": _("an empty one hangs"),
        "tips_stay": _("Not yet"),
        "tips_stay_why": _("the floor sees to it"),
        "tips_send": _("%(amount)s in the tip box"),
        "erase": _("Erase the last digit"),
    }


def _seat() -> dict[str, str]:
    return {
        "seat": _("Seat %(number)s"),
        "free": _("free"),
        "held": _("held"),
        "no_chips": _("no chips"),
        "away": _("away %(time)s"),
        "posts": _("posts %(amount)s"),
        "straddles": _("straddles %(amount)s"),
        "live_and_dead": _("%(live)s + %(dead)s dead"),
        "waits": _("waits for BB"),
        "out": _("next hand"),
        "btn": _("BTN"),
        "sb": _("SB"),
        "bb": _("BB"),
        "missed": pgettext("missed blind marker", "M"),
        "post_now": _("Post %(amount)s now"),
        "join_hand": _("dealt in with hand %(number)s"),
        "join_later": _("dealt in as soon as there is a place"),
        "join_chips": _("dealt in once chips are here"),
        "wait": _("Wait for the big blind"),
        "wait_why": _("costs nothing until then"),
        "straddle_in": _("Straddle %(amount)s"),
        "straddle_in_why": _("next after the big blind, else waits"),
        "straddle_on": _("Straddles from now on"),
        "straddle_on_why": _("whenever it may, until taken back"),
        "straddle_off": _("No more straddles"),
        "buy_in": _("Buy-in"),
        "bet": pgettext("betting button", "BET"),
        "over_for": _("over for %(name)s"),
        "holder_back": _("%(name)s is back"),
        "holder_back_waits": _("%(name)s is back: waits for BB"),
        "holder_back_posts": _("%(name)s is back: posts %(amount)s"),
        "holder_back_straddles": _("%(name)s is back: straddles %(amount)s"),
        "holder_back_why": _("who plays over leaves, after the hand"),
        "long_break": _("Long break"),
        "long_break_why": _("once an evening"),
        "another_seat": _("Another seat"),
        "seat_change_wanted": _("asked for"),
        "seat_closer": _("costs nothing"),
        "seat_further": _("further: waits for BB, or posts %(amount)s"),
        "wish": _("Would like another seat"),
        "any_seat": _("any seat"),
        "wish_why": _("the floor says yes, in the order of asking"),
        "wish_off": _("Would like no other seat"),
        "hold": _("Hold the seat"),
        "hold_why": _("not dealt in until back"),
        "back": _("Back at the table"),
        "back_waits": _("Back: waits for BB"),
        "back_posts": _("Back: posts %(amount)s"),
        "back_straddles": _("Back: straddles %(amount)s"),
        "leave": _("Leave"),
        "leave_counted": _("Stack counted"),
        "leave_uncounted": _("Not counted"),
        "leave_ask": _("%(name)s leaves seat %(seat)s, and nobody counted the stack?"),
        "above_play": _("%(amount)s is more than lies in play at this table. Count again."),
        "pot_above_play": _("A pot of %(amount)s is more than lies in play at this table. Count again."),
        "above_play_yes": _("Counted: it is so"),
        "above_play_no": _("Count again"),
        "leave_yes": _("Leaves, not counted"),
        "stay": _("No, stays"),
        "sees_floor": pgettext("note at a seat", "see the floor"),
        "button_here": _("The button is here"),
        "free_why": _("The floor seats players."),
        "close": pgettext("button", "Close"),
        "clock": pgettext("on a player", "Clock"),
        "clock_why": _("who takes too long"),
    }


def _menu() -> dict[str, str]:
    return {
        "menu": _("More"),
        "misdeal": _("Misdeal"),
        "misdeal_why": _("deal again, same button and blinds"),
        "misdeal_ask": _("Misdeal: deal hand %(number)s again, with the same button and blinds?"),
        "void": _("Void hand"),
        "void_why": _("bets go back, deal again"),
        "void_ask": _("Void hand %(number)s? All bets go back, nothing is taken, and it is dealt again."),
        "void_yes": _("It is void"),
        "misdeal_yes": _("Misdeal"),
        "play_on": _("No, play on"),
        "skip": _("Hand not logged"),
        "skip_why": _("button and blinds move on"),
        "skip_ask": _("Hand %(number)s was played and not logged? The floor asks later what went into the boxes."),
        "skip_yes": _("Not logged, go on"),
        "move_button": _("The button is …"),
        "move_button_why": _("then tap its seat"),
        "player": _("A player …"),
        "player_why": _("buy-in, hold, leave"),
        "tips": _("Tips counted"),
        "no_draw": _("Deal without a draw"),
        "floor_call": _("Call the floor for …"),
        "aside": _("Set the pot aside"),
        "aside_why": _("hand %(number)s is disputed"),
        "aside_done": _("The pot of hand %(number)s lies apart. The floor decides."),
        "my_downs": _("My downs"),
        "my_downs_why": _("where and how long"),
        "push_dealer": _("Next dealer"),
        "push_dealer_why": _("the next one’s PIN"),
        "see_floor": _("See the floor."),
        "no_answer": _("No connection. Tap again when it is back: it is done only once."),
    }


def _rack() -> dict[str, str]:
    return {
        "rack_title": _("The rack"),
        "rack_left": _("As left"),
        "rack_left_why": _("taken over as it lies there"),
        "rack_count": _("Count it …"),
        "rack_count_why": _("how many of each chip"),
        "rack_drawn": _("Count the rack now"),
        "rack_next": pgettext("the next chip", "Next"),
        "rack_send": _("Counted: %(amount)s"),
        "rack_send_cash": _("Counted: %(amount)s, and %(cash)s in cash"),
        "rack_chips": _("Chips"),
        "rack_cash": _("Cash"),
        "rack_send_why": _("chips without a number: none"),
        "rack_counted": _("The rack is counted. Thank you."),
    }


def _time() -> dict[str, str]:
    return {
        "time_due": _("Time charge: take %(amount)s"),
        "time_since": _("due since %(time)s"),
        "time_next": _("Time charge at %(time)s"),
        "time_title": _("Time charge %(number)s · %(time)s"),
        "time_why": _("Tap who did not pay."),
        "time_paid": _("pays"),
        "time_unpaid": _("did not pay"),
        "time_away": _("away: owes nothing"),
        "time_take": _("%(amount)s into the rake box"),
        "time_taken": _("Time charge %(number)s: %(amount)s is in the rake box."),
    }
