"""Between the vault and the drawer: fills where chips or cash run low, credits where too much lies there."""

from typing import TYPE_CHECKING

from casino.simulation.behaviours import behaviour

if TYPE_CHECKING:
    from casino.simulation.night import Night

DRAWER = "/api/v1/cage/drawers/1"
# Below the first the drawer is filled, above the second it gives back; the third is what is carried.
CHIPS, CASH = (5_000_00, 40_000_00, 10_000_00), (1_000_00, 20_000_00, 4_000_00)


@behaviour("the drawer is filled from the vault", weight=20)
def is_filled(night: "Night") -> str | None:
    """The cashier asks, the floor signs; the cashier cannot sign it too."""
    drawer, felt = night.felt.drawer, night.felt
    chips, cash = _carried(drawer.chips, *CHIPS), _carried(drawer.cash, *CASH)
    if not chips and not cash:
        return None
    what, cents = ("chips", chips) if chips else ("cash", cash)
    if cents > (felt.vault_chips if what == "chips" else felt.vault_cash):
        return None
    path = f"{DRAWER}/{'fills' if cents > 0 else 'credits'}"
    body = {"amount_cents": abs(cents), "what": what}
    cage = night.staff.cage
    night.refused(cage, path, {**body, "second": night.staff.second("carla")}, code="same_person")
    night.done(cage, path, {**body, "second": night.staff.second("frans")})
    if what == "chips":
        drawer.chips += cents
        felt.vault_chips -= cents
    else:
        drawer.cash += cents
        felt.vault_cash -= cents
    return f"{cents // 100} € in {what}"


def _carried(there: int, low: int, high: int, cents: int) -> int:
    """Return what is brought into a drawer where so much lies, in cents; negative: back to the vault."""
    return cents if there < low else -cents if there > high else 0
