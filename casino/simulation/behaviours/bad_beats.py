"""
Bad beats: a dealer calls one, or two dealers at once; the floor has the claim entered, verified, refused, disputed.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from casino.simulation.at_once import Given, all_done, at_once
from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.cage import takes_money
from casino.simulation.behaviours.hands import next_hand, settle
from casino.simulation.behaviours.opening import opened
from casino.simulation.behaviours.players import asks_for_chips, comes, sits_down
from casino.simulation.broken import Broken
from casino.simulation.cards import BAD_BEATS, NO_BAD_BEATS, BadBeat
from casino.simulation.jackpots import PARTICIPANTS_MIN, Claim
from casino.simulation.table import HandOnFelt, Table

if TYPE_CHECKING:
    from casino.simulation.front_door import Answer
    from casino.simulation.night import Night

BELOW_SHARE, AWAY_SHARE, TALKED_SHARE, THROWN_IN_SHARE = 0.2, 0.2, 0.12, 0.05
MISTAPPED_SHARE, DISPUTED_SHARE, SAME_SECOND_SHARE, MARI_SHARE = 0.06, 0.12, 0.2, 0.2
PARTY = 4
# Longer than two at once are hit before their calls.
BEFORE_CALLS = timedelta(minutes=2)
ITEMS = ("deck", "hands", "surveillance", "witnesses", "identities")
DISPUTES = ("cards", "players", "talk", "shares", "other")
REASONS = ("talk", "deck", "not_present", "other")


@behaviour("a party comes", weight=80, of="jackpots")
def party_comes(night: "Night") -> str | None:
    """
    A guest comes, and up to four players sit down and buy in. Nothing happens where enough play at every open table for
    a jackpot.
    """
    if not any(len(_playing(table)) < PARTICIPANTS_MIN for table in night.open_tables()):
        return None
    did = [does(night) for does in (comes, *(sits_down, asks_for_chips, takes_money) * PARTY)]
    return "; ".join(each for each in did if each) or None


@behaviour("the floor opens a second table of a game", weight=60, of="jackpots")
def opens_a_second(night: "Night") -> str | None:
    """The floor opens a closed table with a game that already runs, so that two tables feed one jackpot."""
    closed = [table for _, table in sorted(night.tables.items()) if not table.is_open]
    running = [table for table in night.open_tables() if not table.is_closing]
    return opened(night, closed[0], night.rng.choice(running).game) if closed and running else None


@behaviour("a bad beat", weight=40, of="jackpots")
def is_called(night: "Night") -> str | None:
    """
    A dealer plays a hand to its end and calls a bad beat, which holds the table. At times the dealer calls it again,
    and the house must answer with the same claim; or taps Deal, which is refused.
    """
    table = _ready(night)
    played = _plays(night, table) if table else None
    if table is None or played is None:
        return None
    tablet, body = night.staff.tablets[table.number], {"hand_id": str(played.id)}
    answer = night.done(tablet, _path(table), body)
    claim = _claim(night, table, played, answer, _now(night))
    if night.rng.random() < 0.3:
        again = night.done(tablet, _path(table), body).data
        night.must_equal("one claim of a hand", (again["claim"], again.get("known")), (claim.id, True))
    if night.rng.random() < 0.3:
        dealt = {**played.positions, "hand_id": str(night.id())}
        night.refused(tablet, f"{table.api}/hands/deal", dealt, code="table_held")
    return f"table {table.number}, {_line_of(claim)}"


@behaviour("two bad beats at once", weight=80, of="jackpots")
def two_at_once(night: "Night") -> str | None:
    """
    The dealers of two tables of one jackpot call a bad beat at the same moment, and both calls must be carried out.

    The hand whose river came first was hit first, though the other's may have been shown before that (H7.14): the hits
    are in the same second, or up to 40 seconds apart. Nothing happens while only one such table is ready.
    """
    one = _ready(night)
    if one is None or not night.is_next_tap_timely:
        return None
    pool = night.jackpots.fed_by(one.game["name"])
    if pool.joined_at is not None and night.now() - pool.joined_at < BEFORE_CALLS:
        # What joined may have come between a hit and its call: only the house's own clock can say.
        return None
    others = [
        table for table in _all_ready(night) if table is not one and night.jackpots.fed_by(table.game["name"]) is pool
    ]
    if not others:
        return None
    tables = [one, night.rng.choice(others)]
    hands = []
    for table in tables:
        hand = _plays(night, table)
        if hand is None:
            # The first of them is an ordinary hand then.
            return f"table {table.number} cannot play"
        hands.append(hand)
    given = [
        Given(night.staff.tablets[table.number], _path(table), {"hand_id": str(hand.id)})
        for table, hand in zip(tables, hands, strict=True)
    ]
    answers = all_done(given, at_once(night, *given))
    now = _now(night)
    apart = 0 if night.rng.random() < SAME_SECOND_SHARE else night.rng.choice([-40, -5, 5, 40])
    moments = (now - timedelta(seconds=60), now - timedelta(seconds=60 - apart))
    claims = [
        _claim(night, table, hand, answer, moment)
        for table, hand, answer, moment in zip(tables, hands, answers, moments, strict=True)
    ]
    night.jackpots.played["two at once"] += 1
    return " and ".join(f"table {claim.table}, {_line_of(claim)}" for claim in claims)


@behaviour("the cards of a claim are entered", weight=80, of="jackpots")
def are_entered(night: "Night") -> str | None:
    """
    The floor enters the cards of a called claim on the card pad, and the house must judge them at once. At times the
    floor takes the claim back as a wrong tap, or disputes it.
    """
    claim = _one(night, lambda claim: claim.status == "called")
    if claim is None:
        return None
    if night.rng.random() < MISTAPPED_SHARE:
        return _withdrawn(night, claim)
    if night.rng.random() < DISPUTED_SHARE and not claim.is_disputed:
        return _disputed(night, claim)
    _enter(night, claim)
    return f"claim {claim.id}: {claim.verdict}"


@behaviour("a claim is looked at", weight=80, of="jackpots")
def is_looked_at(night: "Night") -> str | None:
    """
    The floor walks the checklist of a claim with its cards entered, then verifies it; verifying before that is refused.
    A claim that fails or is void is refused, others at times; some are disputed.
    """
    claim = _one(night, lambda claim: claim.status == "entered")
    if claim is None:
        return None
    drawn = night.rng.random()
    if drawn < DISPUTED_SHARE and not claim.is_disputed:
        return _disputed(night, claim)
    if claim.verdict == "fails" or claim.is_void or drawn > 1 - DISPUTED_SHARE / 2:
        return _refused(night, claim)
    if not claim.walked:
        if night.rng.random() < 0.3:
            night.refused(
                night.staff.floor, f"{_of(claim)}/verify", code="checklist_open", version=_version(night, claim)
            )
        return _walk(night, claim)
    return _verified(night, claim)


@behaviour("a verified claim is doubted", weight=4, of="jackpots")
def is_doubted(night: "Night") -> str | None:
    """
    The floor disputes a verified claim, or refuses it with a manager: entering its cards anew is refused before that.
    After a dispute the floor enters them anew.
    """
    claim = _one(night, lambda claim: claim.status == "verified")
    if claim is None:
        return None
    if claim.is_disputed:
        _enter(night, claim)
        return f"claim {claim.id} is entered anew"
    night.refused(
        night.staff.floor,
        f"{_of(claim)}/hands",
        _cards(claim),
        code="claim_is_verified",
        version=_version(night, claim),
    )
    return _disputed(night, claim) if night.rng.random() < 0.5 else _refused(night, claim)


def tables_deal_on(night: "Night") -> Iterator[str]:
    """
    Before the tables close, verify, refuse or dispute every claim that holds its table, so that the table deals on;
    yield each step's word.
    """
    for claim in night.jackpots.open_claims():
        while claim.holds_the_table:
            if night.rng.random() < 0.25:
                yield _disputed(night, claim)
            elif claim.status == "called":
                _enter(night, claim)
                yield f"claim {claim.id}: {claim.verdict}"
            elif claim.verdict == "fails" or claim.is_void:
                yield _refused(night, claim)
            else:
                yield _verified(night, claim) if claim.walked else _walk(night, claim)


def _plays(night: "Night", table: Table) -> HandOnFelt | None:
    """Play a hand to its end and settle it; None where too few players can be dealt in."""
    hand = next_hand(night, table, to_the_end=True)
    if hand is None:
        return None
    settle(night, table, hand)
    return hand


def _claim(night: "Night", table: Table, hand: HandOnFelt, answer: "Answer", moment: datetime) -> Claim:
    """
    Note the claim of the bad beat that was called in this hand, which holds its table; return it. Drawn are the cards,
    who held them, and who was away. `moment` is when it was hit.
    """
    jackpots, rng, dealt_in = night.jackpots, night.rng, hand.positions["dealt_in"]
    beats = NO_BAD_BEATS if rng.random() < BELOW_SHARE else BAD_BEATS
    beat: BadBeat = rng.choice([each for each in beats if len(each.hands) <= len(dealt_in)])
    holders = rng.sample(dealt_in, len(beat.hands))
    idle = sorted(set(dealt_in) - set(holders))
    away = [rng.choice(idle)] if idle and rng.random() < AWAY_SHARE else []
    assert table.newest is not None, "it was settled just now"
    jackpots.calls += 1
    claim = Claim(
        id=answer.data["claim"],
        table=table.number,
        hand=table.newest,
        pool=jackpots.fed_by(hand.game),
        calls=jackpots.calls,
        beat=beat,
        seats={seat: table.felt.sitters[seat].player for seat in dealt_in},
        holders=holders,
        away=away,
        felt_hit_at=moment,
        was_talked_about=rng.random() < TALKED_SHARE,
        is_thrown_in=rng.random() < THROWN_IN_SHARE,
        night=night.number,
    )
    jackpots.claims.append(claim)
    jackpots.played["called"] += 1
    table.is_held = True
    return claim


def _cards(claim: Claim) -> dict[str, Any]:
    last = len(claim.holders) - 1
    hands = [
        {"seat_number": seat, "cards": cards, "is_shown": not (claim.is_thrown_in and number)}
        for number, (seat, cards) in enumerate(zip(claim.holders, claim.beat.hands, strict=True))
    ]
    assert last, "two hands at least"
    shown = {"winning_shown_at": claim.felt_hit_at - timedelta(seconds=20), "last_card_at": claim.felt_hit_at}
    moments = {name: moment.isoformat() for name, moment in shown.items()}
    entered = {"board": claim.beat.board, "hands": hands, "away_seats": claim.away, "told": claim.was_talked_about}
    return {**entered, **moments}


def _enter(night: "Night", claim: Claim) -> None:
    before = _now(night)
    body, version = _cards(claim), _version(night, claim)
    data = night.done(night.staff.floor, f"{_of(claim)}/hands", body, version=version).data
    night.must_equal("what the criteria make of a bad beat", data["verdict"], claim.verdict)
    if claim.verdict != "fails":
        night.must_equal("its category", data["category"], claim.beat.category)
    hit = datetime.fromisoformat(data["hit_at"])
    # The house's clock may have been set back since: nothing is hit that is still to come.
    if claim.felt_hit_at <= before and hit != claim.felt_hit_at:
        raise Broken("a jackpot was hit when it was hit", f"claim {claim.id}: {hit}, on the felt {claim.felt_hit_at}")
    claim.hit, claim.status, claim.verified_by = hit, "entered", ""


def _walk(night: "Night", claim: Claim) -> str:
    """Tick every item of the checklist; nobody is their own witness."""
    floor, path = night.staff.floor, f"{_of(claim)}/checks"
    own = {"item": "witnesses", "witness_id": night.staff.id_of("frans")}
    night.refused(floor, path, own, code="own_witness")
    witness = {"witness_id": night.staff.id_of("mari")}
    more: dict[str, dict[str, Any]] = {"surveillance": {"reference": f"camera {claim.table}"}, "witnesses": witness}
    for item in night.rng.sample(ITEMS, len(ITEMS)):
        night.done(floor, path, {"item": item, **more.get(item, {})})
    claim.walked = True
    return f"claim {claim.id}: the checklist is walked"


def _verified(night: "Night", claim: Claim) -> str:
    path, version = f"{_of(claim)}/verify", _version(night, claim)
    # On the first night there is nobody else to sign what mari verifies.
    by_mari = night.number > claim.night and night.rng.random() < MARI_SHARE
    night.done(night.staff.desktop if by_mari else night.staff.floor, path, version=version)
    claim.status, claim.verified_by = "verified", "mari" if by_mari else "frans"
    _deals_on(night, claim)
    night.jackpots.played["verified"] += 1
    return f"claim {claim.id} is verified by {claim.verified_by}"


def _disputed(night: "Night", claim: Claim) -> str:
    body = {"reason": night.rng.choice(DISPUTES)}
    night.done(night.staff.floor, f"{_of(claim)}/dispute", body, version=_version(night, claim))
    claim.is_disputed = True
    _deals_on(night, claim)
    night.jackpots.played["disputed"] += 1
    return f"claim {claim.id} is disputed: {body['reason']}"


def _refused(night: "Night", claim: Claim) -> str:
    """
    Refuse a claim, the floor alone where its cards fail the criteria, else only with a manager's signature; return the
    journal's word. A claim that is refused cannot be verified any more.
    """
    floor, path, version = night.staff.floor, f"{_of(claim)}/refuse", _version(night, claim)
    body: dict[str, Any] = {"reason": night.rng.choice(REASONS)}
    if claim.verdict == "fails":
        body = {"reason": "does_not_qualify"}
        if claim.status == "entered" and not claim.is_void:
            night.refused(floor, f"{_of(claim)}/verify", code="claim_fails", version=version)
    else:
        night.refused(floor, path, body, code="needs_manager", version=version)
        body |= {"second": night.staff.second("mari")}
    night.done(floor, path, body, version=version)
    claim.status = "refused"
    _deals_on(night, claim)
    night.jackpots.played["refused"] += 1
    night.refused(floor, f"{_of(claim)}/verify", code="claim_is_over", version=version + 1)
    return f"claim {claim.id} is refused: {body['reason']}"


def _withdrawn(night: "Night", claim: Claim) -> str:
    floor, version = night.staff.floor, _version(night, claim)
    night.refused(floor, f"{_of(claim)}/refuse", {"reason": "other"}, code="cards_not_entered", version=version)
    night.done(floor, f"{_of(claim)}/withdraw", version=version)
    claim.status = "withdrawn"
    _deals_on(night, claim)
    night.jackpots.played["withdrawn"] += 1
    return f"claim {claim.id} was a wrong tap"


def _deals_on(night: "Night", claim: Claim) -> None:
    table = night.tables[claim.table]
    table.is_held = any(each.holds_the_table for each in night.jackpots.claims if each.table == table.number)


def _ready(night: "Night") -> Table | None:
    """Return a table that can play a hand to its end: oftener one where enough play for a jackpot."""
    found = _all_ready(night)
    many = [table for table in found if len(_playing(table)) >= PARTICIPANTS_MIN]
    if many and night.rng.random() < 0.9:
        return night.rng.choice(many)
    return night.rng.choice(found) if found and night.rng.random() < 0.1 else None


def _all_ready(night: "Night") -> list[Table]:
    if not night.is_next_tap_timely:
        return []
    return [
        table
        for table in night.open_tables()
        if table.was_drawn
        and table.hand is None
        and not (table.is_held or table.is_offline or table.waiting)
        and len(_playing(table)) >= 3
    ]


def _playing(table: Table) -> list[int]:
    return [sitter.seat for sitter in table.sitters() if sitter.stack and not sitter.is_held]


def _one(night: "Night", is_so: Any) -> Claim | None:
    claims = [claim for claim in night.jackpots.open_claims() if is_so(claim)]
    return night.rng.choice(claims) if claims else None


def _now(night: "Night") -> datetime:
    return night.now().replace(microsecond=0)


def _path(table: Table) -> str:
    return f"/api/v1/jackpot/tables/{table.number}/bad-beat"


def _of(claim: Claim) -> str:
    return f"/api/v1/jackpot/claims/{claim.id}"


def _version(night: "Night", claim: Claim) -> int:
    return night.staff.floor.get(_of(claim)).version


def _line_of(claim: Claim) -> str:
    """Return a claim's hand, its participants and what the rules make of it, for the journal."""
    return f"hand {claim.hand}, {claim.participants} players: {claim.verdict}"
