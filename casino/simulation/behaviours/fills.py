"""Fill slips: requested, authorised, given to a runner, counted by two; at times a runner loses or steals some."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from casino.simulation.at_once import Given, at_once, only_one
from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.faults import may_travel_badly
from casino.simulation.boxes import CASH_VALUES, pieces
from casino.simulation.fills import WHAT, Fill
from casino.simulation.front_door import Answer, Device

if TYPE_CHECKING:
    from casino.simulation.night import Night

API = "/api/v1/cage/fills"
# How many slips are neither counted nor refused at once, at most.
UNDER_WAY_MAX = 4
CREDIT_SHARE, TABLE_SHARE, BANK_SHARE, LESS_SHARE, CASH_SHARE = 0.35, 0.4, 0.6, 0.15, 0.7
REFUSED_SHARE, RETURNED_SHARE, MET_SHARE, WRONG_SHARE = 0.1, 0.12, 0.25, 0.1
REASONS = ("not_needed", "wrong_amount", "wrong_place", "not_there", "closed")
# How many cents too little (or, negative, too much) the vault hands out of a fill.
WRONG = (-50_00, -5_00, 5_00, 50_00)
# In cents: below the first the drawer is filled, above the second it gives back; the third is what is carried.
DRAWER_CHIPS, DRAWER_CASH = (5_000_00, 40_000_00, 10_000_00), (1_000_00, 20_000_00, 4_000_00)
# What a runner loses at once: chips, or notes.
LOST = {"chips": (1_00, 5_00, 25_00, 100_00), "cash": (5_00, 20_00, 50_00)}


@behaviour("a fill is asked for", weight=7)
def requests_a_fill(night: "Night") -> str | None:
    """
    The cashier requests a fill or a credit for the drawer or a runner's bank, the floor one for a table's rack.

    Tables get them only in a night with racks; the cash that lies in a rack mostly goes to the vault as a credit.
    Nothing while four slips are under way, or where less lies than would be requested.
    """
    if len(night.fills.at("requested", "authorised", "delivered")) >= UNDER_WAY_MAX:
        return None
    at, kind = ("drawer", 1), "fill"
    if night.rng.random() < TABLE_SHARE and night.plan.racks:
        at = ("table", night.rng.choice(sorted(night.tables)))
    elif (banks := night.banks.open()) and night.rng.random() < BANK_SHARE:
        at = ("drawer", night.rng.choice(banks).number)
    if night.rng.random() < CREDIT_SHARE:
        kind = "credit"
    wished = Counter(chips=25_00 * night.rng.randint(4, 40))
    if at[0] == "drawer" and night.rng.random() < 0.5:
        wished = Counter(cash=50_00 * night.rng.randint(1, 20), chips=wished["chips"] * night.rng.randint(0, 1))
    if at[0] == "table" and (cash := _cash_of_rack(night, at[1])) and night.rng.random() < CASH_SHARE:
        kind, wished = "credit", cash
    if not _holds(night, kind, at, wished):
        return None
    _request(night, kind, at, wished)
    return f"{kind}, {at[0]} {at[1]}"


@behaviour("the drawer is filled from the vault", weight=20)
def is_filled(night: "Night") -> str | None:
    """
    The drawer runs low of chips or cash and gets a fill from the vault, or has too much and gives a credit back.

    The slip is requested, authorised, carried and counted at once. Nothing where the drawer has about enough.
    """
    drawer, at = night.felt.drawer, ("drawer", 1)
    chips, cash = _too_little(drawer.chips, *DRAWER_CHIPS), _too_little(drawer.cash, *DRAWER_CASH)
    if not chips and not cash:
        return None
    what, cents = ("chips", chips) if chips else ("cash", cash)
    kind, wished = "fill" if cents > 0 else "credit", Counter({what: abs(cents)})
    if not _holds(night, kind, at, wished):
        return None
    return carry_at_once(night, kind, at, wished)


def carry_at_once(
    night: "Night", kind: str, at: tuple[str, int], wished: Counter[str], *, may_return: bool = True
) -> str:
    """
    Have a fill slip requested, authorised, carried by a runner and counted, at once.

    `may_return`: at times its load is counted where it came from; else always where it goes.
    """
    fill = _request(night, kind, at, wished)
    night.done(_other(night, fill), f"{API}/{fill.id}/authorise", version=_version(night, fill))
    _give(night, fill, night.rng.choice(_carriers(night, fill)), wished)
    return count(night, fill, may_return=may_return)


def _too_little(there: int, low: int, high: int, cents: int) -> int:
    """Return `cents` below `low`, -`cents` (back to the vault) above `high`, else 0; `there` is what the drawer has."""
    return cents if there < low else -cents if there > high else 0


def _request(night: "Night", kind: str, at: tuple[str, int], wished: Counter[str]) -> Fill:
    by, device = ("carla", night.staff.cage) if at[0] == "drawer" else ("frans", night.staff.floor)
    body = {"kind": kind, "place_kind": at[0], "place_number": at[1], **_load(wished)}
    data = night.done(device, API, body).data
    answered = {name: data[name] for name in ("kind", "status", "cash_cents", "chips_cents")}
    ours = {"kind": kind, "status": "requested", "cash_cents": wished["cash"], "chips_cents": wished["chips"]}
    night.must_equal("what a fill slip asks for", answered, ours)
    fill = Fill(data["fill_id"], data["number"], kind, at, by, wished)
    night.fills.all.append(fill)
    night.fills.played["asked"] += 1
    return fill


@behaviour("a fill is authorised", weight=25)
def is_authorised(night: "Night") -> str | None:
    """
    Somebody else than the requester authorises a fill slip, or (one in ten) refuses it.

    The floor may not authorise a slip that the floor requested; the house must refuse that.
    """
    fills = night.fills.at("requested")
    if not fills:
        return None
    fill = night.rng.choice(fills)
    other = _other(night, fill)
    if night.rng.random() < REFUSED_SHARE:
        return _is_refused(night, other, fill)
    path, version = f"{API}/{fill.id}/authorise", _version(night, fill)
    if fill.requested_by == "frans":
        night.refused(night.staff.floor, path, code="asked_for_it", version=version)
    night.done(other, path, version=version)
    fill.status = "authorised"
    return f"slip {fill.id}"


def _other(night: "Night", fill: Fill) -> Device:
    """Return the device of somebody who may authorise a slip: not of who requested it."""
    return night.staff.floor if fill.requested_by == "carla" else night.staff.desktop


@behaviour("a fill is given to a runner", weight=25)
def is_given(night: "Night") -> str | None:
    """
    The cage, or the floor out of a rack, gives an authorised load to a runner, who signs; at times 25 € of chips less.

    More than was authorised is refused. A bank's holder carries what leaves the bank; as the runner of a fill into it
    the holder is refused.
    """
    found = [
        (fill, carriers)
        for fill in night.fills.at("authorised")
        if _holds(night, fill.kind, fill.at, fill.wished) and (carriers := _carriers(night, fill))
    ]
    if not found:
        return None
    fill, carriers = night.rng.choice(found)
    runner, holder = night.rng.choice(carriers), night.banks.holder(fill.at)
    load = fill.wished.copy()
    if load["chips"] > 25_00 and night.rng.random() < LESS_SHARE:
        load["chips"] -= 25_00
    device, path, version = _given_at(night, fill), f"{API}/{fill.id}/deliver", _version(night, fill)
    more = {**_load(Counter(fill.wished) + Counter(chips=25_00)), "second": night.staff.second(runner)}
    night.refused(device, path, more, code="more_than_authorised", version=version)
    if holder and fill.kind == "fill":
        own = {**_load(load), "second": night.staff.second(holder)}
        night.refused(device, path, own, code="bank_without_holder", version=version)
    may_travel_badly(night)
    _give(night, fill, runner, load)
    return f"slip {fill.id}: {runner} carries {load.total() // 100} €"


def _give(night: "Night", fill: Fill, runner: str, load: Counter[str]) -> None:
    """Give a runner what an authorised slip says, or less; the vault at times hands out another sum than both sign."""
    body = {**_load(load), "second": night.staff.second(runner)}
    night.done(_given_at(night, fill), f"{API}/{fill.id}/deliver", body, version=_version(night, fill))
    _puts(night, _comes_from(fill), fill, load, -1)
    night.fills.played["cash from a rack"] += _comes_from(fill) == "table" and load["cash"] > 0
    fill.is_sent(runner, night.staff.id_of(runner), load)
    if _comes_from(fill) == "vault" and night.rng.random() < WRONG_SHARE:
        _is_counted_out_wrongly(night, fill)
    night.fills.played["given"] += 1


def _given_at(night: "Night", fill: Fill) -> Device:
    return night.staff.floor if _comes_from(fill) == "table" else night.staff.cage


@behaviour("a runner loses something", weight=8)
def is_lost(night: "Night") -> str | None:
    """A runner loses or steals chips or cash of a load. Nobody taps anything; the slip's count must find it missing."""
    found = [(fill, what) for fill in night.fills.at("delivered") for what in WHAT if fill.lies[what] > 0]
    if not found:
        return None
    fill, what = night.rng.choice(found)
    cents = night.rng.choice([value for value in (*LOST[what], fill.lies[what]) if value <= fill.lies[what]])
    fill.is_short(what, cents)
    if what == "chips":
        night.felt.stolen += cents
    night.fills.played["lost"] += 1
    return f"{cents // 100} € of slip {fill.id}"


