"""Verified jackpot claims are approved by two, in the order of the hits; the cage pays each player's share."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from casino.simulation.at_once import Given, at_once, only_one
from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.cage import paid
from casino.simulation.behaviours.faults import may_travel_badly
from casino.simulation.jackpots import Claim, Share

if TYPE_CHECKING:
    from casino.simulation.night import Night

DISPUTED_SHARE, MET_SHARE, TAKEN_BACK_SHARE, DEPOSIT_SHARE = 0.15, 0.3, 0.15, 0.2


@behaviour("a claim is approved", weight=60, of="jackpots")
def is_approved(night: "Night") -> str | None:
    """
    Have the floor and a manager approve a verified claim; refused while a claim of an earlier hit is open (A-H7.7).

    It pays out of the sum that earlier claims have left. A claim whose hand was voided is refused for good instead.
    """
    claims = [claim for claim in night.jackpots.open_claims() if claim.status == "verified"]
    return _approve(night, night.rng.choice(claims)) if claims else None


@behaviour("a share of a jackpot is paid", weight=30, of="jackpots")
def is_paid(night: "Night") -> str | None:
    found = _waiting(night)
    return _pay(night, night.rng.choice(found)) if found else None


@behaviour("a share of a jackpot is disputed", weight=5, of="jackpots")
def is_disputed(night: "Night") -> str | None:
    """Have the floor mark a claim's unpaid share as disputed, so that the cage pays it to nobody, or lift that mark."""
    found = [share for share in _waiting(night) if share.claim]
    if not found:
        return None
    share = night.rng.choice(found)
    _dispute(night, share, is_disputed=not share.is_disputed)
    return f"{share.player.nickname}'s, {'disputed' if share.is_disputed else 'let go'}"


def jackpots_rest(night: "Night") -> Iterator[str]:
    """Approve most verified claims and pay half of the unpaid shares before the drawer closes; yield a line each."""
    for claim in [claim for claim in night.jackpots.open_claims() if claim.status == "verified"]:
        if night.rng.random() < 0.6:
            yield _approve(night, claim)
    for share in _waiting(night):
        if night.rng.random() < 0.5:
            yield _pay(night, share)
    night.jackpots.played["claims over a day's end"] += len(night.jackpots.open_claims())
    night.jackpots.played["shares over a day's end"] += len(_waiting(night))


def _approve(night: "Night", claim: Claim) -> str:
    jackpots, staff = night.jackpots, night.staff
    path, of = f"/api/v1/jackpot/claims/{claim.id}", jackpots.payable(claim)
    version = staff.floor.get(path).version
    # Whoever verified a claim may not sign its approval.
    signer = "petra" if claim.verified_by == "mari" else "mari"
    body: dict[str, Any] = {"sum_cents": of, "second": staff.second(signer)}
    if claim.verified_by == "mari":
        own = {**body, "second": staff.second("mari")}
        night.refused(staff.floor, f"{path}/approve", own, code="same_verifier", version=version)
    # The house says what comes first in the order of the calls.
    for other in jackpots.before(claim):
        code = "same_moment_waits" if other.hit == claim.hit else "earlier_claim_waits"
        if code == "earlier_claim_waits" or night.rng.random() < 0.5:
            night.refused(staff.floor, f"{path}/approve", body, code=code, version=version)
            jackpots.played["approved too early"] += 1
            return f"claim {claim.id}: {code}"
        body["is_first"] = True
    if claim.is_void:
        night.refused(staff.floor, f"{path}/approve", body, code="hand_not_settled", version=version)
        night.done(staff.floor, f"{path}/refuse", {"reason": "other", "second": staff.second("mari")}, version=version)
        claim.status = "refused"
        jackpots.played["refused"] += 1
        return f"claim {claim.id} is refused: its hand was voided"
    wrong = {**body, "sum_cents": of + 1}
    night.refused(staff.floor, f"{path}/approve", wrong, code="jackpot_sum_changed", version=version)
    if claim.verdict == "decide":
        night.refused(staff.floor, f"{path}/approve", body, code="house_decides", version=version)
        body["is_decided"] = True
    answer = _approved(night, claim, f"{path}/approve", body, version)
    # Before the house fills up: what joined may be more than there was, and of that no more lies on top.
    joined = claim.pool.joined_since(claim.calls)
    shares = jackpots.approve(claim)
    answered = {name: answer[name] for name in ("sum_cents", "paid_cents", "base_cents")}
    ours = {"sum_cents": of, "paid_cents": sum(shares.values()), "base_cents": claim.pool.sum - joined}
    night.must_equal("what a claim pays", answered, ours)
    claim.status = "approved"
    jackpots.played["approved"] += 1
    _share_out(night, claim, shares)
    return f"claim {claim.id}: {sum(shares.values()) / 100:.2f} € of {of / 100:.2f} €"


