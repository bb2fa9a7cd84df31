"""Vouchers: issued by two, spent once and whole at the cage, made void by two; some are over before they are spent."""

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING

from casino.simulation.at_once import Given, at_once, only_one
from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.cage import DRAWER, at_the_counter, paid, see_document
from casino.simulation.behaviours.faults import may_travel_badly
from casino.simulation.broken import Broken
from casino.simulation.vouchers import Voucher

if TYPE_CHECKING:
    from casino.simulation.night import Night

API = "/api/v1/cage/vouchers"
ORIGINS, REASONS = ("promotion", "marketing", "made_good"), ("lost", "mistake", "misused")
MET_SHARE = 0.3
# Number and letters, as they stand on the paper that is printed.
_PAPER = re.compile(r'class="number">(\d+-[0-9A-Z]{4})<')


@behaviour("a voucher is issued", weight=3)
def is_issued(night: "Night") -> str | None:
    """Have a manager issue a voucher signed by the floor, for one to three days; refused if the manager signs twice."""
    mari, cents = night.staff.desktop, 25_00 * night.rng.randint(2, 8)
    last = date.fromisoformat(mari.get("/api/v1/cage/day").body["day"]["date"]) + timedelta(night.rng.randint(0, 2))
    body = {"amount_cents": cents, "origin": night.rng.choice(ORIGINS), "last_date": last.isoformat()}
    night.refused(mari, f"{API}/issue", {**body, "second": night.staff.second("mari")}, code="same_person")
    may_travel_badly(night)
    voucher = night.done(mari, f"{API}/issue", {**body, "second": night.staff.second("frans")}).data["voucher_id"]
    paper = _PAPER.search(mari.get(f"/cage/vouchers/{voucher}/").text)
    if paper is None:
        raise Broken("a voucher stands on its paper", f"voucher {voucher}")
    night.vouchers.all.append(Voucher(voucher, paper[1], cents, last))
    night.vouchers.played["issued"] += 1
    return f"voucher {voucher}, {cents // 100} €, until {last}"


@behaviour("a voucher is spent", weight=8)
def is_spent(night: "Night") -> str | None:
    """
    Have a player at the counter spend a voucher on chips of its whole amount; refused for another amount, and twice.

    At times both cashiers take the same paper at once, and one of them may.
    """
    vouchers, player = night.vouchers.open(), at_the_counter(night)
    if not vouchers or player is None or player.pocket:
        return None
    voucher = night.rng.choice(vouchers)
    if voucher.cents > night.felt.drawer.chips:
        return None
    path, cage = f"{DRAWER}/buy-ins", night.staff.cage
    body = {"amount_cents": voucher.cents, "method": "voucher", "voucher": voucher.paper, "player_id": player.id}
    body["again"] = True
    other = {**body, "amount_cents": voucher.cents + 25_00}
    see_document(night, player)
    night.refused(cage, path, other, code="voucher_of_other_amount")
    if night.rng.random() < MET_SHARE:
        given = [Given(each, path, body) for each in (cage, night.staff.cage_too)]
        answers = at_once(night, *given)
        answer = answers[only_one(given, answers, refused={"voucher_spent"})]
    else:
        may_travel_badly(night)
        answer = paid(night, player, path, body)
    voucher.state, voucher.slip = "taken", answer.data["slip_id"]
    night.felt.drawer.chips -= voucher.cents
    player.pocket += voucher.cents
    night.refused(cage, path, body, code="voucher_spent")
    night.vouchers.played["spent"] += 1
    return f"voucher {voucher.id}, {player.nickname}"


@behaviour("a voucher is made void", weight=0.7)
def is_void(night: "Night") -> str | None:
    vouchers = night.vouchers.open()
    if not vouchers:
        return None
    voucher, mari = night.rng.choice(vouchers), night.staff.desktop
    body = {"reason": night.rng.choice(REASONS), "second": night.staff.second("frans")}
    night.done(mari, f"{API}/{voucher.id}/void", body)
    night.refused(mari, f"{API}/{voucher.id}/void", body, code="voucher_spent")
    voucher.state = "void"
    night.vouchers.played["void"] += 1
    return f"voucher {voucher.id}"