@behaviour("a fill is counted", weight=20)
def is_counted(night: "Night") -> str | None:
    found = night.fills.at("delivered")
    return count(night, night.rng.choice(found)) if found else None


@behaviour("the floor looks at a fill that differs", weight=3)
def is_judged(night: "Night") -> str | None:
    fills = [fill for fill in night.fills.all if fill.differs]
    if not fills:
        return None
    fill = night.rng.choice(fills)
    if fill.by_floor:
        night.refused(night.staff.floor, f"{API}/{fill.id}/judge", code="own_fill")
    night.done(night.staff.desktop if fill.by_floor else night.staff.floor, f"{API}/{fill.id}/judge")
    fill.differs = False
    night.fills.played["judged"] += 1
    return f"slip {fill.id}"


def fills_at_the_end(night: "Night") -> Iterator[str]:
    """Have the floor refuse each slip that no runner has yet, and have two count each load that is on its way."""
    for fill in night.fills.at("requested", "authorised"):
        yield _is_refused(night, night.staff.floor, fill)
    for fill in night.fills.at("delivered"):
        yield count(night, fill)


def count(night: "Night", fill: Fill, *, may_return: bool = True) -> str:
    """
    Have two count what a runner really brought where it goes or, at times (`may_return`), where it came from.

    Until then the slip must not tell them what was sent, and the runner as the second is refused. At times two cashiers
    enter the count at once, and one count stands. What differs must be what the runner lost.
    """
    path, body, slip = f"{API}/{fill.id}/verify", _load(fill.lies, says_nothing=False), _slip(night, fill)
    blind = {slip[f"sent_{what}_cents"] for what in WHAT}
    night.must_equal("what is told of a slip before its count", blind, {None})
    is_back = may_return and night.rng.random() < RETURNED_SHARE
    where = _comes_from(fill) if is_back else _goes_to(fill)
    if is_back:
        path, body = f"{API}/{fill.id}/return", {**body, "reason": night.rng.choice(REASONS)}
    device, second = _counters(night, fill, where)
    fill.by_floor = device is night.staff.floor or second == "frans"
    carried = {**body, "second": night.staff.second(fill.runner)}
    night.refused(device, path, carried, code="carried_it", version=slip["version"])
    body["second"] = night.staff.second(second)
    may_meet = fill.runner != "carlo" and night.staff.may_sign_together("carlo", second)
    if device is night.staff.cage and may_meet and night.rng.random() < MET_SHARE:
        # Both cashiers enter the count with the same second person, and one count stands.
        given = [Given(each, path, body, slip["version"]) for each in (night.staff.cage, night.staff.cage_too)]
        answers = at_once(night, *given)
        answer = answers[only_one(given, answers, refused={"stale"})]
    else:
        may_travel_badly(night)
        answer = night.done(device, path, body, version=slip["version"])
    _puts(night, where, fill, fill.is_put_down("returned" if is_back else "verified"), 1)
    _as_lost(night, fill, answer)
    night.fills.played["returned" if is_back else "counted"] += 1
    night.fills.played["differ"] += fill.differs
    return f"slip {fill.id}: {fill.got.total() // 100} €, {(fill.got.total() - fill.sent.total()) // 100} differs"


