"""What the log tells of the tables: openings, hands with their charges, time that was paid, boxes and what fell in."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import zip_longest
from typing import Any

Event = dict[str, Any]
PLAYED = {"settled", "not_logged"}
ENDS_A_HAND = {"tables.settle_hand", "tables.skip_hand", "tables.void_hand"}
# A dealer who is not told in these days.
NOBODY_KNOWN = -1
# What reports count of these commands.
NOTEWORTHY = {
    "people.ban_player": "restrictions",
    "tables.note_overrule": "overrules",
    "jackpot.approve_claim": "jackpot_hits",
    "tables.set_pot_aside": "disputes",
}
# What they count of incidents by their kind, all others as "incidents".
INCIDENTS = {"ruling": "rulings", "warning": "penalties", "penalty": "penalties"}
# Of these events say of which opening they were, or at which table and when: so a report counts them.
PLACED = ("disputes", "rulings", "penalties", "incidents", "overrules", "jackpot_hits")
NOTED = ("undone", "void", "corrected", "not_logged")


@dataclass
class Hand:
    """One hand as the log has it; `day` is when it was dealt, `paid_on` when its charges were posted."""

    table: int
    opening: int | None
    day: str
    dealer: int | None
    status: str = "dealt"
    at: str | None = None
    paid_on: str = ""
    due: dict[str, int] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)
    from_paper: bool = False
    number: int = 0
    # What they held, or at least did; none where nobody counted them, or it was won in the initial deal.
    pots: list[int] = field(default_factory=list)
    is_at_least: bool = False
    # Whether it went beyond the initial deal, or may have; and whether Flop was tapped.
    has_flop: bool = True
    has_shown_flop: bool = False
    # How many were dealt in, as the tablet showed it; 0 where it did not say.
    participants: int = 0
    # Whether its table may have paid the drop by the time when it was dealt.
    may_be_free: bool = True

    def take(self, event: Event, *, is_late: bool = False) -> None:
        """Take in what its event says of pots and players; of one that comes late Flop may have been tapped before."""
        logged = event["args"].get("hand")
        if logged is None:
            return
        self.pots, self.is_at_least = list(logged.get("pots") or []), bool(logged.get("pot_is_at_least"))
        is_beyond = self.pots or logged.get("beyond_initial_deal_at") or self.has_shown_flop or is_late
        self.has_flop = bool(is_beyond) and not logged.get("is_without_flop")
        self.participants = len(logged.get("dealt_in") or ())


@dataclass
class Opened:
    """
    One opening that the log saw begin: where, when, by whom and under which version of the rule book. `goes_on`: it
    continues one of before these days, and so begins later than the log says where that one did.
    """

    table: int
    at: str
    by: int | None
    version: int | None
    closed_at: str | None = None
    closed_by: int | None = None
    # None where no event says it.
    pk: int | None = None
    goes_on: bool = False
    # It pays by the time, or may, so that its hands may owe no drop; or time was paid until then.
    by_time: bool = False
    free_until: str | None = None

    def may_free(self, dealt_at: str) -> bool:
        """Say whether a hand that was dealt at a moment may owe no drop; one of before these days may, whenever."""
        until = self.free_until
        return self.goes_on or self.by_time or (until is not None and moment(dealt_at) < moment(until))


@dataclass
class Noted:
    """Something noteworthy: what, when, and of which table and opening as far as its event names them."""

    what: str
    at: str
    table: int | None
    opening: int | None


@dataclass
class Box:
    """A box: what fell in, by day and opening, in cents; one that is not `whole` hung there before these days."""

    code: str
    table: int
    whole: bool = True
    is_numbered: bool = True
    logged: Counter[tuple[str, int | None]] = field(default_factory=Counter)
    last: tuple[str, int | None] | None = None
    # When, what was expected, and what was found.
    counts: list[tuple[str, int, int]] = field(default_factory=list)

    def take(self, other: "Box") -> None:
        """Have what lies in another one too."""
        self.logged.update(other.logged)
        self.whole, self.last = self.whole and other.whole, other.last or self.last


@dataclass
class OfDay:
    """What a day's log comes to, by opening (in an old log by table alone), by dealer and for the room."""

    hands: Counter[int | None] = field(default_factory=Counter)
    by_dealer: Counter[int | None] = field(default_factory=Counter)
    due: Counter[tuple[int | None, str]] = field(default_factory=Counter)
    taken: Counter[tuple[int | None, str]] = field(default_factory=Counter)
    dealer_taken: Counter[tuple[int | None, str]] = field(default_factory=Counter)
    notes: Counter[tuple[int | None, str]] = field(default_factory=Counter)
    # When each hand ended, None where the log does not say, and when what was taken.
    ended: list[str | None] = field(default_factory=list)
    paid: list[tuple[str | None, str, int]] = field(default_factory=list)
    # Whether the log is of before it told which opening each hand is of.
    is_old: bool = False
    # What each opening had posted, by kind of charge.
    posted: Counter[tuple[int | None, str]] = field(default_factory=Counter)


