"""Days, drawers, slips and deposits, played with at random: every balance against a plain book kept beside it."""

import uuid
from datetime import datetime, timedelta
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from casino.cage.models import Doubt, Drawer, DrawerCount, DrawerSession, Slip
from casino.cage.services import (
    add_drawer,
    buy_in,
    cancel_slip,
    cash_out,
    close_day,
    close_drawer,
    deposit,
    fill_drawer,
    judge_doubt,
    note_signature,
    open_day,
    open_drawer,
    request_buy_in,
    return_to_vault,
    reverse_slip,
    take_money,
    withdraw,
)
from casino.cage.services.counting import Lies, count_signs
from casino.cage.services.opening import float_signs
from casino.commands.carrying_out import Answer
from casino.ledger.models import Account, Posting
from casino.ledger.selectors.accounts import room_figure, trial_balance
from casino.ledger.services import NEEDS, stock_vault, vault_signs
from casino.people.services import second_person
from casino.rulebooks.schema import Cage
from tests.cage.counting import CHIPS, carrying, lying, pieces
from tests.cast import command, demo_person
from tests.hostile.machines_cage_book import PAID_BY, Book, Paper, Window
from tests.hostile.machines_room import RoomMachine, one_of
from tests.support.books import fills_in_one_step

which = st.integers(0, 20)
drawers = st.sampled_from([0, 0, 1])
whose = st.sampled_from([0, 1, 1, 2, None])
cashiers = st.sampled_from(["carla", "carla", "mari"])
methods = st.sampled_from(["cash", "cash", "card", "deposit"])
amounts = st.sampled_from([0, 50_00, 50_00, 120_00, 333_00])
PAYS_WHAT_IS_THERE = {"cash", "vault_cash", "vault_chips"}
# What a refused payout leaves behind.
LEFT_BEHIND = {"short_payouts", "is_counted_first"}
often = st.integers(0, 4).map(bool)


