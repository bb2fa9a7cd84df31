"""Promotions for tests: the book of `docs/promotions.md`, a fund, periods, and hands that are shown."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from casino.cage.models import Slip
from casino.cage.services import take_money
from casino.commands.carrying_out import Answer, Command
from casino.people.models import Staff
from casino.promotions.models import Entry, Fund, Period, Prize, Splash
from casino.promotions.selectors.funds import figures
from casino.promotions.services import funds, high_hands, periods, splashes
from casino.promotions.services.splashes import draw_due
from casino.promotions.services.whose import ShownHand
from casino.rooms.models import RuleBookVersion
from casino.rulebooks.coverage import ROOT
from tests.cage.counting import signed
from tests.support.books import adds_to_book, says_in_book
from tests.support.owner import as_owner
from tests.tables.conftest import House

BLOCKS = [block.split("```")[0] for block in (ROOT / "docs/promotions.md").read_text().split("```toml")[1:]]
EXAMPLE = "\n".join(BLOCKS)
HIGH, SPLASH = "high-hand", "splash"
# Aces full of kings, both hole cards played; with seven-deuce the board plays alone.
BOARD = "Ah Kh Ks 2d 7c"
ACES_FULL = ShownHand(table_number=1, seat_number=1, cards="As Ad", board="Ac Kh Ks 2d 7c")
QUADS = ShownHand(table_number=1, seat_number=2, cards="Kc Kd", board=BOARD)


def promotes(house: House, text: str = EXAMPLE) -> None:
    """Have the room's book hold with promotions in it from now on."""
    adds_to_book(house.room_id, text, holds_from=house.at)


def left_out(house: House) -> None:
    """Have the room's book hold without them again from now on."""
    first = RuleBookVersion.objects.filter(room_id=house.room_id).earliest("number")
    says_in_book(house.room_id, first.text, holds_from=house.at)