def _is_counted_out_wrongly(night: "Night", fill: Fill) -> None:
    """Have the vault hand a runner 5 or 50 € less or more than both signed, so that vault and load both differ."""
    what = night.rng.choice([what for what in WHAT if fill.sent[what]])
    # More than was signed for can be handed out only where it lies in the vault.
    lies = getattr(night.felt, f"vault_{what}")
    possible = [cents for cents in WRONG if cents <= fill.sent[what] and -cents <= lies]
    if not possible:
        return
    less = night.rng.choice(possible)
    fill.is_short(what, less)
    night.felt.leaves_vault(what, -less)
    night.vault.played["counted out wrongly"] += 1


def _as_lost(night: "Night", fill: Fill, answer: Answer) -> None:
    """Hold a counted slip against the felt: its difference is what the runner lost, and it says what was given."""
    for what in WHAT:
        lost = fill.got[what] - fill.sent[what]
        night.must_equal(f"what differs of slip {fill.id} in {what}", answer.data[f"{what}_difference_cents"], lost)
    slip = _slip(night, fill)
    answered = {name: slip[name] for name in ("runner_id", "sent_cash_cents", "sent_chips_cents", "unjudged")}
    ours = {"runner_id": fill.runner_id, "unjudged": fill.differs}
    night.must_equal("a counted slip", answered, ours | {f"sent_{what}_cents": fill.sent[what] for what in WHAT})