class CageMachine(RoomMachine):
    """Two drawers, two cashiers, three players, a vault; days open and close over it."""

    def __init__(self) -> None:
        super().__init__()
        cast = self.house.cast
        self.staff = {name: cast.staff[name] for name in ("carla", "mari", "frans")}
        self.players = sorted(player.pk for player in cast.players.values())[:3]
        fills_in_one_step(self.house.room_id)
        answer = self.house.tap(add_drawer, cast.mari, number=2, name="Cage 2")
        self.windows = [
            Window(self.house.drawer_id, 1, True, Drawer.objects.get(id=self.house.drawer_id).version),
            Window(answer.data["drawer_id"], 2, False, 1),
        ]
        self.papers: list[Paper] = []
        self.is_day, self.dates = True, {self.house.at.date()}
        self.vault_shorts = 0
        # By each count of a drawer who had paid from it or reversed there.
        self.moved: dict[int, set[str]] = {}
        # What the vault and drawer 1 hold is how the house opened; from here on the machine keeps its own book.
        self.book = Book(self.house.room_id, self.in_the_ledger())

    def in_the_ledger(self) -> dict[tuple[str, int, str], int]:
        """Return every balance of the room by owner and kind."""
        found = Account.objects.filter(room_id=self.house.room_id).exclude(balance_cents=0)
        values = found.values_list("owner_kind", "owner_id", "kind", "balance_cents")
        return {(owner, pk, kind): cents for owner, pk, kind, cents in values}

    def now(self) -> datetime:
        """Return the moment of the next tap."""
        return self.house.at + timedelta(seconds=1)

    def rows(self) -> Any:
        kept = (Drawer, DrawerSession, DrawerCount, Slip)
        found = [
            [{name: value for name, value in row.items() if name not in LEFT_BEHIND} for row in rows.values()]
            for rows in (model.objects.order_by("pk") for model in kept)
        ]
        return found, self.in_the_ledger(), Posting.objects.count()

    def pay_refused(self, paper: Paper, window: Window, method: str) -> str:
        """Return the code with which a slip is not paid from there, "" where it is."""
        if method not in PAID_BY.get(paper.kind, ()):
            return "method_not_taken"
        if paper.player is None and method == "deposit":
            return "needs_player"
        if not self.is_day:
            return "no_open_day"
        if not window.is_open:
            return "drawer_closed"
        return ""

    def short(self, window: Window, cents: int, what: str = "cash") -> str:
        """Return the code with which a drawer refuses to give so much cash or chips, "" where it does not."""
        if cents <= 0:
            return ""
        if window.shorts >= Cage().short_payouts_most:
            return "drawer_counted_first"
        if cents <= self.book["drawer", window.row, what]:
            return ""
        window.shorts += 1
        return f"{what}_short"

    def vault_gives(self, by: str, **wished: int) -> str:
        """Return the code with which the vault refuses somebody so much cash and chips, "" where it does not."""
        if not any(wished.values()):
            return ""
        is_blind = by != "mari"
        if is_blind and self.vault_shorts >= Cage().short_payouts_most:
            return "vault_counted_first"
        if all(cents <= self.in_vault(what) for what, cents in wished.items()):
            return ""
        self.vault_shorts += is_blind
        return "vault_short"

    def too_small(self, paper: Paper, method: str, window: Window) -> str:
        if self.book.off_deposit(paper, method) > self.book.owed(paper.player):
            return "promise_too_small"
        return self.short(window, self.book.out_of_drawer(paper, method))

    def paid(self, answer: Answer | None, paper: Paper, window: Window, *, by: str, method: str) -> None:
        if answer is None:
            return
        window.slips += 1
        window.payers.add(by)
        paper.status, paper.drawer, paper.payer, paper.method = "paid", window, by, method
        paper.row, paper.day = answer.data["slip_id"], len(self.dates)
        assert answer.data["number"] == window.slips
        self.book.write(paper)

    # ---- what people do

    @rule()
    def open_the_day(self) -> None:
        date = self.house.at.date()
        expected = "day_already_open" if self.is_day else "day_has_been" if date in self.dates else ""
        if self.tap(open_day, expected, by=self.staff["mari"]):
            self.is_day = True
            self.dates.add(date)

    @rule(sleeps=st.booleans())
    def close_the_day(self, sleeps: bool) -> None:
        # What is open is carried over, but for what the manager opened or moved something in.
        # So it is with what the floor judges of hers.
        doubts = [each for each in Doubt.objects.filter(judged_at=None).order_by("id") if self.is_maris(each)]
        is_own = any(each.is_open and "mari" in {each.opener, *each.payers, *each.reversers} for each in self.windows)
        unsigned = [each for each in self.papers if each.payer == "mari" and each.waits_for_signature(len(self.dates))]
        is_own = is_own or bool(doubts or unsigned)
        expected = "no_open_day" if not self.is_day else "carries_own" if is_own else ""
        if self.tap(close_day, expected, by=self.staff["mari"], carrying=carrying(self.house.room_id)):
            self.is_day, self.vault_shorts = False, 0
            self.house.at += timedelta(days=int(sleeps))
        for doubt in doubts:
            self.tap(judge_doubt, "own_doubt", by=self.staff["mari"], doubt_id=doubt.pk)
            self.tap(judge_doubt, "", by=self.staff["frans"], doubt_id=doubt.pk)
        for paper in unsigned:
            self.tap(note_signature, "", by=self.staff["carla"], slip_id=paper.row)
            paper.is_signed = True

    def is_maris(self, doubt: Doubt) -> bool:
        """Say whether she paid the slip, or moved something in the drawer that was counted."""
        if doubt.count_id is not None:
            return "mari" in self.moved[doubt.count_id]
        return any((each.row, each.payer) == (doubt.slip_id, "mari") for each in self.papers)

    @rule(cash=st.sampled_from([0, 1_000_00, -500_00]), chips=st.sampled_from([0, 2_000_00]))
    def stock(self, cash: int, chips: int) -> None:
        expected = "malformed" if not cash and not chips else "" if self.is_day else "no_open_day"
        expected = expected or ("vault_short" if cash < 0 and self.in_vault("cash") + cash < 0 else "")
        signing = self.signed("mari", "frans", needs=NEEDS, signs=vault_signs(cash_cents=cash, chips_cents=chips))
        arguments = {"cash_cents": cash, "chips_cents": chips, "approved_by_id": self.staff["frans"].pk}
        if self.tap(stock_vault, expected, by=self.staff["mari"], signed=signing, **arguments):
            for kind, cents in (("vault_cash", cash), ("house_money", -cash)):
                self.book.vault(kind, cents)
            for kind, cents in (("vault_chips", chips), ("chips_issued", -chips)):
                self.book.vault(kind, cents)

    @rule(index=drawers, cash=amounts, chips=amounts, is_fresh=often, is_signed=often)
    def open_a_drawer(self, index: int, cash: int, chips: int, is_fresh: bool, is_signed: bool) -> None:
        window = self.windows[index]
        expected = "" if is_signed else "needs_second_signature"
        expected = expected or ("" if self.is_day else "no_open_day")
        expected = expected or ("" if is_fresh else "stale") or ("drawer_open" if window.is_open else "")
        expected = expected or self.vault_gives("carla", cash=cash, chips=chips)
        version = window.version if is_fresh else window.version + 1
        arguments, signing = {"cash": pieces(cash), "chips": pieces(chips, CHIPS)}, None
        if is_signed:
            signs = float_signs(window.row, **arguments)
            signing = self.signed("carla", "frans", needs="cage.count_drawer", signs=signs)
        opening: dict[str, Any] = {
            "drawer_id": window.row,
            "approved_by_id": self.staff["frans"].pk,
            "version": version,
        }
        if self.tap(open_drawer, expected, by=self.staff["carla"], signed=signing, **arguments, **opening):
            window.is_open, window.opener, window.payers, window.reversers = True, "carla", set(), set()
            window.shorts = 0
            window.version += 1
            for kind, cents in (("cash", cash), ("chips", chips)):
                self.book.vault(f"vault_{kind}", -cents)
                self.book.drawer(window, kind, cents)

    @rule(index=drawers, by=cashiers, amount=amounts, method=methods, player=whose, again=st.booleans())
    def sell(self, index: int, by: str, amount: int, method: str, player: int | None, again: bool) -> None:
        self.over_the_counter(buy_in, "buy_in", index, by, amount, method, player, again=again)

    @rule(index=drawers, by=cashiers, amount=amounts, method=methods, player=whose)
    def buy_back(self, index: int, by: str, amount: int, method: str, player: int | None) -> None:
        arguments = {"unnamed": "gives_no_name"} if player is None else {}
        self.over_the_counter(cash_out, "cash_out", index, by, amount, method, player, **arguments)

    @rule(index=drawers, by=cashiers, amount=amounts, method=methods, player=st.integers(0, 2))
    def keep_safe(self, index: int, by: str, amount: int, method: str, player: int) -> None:
        self.over_the_counter(deposit, "deposit", index, by, amount, method, player)

    @rule(index=drawers, by=cashiers, amount=amounts, player=st.integers(0, 2))
    def pay_out(self, index: int, by: str, amount: int, player: int) -> None:
        self.over_the_counter(withdraw, "withdrawal", index, by, amount, "cash", player)

    def over_the_counter(
        self, service: Any, kind: str, index: int, by: str, amount: int, method: str, player: int | None, **more: Any
    ) -> None:
        window, player_id = self.windows[index], None if player is None else self.players[player]
        paper = Paper(0, kind, amount, player_id)
        expected = "malformed" if not amount else self.pay_refused(paper, window, method)
        arguments: dict[str, Any] = {"drawer_id": window.row, "amount_cents": amount, "player_id": player_id, **more}
        paper.requested_at = self.now()
        twice = not more.get("again", True) and self.book.is_twin(paper, self.papers, at=paper.requested_at)
        expected = expected or ("same_buy_in" if twice else "")
        arguments |= {} if service is withdraw else {"method": method}
        answer = self.tap(service, expected or self.too_small(paper, method, window), by=self.staff[by], **arguments)
        self.paid(answer, paper, window, by=by, method=method)
        if answer:
            self.papers.append(paper)

    def in_vault(self, what: str) -> int:
        return self.book["house", self.house.room_id, f"vault_{what}"]

    @rule(
        kind=st.sampled_from(["fill", "credit"]), index=drawers, by=cashiers, second=st.sampled_from(["frans", "mari"]),
        amount=st.sampled_from([0, 50_00, 333_00, 60_000_00]), what=st.sampled_from(["cash", "chips"]), is_signed=often,
    )  # fmt: skip
    def between_vault_and_drawer(
        self, kind: str, index: int, by: str, second: str, amount: int, what: str, is_signed: bool
    ) -> None:
        window, paper = self.windows[index], Paper(0, kind, amount, None)
        expected = "malformed" if not amount else "" if is_signed and second != by else "needs_second_signature"
        expected = expected or ("" if self.is_day else "no_open_day") or ("" if window.is_open else "drawer_closed")
        expected = expected or ("" if kind == "fill" else self.short(window, amount, what))
        if not expected and kind == "fill":
            expected = self.vault_gives(by, **{what: amount})
        signing = None
        if is_signed and second != by:
            signs = f"{kind}.{window.row}.{what}.{amount}"
            signing = self.signed(by, second, needs="cage.approve_fill", signs=signs)
        arguments: dict[str, Any] = {"drawer_id": window.row, "amount_cents": amount, "what": what}
        work = fill_drawer if kind == "fill" else return_to_vault
        answer = self.tap(
            work, expected, by=self.staff[by], signed=signing, **arguments, approved_by_id=self.staff[second].pk
        )
        self.paid(answer, paper, window, by=by, method=what)
        if answer:
            self.papers.append(paper)

    @rule(player=st.integers(0, 2), amount=amounts, again=st.booleans())
    def ask(self, player: int, amount: int, again: bool) -> None:
        paper = Paper(0, "buy_in", amount, self.players[player], requested_at=self.now())
        expected = "malformed" if not amount else "" if self.is_day else "no_open_day"
        is_new = again or paper.requested_at is None or not self.book.is_twin(paper, self.papers, at=paper.requested_at)
        expected = expected or ("" if is_new else "same_buy_in")
        arguments: dict[str, Any] = {"player_id": paper.player, "amount_cents": amount, "again": again}
        if answer := self.tap(request_buy_in, expected, by=self.staff["frans"], **arguments):
            paper.row = answer.data["slip_id"]
            self.papers.append(paper)

    def some_paper(self, index: int, status: str) -> Paper | None:
        """Return one of the slips, more often one of that status."""
        fit = [paper for paper in self.papers if paper.status == status]
        return one_of([*fit, *fit, *self.papers], index)

    @rule(slip=which, index=drawers, by=cashiers, method=methods, is_fresh=often)
    def take(self, slip: int, index: int, by: str, method: str, is_fresh: bool) -> None:
        paper, window = self.some_paper(slip, "requested"), self.windows[index]
        if paper is None:
            return
        expected = self.pay_refused(paper, window, method) or ("" if is_fresh else "stale")
        expected = expected or ("" if paper.status == "requested" else "slip_not_waiting")
        version = paper.version if is_fresh else paper.version + 1
        arguments: dict[str, Any] = {
            "slip_id": paper.row,
            "drawer_id": window.row,
            "method": method,
            "version": version,
        }
        answer = self.tap(take_money, expected or self.too_small(paper, method, window), by=self.staff[by], **arguments)
        self.paid(answer, paper, window, by=by, method=method)
        paper.version += 1 if answer else 0

    @rule(slip=which, is_fresh=often)
    def cancel(self, slip: int, is_fresh: bool) -> None:
        paper = self.some_paper(slip, "requested")
        if paper is None:
            return
        expected = ("" if is_fresh else "stale") or ("" if paper.status == "requested" else "slip_not_waiting")
        version = paper.version if is_fresh else paper.version + 1
        if self.tap(cancel_slip, expected, by=self.staff["frans"], slip_id=paper.row, version=version):
            paper.status = "cancelled"
            paper.version += 1

    def signed(self, by: str, second: str, *, needs: str, signs: str) -> Any:
        """Return a command that the second person has signed with their own PIN."""
        self.house.at += timedelta(seconds=1)
        signing = command(self.staff[by], id=uuid.uuid4(), at=self.house.at)
        second_person(signing, username=second, pin=demo_person(second).pin, needs=needs, signs=signs)
        return signing

    @rule(slip=which, by=cashiers, second=st.sampled_from(["frans", "mari"]), is_signed=often)
    def reverse(self, slip: int, by: str, second: str, is_signed: bool) -> None:
        paper = self.some_paper(slip, "paid")
        if paper is None:
            return
        expected = "needs_another_approver" if second in {by, paper.payer} else ""
        expected = expected or ("" if is_signed else "needs_second_signature")
        expected = expected or ("slip_not_paid" if paper.drawer is None else "" if self.is_day else "no_open_day")
        if not expected and paper.drawer:
            expected = "" if paper.drawer.is_open else "drawer_closed"
            expected = expected or ("" if paper.status == "paid" else "slip_not_paid")
            back = -self.book.off_deposit(paper, paper.method)
            expected = expected or self.short(paper.drawer, -self.book.out_of_drawer(paper, paper.method))
            if not expected and paper.kind == "credit":
                expected = self.vault_gives(by, **{paper.method: paper.amount})
            expected = expected or ("promise_too_small" if back > self.book.owed(paper.player) else "")
        signing = None
        if is_signed and second != by:
            signing = self.signed(by, second, needs="cage.approve_reversal", signs=f"slip.{paper.row}")
        arguments: dict[str, Any] = {
            "slip_id": paper.row,
            "reason": "wrong_amount",
            "approved_by_id": self.staff[second].pk,
        }
        if self.tap(reverse_slip, expected, by=self.staff[by], signed=signing, **arguments, version=paper.version):
            self.book.write(paper, times=-1)
            assert paper.drawer is not None
            paper.drawer.reversers.add(by)
            paper.status = "void"
            paper.version += 1

    @rule(
        index=drawers, by=cashiers, second=st.sampled_from(["frans", "frans", "mari"]), is_signed=often,
        off=st.tuples(*[st.sampled_from([0, 0, 5_00, -20_00])] * 3),
    )  # fmt: skip
    def count(self, index: int, by: str, second: str, is_signed: bool, off: tuple[int, int, int]) -> None:
        window = self.windows[index]
        expected = "needs_second_signature" if second == by or not is_signed else ""
        expected = expected or ("" if self.is_day else "no_open_day")
        expected = expected or ("" if window.is_open else "drawer_closed")
        expected = expected or ("own_drawer" if {by, second} <= window.payers else "")
        kinds = ("cash", "chips", "card_slips")
        held = {kind: self.book["drawer", window.row, kind] for kind in kinds}
        found = {kind: max(held[kind] + extra, 0) for kind, extra in zip(kinds, off, strict=True)}
        signing, lies = None, lying(found["cash"], found["chips"], found["card_slips"])
        if second != by and is_signed:
            signs = count_signs(window.row, Lies.by(**lies))
            signing = self.signed(by, second, needs="cage.count_drawer", signs=signs)
        arguments: dict[str, Any] = {**lies, "drawer_id": window.row, "approved_by_id": self.staff[second].pk}
        answer = self.tap(close_drawer, expected, by=self.staff[by], signed=signing, **arguments)
        if answer is None:
            return
        counted = DrawerCount.objects.get(id=answer.data["count_id"])
        assert {kind: getattr(counted, f"expected_{kind}_cents") for kind in kinds} == held
        self.moved[counted.pk] = {*window.payers, *window.reversers}
        window.is_open = False
        window.version += 1
        for kind in kinds:
            self.book.vault(f"vault_{kind}", found[kind])
            self.book.drawer(window, kind, -held[kind])
        money = sum(found[kind] - held[kind] for kind in ("cash", "card_slips"))
        self.book.drawer(window, "over_short", -money)
        self.book.drawer(window, "chips_over_short", held["chips"] - found["chips"])
        assert answer.data["money_difference_cents"] == money

    # ---- what holds after each act

    @invariant()
    def the_ledger_says_what_the_book_says(self) -> None:
        found = self.in_the_ledger()
        assert found == {place: cents for place, cents in self.book.items() if cents}
        assert all(cents >= 0 for (_owner, _id, kind), cents in found.items() if kind == "deposit")
        below = [kind for (owner, _id, kind), cents in found.items() if cents < 0 and kind in PAYS_WHAT_IS_THERE]
        assert not below
        for unit in ("money", "chips"):
            assert sum(row.cents for row in trial_balance(self.house.room_id) if row.unit == unit) == 0
        hands = sum(cents for (_owner, _id, kind), cents in self.book.items() if kind == "hands")
        assert room_figure(self.house.room_id, "hands") == hands

    @invariant()
    def slips_are_what_was_done_with_them(self) -> None:
        rows = Slip.objects.filter(room_id=self.house.room_id).values_list("id", "status", "version", "amount_cents")
        assert sorted(rows) == sorted((each.row, each.status, each.version, each.amount) for each in self.papers)
        for window in self.windows:
            numbers = Slip.objects.filter(drawer=window.row).order_by("number").values_list("number", flat=True)
            assert list(numbers) == list(range(1, window.slips + 1))
