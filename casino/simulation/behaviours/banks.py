"""
Runners' banks: opened for a runner who signs, sold from at the tables, filled and credited (`fills`), counted by two.

At times a runner steals out of a bank. Exactly that must be missing when it is counted, on that bank's account.
"""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from casino.simulation.at_once import Given, at_once, only_one
from casino.simulation.banks import Bank
from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.cage import see_document
from casino.simulation.behaviours.days import stays_open
from casino.simulation.behaviours.faults import may_travel_badly
from casino.simulation.boxes import CASH_VALUES, pieces
from casino.simulation.felt import Sitter
from casino.simulation.fills import WHAT
from casino.simulation.front_door import Device
from casino.simulation.table import Table

if TYPE_CHECKING:
    from casino.simulation.night import Night

API = "/api/v1/cage"
FIRST_NUMBER, BANKS_MAX = 11, 2
CHIPS, CASH = 2_000_00, 200_00
CASH_SHARE, MET_SHARE = 0.5, 0.2
# What a runner takes at once: chips, or notes.
TAKEN = {"chips": (1_00, 5_00, 25_00, 100_00), "cash": (5_00, 20_00, 50_00)}


@behaviour("a runner is given a bank", weight=6)
def is_given(night: "Night") -> str | None:
    """
    The cashier counts a bank's float with a runner, who signs for it; a runner who holds a bank is refused a second
    one. Nothing happens with two banks open, without a free runner, or with too little in the vault.
    """
    banks, felt = night.banks, night.felt
    runners = [name for name in night.staff.runners() if name not in {bank.runner for bank in banks.open()}]
    if len(banks.open()) >= BANKS_MAX or not runners or felt.vault_chips < CHIPS or felt.vault_cash < CASH:
        return None
    runner, load = night.rng.choice(runners), Counter(chips=CHIPS)
    load["cash"] = CASH if night.rng.random() < CASH_SHARE else 0
    closed = [bank for _, bank in sorted(banks.at.items()) if not bank.runner]
    bank = closed[0] if closed else _is_new(night)
    path, cage = f"{API}/drawers/{bank.number}/open-bank", night.staff.cage
    version = cage.get(f"{API}/drawers/{bank.number}").version
    body: dict[str, Any] = {"cash": pieces(load["cash"], CASH_VALUES), "chips": pieces(load["chips"])}
    for held in banks.open():
        other = {**body, "second": night.staff.second(held.runner)}
        night.refused(cage, path, other, code="holds_a_bank", version=version)
    may_travel_badly(night)
    data = night.done(cage, path, {**body, "second": night.staff.second(runner)}, version=version).data
    answered = (data["holder_id"], data["cash_cents"], data["chips_cents"])
    night.must_equal("who holds a bank, with what", answered, (night.staff.id_of(runner), load["cash"], load["chips"]))
    bank.is_given(runner, load)
    night.days.opens(data["session_id"], bank.number, by=night.staff.id_of("carla"), is_bank=True)
    felt.vault_cash -= load["cash"]
    felt.vault_chips -= load["chips"]
    banks.played["given"] += 1
    return f"bank {bank.number}, {runner}"


@behaviour("a runner sells chips at a table", weight=15)
def sells(night: "Night") -> str | None:
    """
    A runner sells chips out of their bank for cash to a seat that has requested them: on the table's tablet by PIN, or
    by one tap where the runner deals there; else on the floor's. At times on both at the same moment: one sale must
    stand.
    """
    found = [
        (bank, table, sitter)
        for bank in night.banks.open()
        for table in night.open_tables()
        for sitter in table.sitters()
        if sitter.slip
    ]
    if not found:
        return None
    bank, table, sitter = night.rng.choice(found)
    slip = night.staff.cage.get(f"{API}/slips/{sitter.slip}").body
    cents, version = slip["amount_cents"], slip["version"]
    if cents > bank.lies["chips"]:
        return None
    see_document(night, sitter.player)
    path = f"{API}/slips/{slip['id']}/sell-from-bank"
    devices = _devices(night, table, bank)
    given = [Given(device, path, _signed(night, device, table, bank), version) for device in devices]
    if len(given) > 1 and night.rng.random() < MET_SHARE:
        answers = at_once(night, *given)
        sold = answers[only_one(given, answers, refused={"stale"})].data
    else:
        may_travel_badly(night)
        sold = night.done(given[0].device, path, given[0].body, version=version).data
    night.must_equal("who has sold out of a bank", sold["holder_id"], night.staff.id_of(bank.runner))
    _is_sold(bank, sitter, cents)
    night.banks.played["sold"] += 1
    return f"{bank.runner}, {cents // 100} € at table {table.number}"


