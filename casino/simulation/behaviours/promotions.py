"""High hands and splash pots: funded by two managers, opened, shown, decided and paid; pots splashed where drawn."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.cage import paid
from casino.simulation.broken import Broken
from casino.simulation.felt import Sitter
from casino.simulation.promotions import AMOUNT, EACH, HIGH, SHOWN, SPLASH, SPLASHES, TOO_LOW, Entry, Period, Prize
from casino.simulation.table import Table

if TYPE_CHECKING:
    from casino.simulation.night import Night

API = "/api/v1/promotions"
PUT_IN = 2_000_00
TOO_LOW_SHARE, TAKEN_BACK_SHARE, CALLED_OFF_SHARE, PASSED_SHARE = 0.15, 0.15, 0.1, 0.15
# Refusals of a tap whose moment has passed while it travelled.
TOO_LATE = {"not_in_period", "which_hand", "nobody_there", "hand_not_played", "period_is_over"}


@behaviour("a fund gets money", weight=40, of="jackpots")
def gets_money(night: "Night") -> str | None:
    """
    Have mari put money into a fund that runs short, signed by petra; the floor's signature is refused.

    Nothing happens on the first evening: mari has just taken petra on, whose signature does not count yet.
    """
    played = night.promotions
    if not night.number:
        return None
    # Periods of high hands take what is free again and again: splash pots do not wait until there is enough for those.
    is_short = {
        HIGH: played.high["free"] < 4 * AMOUNT,
        SPLASH: played.splash_put_in - played.splashed < 4 * SPLASHES * EACH,
    }
    short = [code for code, is_so in is_short.items() if is_so]
    if not short:
        return None
    code = night.rng.choice(short)
    path, version = f"{API}/funds/{code}/change", _version(night, code)
    body: dict[str, Any] = {"amount_cents": PUT_IN, "second": night.staff.second("petra")}
    frans = {**body, "second": night.staff.second("frans")}
    night.refused(night.staff.desktop, path, frans, code="second_may_not", version=version)
    night.done(night.staff.desktop, path, body, version=version)
    if code == SPLASH:
        played.splash_put_in += PUT_IN
    else:
        played.high.update(free=PUT_IN, put_in=-PUT_IN)
    return f"{code}: {PUT_IN // 100} €"


@behaviour("periods of high hands are opened", weight=20, of="jackpots")
def are_opened(night: "Night") -> str | None:
    """
    Have the floor open one period of high hands, or two in a row, where none runs or is to come.

    Where the fund does not cover them, the tap is made all the same, and its answer reported.
    """
    played = night.promotions
    if not played.high["put_in"] or any(each.ends_at > night.now() for each in played.open_periods()):
        return None
    number = night.rng.choice([1, 2])
    path, body = f"{API}/funds/{HIGH}/periods", {"number": number}
    if played.high["free"] < number * AMOUNT + played.carried:
        return night.tap(night.staff.floor, path, body).code
    answer = night.tap(night.staff.floor, path, body)
    if answer.code == "periods_overlap":
        # The clock was set back into a period that is decided.
        return answer.code
    _must(answer.is_done, f"periods are opened: {answer.text[:300]}")
    periods = {each["id"]: each for each in _periods(night, HIGH)}
    for period in answer.data["periods"]:
        begins, ends = (datetime.fromisoformat(periods[period][name]) for name in ("begins_at", "ends_at"))
        played.open(Period(period, begins, ends, AMOUNT))
    played.played["periods opened"] += number
    return f"{number}"


@behaviour("a high hand is shown", weight=30, of="jackpots")
def is_shown(night: "Night") -> str | None:
    """
    Have the floor enter a hand that a hold'em player shows in the running period, and at times take it back.

    Refused: a hand too low to take part, and one that is entered for that player already.
    """
    now, played = night.now(), night.promotions
    period = next((each for each in played.open_periods() if each.begins_at <= now < each.ends_at), None)
    sitting = _sitting(night)
    if period is None or not sitting:
        return None
    table, sitter = night.rng.choice(sitting)
    shown = night.rng.choice(TOO_LOW if night.rng.random() < TOO_LOW_SHARE else SHOWN)
    where = {"table_number": table.number, "seat_number": sitter.seat}
    path = f"{API}/periods/{period.id}/hands"
    answer = night.tap(night.staff.floor, path, {**where, "cards": shown.cards, "board": shown.board})
    if answer.code in TOO_LATE:
        return answer.code
    if not shown.rank:
        _must(answer.code == "hand_too_low", f"{shown} takes no part: {answer.text[:300]}")
        return answer.code
    player = sitter.player
    if any((each.player, each.shown) == (player, shown) for each in period.entries):
        _must(answer.code == "hand_entered", f"{shown} stands already: {answer.text[:300]}")
        return answer.code
    _must(answer.is_done, f"{shown} takes part: {answer.text[:300]}")
    night.must_equal("whose hand was shown", answer.data["player_id"], player.id)
    entry = Entry(answer.data["entry_id"], player, shown)
    period.entries.append(entry)
    night.must_equal("whether it leads", answer.data["leads"], entry in period.best())
    played.played["hands shown"] += 1
    if night.rng.random() < TAKEN_BACK_SHARE:
        night.done(night.staff.floor, f"{API}/hands/{entry.id}/take-back", {"reason": "player"})
        period.entries.remove(entry)
        played.played["hands taken back"] += 1
    return f"{player.nickname} at table {table.number}: {shown.cards}"


@behaviour("a period is decided", weight=10, of="jackpots")
def is_decided(night: "Night") -> str | None:
    """
    Have the floor, with a manager's signature, decide the earliest open period; the best hands share its prize.

    Refused before the period has ended, and while an earlier one is undecided. One in ten is called off instead; some
    decisions are taken back at once.
    """
    played = night.promotions
    waiting = played.open_periods()
    if not waiting:
        return None
    period = waiting[0]
    if night.rng.random() < CALLED_OFF_SHARE:
        return _called_off(night, period)
    if len(waiting) > 1 and waiting[1].ends_at <= night.now():
        night.refused(*_decides(night, waiting[1]), code="earlier_undecided", version=_version(night, HIGH))
    tapped_at = night.now()
    answer = night.tap(*_decides(night, period), version=_version(night, HIGH))
    if answer.code == "period_still_runs":
        _must(tapped_at <= period.ends_at, "a period that is over is decided")
        return answer.code
    _must(answer.is_done, f"a period is decided: {answer.text[:300]}")
    stood, winners = played.stand(), period.best()
    each = played.decide(period)
    answered = {name: answer.data[name] for name in ("is_won", "entry_ids", "prize_cents", "amount_cents")}
    ids = [entry.id for entry in winners]
    ours = {"is_won": bool(winners), "entry_ids": ids, "prize_cents": each, "amount_cents": period.cents}
    night.must_equal("who has won a period, and what", answered, ours)
    known = {prize.slip for prize in played.prizes}
    slips = {slip["player_id"]: slip for slip in _prizes(night) if slip["id"] not in known}
    for entry in winners:
        slip = slips[entry.player.id]
        night.must_equal("the slip of a prize", slip["amount_cents"], each)
        played.prizes.append(Prize(entry.player, each, slip["id"]))
    played.played["periods won" if winners else "periods unwon"] += 1
    if night.rng.random() < TAKEN_BACK_SHARE:
        back = {"reason": "wrong_tap", "second": night.staff.second("mari")}
        night.done(night.staff.floor, f"{API}/periods/{period.id}/take-back", back, version=_version(night, HIGH))
        played.take_back(stood)
        played.played["decisions taken back"] += 1
    return f"{len(winners)} winners, {each / 100:.2f} € each"


@behaviour("a prize is paid", weight=20, of="jackpots")
def is_paid(night: "Night") -> str | None:
    """Have the cage pay a prize in cash or onto the deposit; paying it twice and cancelling its slip are refused."""
    waiting = [prize for prize in night.promotions.prizes if not prize.is_paid]
    if not waiting:
        return None
    prize, cage, drawer = night.rng.choice(waiting), night.staff.cage, night.felt.drawer
    path = f"/api/v1/cage/slips/{prize.slip}"
    version = cage.get(path).version
    night.refused(cage, f"{path}/cancel", code="prize_stays", version=version)
    method = "cash" if prize.cents <= drawer.cash else "deposit"
    body = {"drawer_number": 1, "method": method}
    paid(night, prize.player, f"{path}/take-money", body, version=version, prize_cents=prize.cents)
    night.promotions.pay(prize)
    prize.player.paid_out += prize.cents
    if method == "cash":
        prize.player.money += prize.cents
        drawer.cash -= prize.cents
    else:
        prize.player.deposit += prize.cents
    night.refused(cage, f"{path}/take-money", body, code="stale", version=version)
    night.promotions.played["prizes paid"] += 1
    return f"{prize.cents / 100:.2f} € to {prize.player.nickname}"


@behaviour("a period of splash pots is opened", weight=20, of="jackpots")
def splashes_are_opened(night: "Night") -> str | None:
    if not night.promotions.splash_put_in:
        return None
    if any(each["status"] == "open" for each in _periods(night, SPLASH)):
        return None
    answer = night.tap(night.staff.floor, f"{API}/funds/{SPLASH}/periods", {})
    if answer.code not in {"periods_overlap", "fund_too_small"}:
        _must(answer.is_done, f"a period of splash pots is opened: {answer.text[:300]}")
        night.promotions.played["splash periods opened"] += 1
    return answer.code or "opened"


@behaviour("a pot is splashed", weight=40, of="jackpots")
def is_splashed(night: "Night") -> str | None:
    """
    Have the floor take a splash pot's chips out of the drawer into the next pot of the table that was drawn.

    It is passed where nobody could win it or the drawer has too few chips, and at times anyway; some are taken back.
    """
    found = [(each, splash) for each in _periods(night, SPLASH) for splash in each["splashes"]]
    drawn = [splash for each, splash in found if each["status"] == "open" and splash["status"] == "drawn"]
    if not drawn:
        return None
    splash = min(drawn, key=lambda each: each["id"])
    table = night.tables[splash["table_number"]]
    sitters = [sitter for sitter in table.sitters() if sitter.stack]
    path = f"{API}/splashes/{splash['id']}"
    if not (table.is_open and sitters) or night.felt.drawer.chips < EACH or night.rng.random() < PASSED_SHARE:
        night.done(night.staff.floor, f"{path}/pass", {"reason": "table_broke"})
        night.promotions.played["splashes passed"] += 1
        return f"none at table {table.number}"
    drawer = night.staff.cage.get("/api/v1/cage/drawers/1").body
    night.done(night.staff.floor, f"{path}/note", {"drawer_id": drawer["id"]})
    night.felt.drawer.chips -= EACH
    night.felt.drawer.is_moved_by_floor = True
    if night.rng.random() < TAKEN_BACK_SHARE:
        # The chips never were in the pot: a manager signs for that, and the pot is still to be splashed.
        back = {"reason": "not_in_pot", "second": night.staff.second("mari")}
        night.done(night.staff.floor, f"{path}/take-back", back, version=_version(night, SPLASH))
        night.felt.drawer.chips += EACH
        night.promotions.played["splashes taken back"] += 1
        return f"none yet at table {table.number}"
    # Whoever wins that pot has them.
    night.rng.choice(sitters).stack += EACH
    night.promotions.splashed += EACH
    night.promotions.played["splashed"] += 1
    return f"table {table.number}"


def _called_off(night: "Night", period: Period) -> str:
    body = {"reason": "mistake", "second": night.staff.second("mari")}
    path = f"{API}/periods/{period.id}/call-off"
    night.done(night.staff.floor, path, body, version=_version(night, HIGH))
    night.promotions.call_off(period)
    night.promotions.played["periods called off"] += 1
    return "called off"


def _decides(night: "Night", period: Period) -> tuple[Any, str, dict[str, Any]]:
    return night.staff.floor, f"{API}/periods/{period.id}/decide", {"second": night.staff.second("mari")}


def _sitting(night: "Night") -> list[tuple[Table, Sitter]]:
    """Return who sits at no limit hold'em, where promotions are played, each with the table; no over players."""
    tables = [table for table in night.open_tables() if table.game["name"].startswith("No limit hold'em")]
    return [
        (table, sitter) for table in tables for sitter in table.sitters() if sitter.seat not in table.felt.played_over
    ]


def _prizes(night: "Night") -> list[dict[str, Any]]:
    slips = night.staff.cage.get("/api/v1/cage/slips?status=requested&limit=100").body
    return [slip for slip in slips if slip["destination"] == "promotion"]


def _periods(night: "Night", code: str) -> list[dict[str, Any]]:
    return list(night.staff.floor.get(f"{API}/funds/{code}/periods?limit=20").body)


def _version(night: "Night", code: str) -> int:
    funds = night.staff.floor.get(f"{API}/funds").body
    return int(next(each["version"] for each in funds if each["promotion"] == code))


def _must(is_so: bool, seen: str) -> None:
    if not is_so:
        raise Broken("promotions go by their book", seen)
