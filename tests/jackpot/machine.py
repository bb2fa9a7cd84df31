"""Two jackpots at two tables, played with at random: every sum against a plain book kept beside the house."""

import csv
import io
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any, ClassVar

from django.test import Client
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from casino import clock
from casino.cage.services import open_day
from casino.errors import Refusal
from casino.people.models import Player
from jackpot.models import Claim, ClaimShare, Collection, Pool
from jackpot.selectors.judging import EnteredHand, SeatCards
from jackpot.selectors.pools import figures, payable_of, proof_of
from jackpot.selectors.reconciling import reconciled
from jackpot.services import approving, claims
from tables.models import Hand, Seating
from tables.services.corrections import correct_hand, undo_hand, void_settled_hand
from tables.services.opening import close_table, open_table
from tables.services.seating import leave_seat, seat_player
from tests.cast import TONIGHT
from tests.hostile.machines_room import RoomMachine, one_of
from tests.jackpot.beats import Beats, base_sum
from tests.jackpot.machine_book import DROP, SEED, ClaimBook, HandBook, Jackpots, PoolBook
from tests.jackpot.test_takings import minute
from tests.tables.conftest import House

which = st.integers(0, 20)
tables = st.sampled_from([1, 1, 2])
SIX = (1, 2, 3, 4, 5, 6)
# Four sevens beat aces full of kings, and aces full of jacks.
CARDS = {
    1: EnteredHand(board="As Ah Kd 7c 7d", hands=(SeatCards(1, "Ac Kc"), SeatCards(2, "7h 7s"))),
    2: EnteredHand(board="As Ah Jd 7c 7d", hands=(SeatCards(1, "Ac Jc"), SeatCards(2, "7h 7s"))),
    0: EnteredHand(board="As Ah Td 7c 7d", hands=(SeatCards(1, "Ac Tc"), SeatCards(2, "7h 7s"))),
}
# Which jackpot the games of the tables name.
FEEDS = {1: "small", 2: "bad-beat"}


def open_tables(house: House) -> None:
    """Open both tables, with six at each; who is no demo person is made the first time."""
    for number, game in ((1, "No limit hold'em 2/2"), (2, "No limit hold'em 2/4")):
        table_id = house.table_id(number)
        house.tap(open_table, table_id=table_id, game_id=house.game(game).pk)
        for seat in SIX:
            named = {"room": house.cast.room, "nickname": f"Guest {number}{seat}"}
            guest, _is_new = Player.objects.get_or_create(**named, defaults={"created_at": house.at})
            arguments: dict[str, Any] = {"table_id": table_id, "seat_number": seat, "player_id": guest.pk}
            house.tap(seat_player, **arguments, chips_cents=400_00, entry="waits")