@behaviour("a runner takes something out of their bank", weight=1.5)
def is_robbed(night: "Night") -> str | None:
    """A runner steals cash or chips out of their bank; nobody taps anything, and its count must find that missing."""
    banks = [bank for bank in night.banks.open() if +bank.lies]
    return takes_out(night, night.rng.choice(banks)) if banks else None


def takes_out(night: "Night", bank: Bank) -> str | None:
    """Take cash or chips out of a bank without a tap; return the journal's word, None for an empty bank."""
    found = [what for what in WHAT if bank.lies[what] > 0]
    if not found:
        return None
    what = night.rng.choice(found)
    cents = night.rng.choice([value for value in (*TAKEN[what], bank.lies[what]) if value <= bank.lies[what]])
    bank.is_robbed(what, cents)
    if what == "chips":
        night.felt.stolen += cents
    night.banks.played["robbed"] += 1
    night.days.played["bank robbed later"] += bool(night.days.opening_of(bank.number).over)
    return f"{bank.runner}, {cents // 100} € of bank {bank.number} in {what}"


@behaviour("a runner's bank is counted", weight=2)
def is_counted(night: "Night") -> str | None:
    """The cashier and the floor count a runner's bank, which closes it; never while a fill slip of it is open."""
    banks = [bank for bank in night.banks.open() if not _has_fills(night, bank)]
    return count(night, night.rng.choice(banks)) if banks else None


def banks_at_the_end(night: "Night") -> Iterator[str]:
    """Count each open bank at the day's end, but for those that stay open over it; yield each step's word."""
    for bank in night.banks.open():
        if not stays_open(night, bank.number):
            yield count(night, bank)


def count(night: "Night", bank: Bank) -> str:
    """
    The cashier counts a bank blind with the floor; what its runner took must be missing there, and nothing else. A
    runner who is a cashier is refused as the second person for a bank of their own.
    """
    path, cage = f"{API}/drawers/{bank.number}/close", night.staff.cage
    body: dict[str, Any] = {"cash": pieces(bank.lies["cash"], CASH_VALUES), "chips": pieces(bank.lies["chips"])}
    body["card_slips_cents"] = 0
    if bank.runner == "carlo":
        night.refused(cage, path, {**body, "second": night.staff.second(bank.runner)}, code="own_bank")
    may_travel_badly(night)
    data = night.done(cage, path, {**body, "second": night.staff.second("frans")}).data
    runner = bank.runner
    found, missing = bank.is_counted()
    answered = {name: data[name] for name in ("holder_id", "money_difference_cents", "chips_difference_cents")}
    ours = {"holder_id": night.staff.id_of(runner), "money_difference_cents": -missing["cash"]}
    ours["chips_difference_cents"] = -missing["chips"]
    night.must_equal(f"the count of bank {bank.number}", answered, ours)
    night.days.counts(bank.number, (-missing["cash"], -missing["chips"]))
    night.felt.vault_cash += found["cash"]
    night.felt.vault_chips += found["chips"]
    night.banks.played["counted"] += 1
    night.banks.played["differ"] += bool(missing.total())
    return f"bank {bank.number} of {runner}: {found.total() // 100} €, {-missing.total() // 100} differs"


def _is_new(night: "Night") -> Bank:
    number = FIRST_NUMBER + len(night.banks.at)
    night.done(night.staff.desktop, f"{API}/banks", {"number": number, "name": f"Bank {number}"})
    night.banks.at[number] = Bank(number)
    return night.banks.at[number]


def _is_sold(bank: Bank, sitter: Sitter, cents: int) -> None:
    bank.moves(Counter(cash=cents, chips=-cents))
    sitter.player.money -= cents
    sitter.stack += cents
    sitter.put_in += cents
    sitter.slip = None


def _devices(night: "Night", table: Table, bank: Bank) -> list[Device]:
    """Return where a runner sells at a table: on its tablet if they may sign there, and on the floor's."""
    staff, dealer = night.staff, night.staff.at_table[table.number]
    may = not table.is_offline and (dealer == bank.runner or staff.may_sign_together(dealer, bank.runner))
    return [*([staff.tablets[table.number]] if may else []), staff.floor]


def _signed(night: "Night", device: Device, table: Table, bank: Bank) -> dict[str, Any]:
    """Return the runner's signature for a sale on a device, {} where the runner is signed in there."""
    if device is not night.staff.floor and night.staff.at_table[table.number] == bank.runner:
        return {}
    return {"second": night.staff.second(bank.runner)}


def _has_fills(night: "Night", bank: Bank) -> bool:
    fills = night.fills.at("requested", "authorised", "delivered")
    return any(fill.at == ("drawer", bank.number) for fill in fills)
