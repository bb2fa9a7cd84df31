"""Tables, seats and the button, played with at random: what the house says against what the model says."""

import uuid
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from casino.commands.carrying_out import Answer
from tables.models import Hand, HandSeat, Opening, Seating, Table, ToDo
from tables.rules.logged import LoggedHand
from tables.services.chips import bring_chips, count_tip_box
from tables.services.corrections import correct_hand, supply_hand, undo_hand, void_settled_hand
from tables.services.hands import deal_hand, settle_hand, show_flop, skip_hand, void_hand
from tables.services.opening import button_here, close_table, open_table, record_draw
from tables.services.seating import choose_entry, hold_seat, leave_seat, seat_player, take_back_leaving
from tables.services.stacks import count_stack
from tests.hostile.machines_room import RoomMachine, one_of
from tests.hostile.machines_tables_model import (
    SEATS,
    Played,
    Sitting,
    TableModel,
    drop_of,
    first_purchase,
    purchase,
    rake_of,
)

numbers = st.sampled_from([1, 1, 1, 2])
some = st.integers(0, 30)
seats = st.integers(0, 6) | st.integers(0, SEATS + 1)
stacks = st.sampled_from([0, 1_00, 150_00, 260_00])


class TablesMachine(RoomMachine):
    """Two tables, seven players, two dealers; every act that one of them may try, allowed or not."""

    def __init__(self) -> None:
        super().__init__()
        self.departures = 0
        self.players = sorted(player.pk for player in self.house.cast.players.values())[:7]
        self.dealers = [self.house.cast.anna, self.house.cast.dan]
        self.tables = {number: TableModel(self.house.table_id(number)) for number in (1, 2)}
        for table in self.tables.values():
            table.version = Table.objects.get(pk=table.row).version

    def rows(self) -> Any:
        tables = [table.row for table in self.tables.values()]
        found = [
            list(model.objects.filter(**{name: tables}).order_by("pk").values())
            for model, name in ((Table, "pk__in"), (Opening, "table__in"), (Seating, "table__in"), (ToDo, "table__in"))
        ]
        return found, Hand.objects.count(), [self.house.figures(number) for number in self.tables]

    def act(self, number: int, service: Any, expected: str = "", **args: Any) -> Answer | None:
        """Tap at a table; its version grows by one when it is done."""
        answer = self.tap(service, expected, table_id=self.tables[number].row, **args)
        if answer is not None:
            self.tables[number].version += 1
            assert answer.version == self.tables[number].version
        return answer

    # ---- opening and closing

    @initialize(count=st.sampled_from([0, 2, 3, 4, 6]))
    def an_evening_begins(self, count: int) -> None:
        """Let most examples begin with players at table 1: alone it would take them long to come."""
        self.open(1)
        for index in range(count):
            self.seat(1, seat=index + 1, player=index, chips=200_00, post=False)

    @rule(number=numbers)
    def open(self, number: int) -> None:
        table = self.tables[number]
        expected = "table_already_open" if table.is_open else ""
        if self.act(number, open_table, expected, game_id=self.house.game().pk):
            table.open()

    @rule(number=numbers)
    def close(self, number: int) -> None:
        table = self.tables[number]
        expected = "table_closed" if not table.is_open else "hand_in_progress" if table.in_progress else ""
        if self.act(number, close_table, expected or ("seats_occupied" if table.seated else "")):
            table.is_open = False

    @rule(number=numbers, index=some, chips=st.sampled_from([150_00, 0, None]))
    def everybody_leaves(self, number: int, index: int, chips: int | None) -> None:
        for seat in sorted(self.tables[number].seated)[: index + 1]:
            self.leave(number, index=0, stack=chips, seat=seat)

    @rule(number=numbers, seat=seats, others=st.sets(st.integers(1, SEATS), max_size=4))
    def draw(self, number: int, seat: int, others: set[int]) -> None:
        table = self.tables[number]
        expected = "table_closed" if not table.is_open else "" if 1 <= seat <= SEATS else "no_such_seat"
        if self.act(number, record_draw, expected, winner_seat=seat, seats=sorted(others)) and not table.has_begun:
            table.draw_winner = seat

    @rule(number=numbers, seat=seats)
    def lay_the_button(self, number: int, seat: int) -> None:
        table = self.tables[number]
        expected = "table_closed" if not table.is_open else "" if 1 <= seat <= SEATS else "no_such_seat"
        if self.act(number, button_here, expected, seat_number=seat):
            table.button_here = seat

    # ---- seats

    @rule(
        number=numbers, seat=seats, player=some, chips=st.sampled_from([0, 50_00, 200_00, 200_00]), post=st.booleans()
    )
    def seat(self, number: int, seat: int, player: int, chips: int, post: bool) -> None:
        table, player_id = self.tables[number], self.players[player % len(self.players)]
        entry = "in" if not table.has_begun else "posts" if post else "waits"
        answer = self.act(
            number,
            seat_player,
            table.seat_refused(
                seat, player_id, chips, self.left_with(player_id), elsewhere=self.sits_elsewhere(number, player_id)
            ),
            seat_number=seat,
            player_id=player_id,
            chips_cents=chips,
            entry="posts" if post else "waits",
        )
        if answer:
            table.sittings.append(Sitting(answer.data["seating"], seat, player_id, table.openings, entry, chips))
            table.move(chips, out_of="hands", into="in_play")
            table.sittings[-1].version += 1 if chips else 0

    def sits_elsewhere(self, number: int, player: int) -> bool:
        """Say whether a player sits at another table than this."""
        others = (table for other, table in self.tables.items() if other != number)
        return any(sitting.player == player for table in others for sitting in table.seated.values())

    def left_with(self, player: int) -> int | str | None:
        """Return the stack with which a player last left a seat, "" where nobody counted it; None: left none."""
        gone = [each for table in self.tables.values() for each in table.sittings if each.player == player]
        gone = [each for each in gone if each.has_left and each.chips]
        if not gone:
            return None
        stack = max(gone, key=lambda each: each.left_as).stack
        return "" if stack is None else stack

    def some_sitting(self, number: int, index: int, *, seat: int = 0) -> Sitting | None:
        """Return one of the table's sittings, more often one that goes on."""
        table = self.tables[number]
        now = list(table.seated.values())
        return table.seated[seat] if seat else one_of([*now, *now, *table.sittings], index)

    def some_gone(self, number: int, index: int) -> Sitting | None:
        """Return one of the table's sittings, most often one that is over."""
        table = self.tables[number]
        gone = [each for each in table.sittings if each.has_left]
        return one_of([*gone, *gone, *table.sittings], index)

    @rule(number=numbers, index=some, held=st.booleans())
    def hold(self, number: int, index: int, held: bool) -> None:
        sitting = self.some_sitting(number, index)
        if sitting and self.act(
            number, hold_seat, "seat_empty" if sitting.has_left else "", seating_id=sitting.row, is_held=held
        ):
            sitting.is_held = held
            sitting.version += 1

    @rule(number=numbers, index=some, post=st.booleans())
    def choose(self, number: int, index: int, post: bool) -> None:
        sitting = self.some_sitting(number, index)
        if sitting is None:
            return
        expected = "seat_empty" if sitting.has_left else "not_a_new_player" if sitting.entry == "in" else ""
        if self.act(number, choose_entry, expected, seating_id=sitting.row, entry="posts" if post else "waits"):
            sitting.entry = "posts" if post else "waits"
            sitting.version += 1

    @rule(
        number=numbers, index=some, chips=st.sampled_from([0, 1_00, 100_00, 500_00]),
        stack=st.sampled_from([None, 0, 150_00, "full", "under_blind"]),
    )  # fmt: skip
    def bring(self, number: int, index: int, chips: int, stack: int | str | None) -> None:
        sitting, table = self.some_sitting(number, index), self.tables[number]
        if sitting is None:
            return
        expected = "malformed" if not chips else "table_closed" if not table.is_open else ""
        expected = expected or ("seat_empty" if sitting.has_left else "")
        expected = expected or (
            purchase(chips, stack) if sitting.chips else first_purchase(chips, self.left_with(sitting.player))
        )
        if self.act(number, bring_chips, expected, seating_id=sitting.row, chips_cents=chips, stack=stack):
            sitting.chips += chips
            sitting.version += 1
            table.move(chips, out_of="hands", into="in_play")

    @rule(number=numbers, index=some, stack=stacks | st.none())
    def leave(self, number: int, index: int, stack: int | None, seat: int = 0) -> None:
        sitting, table = self.some_sitting(number, index, seat=seat), self.tables[number]
        if sitting is None or not self.act(number, leave_seat, seating_id=sitting.row, stack_cents=stack):
            return
        if not sitting.has_left:
            self.departures += 1
            sitting.has_left, sitting.stack, sitting.left_as = True, stack, self.departures
            sitting.after_hand = max((hand.row for hand in table.hands), default=0)
            sitting.version += 1 if stack is None else 2
            table.move(stack or 0, out_of="in_play", into="hands")

    @rule(number=numbers, index=some, stack=stacks, is_fresh=st.integers(0, 3).map(bool))
    def count(self, number: int, index: int, stack: int, is_fresh: bool) -> None:
        table, sitting = self.tables[number], self.some_gone(number, index)
        if sitting is None:
            return
        expected = "not_found" if not sitting.has_left else "" if is_fresh else "stale"
        version = sitting.version if is_fresh else sitting.version - 1
        if self.act(number, count_stack, expected, seating_id=sitting.row, stack_cents=stack, version=version):
            table.move(stack - (sitting.stack or 0), out_of="in_play", into="hands")
            sitting.version += 1 if sitting.stack is None else 2
            sitting.stack = stack

    @rule(number=numbers, index=some, is_fresh=st.integers(0, 3).map(bool))
    def take_back(self, number: int, index: int, is_fresh: bool) -> None:
        table, sitting = self.tables[number], self.some_gone(number, index)
        if sitting is None:
            return
        version = sitting.version if is_fresh else sitting.version - 1
        expected = table.back_refused(sitting, version, elsewhere=self.sits_elsewhere(number, sitting.player))
        if self.act(number, take_back_leaving, expected, seating_id=sitting.row, version=version):
            sitting.entry = table.entry_after_leaving_taken_back(sitting)
            table.move(sitting.stack or 0, out_of="hands", into="in_play")
            sitting.version += 1 if sitting.stack is None else 2
            sitting.has_left, sitting.stack = False, None

    @rule(number=numbers, cents=stacks)
    def tips(self, number: int, cents: int) -> None:
        if self.act(number, count_tip_box, counted_cents=cents):
            self.tables[number].move(cents, out_of="in_play", into="tip_box")

    # ---- hands. What comes to a closed table is late: tests/tables/test_late_hands.py

    def is_open(self, number: int) -> bool:
        return self.tables[number].is_open

    def begin(self, number: int, hand: LoggedHand, dealer: int) -> Played:
        """Read the hand that the house has just begun, and hold its positions to what the model asks for."""
        table, row = self.tables[number], Hand.objects.get(table=self.tables[number].row, hand_id=hand.hand_id)
        if table.in_progress:
            table.end(table.in_progress, "not_logged")
        players = dict(HandSeat.objects.filter(hand=row).values_list("seat_number", "player_id"))
        there = {each.row: each for seat, each in table.seated.items() if seat in players}
        table.number += 1
        begun = Played(
            row.pk, row.hand_id, table.number, table.openings, dealer, players,
            # Where too few sit to be asked anything nobody tells where the button is.
            row.button_seat or 0, row.small_blind_seat, row.big_blind_seat or 0,
            moves=bool(players),
            newcomers={each.row: (each.entry, each.missed) for each in there.values() if each.entry != "in"},
            missed={},
            before=(table.last, table.button_here),
        )  # fmt: skip
        table.check_positions(begun, with_clauses=table.button_here)
        begun.missed = table.missed_with(begun) if begun.moves else {}
        table.hands.append(begun)
        return begun

    @rule(number=numbers, dealer=st.integers(0, 1))
    def deal(self, number: int, dealer: int) -> None:
        if self.is_open(number):
            hand = self.house.logged()
            self.act(number, deal_hand, by=self.dealers[dealer], hand=hand)
            self.begin(number, hand, dealer)

    @rule(number=numbers, is_it=st.booleans())
    def flop(self, number: int, is_it: bool) -> None:
        hand = self.tables[number].in_progress
        self.act(number, show_flop, hand_id=hand.id if hand and is_it else uuid.uuid4())
        if hand and is_it:
            hand.is_beyond = True

    def found(self, number: int, index: int, dealer: int, service: Any, hand: LoggedHand, **args: Any) -> Played | None:
        """Tap for the hand in progress, one of before, or one never heard of; return it unless it was over."""
        table = self.tables[number]
        known = table.in_progress if index % 3 else one_of([None, None, *table.hands], index // 3)
        hand = LoggedHand(**{**vars(hand), "hand_id": known.id if known else uuid.uuid4()})
        self.act(number, service, by=self.dealers[dealer], hand=hand, **args)
        if known is None:
            return self.begin(number, hand, dealer)
        is_supplied = known.status == "not_logged" and service is settle_hand
        return known if known.status == "dealt" or is_supplied else None

    @rule(
        number=numbers, index=some, dealer=st.integers(0, 1), winner=st.integers(1, SEATS),
        pots=st.lists(st.sampled_from([0, 19_99, 20_00, 86_00, 410_00]), max_size=2),
        taken=st.sampled_from([None, None, 0, 3_00]),
    )  # fmt: skip
    def settle(self, number: int, index: int, dealer: int, winner: int, pots: list[int], taken: int | None) -> None:
        table = self.tables[number]
        if not table.is_open:
            return
        hand = self.house.logged(*pots, winners=(winner,), taken={} if taken is None else {"rake": taken})
        was = {each.row: each.status for each in table.hands}
        played = self.found(number, index, dealer, settle_hand, hand)
        if played is None:
            return
        played.is_beyond = played.is_beyond or bool(pots)
        rake = rake_of(sum(pots)) if taken is None else taken
        table.take(played, rake, drop_of(len(played.players), is_beyond=played.is_beyond))
        played.status, played.dealer = "settled", dealer
        if was.get(played.row) != "not_logged":
            table.move_on(played)

    @rule(number=numbers, index=some, dealer=st.integers(0, 1))
    def skip(self, number: int, index: int, dealer: int) -> None:
        if self.is_open(number) and (hand := self.found(number, index, dealer, skip_hand, self.house.logged())):
            self.tables[number].end(hand, "not_logged")

    @rule(number=numbers, index=some, dealer=st.integers(0, 1), reason=st.sampled_from(["misdeal", "void"]))
    def void(self, number: int, index: int, dealer: int, reason: str) -> None:
        hand = self.house.logged()
        if self.is_open(number) and (known := self.found(number, index, dealer, void_hand, hand, reason=reason)):
            self.tables[number].end(known, "void")

    @rule(number=numbers, index=st.sampled_from([0, 0, 0, 1, 2]), is_own=st.integers(0, 3).map(bool))
    def undo(self, number: int, index: int, is_own: bool) -> None:
        table = self.tables[number]
        hand = one_of(table.hands[::-1], index)
        if hand is None:
            return
        dealer = hand.dealer if is_own else 1 - hand.dealer
        expected = table.undo_refused(hand, dealer)
        if self.act(number, undo_hand, expected, by=self.dealers[dealer], hand_id=hand.id):
            table.undo(hand)

    @rule(number=numbers, index=some, reason=st.sampled_from(["void", "wrong_table"]))
    def void_settled(self, number: int, index: int, reason: str) -> None:
        hand = one_of(self.tables[number].hands, index)
        if hand is None:
            return
        expected = "" if hand.status == "settled" else "hand_not_open_to_correction"
        if self.act(number, void_settled_hand, expected, hand_row_id=hand.row, reason=reason):
            self.tables[number].take_back(hand, "void")

    @rule(number=numbers, index=some, pot=st.sampled_from([40_00, 120_00]), rake=st.sampled_from([None, 5_00]))
    def correct(self, number: int, index: int, pot: int, rake: int | None) -> None:
        table, new = self.tables[number], self.house.logged(pot, taken={} if rake is None else {"rake": rake})
        old = one_of(table.hands, index)
        if old is None:
            return
        expected = "" if old.status == "settled" else "hand_not_open_to_correction"
        if self.act(number, correct_hand, expected, hand_row_id=old.row, hand=new, reason="wrong_pot"):
            row, taken = Hand.objects.get(hand_id=new.hand_id), (old.rake if rake is None else rake, old.drop)
            again = Played(**{**vars(old), "row": row.pk, "id": new.hand_id, "corrects": True, "rake": 0, "drop": 0})
            table.take_back(old, "corrected")
            table.take(again, *taken)
            table.hands.append(again)

    @rule(number=numbers, index=some, rake=st.sampled_from([0, 4_00]), drop=st.sampled_from([0, 1_00]))
    def supply(self, number: int, index: int, rake: int, drop: int) -> None:
        hand = one_of(self.tables[number].hands, index)
        if hand is None:
            return
        expected = "" if hand.status == "not_logged" else "hand_already_supplied"
        if self.act(number, supply_hand, expected, hand_row_id=hand.row, taken={"rake": rake, "drop": drop}):
            self.tables[number].take(hand, rake, drop)
            hand.status = "settled"

    # ---- what holds after each act

    @invariant()
    def the_house_says_what_the_model_says(self) -> None:
        for number, table in self.tables.items():
            row = self.house.table(number)
            assert (row.is_open, row.version, row.hand_number) == (table.is_open, table.version, table.number)
            assert (row.hand.pk if row.hand else None) == (table.in_progress.row if table.in_progress else None)
            if row.opening:
                last = row.opening.last or dict.fromkeys(("button_seat", "small_blind_seat", "big_blind_seat"))
                positions = (last["button_seat"], last["small_blind_seat"], last["big_blind_seat"])
                assert positions == (table.last.positions if table.last else (None, None, None))
                assert (row.opening.button_here, row.opening.draw_winner) == (table.button_here, table.draw_winner)
            now = Seating.objects.filter(table=row, left_at=None)
            columns = ("seat_number", "player_id", "entry", "missed", "is_held", "chips_in_cents", "version")
            sit = list(now.values_list(*columns))
            seated = table.seated.values()
            rows = ((s.seat, s.player, s.entry, s.missed, s.is_held, s.chips, s.version) for s in seated)
            assert sorted(sit) == sorted(rows)
            assert len({each[1] for each in sit}) == len({each[0] for each in sit}) == len(sit)
            figures = self.house.figures(number)
            assert {kind: figures[kind] for kind in table.chips} == table.chips

    @invariant()
    def hands_are_numbered_without_gaps(self) -> None:
        for table in self.tables.values():
            rows = list(Hand.objects.filter(table=table.row).order_by("id").values_list("id", "number", "status"))
            assert rows == sorted((hand.row, hand.number, hand.status) for hand in table.hands)
            assert {number for _id, number, _status in rows} == set(range(1, len({row[1] for row in rows}) + 1))
            standing = [number for _id, number, status in rows if status in {"dealt", "settled", "not_logged"}]
            assert len(set(standing)) == len(standing)