def _counters(night: "Night", fill: Fill, where: str) -> tuple[Device, str]:
    """
    Return the device on which a load is counted at a place (`where`), and who signs as the second.

    At a bank its holder is the second, at a table its dealer, but where that one was the runner; else the floor or, at
    a table, the cashier is.
    """
    holder = night.banks.holder(fill.at) if where == "drawer" else ""
    if where != "table":
        return night.staff.cage, "frans" if holder in {"", fill.runner} else holder
    dealer = night.staff.at_table[fill.at[1]]
    return night.staff.floor, "carla" if dealer == fill.runner else dealer


def _is_refused(night: "Night", device: Device, fill: Fill) -> str:
    body = {"reason": night.rng.choice(REASONS)}
    night.done(device, f"{API}/{fill.id}/refuse", body, version=_version(night, fill))
    fill.status = "refused"
    night.fills.played["refused"] += 1
    return f"slip {fill.id} is refused"


def _cash_of_rack(night: "Night", number: int) -> Counter[str]:
    """Return the cash that goes from a table's rack to the vault, all or half; nothing where the log knows of none."""
    rack = night.racks.of(number)
    # Nobody requests a credit of cash that the log does not know of.
    part = rack.cash // night.rng.randint(1, 2) // 100 * 100 if rack.expected_cash else 0
    return Counter(cash=part) if part > 0 else Counter()


def _comes_from(fill: Fill) -> str:
    return "vault" if fill.kind == "fill" else fill.at[0]


def _goes_to(fill: Fill) -> str:
    return fill.at[0] if fill.kind == "fill" else "vault"


def _holds(night: "Night", kind: str, at: tuple[str, int], load: Counter[str]) -> bool:
    """Say whether a load can be taken: a fill out of the vault, a credit out of the drawer, bank or rack at `at`."""
    felt, bank = night.felt, night.banks.at.get(at[1]) if at[0] == "drawer" else None
    if kind == "fill":
        there = (felt.vault_cash, felt.vault_chips)
    elif bank is not None:
        there = (bank.lies["cash"], bank.lies["chips"])
    elif at[0] == "drawer":
        there = (felt.drawer.cash, felt.drawer.chips)
    else:
        there = (night.racks.of(at[1]).cash, night.racks.of(at[1]).lies)
    return load["cash"] <= there[0] and load["chips"] <= there[1]


def _carriers(night: "Night", fill: Fill) -> list[str]:
    """Return who may carry a slip's load: out of a runner's bank only its holder, into one anybody but its holder."""
    holder = night.banks.holder(fill.at)
    if holder and fill.kind == "credit":
        return [holder]
    return [name for name in night.staff.runners() if name != holder]


def _puts(night: "Night", where: str, fill: Fill, load: Counter[str], sign: int) -> None:
    """Put a load into the place of a fill, or (`sign` -1) take it out."""
    felt, cash, chips = night.felt, sign * load["cash"], sign * load["chips"]
    if where == "vault":
        felt.vault_cash += cash
        felt.vault_chips += chips
    elif night.banks.holder(fill.at):
        night.banks.at[fill.at[1]].moves(Counter(cash=cash, chips=chips))
    elif where == "drawer":
        felt.drawer.cash += cash
        felt.drawer.chips += chips
    else:
        night.racks.of(fill.at[1]).moves(chips, cash=cash, dealer=night.dealer_at(fill.at[1]))


def _load(load: Counter[str], *, says_nothing: bool = True) -> dict[str, Any]:
    """
    Return a load as a body has it, in pieces of cash and of chips.

    `says_nothing`: cash or chips of which there are none are left out; else they are there as a count of none.
    """
    found = {"cash": pieces(load["cash"], CASH_VALUES), "chips": pieces(load["chips"])}
    return {what: each for what, each in found.items() if load[what] or not says_nothing}


def _slip(night: "Night", fill: Fill) -> dict[str, Any]:
    return dict(night.staff.cage.get(f"{API}/{fill.id}").body)


def _version(night: "Night", fill: Fill) -> int:
    return int(_slip(night, fill)["version"])
