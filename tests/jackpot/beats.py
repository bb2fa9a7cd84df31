"""Bad beats for tests: seven players at table 1, and a hand in which aces full of kings lose to four sevens."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, cast

from django.db import transaction

from casino.cage.models import Slip
from casino.cage.services import take_money
from casino.commands.carrying_out import Answer, Command
from casino.ledger.services import post
from casino.people.models import Staff
from casino.rooms.selectors import lock_open_day, rule_book_in_force
from casino.rulebooks.jackpots import Jackpot
from jackpot.chart import of_pool
from jackpot.models import Claim, ClaimCheck, ClaimShare, Movement, Pool
from jackpot.selectors.judging import EnteredHand, SeatCards
from jackpot.selectors.pools import sum_cents
from jackpot.services import approving, changing, claims
from jackpot.services.pool import change, lock_pool
from tables.models import Hand, Seating
from tests.cage.counting import signed
from tests.cast import command
from tests.tables.conftest import House

SEVEN = {"Lee": 1, "Kai": 2, "Timo": 3, "Mika": 4, "Pekka": 5, "Jo": 6, "Sara": 7}
EVERYBODY = tuple(SEVEN.values())
BOARD = "As Ah Kd 7c 7d"


def base_sum(room_id: int, code: str) -> int | None:
    """Return the sum of the pool that a jackpot of the book has now, None where it has none yet."""
    pool = Pool.objects.filter(room_id=room_id, code=code).first()
    return None if pool is None else sum_cents(pool.pk)


# Seat 1 holds aces full of kings, both own cards used, seat 2 four sevens (E-H7.13b with one loser).
BEAT = EnteredHand(board=BOARD, hands=(SeatCards(1, "Ac Kc"), SeatCards(2, "7h 7s")))
# Two pairs lose enough in no house.
NO_BEAT = EnteredHand(board=BOARD, hands=(SeatCards(1, "Kc Qc"), SeatCards(2, "7h 7s")))


@dataclass
class Beats:
    """Claims at a house's tables, step by step; each step is one tap."""

    house: House

    def open(self, number: int = 1, *, seats: dict[str, int] | None = None) -> None:
        self.house.open(number, **(SEVEN if seats is None else seats))

    def fill(self) -> None:
        """Seat whoever is missing of seven at table 1, which runs already."""
        taken = set(
            Seating.objects.filter(table=self.house.table(), left_at=None).values_list("seat_number", flat=True)
        )
        strangers = iter(("Pekka", "Sara", "Noora", "Otto", "Ville"))
        for seat in EVERYBODY:
            if seat not in taken:
                self.house.seat(next(strangers), seat)

    def played(self, number: int = 1, *, dealt_in: tuple[int, ...] = EVERYBODY) -> Hand:
        return self.house.settle(120_00, number=number, winners=(dealt_in[1],), dealt_in=dealt_in)

    def called(self, number: int = 1, *, hand: Hand | None = None) -> Claim:
        hand = hand or self.played(number)
        table_id = self.house.table_id(number)
        answer = self.house.tap(claims.call_bad_beat, self.house.cast.anna, table_id=table_id, hand_id=hand.hand_id)
        return Claim.objects.get(id=answer.data["claim"])

    def step(self, service: Any, claim: Claim, by: Staff | None = None, **arguments: Any) -> Claim:
        """Give one command about a claim at its present version, and return the claim as it is then."""
        version = Claim.objects.values_list("version", flat=True).get(id=claim.pk)
        self.house.tap(service, by, claim_id=claim.pk, version=version, **arguments)
        return Claim.objects.get(id=claim.pk)

    def entered(self, claim: Claim | None = None, hand: EnteredHand = BEAT, **moments: Any) -> Claim:
        return self.step(claims.enter_hands, claim or self.called(), hand=hand, **moments)

    def walked(self, claim: Claim) -> Claim:
        """Tick every item of the checklist."""
        for item in ClaimCheck.Item.values:
            self.tick(claim, item)
        return claim

    def tick(self, claim: Claim, item: str) -> None:
        more: dict[str, Any] = {"reference": "camera 4, 21:04:25"} if item == "surveillance" else {}
        more |= {"witness_id": self.house.cast.anna.pk} if item == "witnesses" else {}
        self.house.tap(claims.tick_check, claim_id=claim.pk, item=item, **more)

    def verified(self, claim: Claim | None = None) -> Claim:
        return self.step(claims.verify_claim, self.walked(claim or self.entered()))

    def sum(self, cents: int | None = None) -> int:
        """Return the jackpot's sum; with `cents` it is corrected to that sum."""
        if cents is not None:
            more = cents - self.sum()
            if more:
                self._change(Movement.Kind.CORRECTION, more, approved_by_id=self.house.cast.frans.pk)
        return base_sum(self.house.room_id, self.jackpot.code) or 0

    def joins(self, cents: int) -> int:
        """Have so many cents of takings join the sum now, as a day's close does, and return it."""
        with transaction.atomic():
            pool = lock_pool(self.house.room_id, self.jackpot.code)
            post(
                room_id=self.house.room_id,
                day_id=lock_open_day(self.house.room_id).pk,
                kind="jackpot_collected",
                lines=[of_pool(pool.pk, "takings", cents), of_pool(pool.pk, "collected", -cents)],
                key=f"jackpot.{pool.pk}.tried.{cents}",
                made_by_id=self.house.cast.mari.pk,
                at=self.house.at,
                about={},
            )
        return self._change(Movement.Kind.TAKINGS, cents).sum_after_cents

    @property
    def jackpot(self) -> Jackpot:
        """The first of the book in force."""
        _, book = rule_book_in_force(self.house.room_id, at=self.house.at)
        return book.jackpots[0]

    def _change(self, kind: Movement.Kind, cents: int, *, approved_by_id: int | None = None) -> Movement:
        with transaction.atomic():
            day = lock_open_day(self.house.room_id)
            pool = lock_pool(self.house.room_id, self.jackpot.code)
            opening = command(self.house.cast.mari, at=self.house.at)
            return change(opening, pool, kind=kind, cents=cents, day_id=day.pk, approved_by_id=approved_by_id)

    def approved(self, claim: Claim, *, by: Staff | None = None, signer: Staff | None = None, **more: Any) -> Claim:
        """Approve a claim of the present sum, signed by Mari unless somebody else is named."""
        by, signer = by or self.house.cast.frans, signer or self.house.cast.mari
        version = Claim.objects.values_list("version", flat=True).get(id=claim.pk)
        arguments = {"version": version, "sum_cents": self.sum(), **more}
        signs = approving.approval_signs(claim.pk, version=arguments["version"], sum_cents=arguments["sum_cents"])
        signing = self.signed(by, signer, signs=signs)
        approving.approve_claim(signing, claim_id=claim.pk, approved_by_id=signer.pk, **arguments)
        return Claim.objects.get(id=claim.pk)

    def change(self, service: Any, signs: str, *, code: str = "bad-beat", **arguments: Any) -> Answer:
        """Change a pool by Mari and Frans, who is a manager tonight too: a service of `jackpot.services.changing`."""
        asker, signer = self.house.cast.mari, self.house.cast.frans
        Staff.objects.filter(pk=signer.pk).update(roles=["floor", "manager"])
        signing = self.signed(asker, signer, signs=signs, needs=changing.NEEDS)
        return cast(Answer, service(signing, jackpot=code, approved_by_id=signer.pk, **arguments))

    def corrected(self, new_sum_cents: int, reason: str = "takings", *, code: str = "bad-beat", **more: Any) -> Answer:
        arguments: dict[str, Any] = {
            "version": self.pool_version(code),
            "new_sum_cents": new_sum_cents,
            "reason": reason,
            **more,
        }
        return self.change(changing.correct_sum, changing.correction_signs(code, **arguments), code=code, **arguments)

    def recovered(self, amount_cents: int, *, code: str = "bad-beat") -> Answer:
        arguments: dict[str, Any] = {"version": self.pool_version(code), "amount_cents": amount_cents}
        return self.change(changing.recover_seed, changing.recovery_signs(code, **arguments), code=code, **arguments)

    def wound_down(
        self,
        code: str = "bad-beat",
        moved_to: str = "",
        shares: dict[str, int] | None = None,
        *,
        to: dict[int, int] | None = None,
    ) -> Answer:
        """Wind a pool down; `shares` by nickname, or `to` players by their ids."""
        cents = to or {self.house.player(name).pk: each for name, each in (shares or {}).items()}
        named = [{"player_id": player_id, "amount_cents": each} for player_id, each in cents.items()]
        arguments: dict[str, Any] = {"version": self.pool_version(code), "moved_to": moved_to, "shares": named}
        return self.change(changing.wind_down, changing.end_signs(code, **arguments), code=code, **arguments)

    def pool_version(self, code: str = "bad-beat") -> int:
        return Pool.objects.values_list("version", flat=True).get(room_id=self.house.room_id, code=code)

    def pay(self, share: ClaimShare, *, method: str = "cash") -> Slip:
        """Have the cashier pay a share by the slip that waits for it."""
        share.refresh_from_db()
        cashier = self.house.cast.carla
        self.house.tap(take_money, cashier, slip_id=share.slip_id, drawer_id=self.house.drawer_id, method=method)
        return Slip.objects.get(id=share.slip_id or 0)

    def signed(self, by: Staff, second: Staff, *, signs: str, needs: str = claims.NEEDS) -> Command:
        """Return a command of `by` that `second` has signed with their own PIN."""
        self.house.at += timedelta(seconds=1)
        return signed(by, second, signs, needs=needs, at=self.house.at)