def _approved(night: "Night", claim: Claim, path: str, body: dict[str, Any], version: int) -> dict[str, Any]:
    """Approve a claim, at times by two taps at once of which one counts; then mari may not sign her own approval."""
    floor, desktop = night.staff.floor, night.staff.desktop
    may_travel_badly(night)
    if claim.verified_by == "mari" or night.rng.random() > MET_SHARE:
        return dict(night.done(floor, path, body, version=version).data)
    given = [Given(floor, path, body, version), Given(floor, path, body, version)]
    answers = at_once(night, *given)
    won = only_one(given, answers, refused={"stale", "claim_is_over"})
    night.refused(desktop, path, {**body, "second": night.staff.second("mari")}, code="same_person", version=version)
    return dict(answers[won].data)


def _share_out(night: "Night", claim: Claim, shares: dict[int, int]) -> None:
    rows = night.staff.floor.get(f"/api/v1/jackpot/claims/{claim.id}").body["shares"]
    night.must_equal("the shares", {each["seat_number"]: each["cents"] for each in rows}, shares)
    for each in rows:
        player = claim.seats[each["seat_number"]]
        night.must_equal("whose share", each["player_id"], player.id)
        share = Share(claim.pool, player, each["cents"], each["slip_id"], claim=claim.id, id=each["id"])
        night.jackpots.shares.append(share)


def _pay(night: "Night", share: Share) -> str:
    """
    Have the cage pay a share in cash or onto the deposit, and print its receipt; some payments are reversed.

    Refused: paying while the share is disputed, paying it twice, and cancelling its slip.
    """
    cage, drawer, path = night.staff.cage, night.felt.drawer, f"/api/v1/cage/slips/{share.slip}"
    is_cash = share.cents <= drawer.cash and night.rng.random() > DEPOSIT_SHARE
    body: dict[str, Any] = {"drawer_number": 1, "method": "cash" if is_cash else "deposit"}
    version = cage.get(path).version
    if share.is_disputed:
        night.refused(cage, f"{path}/take-money", body, code="share_disputed", version=version)
        _dispute(night, share, is_disputed=False)
    night.refused(cage, f"{path}/cancel", code="share_stays", version=version)
    may_travel_badly(night)
    paid(night, share.player, f"{path}/take-money", body, version=version, prize_cents=share.cents)
    night.jackpots.pay(share)
    night.jackpots.played["shares paid"] += 1
    _gets(night, share, body["method"])
    night.must_equal("prints of a receipt", night.done(cage, f"{path}/printed").data["prints"], 1)
    night.refused(night.staff.cage_too, f"{path}/take-money", body, code="stale", version=version)
    if night.rng.random() < TAKEN_BACK_SHARE:
        _take_back(night, share, body["method"])
    return f"{share.cents / 100:.2f} € to {share.player.nickname} by {body['method']}"


def _take_back(night: "Night", share: Share, method: str) -> None:
    """Have both cashiers reverse a paid share at once, of which one counts; the share waits again under a new slip."""
    cage, path = night.staff.cage, f"/api/v1/cage/slips/{share.slip}"
    body = {"reason": "wrong_player", "second": night.staff.second("frans")}
    given = [Given(device, f"{path}/reverse", body, cage.get(path).version) for device in (cage, night.staff.cage_too)]
    only_one(given, at_once(night, *given), refused={"stale"})
    night.papers.is_taken_back(share.slip)
    share.is_paid = False
    share.pool.pending += share.cents
    _gets(night, share, method, cents=-share.cents)
    waiting = cage.get("/api/v1/cage/slips?status=requested&limit=100").body
    (share.slip,) = {
        slip["id"]
        for slip in waiting
        if slip["kind"] == "prize" and (slip["player_id"], slip["amount_cents"]) == (share.player.id, share.cents)
    } - {other.slip for other in night.jackpots.shares}
    night.jackpots.played["shares taken back"] += 1


def _gets(night: "Night", share: Share, method: str, *, cents: int | None = None) -> None:
    """Put a share's cents into the player's hand, out of the drawer, or onto the deposit; negative cents come back."""
    cents = share.cents if cents is None else cents
    share.player.paid_out += max(cents, 0)
    if method == "deposit":
        share.player.deposit += cents
    else:
        share.player.money += cents
        night.felt.drawer.cash -= cents


def _dispute(night: "Night", share: Share, *, is_disputed: bool) -> None:
    path = f"/api/v1/jackpot/shares/{share.id}/dispute"
    night.done(night.staff.floor, path, {"is_disputed": is_disputed})
    share.is_disputed = is_disputed
    night.jackpots.played["shares disputed"] += is_disputed


def _waiting(night: "Night") -> list[Share]:
    return [share for share in night.jackpots.shares if not share.is_paid]