@dataclass
class Running:
    """Promotions of a house, step by step; each step is one tap."""

    house: House

    @classmethod
    def begun(cls, house: House, *, fund_cents: int = 1_000_00, text: str = EXAMPLE, code: str = HIGH) -> "Running":
        running = cls(house)

        def funded() -> None:
            promotes(house, text)
            running.funded(fund_cents, code=code)

        house.begins(("promotes", fund_cents, text, code), funded)
        return running

    def version(self, code: str = HIGH) -> int:
        return Fund.objects.filter(room_id=self.house.room_id, code=code).values_list("version", flat=True).first() or 0

    def figures(self, code: str = HIGH) -> dict[str, int]:
        return figures(Fund.objects.get(room_id=self.house.room_id, code=code))

    def funded(self, cents: int, *, code: str = HIGH, takes_out: bool = False) -> Answer:
        """Put money in by Mari and Frans, who is a manager tonight too."""
        arguments: dict[str, Any] = {"version": self.version(code), "amount_cents": cents, "takes_out": takes_out}
        Staff.objects.filter(pk=self.house.cast.frans.pk).update(roles=["floor", "manager"])
        signing = self._signed(
            self.house.cast.mari, self.house.cast.frans, signs=funds.fund_signs(code, **arguments), needs=funds.NEEDS
        )
        return funds.change_fund(signing, promotion=code, approved_by_id=self.house.cast.frans.pk, **arguments)

    def opened(self, number: int = 1, *, code: str = HIGH, **more: Any) -> Period:
        """Open periods, and return the first."""
        answer = self.house.tap(periods.open_periods, promotion=code, number=number, **more)
        return Period.objects.get(id=answer.data["periods"][0])

    def begun_before(self, period: Period, by: timedelta) -> Period:
        """Have a period have begun, and end, so much earlier than it was opened for."""
        with as_owner():
            Period.objects.filter(pk=period.pk).update(begins_at=period.begins_at - by, ends_at=period.ends_at - by)
        period.refresh_from_db()
        return period

    def entered(self, period: Period, hand: ShownHand = ACES_FULL, by: Staff | None = None, **more: Any) -> Entry:
        answer = self.house.tap(high_hands.enter_hand, by, period_id=period.pk, hand=hand, **more)
        return Entry.objects.get(id=answer.data["entry_id"])

    def drawn(self, *, at: datetime | None = None) -> list[Splash]:
        """Have the time come at which splashes are due, the first of them unless said, and return what was drawn."""
        self.house.at = at or Splash.objects.filter(status="coming").earliest("due_at").due_at
        draw_due(at=self.house.at)
        return list(Splash.objects.filter(status="drawn").order_by("number"))

    def splashed(self, splash: Splash) -> Splash:
        self.house.tap(splashes.note_splash, splash_id=splash.pk, drawer_id=self.house.drawer_id)
        return Splash.objects.get(id=splash.pk)

    def ended(self, period: Period) -> Period:
        """Have the time come at which a period has ended."""
        self.house.at = max(self.house.at, period.ends_at)
        return period

    def decided(self, period: Period, *, by: Staff | None = None, signer: Staff | None = None) -> Period:
        """Decide a period that has ended, asked by Frans and signed by Mari unless somebody else is named."""
        self.deciding(period, by=by, signer=signer)()
        return Period.objects.get(id=period.pk)

    def deciding(self, period: Period, *, by: Staff | None = None, signer: Staff | None = None) -> Callable[[], object]:
        """Return that decision, signed and ready to be sent."""
        version, signer = self.version(period.fund.code), signer or self.house.cast.mari
        signs = high_hands.decision_signs(period.pk, version=version)
        signing = self._signed(by or self.house.cast.frans, signer, signs=signs)
        arguments: dict[str, Any] = {"period_id": period.pk, "version": version, "approved_by_id": signer.pk}
        return lambda: high_hands.decide_period(signing, **arguments)

    def undecided(
        self, period: Period, reason: str = "wrong_hand", *, by: Staff | None = None, signer: Staff | None = None
    ) -> Period:
        """Take a decision back, asked by Frans and signed by Mari unless somebody else is named."""
        self.undeciding(period, reason, by=by, signer=signer)()
        return Period.objects.get(id=period.pk)

    def undeciding(
        self, period: Period, reason: str = "wrong_hand", *, by: Staff | None = None, signer: Staff | None = None
    ) -> Callable[[], object]:
        """Return that, signed and ready to be sent."""
        arguments: dict[str, Any] = {"version": self.version(period.fund.code), "reason": reason}
        by, signer = by or self.house.cast.frans, signer or self.house.cast.mari
        signing = self._signed(by, signer, signs=high_hands.taking_back_signs(period.pk, **arguments))
        arguments |= {"period_id": period.pk, "approved_by_id": signer.pk}
        return lambda: high_hands.take_back_decision(signing, **arguments)

    def unsplashed(self, splash: Splash, reason: str = "not_in_pot", *, signer: Staff | None = None) -> Splash:
        """Take a splash back, asked by Mari and signed by the cashier unless somebody else is named."""
        self.unsplashing(splash, reason, signer=signer)()
        return Splash.objects.get(id=splash.pk)

    def unsplashing(
        self, splash: Splash, reason: str = "not_in_pot", *, signer: Staff | None = None
    ) -> Callable[[], object]:
        """Return that, signed and ready to be sent."""
        arguments: dict[str, Any] = {"version": self.version(splash.period.fund.code), "reason": reason}
        signer = signer or self.house.cast.carla
        signs = splashes.taking_back_signs(splash.pk, **arguments)
        signing = self._signed(self.house.cast.mari, signer, signs=signs, needs=splashes.NEEDS)
        arguments |= {"splash_id": splash.pk, "approved_by_id": signer.pk}
        return lambda: splashes.take_back_splash(signing, **arguments)

    def called_off(self, period: Period, reason: str = "mistake") -> Period:
        arguments: dict[str, Any] = {"version": self.version(period.fund.code), "reason": reason}
        signs = periods.call_off_signs(period.pk, **arguments)
        signing = self._signed(self.house.cast.frans, self.house.cast.mari, signs=signs)
        periods.call_off_period(signing, period_id=period.pk, approved_by_id=self.house.cast.mari.pk, **arguments)
        return Period.objects.get(id=period.pk)

    def paid(self, prize: Prize) -> Slip:
        """Have the cashier pay a prize by the slip that waits for it."""
        prize.refresh_from_db()
        cashier = self.house.cast.carla
        self.house.tap(take_money, cashier, slip_id=prize.slip_id, drawer_id=self.house.drawer_id, method="cash")
        return Slip.objects.get(id=prize.slip_id or 0)

    def _signed(self, by: Staff, second: Staff, *, signs: str, needs: str = periods.NEEDS) -> Command:
        self.house.at += timedelta(seconds=1)
        return signed(by, second, signs, needs=needs, at=self.house.at)