class Tables:
    """Goes through the log of the tables in its order, a day at a time."""

    def __init__(self, codes: Mapping[str, str], dates: Mapping[int, str]) -> None:
        self.dates = dates
        # Which kind of charge lies on which account of a table.
        self.codes = {account: code for code, account in codes.items()}
        self.hands: dict[str, Hand] = {}
        self.dealt: dict[int, str] = {}
        self.running: dict[int, Opened] = {}
        self.openings: dict[int, Opened] = {}
        # By table: openings with which it played on over a day's end, and that no event names.
        self.continued: dict[int, list[Opened]] = {}
        # By day and table: the stacks of its newest count-through.
        self.counted_through: dict[tuple[str, int], int] = {}
        self.times: dict[int, tuple[int | None, str, str, int, int, str]] = {}
        self.boxes: dict[int, Box] = {}
        self.hanging: dict[tuple[int, str], int] = {}
        self.replaced: dict[int, int] = {}
        self.loose: dict[tuple[int, str], Box] = {}
        # All that were counted, also of those that hung there before.
        self.counted: set[int] = set()
        self.date = ""
        # In this day: what moved boxes and money at tables, in order; what is otherwise noteworthy, and of what of it
        # events do not say where it was; whether the log has it open; old events.
        self.steps: list[tuple[int, Event, int | None]] = []
        self.noted: list[Noted] = []
        self.not_placed: set[str] = set()
        self.is_open = False
        self.is_old = False

    def begin_day(self, date: str) -> None:
        """Begin a gaming day; hands of older ones than the last are told no more."""
        keep = set(self.dealt.values())
        self.hands = {uuid: hand for uuid, hand in self.hands.items() if hand.day == self.date or uuid in keep}
        self.times = {pk: each for pk, each in self.times.items() if each[5] == self.date}
        self.date, self.steps, self.noted, self.not_placed = date, [], [], set()
        self.is_open = self.is_old = False

    def see(self, event: Event) -> None:
        """Take in an event."""
        data, name = event.get("data") or {}, event["name"]
        if event["result"] != "done":
            return
        if name == "tables.enter_tap":
            name = data.get("tap", name)
        if name in NOTEWORTHY or name == "tables.write_incident":
            self._notes(name, event, data)
        if name == "boxes.count_box":
            # Boxes are counted under no table's lock.
            self.steps.append((0, event, None))
            self.counted.add(data["box"])
        if name == "cage.open_day":
            # What played on over the day before ends with it: another opening continues it.
            self.is_open = True
            begun = data.get("begun") or {}
            for table, pk in zip_longest(begun.get("tables", ()), begun.get("openings", ())):
                self._goes_on(table, event, pk)
        if not event["chain"].startswith("table."):
            return
        table = int(event["chain"].removeprefix("table."))
        if table in self.running and self.running[table].version is None:
            # What plays on does so under the version under which it began.
            self.running[table].version = event.get("rule_book_version")
        opening = self._see(table, name, event, data) if not data.get("known") else None
        if (event.get("rows") or {}).get("transfer") or name.startswith("boxes."):
            self.steps.append((table, event, opening))

    def _see(self, table: int, name: str, event: Event, data: Event) -> int | None:
        """Take in an event of a table, and return of which opening it is, where that is known."""
        if name in {"tables.open_table", "tables.change_stakes", "tables.pay_by_time", "tables.pay_by_hand"}:
            was = self._closes(table, event)
            opened = Opened(table, event["at"], event["staff"], event.get("rule_book_version"), pk=data["opening"])
            goes_on = name == "tables.change_stakes" and (was is None or was.goes_on or was.by_time)
            opened.by_time = goes_on or name == "tables.pay_by_time"
            opened.free_until = data.get("free_until")
            if name == "tables.change_stakes" and was is not None:
                opened.free_until = was.free_until
            self.running[table] = self.openings[data["opening"]] = opened
        elif name == "tables.close_table":
            self._closes(table, event)
        elif name == "tables.deal_hand" and not data.get("late"):
            self._arrives(table, event, data)
        elif name == "tables.show_flop" and self.dealt.get(table) == data["hand"]:
            self.hands[data["hand"]].has_shown_flop = True
        elif name in ENDS_A_HAND:
            return self._ends(table, name, event, data).opening
        elif name in {"tables.undo_hand", "tables.void_settled_hand"}:
            hand = self.hands.get(data["hand"])
            if hand is not None:
                hand.status = "undone" if name == "tables.undo_hand" else "void"
            return hand.opening if hand is not None else data.get("opening")
        elif name == "tables.correct_hand":
            return self._is_corrected(table, event, data)
        elif name == "tables.supply_hand":
            return self._is_supplied(table, event, data)
        elif name == "tables.take_time":
            return self._is_paid(table, data, event["tapped_at"])
        elif name == "tables.take_back_time":
            self._runs_out(table, data)
            paid = self.times.pop(data["time"], None)
            return paid[0] if paid else data.get("opening")
        elif name == "paper.catch_up":
            return self._is_caught_up(table, event, data)
        elif name == "tables.count_through":
            self.counted_through[self.date, table] = data["counted_cents"]
        return None

    def _closes(self, table: int, event: Event) -> Opened | None:
        was = self.running.pop(table, None)
        if was is not None:
            was.closed_at, was.closed_by = max(event["at"], was.at, key=moment), event["staff"]
        return was

    def _goes_on(self, table: int, event: Event, pk: int | None) -> None:
        """Take in that a table plays on over a day's end, in another opening under the same version."""
        was = self._closes(table, event)
        if was is None:
            opened = Opened(table, event["at"], event["staff"], None, pk=pk, goes_on=True)
        else:
            opened = Opened(table, was.closed_at or was.at, event["staff"], was.version, pk=pk, goes_on=was.goes_on)
            opened.by_time, opened.free_until = was.by_time, was.free_until
        self.running[table] = opened
        if pk is None:
            self.continued.setdefault(table, []).append(opened)
        else:
            self.openings[pk] = opened

    def _notes(self, name: str, event: Event, data: Event) -> None:
        """Take in something noteworthy, where it is this day's: between two days incidents are of none."""
        what = NOTEWORTHY.get(name) or INCIDENTS.get(data["kind"], "incidents")
        if name == "tables.write_incident":
            if not (data["day"] in self.dates if "day" in data else self.is_open):
                return
            table = data.get("table")
        elif data.get("known"):
            return
        else:
            chain = event["chain"]
            table = int(chain.removeprefix("table.")) if chain.startswith("table.") else None
        if what != "overrules" and "opening" not in data:
            # Events of before do not name it.
            self.not_placed.add(what)
        self.noted.append(Noted(what, event["at"], table, data.get("opening")))

    # ---- hands

    def _opening_of(self, table: int, event: Event, data: Event) -> int | None:
        if "opening" in data:
            return int(data["opening"])
        self.is_old = True
        named = (event["args"].get("hand") or {}).get("opening_id")
        return named or (self.running[table].pk if table in self.running else None)

    def _day(self, data: Event) -> str:
        """Return the day that an event names, "" for one that is not here; this one where it names none."""
        return self.dates.get(data["day"], "") if "day" in data else self.date

    def _arrives(self, table: int, event: Event, data: Event) -> Hand:
        """Return a hand that comes; one that nobody had heard of ends the one that was in progress."""
        uuid = data["hand"]
        hand = self.hands.get(uuid)
        if hand is None:
            logged = event["args"].get("hand") or {}
            at = min(filter(None, (logged.get("dealt_at"), event["tapped_at"])), key=moment)
            again = self.hands.get(logged.get("again_of") or "")
            dealer, opening = data.get("dealer", event["staff"]), self._opening_of(table, event, data)
            hand = self.hands[uuid] = Hand(table, opening, self._day(data), dealer, at=again.at if again else at)
            opened = self.openings.get(opening or 0)
            # One that is logged again stays free.
            hand.may_be_free = opened is None or opened.may_free(at) or (again is not None and again.may_be_free)
            if not data.get("late"):
                self._abandons(table)
                self.dealt[table] = uuid
        hand.number = data["number"]
        return hand

    def _abandons(self, table: int) -> None:
        before = self.hands.get(self.dealt.pop(table, ""))
        if before is not None:
            before.status = "not_logged"

    def _ends(self, table: int, name: str, event: Event, data: Event) -> Hand:
        hand = self._arrives(table, event, data)
        if self.dealt.get(table) == data["hand"]:
            del self.dealt[table]
        hand.dealer = hand.dealer if name == "tables.void_hand" else data.get("dealer", event["staff"])
        hand.status = {"tables.settle_hand": "settled", "tables.skip_hand": "not_logged"}.get(name, "void")
        if hand.status == "settled":
            # A kept tap that the floor has entered is of a moment that its event does not name.
            hand.at = None if event["name"] == "tables.enter_tap" else event["tapped_at"]
            hand.take(event, is_late=bool(data.get("late")))
            self._charged(hand, data)
        return hand

    def _charged(self, hand: Hand, data: Event) -> None:
        codes = self.codes.values()
        hand.taken = {code: data[f"{code}_cents"] for code in codes if f"{code}_cents" in data}
        hand.due = {code: data[f"{code}_due_cents"] for code in codes if f"{code}_due_cents" in data}
        self.is_old = self.is_old or len(hand.due) < len(self.codes)
        hand.paid_on = self.date if any(hand.taken.values()) else hand.day

    def _is_corrected(self, table: int, event: Event, data: Event) -> int | None:
        old = self.hands.get(data["corrects"])
        if old is None:
            old = Hand(table, data.get("opening"), self.date, NOBODY_KNOWN)
        old.status = "corrected"
        new = Hand(table, old.opening, old.day, old.dealer, "settled", old.at, from_paper=old.from_paper)
        new.take(event)
        new.may_be_free = old.may_be_free
        self.hands[data["hand"]], new.number = new, old.number
        self._charged(new, data)
        return new.opening

    def _is_supplied(self, table: int, event: Event, data: Event) -> int | None:
        if "hand" in data:
            found = self.hands.get(data["hand"])
        else:
            self.is_old = True
            mine = [each for each in self.hands.values() if (each.table, each.number) == (table, data["number"])]
            found = next((each for each in mine if each.status == "not_logged"), None)
        if found is None:
            # It was not logged before these days: what was taken is of this one, and of its dealer nobody says here.
            found = Hand(table, data.get("opening"), self._day(data), NOBODY_KNOWN)
            self.hands[data.get("hand", f"{table}.{data['number']}")] = found
        found.status, found.at = "settled", event["tapped_at"]
        self._charged(found, data)
        return found.opening

    def _is_caught_up(self, table: int, event: Event, data: Event) -> int | None:
        if "logged" not in data:
            self.is_old = True
            return None
        opening: int | None = None
        if data["not_logged"]:
            self._abandons(table)
        for line in data["logged"]:
            hand = self.hands.get(line["hand"])
            if hand is None:
                hand = self.hands[line["hand"]] = Hand(table, line["opening"], self.date, line["dealer"])
            if self.dealt.get(table) == line["hand"]:
                del self.dealt[table]
            hand.status, hand.at, hand.from_paper, opening = "settled", line["at"], True, line["opening"]
            hand.number = line["number"]
            self._charged(hand, line)
        for line in data["times"]:
            opening = self._is_paid(table, line, None)
        return opening

    def _is_paid(self, table: int, data: Event, at: str | None) -> int | None:
        if "charge" not in data:
            self.is_old = True
        opening = data.get("opening")
        # What the house takes by the time is its rake.
        charge = data.get("charge") or "rake"
        for each in self.openings.values():
            # What it ran in between may be free now too; until when what it runs now is a log of before does not say.
            is_now = each is self.running.get(table)
            is_after = each.table == table and (each.pk or 0) > (opening or 0)
            if data.get("charge", "drop") and is_after and not (is_now and "free_until" in data):
                each.by_time = True
        self._runs_out(table, data)
        self.times[data["time"]] = (opening, charge, at or "", data["due_cents"], data["paid_cents"], self.date)
        return opening if opening is None else int(opening)

    def _runs_out(self, table: int, data: Event) -> None:
        """Take in until when hands are free of the drop now, where a period of what the table ran before says so."""
        if "free_until" in data and table in self.running:
            self.running[table].free_until = data["free_until"]

    def charged(self) -> list[Hand]:
        """Return the settled hands of which a report of the day has what was due."""
        return [hand for hand in self.hands.values() if (hand.paid_on, hand.status) == (self.date, "settled")]

    # ---- the day's end

    def end_day(self, lines: Mapping[int, list[tuple[int, str, int]]]) -> OfDay:
        """
        Return what the day came to. `lines` are by transfer what it moved of charges: (table, account, cents).
        """
        found = OfDay(is_old=self.is_old)
        for hand in self.hands.values():
            if hand.day == self.date:
                if hand.status in PLAYED:
                    found.hands[self._where(hand)] += 1
                    found.by_dealer[hand.dealer] += 1
                    found.ended.append(hand.at)
                    found.notes[self._where(hand), "caught_up"] += hand.from_paper
                if hand.status in NOTED:
                    found.notes[self._where(hand), hand.status] += 1
        for hand in self.charged():
            for code in self.codes.values():
                found.due[self._where(hand), code] += hand.due.get(code, 0)
                found.taken[self._where(hand), code] += hand.taken.get(code, 0)
                found.dealer_taken[hand.dealer, code] += hand.taken.get(code, 0)
                found.paid.append((hand.at, code, hand.taken.get(code, 0)))
        for opening, code, at, due, paid, date in self.times.values():
            if date == self.date:
                found.due[opening, code] += due
                found.taken[opening, code] += paid
                found.paid.append((at or None, code, paid))
        for table, event, of in self.steps:
            self._step(table, event, of, lines, found)
        return found

    def _where(self, hand: Hand) -> int | None:
        return hand.table if self.is_old else hand.opening

    def _step(
        self, table: int, event: Event, opening: int | None, lines: Mapping[int, list[tuple[int, str, int]]],
        found: OfDay,
    ) -> None:  # fmt: skip
        data, args = event.get("data") or {}, event["args"]
        if event["name"] == "boxes.hang_box":
            self._hangs(table, args["charge"], data)
        elif event["name"] == "boxes.drop_box":
            self._drops(table, args["charge"], data["box"], is_numbered=data["is_numbered"])
        elif event["name"] == "boxes.take_back":
            self._is_taken_back(table, data)
        elif event["name"] == "boxes.count_box":
            box = self.boxes.get(data["box"])
            if box is not None:
                box.counts.append((event["at"], data["expected_cents"], data["counted_cents"]))
        else:
            for pk in (event.get("rows") or {}).get("transfer") or {}:
                for number, account, cents in lines.get(int(pk), []):
                    code = self.codes[account]
                    found.posted[opening, code] += cents
                    lies = self.boxes.get(self.hanging.get((number, code), 0)) or self._loose(number, code)
                    lies.logged[self.date, opening] += cents
                    lies.last = (self.date, opening)

    # ---- boxes

    def _loose(self, table: int, code: str) -> Box:
        """Return what lies where no box hangs that these days saw hung: there one may have hung before them."""
        return self.loose.setdefault((table, code), Box(code, table, whole=False, is_numbered=False))

    def _hangs(self, table: int, code: str, data: Event) -> None:
        before = data.get("dropped")
        if before is not None:
            self._drops(table, code, before, is_numbered=data["is_changed"])
            self.replaced[data["box"]] = before
        box = self.boxes[data["box"]] = Box(code, table)
        if before is None:
            # What had come to nothing there is this one's.
            box.logged.update(self._loose(table, code).logged)
        self.loose[table, code] = Box(code, table, is_numbered=False)
        self.hanging[table, code] = data["box"]

    def _drops(self, table: int, code: str, pk: int, *, is_numbered: bool) -> None:
        if self.hanging.pop((table, code), None) != pk:
            self.boxes[pk] = self._loose(table, code)
            self.boxes[pk].is_numbered = is_numbered
        self.loose[table, code] = Box(code, table, is_numbered=False)

    def _is_taken_back(self, table: int, data: Event) -> None:
        box = self.boxes.get(data["box"])
        if box is None:
            return
        key = (table, box.code)
        back: int | None = data["box"]
        if data["was_hung"]:
            self.hanging.pop(key, None)
            back = self.replaced.pop(data["box"], None)
        if back is None:
            return
        again = self.boxes[back]
        if not data["was_hung"]:
            again.take(self._loose(*key))
        if again.is_numbered:
            self.hanging[key] = back
            self.loose[key] = Box(box.code, table, is_numbered=False)
        else:
            # What fell in no box is in none again.
            self.loose[key] = self.boxes.pop(back)


def moment(text: str) -> datetime:
    """Return a moment as the log or a report writes it."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def micros_of(text: str) -> int:
    """Return a moment as the log or a report writes it in whole microseconds."""
    return round(moment(text).timestamp() * 1_000_000)
