"""What a fact left the floor to judge, in words."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from casino.errors import stored_refusal
from casino.money import format_cents, format_difference
from casino.people.selectors import staff_names
from casino.rooms.models import Room
from casino.text import isolated
from tables.charges import charge_kinds, due_name, kind_of, taken_name
from tables.floor_calls import FLOOR_CALLS
from tables.models import ToDo
from tables.selectors.todo_taps import tap_words


def todo_words(room: Room, todo: ToDo) -> tuple[str, str]:
    """Return a row of the to-do as a sentence and its reason, in the active language. No query but of racks."""
    hand = todo.data.get("hand", "")
    if todo.kind == ToDo.Kind.HAND_DIFFERS:
        return _("Hand %(hand)s differs from the log") % {"hand": hand}, _differences(todo.data.get("what", ()))
    if todo.kind == ToDo.Kind.RAKE_DIFFERS:
        return _("Hand %(hand)s: the box got something else") % {"hand": hand}, _box(room, todo.data)
    if todo.kind == ToDo.Kind.HAND_NOT_LOGGED:
        return _("Hand %(hand)s was not logged") % {"hand": hand}, _("Enter what went into the boxes.")
    if todo.kind == ToDo.Kind.HAND_ABANDONED:
        text = _("Hand %(hand)s was dealt and never settled") % {"hand": hand}
        return text, _("The next hand was dealt. Enter what went into the boxes.")
    if todo.kind == ToDo.Kind.KEPT_APART:
        seats = " · ".join(str(seat) for seat in todo.data.get("seats", ()))
        text = _("Seats %(seats)s are kept apart") % {"seats": seats}
        return text, _("These players do not play at one table. Offer one of them another.")
    if todo.kind == ToDo.Kind.TAP_KEPT and "more" in todo.data:
        text = _("Not entered: more taps of one tablet, %(count)s of them") % {"count": todo.data["more"]}
        return text, _("More than a night can bring. Each is in the log; look at the tablet.")
    if todo.kind == ToDo.Kind.TAP_KEPT:
        return _("Not entered: %(tap)s") % {"tap": tap_words(room, todo.data)}, _doubt(todo.data["doubt"])
    if todo.kind in (ToDo.Kind.STACK_ABOVE_PLAY, ToDo.Kind.TIPS_ABOVE_PLAY, ToDo.Kind.BROUGHT_UNSEEN):
        return _above_play(room, todo)
    if todo.kind == ToDo.Kind.FLOOR_CALLED:
        return _("The dealer calls the floor"), str(FLOOR_CALLS[todo.data["reason"]])
    if todo.kind == ToDo.Kind.BOX_DIFFERS:
        return _("Hand %(hand)s was taken back, and its chips lie in the box") % todo.data, _beyond(
            room, todo.data["beyond"]
        )
    if todo.kind in (ToDo.Kind.RACK_DIFFERS, ToDo.Kind.RACK_NOT_COUNTED):
        return _rack(room, todo)
    if todo.kind == ToDo.Kind.CAUGHT_UP:
        return _("Sheet %(sheet)s: not all of it should be so") % todo.data, _against(room, todo.data["against"])
    if todo.kind == ToDo.Kind.TIPS_DIFFER:
        counted, noted = (
            format_cents(todo.data[name], currency=room.currency, locale=room.locale)
            for name in ("cents", "noted_cents")
        )
        text = _("Tip box: %(noted)s were noted, and %(counted)s were counted") % {"noted": noted, "counted": counted}
        return text, _("What is missing stands as the table’s over/short. Ask who noted it.")
    if todo.kind == ToDo.Kind.TIME_DIFFERS:
        return _time(room, todo.data)
    reason = _("It was played before hands that are in the log, or the log has it otherwise. Button and blinds stay.")
    return _("Hand %(hand)s came late") % {"hand": hand}, reason


def _doubt(doubt: str) -> str:
    words = {
        "no_proof": _("It arrived after its dealer had signed out, and nothing proves who tapped it."),
        "too_old": _("It was tapped under a sign-in that ended more than twelve hours ago."),
        "after_its_end": _("It was tapped after its dealer’s sign-in had ended."),
        "another_signed_in": _("It came after somebody else had signed in at that desktop."),
    }
    return words.get(doubt) or _("It was tapped under a sign-in that this tablet never had.")


def _against(room: Room, found: Iterable[Mapping[str, Any]]) -> str:
    """Return what the house would have refused, had it been asked while a sheet was written on."""
    sentences = []
    for each in found:
        why = stored_refusal(each["code"], dict(each["data"])).text(room.money_format)
        sentences.append(_("Seat %(seat)s: %(why)s") % {"seat": each["seat"], "why": why})
    return " ".join(sentences)


def _above_play(room: Room, todo: ToDo) -> tuple[str, str]:
    counted, over = (
        format_cents(todo.data[name], currency=room.currency, locale=room.locale) for name in ("cents", "over_cents")
    )
    if todo.kind == ToDo.Kind.BROUGHT_UNSEEN:
        text = _("Seat %(seat)s: %(brought)s were brought along") % {"seat": todo.data["seat"], "brought": counted}
        return text, _("It is %(over)s more than all players had in hand. Look at the chips.") % {"over": over}
    reason = _("It is %(over)s more than lay in play there. Chips were brought unseen, or the count is wrong.")
    if todo.kind == ToDo.Kind.TIPS_ABOVE_PLAY:
        return _("Tip box: %(counted)s were counted") % {"counted": counted}, reason % {"over": over}
    if "opening" in todo.data:
        text = _("Counted through: stacks of %(counted)s were counted") % {"counted": counted}
        return text, reason % {"over": over}
    text = _("Seat %(seat)s: a stack of %(counted)s was counted")
    return text % {"seat": todo.data["seat"], "counted": counted}, reason % {"over": over}


def _time(room: Room, data: dict[str, Any]) -> tuple[str, str]:
    due, paid = (
        format_cents(data[f"{what}_cents"], currency=room.currency, locale=room.locale) for what in ("due", "paid")
    )
    if data.get("charge"):
        reason = _("%(due)s was owed. Taken: %(paid)s (%(box)s).")
        reason %= {"due": due, "paid": paid, "box": kind_of(data["charge"]).words.box}
    else:
        reason = _("%(due)s was owed, %(paid)s lies in the rake box.") % {"due": due, "paid": paid}
    if data.get("is_after"):
        after = _("It is for time after the table had gone on otherwise, or closed: look whether it was paid twice.")
        return _("Time charge %(number)s came late") % {"number": data["number"]}, f"{after} {reason}"
    return _("Time charge %(number)s: not what was owed") % {"number": data["number"]}, reason


def _rack(room: Room, todo: ToDo) -> tuple[str, str]:
    """Return what is said of a rack, with who dealt meanwhile. One query."""
    data = todo.data
    if data.get("plays_on"):
        text = _("The gaming day ended, and the rack was counted unannounced %(done)s times of %(needed)s")
        return text % data, _("The table plays on. Count it now.")
    if "needed" in data:
        text = _("The table closed, and its rack was counted unannounced %(done)s times of %(needed)s")
        return text % data, _("Count it now, and again with the next opening.")
    if "opening" in data:
        text = _("The table opened, and nobody has taken over its rack")
        return text, _("Count it, or say that it is as its closing count left it.")
    if "closing" in data:
        text = _("The table closed, and its rack was not counted")
        return text, _("Count it, or close it with a second person: until then a difference is nobody’s.")
    if "asked" in data:
        text = _("The rack was asked for more chips than it held, %(asked)s times since its last count")
        return text % data, _("Who counts it could tell by that what should lie there. Count it now.")
    names = staff_names([*data.get("dealers", ()), *data.get("cash_dealers", ())] or [data.get("dealer") or 0])
    who, since_cash = (
        ", ".join(isolated(names[dealer]) for dealer in data.get(key, ()) if dealer in names)
        for key in ("dealers", "cash_dealers")
    )
    if todo.kind == ToDo.Kind.RACK_NOT_COUNTED:
        text = _("The rack was not counted at a push that was drawn for it")
        return text, _("%(dealer)s took over. The next push is drawn again.") % {
            "dealer": isolated(names.get(data["dealer"], "?"))
        }
    # Whoever counts it again must not know what is expected.
    chips, cash = (
        format_difference(data.get(key, 0), currency=room.currency, locale=room.locale)
        for key in ("difference_cents", "cash_difference_cents")
    )
    if not data["difference_cents"]:
        text = _("Rack: its cash differs by %(difference)s") % {"difference": cash}
        if not who:
            return text, _("Nobody has dealt since its cash was counted. Have it counted again.")
        return text, _("Since its cash was counted dealt: %(dealers)s. Have it counted again.") % {"dealers": who}
    text = _("Rack: the count differs by %(difference)s") % {"difference": chips}
    if "cash_difference_cents" in data:
        text = _("Rack: chips differ by %(difference)s, cash by %(cash)s") % {"difference": chips, "cash": cash}
    if since_cash:
        dealers = {"dealers": who or "–", "cash_dealers": since_cash}
        return text, _(
            "Since the last count dealt: %(dealers)s. Since its cash was counted: %(cash_dealers)s. Have it counted"
            " again."
        ) % dealers
    if not who:
        return text, _("Nobody has dealt since the last count. Have it counted again.")
    return text, _("Since the last count dealt: %(dealers)s. Have it counted again.") % {"dealers": who}


def _differences(codes: Iterable[str]) -> str:
    words = {
        "positions": _("Button or blinds were elsewhere."),
        "positions_unsaid": _("Nobody said where the button was, and too few have chips in the log."),
        "dealt_in": _("Other players were dealt in."),
        "while_held": _("It was played while the hand before it waited for the floor."),
        "empty_seat_dealt_in": _("A seat was dealt in where nobody sits."),
        "winner_not_dealt_in": _("The winner was not dealt in."),
        "pot_missing_no_flop": _("The rake is due without a flop too, and nobody said how large the pot was."),
        "pot_at_least_below_maximum": _(
            "The pot is only known to be at least so much, and below the maximum: more rake may be due."
        ),
        "pot_above_play": _("The pot is more than lay in play: chips were brought unseen, or it was mistyped."),
        "pot_missing": _("There was a flop, but nobody said how large the pot was."),
    }
    return " ".join(words.get(code, code) for code in codes)


def _beyond(room: Room, cents_by_kind: Mapping[str, int]) -> str:
    lies_there = ", ".join(
        f"{kind.words.box} {format_difference(cents_by_kind[kind.code], currency=room.currency, locale=room.locale)}"
        for kind in charge_kinds()
        if kind.code in cents_by_kind
    )
    return _("Beyond the log: %(boxes)s. Take it out, or count the box with it.") % {"boxes": lies_there}


def _box(room: Room, data: Mapping[str, int]) -> str:
    def money(name: str) -> str:
        return format_cents(data.get(name, 0), currency=room.currency, locale=room.locale)

    sentences = []
    for kind in charge_kinds():
        due, taken = due_name(kind.code), taken_name(kind.code)
        if data.get(due) != data.get(taken):
            sentences.append(str(kind.words.differs) % {"due": money(due), "taken": money(taken)})
    return " ".join(sentences)