class JackpotMachine(RoomMachine):
    """Table 1 feeds the small jackpot, at once; table 2 the bad beat jackpot, as the day closes."""

    done: ClassVar[Counter[str]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.beats = Beats(self.house)
        self.book = Jackpots({code: PoolBook(code, code == "small") for code in ("bad-beat", "small")}, FEEDS)
        self.seen: dict[str, int] = {}

    def act(self, name: str, does: Callable[[], Any]) -> Any:
        """Do it, and return its answer; None where the house refuses, which has to leave every sum as it was."""
        try:
            answer = does()
        except Refusal as refusal:
            self.done[f"{name}: {refusal.code}"] += 1
            return None
        self.done[name] += 1
        return answer

    # ---- hands

    def newest(self, number: int) -> HandBook | None:
        return next((hand for hand in reversed(self.book.hands) if hand.table == number), None)

    @rule(number=tables)
    def plays(self, number: int) -> None:
        row = self.house.settle(120_00, number=number, winners=(2,), dealt_in=SIX)
        self.book.played(number, row.pk)

    @rule(number=tables, is_again=st.booleans())
    def undoes(self, number: int, is_again: bool) -> None:
        hand = self.newest(number)
        if hand is None or hand.is_over:
            return
        row = Hand.objects.get(pk=hand.row)
        anna = self.house.cast.anna
        if not self.act("undo", lambda: self.house.tap(undo_hand, anna, table_id=row.table_id, hand_id=row.hand_id)):
            return
        hand.is_over, hand.drop.logged = True, 0
        if is_again:
            again = self.house.settle(120_00, number=number, winners=(2,), dealt_in=SIX, again_of=row.hand_id)
            logged = HandBook(number, again.pk, hand.drop)
            self.book.hands.append(logged)
            hand.drop.logged = DROP
            self._goes_on(hand, logged)

    @rule(at=which)
    def voids(self, at: int) -> None:
        if (hand := one_of(self.book.hands, at)) is None or hand.is_over:
            return
        arguments: dict[str, Any] = {"table_id": self.house.table_id(hand.table), "hand_row_id": hand.row}
        if self.act("void", lambda: self.house.tap(void_settled_hand, **arguments, reason="void")):
            hand.is_over, hand.drop.logged = True, 0

    @rule(at=which, cents=st.sampled_from([0, DROP, 3 * DROP]))
    def corrects(self, at: int, cents: int) -> None:
        if (hand := one_of(self.book.hands, at)) is None or hand.is_over:
            return
        right = self.house.logged(120_00, winners=(2,), dealt_in=SIX, taken={"drop": cents})
        arguments: dict[str, Any] = {
            "table_id": self.house.table_id(hand.table),
            "hand_row_id": hand.row,
            "hand": right,
        }
        if self.act("correct", lambda: self.house.tap(correct_hand, **arguments, reason="wrong_pot")):
            hand.is_over, hand.drop.logged = True, cents
            row = Hand.objects.get(hand_id=right.hand_id)
            new = HandBook(hand.table, row.pk, hand.drop)
            self.book.hands.append(new)
            self._goes_on(hand, new)

    def _goes_on(self, old: HandBook, new: HandBook) -> None:
        for claim in self.book.claims:
            if claim.hand is old:
                claim.hand = new

    # ---- takings

    @rule()
    def a_minute_passes(self) -> None:
        small = self.book.pools["small"]
        self.book.collect([small])
        minute(self.house)

    @rule(really=st.integers(0, 3))
    def the_day_closes(self, really: int) -> None:
        if really or any(not claim.is_past_the_table for claim in self.book.claims):
            return
        house = self.house
        for sits in Seating.objects.filter(room_id=house.room_id, left_at=None).order_by("id"):
            house.tap(leave_seat, table_id=sits.table_id, seating_id=sits.pk, stack_cents=None)
        for number in (1, 2):
            house.tap(close_table, table_id=house.table_id(number))
        if "day" not in self.seen:
            self.seen["day"] = 1
            house.close_drawer()
        house.close_day()
        self.book.collect(list(self.book.pools.values()))
        self.book.hands, self.book.drops = [], []
        house.at += timedelta(days=1)
        house.tap(open_day, house.cast.mari)
        open_tables(house)
        self.done["close"] += 1

    # ---- claims

    @rule(number=tables, category=st.sampled_from([1, 1, 2, 0]), is_verified=st.sampled_from([True, True, False]))
    def calls(self, number: int, category: int, is_verified: bool) -> None:
        hand = self.newest(number)
        if hand is None or hand.is_over:
            return
        row = Hand.objects.get(pk=hand.row)
        claim = self.act("call", lambda: self.beats.called(number, hand=row))
        if claim is None or any(known.id == claim.pk for known in self.book.claims):
            return
        self.book.calls += 1
        pool = self.book.pools[FEEDS[number]].open_heir or self.book.fed_by(FEEDS[number])
        self.book.claims.append(kept := ClaimBook(claim.pk, pool, self.book.calls, category, hand))
        assert claim.code == pool.code
        if is_verified and category:
            self._verify(kept)

    def _verify(self, kept: ClaimBook) -> None:
        claim = Claim.objects.get(pk=kept.id)
        if self.act("enter", lambda: self.beats.entered(claim, CARDS[kept.category])):
            kept.status = "entered"
        if self.act("verify", lambda: self.beats.verified(claim)):
            kept.status = "verified"

    @rule(at=which)
    def verifies(self, at: int) -> None:
        if (kept := one_of(self.book.claims, at)) is not None and kept.status != "verified":
            self._verify(kept)

    @rule(at=which)
    def disputes(self, at: int) -> None:
        if (kept := one_of(self.book.claims, at)) is not None and not kept.is_disputed:
            self.beats.step(claims.dispute_claim, Claim.objects.get(pk=kept.id), reason="cards")
            kept.is_disputed = True
            self.done["dispute"] += 1

    @rule(at=which)
    def ends(self, at: int) -> None:
        """It is withdrawn, or refused: by the floor alone where it wins nothing, else signed by a manager."""
        if (kept := one_of(self.book.claims, at)) is None:
            return
        claim = Claim.objects.get(pk=kept.id)
        if kept.status == "called":
            self.beats.step(claims.withdraw_claim, claim)
        else:
            mari, frans = self.house.cast.mari, self.house.cast.frans
            signing = self.beats.signed(frans, mari, signs=claims.refusal_signs(claim.pk, reason="talk"))
            arguments: dict[str, Any] = {"claim_id": claim.pk, "version": claim.version, "reason": "talk"}
            claims.refuse_claim(signing, **arguments, approved_by_id=mari.pk)
        self.book.claims.remove(kept)
        self.done[f"end {kept.status}"] += 1

    @rule(at=which)
    def approves(self, at: int) -> None:
        if (kept := one_of(self.book.claims, at)) is None or kept.status != "verified":
            return
        claim = Claim.objects.get(pk=kept.id)
        of = payable_of(claim)
        others = [other for other in self.book.claims if other.pool is kept.pool and other is not kept]
        is_first = all(other.status != "called" and other.calls > kept.calls for other in others)
        answer = self.act("approve", lambda: self.beats.approved(claim, sum_cents=of))
        assert (answer is not None) == (is_first and not kept.hand.is_over)
        if answer is not None:
            assert of == kept.pool.sum - min(kept.pool.joined_since(kept.calls), kept.pool.sum)
            assert answer.paid_cents == self.book.pay(kept)
            self.book.claims.remove(kept)

    @rule(number=tables, how=st.sampled_from(["in order", "later first", "undone", "again"]))
    def is_hit_twice(self, number: int, how: str) -> None:
        """Two bad beats at one table: the later is approved first, or its hand is taken back, or logged again."""
        before = len(self.book.claims)
        for _ in range(2):
            self.plays(number)
            self.calls(number, 1, True)
        if how in {"undone", "again"}:
            self.undoes(number, how == "again")
        both = range(before, len(self.book.claims))
        for at in reversed(both) if how == "later first" else [before] * len(both):
            if at < len(self.book.claims):
                self.approves(at)

    @rule(at=which)
    def pays(self, at: int) -> None:
        waiting = list(ClaimShare.objects.filter(paid_at=None).order_by("id"))
        share = one_of(waiting, at)
        if share is None:
            return
        pool = Pool.objects.get(claim__shares=share)
        if self.act("pay", lambda: self.beats.pay(share)):
            self.book.pools[pool.code].pending -= share.cents

    @rule(at=which)
    def disputes_a_share(self, at: int) -> None:
        if (share := one_of(list(ClaimShare.objects.filter(paid_at=None).order_by("id")), at)) is not None:
            self.house.tap(approving.dispute_share, share_id=share.pk, is_disputed=not share.is_disputed)
            self.done["dispute a share"] += 1
            if not share.is_disputed:
                assert self.act("pay", lambda: self.beats.pay(share)) is None

    # ---- what two managers do

    @rule(code=st.sampled_from(["small", "bad-beat"]), cents=st.sampled_from([900_00, SEED, 3_000_05, 12_345_67]))
    def is_corrected(self, code: str, cents: int) -> None:
        pool = self.book.pools[code]
        answer = self.act("correct the sum", lambda: self.beats.corrected(cents, code=code))
        assert (answer is not None) == (not pool.ended and cents != pool.sum and cents >= min(pool.sum, SEED))
        if answer is not None:
            pool.corrected += cents - pool.sum

    @rule(code=st.sampled_from(["small", "bad-beat"]), cents=st.sampled_from([1_00, 500_00]))
    def is_recovered(self, code: str, cents: int) -> None:
        pool = self.book.pools[code]
        most = max(min(pool.seed + pool.covered, pool.sum - SEED), 0)
        may = not pool.ended and cents <= most and not any(claim.pool is pool for claim in self.book.claims)
        answer = self.act("recover", lambda: self.beats.recovered(cents, code=code))
        assert (answer is not None) == may
        if may:
            pool.seed -= cents

    @rule(code=st.sampled_from(["small", "small", "bad-beat"]), is_moved=st.booleans(), really=st.integers(0, 2))
    def is_wound_down(self, code: str, is_moved: bool, really: int) -> None:
        pool = self.book.pools[code]
        other = self.book.pools["bad-beat" if code == "small" else "small"]
        if really or pool.ended or other.ended or any(claim.pool is pool for claim in self.book.claims):
            return
        self.book.collect([pool])
        self.book.cover(pool)
        left = pool.sum
        if is_moved:
            self.beats.wound_down(code, other.code)
            pool.heir = other
            other.moved += left
            other.joins.append((self.book.calls, left))
            pool.moved -= left
        else:
            self.beats.wound_down(code, to={self.house.player("Lee").pk: left})
            pool.won += left
            pool.pending += left
        pool.ended = True
        self.done["wind down"] += 1

    @rule(number=tables, is_moved=st.booleans(), cents=st.sampled_from([0, 3 * DROP]), really=st.integers(0, 3))
    def ends_and_a_hand_of_before_is_put_right(self, number: int, is_moved: bool, cents: int, really: int) -> None:
        """It is voided, or corrected before, whose extra has gone to another jackpot by then."""
        if really:
            return
        self.plays(number)
        hand = len(self.book.hands) - 1
        self.is_wound_down(FEEDS[number], is_moved, 0)
        if cents:
            self.corrects(hand, cents)
            self.a_minute_passes()
            hand = len(self.book.hands) - 1
        self.voids(hand)
        self.the_day_closes(0)

    @rule(number=tables, is_entered=st.booleans())
    def is_called_and_ends(self, number: int, is_entered: bool) -> None:
        self.plays(number)
        self.calls(number, 1, is_entered)
        self.ends(len(self.book.claims) - 1)

    # ---- what has to hold at every step

    @invariant()
    def every_sum_is_what_the_book_says(self) -> None:
        for code, kept in self.book.pools.items():
            pool, held = Pool.objects.get(room_id=self.house.room_id, code=code), None
            proof, held = proof_of(pool), figures(pool.pk)
            newest = pool.movements.order_by("-number").first()
            assert newest is not None
            assert proof.agrees, f"{code}: {proof}"
            assert base_sum(self.house.room_id, code) == newest.sum_after_cents == held["sum"] == kept.sum, code
            assert (held["pending"], held["takings"]) == (kept.pending, kept.takings), code
            assert -held["corrected"] == kept.corrected
            assert -held["seed"] == kept.seed + kept.covered
            if self.seen.get(code) != pool.version:
                self.seen[code] = pool.version
                with clock.frozen(self.house.at):
                    assert reconciled(self.house.cast.room, TONIGHT.date(), self.house.at.date()).agrees
                self._is_shown(kept)

    def _is_shown(self, kept: PoolBook) -> None:
        """The public page says the sum, and the file ends with it."""
        with clock.frozen(self.house.at):
            page = Client().get(f"/jackpot/sums/{kept.code}/")
            file = Client().get(f"/jackpot/sums/{kept.code}/history.csv").content.decode()
        rows = list(csv.DictReader(io.StringIO(file)))
        assert page.context["proof"].sum_cents == page.context["proof"].posted_cents == kept.sum
        assert int(rows[-1]["sum_after_cents"]) == sum(int(row["cents"]) for row in rows) == kept.sum

    @invariant()
    def nothing_is_collected_twice(self) -> None:
        collected = sum(Collection.objects.values_list("cents", flat=True))
        pools = self.book.pools.values()
        assert collected == sum(pool.joined + pool.takings - pool.covered for pool in pools)
