"""
A claim from the dealer's tap to the floor's word: the table waits, the cards are entered, the checklist is walked.

Each of these locks the table and then the claim, and stands in the table's chain. A claim keeps everything, whatever
becomes of it.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound, Stale
from casino.people.models import Staff
from casino.people.services.signatures import check_signed
from casino.poker.variants import Variant
from casino.rooms.selectors import rule_book
from casino.rulebooks import RuleBook
from jackpot.drop import FEEDS, Drop
from jackpot.errors_claims import (
    CardsNotEntered,
    ChecklistOpen,
    ClaimFails,
    ClaimIsOver,
    ClaimIsVerified,
    HandIsClaimed,
    HandNotSettled,
    NeedsManager,
    NoJackpotHere,
    OwnWitness,
)
from jackpot.models import Claim, ClaimCheck, Pool
from jackpot.push import CLAIMS
from jackpot.rules.claims import Verdict
from jackpot.rules.order import hit_at
from jackpot.selectors.judging import EnteredHand, as_kept, judge_entered, seats_of, standing_hand
from jackpot.selectors.pools import ended_codes
from jackpot.selectors.takings import fed_by
from tables.models import Hand, Table
from tables.selectors.same_hand import log_of
from tables.services.holds import hold, let_go
from tables.services.state import done, lock_day_and_table_for_fact, lock_table

# Why a table waits.
HELD_FOR = "jackpot"
# What the manager who signs a claim must be allowed to do.
NEEDS = "jackpot.sign_claim"


def refusal_signs(claim_id: int, *, reason: str) -> str:
    """Return what a manager signs where a claim is refused that could be paid."""
    return f"refuse_claim.{claim_id}.{reason}"


@service("jackpot.call_bad_beat")
def call_bad_beat(command: Command, *, table_id: int, hand_id: UUID) -> Outcome:
    """
    Note that a dealer called a bad beat: nothing is dealt at the table until the floor has looked (H7.10, L-P39).

    The hand is known by the id it got on its tablet. The same hand twice is one claim.

    :raises NotFound: no such hand was played at this table.
    :raises NoJackpotHere: its game has no jackpot.
    :raises HandIsClaimed: it was decided, or another hand of the table is being looked at.
    """
    # Nothing of the day is read, but it is held open; between two days the tablet keeps the call.
    _day, table = lock_day_and_table_for_fact(command, table_id)
    hand = Hand.objects.filter(table=table, hand_id=hand_id).select_related("opening__game").order_by("-id").first()
    if hand is None:
        raise NotFound(what="hand")
    book = rule_book(hand.rule_book_version_id)
    drop = hand.opening.game.charges.get(Drop.code)
    if drop is None or not book.jackpots:
        raise NoJackpotHere
    known = _about(table, hand)
    if known is not None:
        if known.hand_id == hand.pk and known.status == Claim.Status.CALLED:
            return done(table, data={"claim": known.pk, "hand_row_id": hand.pk, "known": True})
        raise HandIsClaimed
    code = _code_of(command.room_id, drop, book)
    claim = Claim.objects.create(
        room_id=command.room_id,
        table=table,
        hand=hand,
        code=code,
        sum_number=Pool.objects.filter(room_id=command.room_id, code=code).values_list("version", flat=True).first(),
        rule_book_version_id=hand.rule_book_version_id,
        called_at=command.tapped_at,
        arrived_at=command.at,
        called_by_id=command.by.staff_id,
    )
    return hold(table, HELD_FOR, data={"claim": claim.pk, "hand_row_id": hand.pk}, audiences=(CLAIMS,))


def _code_of(room_id: int, drop: Mapping[str, Any], book: RuleBook) -> str:
    """
    Return the code of the jackpot that a game's drops feed: what it names, else the book's first.

    Where that has ended, the claim goes where the drops go (`takings.fed_by`).
    """
    codes = [each.code for each in book.jackpots]
    named = str(drop[FEEDS]) if drop.get(FEEDS) in codes else codes[0]
    if named not in ended_codes(room_id):
        return named
    pool = fed_by(room_id, named, book)
    return pool.code if pool is not None and pool.code in codes else named


def holding(table: Table) -> Claim | None:
    """Return the claim for which a table waits. One query."""
    undecided = [Claim.Status.CALLED, Claim.Status.ENTERED]
    return Claim.objects.filter(table=table, status__in=undecided, disputed_at=None).first()


def _about(table: Table, hand: Hand) -> Claim | None:
    """Return the claim that stands against another one: an undecided one of the table, or a paid one of the hand."""
    of_hand = Claim.objects.filter(table=table, hand__in=[row.pk for row in log_of(hand.pk)])
    ended = [Claim.Status.REFUSED, Claim.Status.WITHDRAWN]
    return holding(table) or of_hand.exclude(status__in=ended).first()


@service("jackpot.withdraw_claim")
def withdraw_claim(command: Command, *, claim_id: int, version: int) -> Outcome:
    """
    Take a claim back that was tapped by mistake, before its cards were entered: the table deals on.

    :raises NotFound: no such claim.
    :raises Stale, ClaimIsOver: it is no longer at `version`, or was decided.
    :raises ClaimIsVerified: its cards are entered: now it is refused, with a reason.
    """
    table, claim = lock_claim(command, claim_id, version=version)
    if claim.status != Claim.Status.CALLED:
        raise ClaimIsVerified
    return _end(command, table, claim, Claim.Status.WITHDRAWN, Claim.Reason.MISTAPPED)


@service("jackpot.enter_hands")
def enter_hands(
    command: Command,
    *,
    claim_id: int,
    version: int,
    hand: EnteredHand,
    winning_shown_at: datetime | None = None,
    losing_shown_at: datetime | None = None,
    last_card_at: datetime | None = None,
) -> Outcome:
    """
    Enter the cards of a claim: board, every hand that was shown, who was away; judged at once (H7.11-H7.13).

    The three moments tell when it was hit, to the second (H7.14, H7.15): the latest that somebody knows, or the
    dealer's tap where nobody knows any. What is entered again replaces what was entered before, which the log keeps; a
    verified claim has to be disputed first, and is verified anew.

    :raises NotFound, Stale, ClaimIsOver, ClaimIsVerified: as they say.
    :raises Malformed: the variant is none.
    :raises SeatNotDealtIn: the log has nobody dealt in there.
    :raises SeatTwice: two hands of one seat, or one of who was away.
    :raises NotACard, CardTwice, BoardNotDealt, HandNotDealt, MoreHandsThanPlayers: the cards are none of the variant's.
    """
    table, claim = lock_claim(command, claim_id, version=version)
    if not claim.takes_cards:
        raise ClaimIsVerified
    if hand.variant and hand.variant not in list(Variant):
        raise Malformed(field="variant")
    row = standing_hand(claim)
    entered = as_kept(hand, variant=claim.hand.opening.game.variant)
    judged_claim = judge_entered(claim, entered, seats_of(row))
    moments = {"winning_shown_at": winning_shown_at, "losing_shown_at": losing_shown_at, "last_card_at": last_card_at}
    # No moment is still to come; by a clock that was set back since, the call itself would be.
    latest = max(command.at, claim.arrived_at or command.at)
    known = {name: _second(each, latest) for name, each in moments.items() if each is not None}
    # Dealers tap after all of it: beside a moment that is known the tap says nothing.
    earliest = min(known.values(), default=_second(claim.called_at, latest))
    claim.hit_at = hit_at(**{name: known.get(name, earliest) for name in moments})
    entered["moments"] = {name: each.isoformat() for name, each in known.items()}
    claim.entered, judged = entered, judged_claim.judged
    claim.verdict, claim.category = judged.verdict.value, judged.category
    claim.entered_at, claim.entered_by_id = command.at, command.by.staff_id
    claim.status = Claim.Status.ENTERED
    save_claim(claim, "hit_at", "entered", "verdict", "category", "entered_at", "entered_by_id", "status")
    data = {"verdict": claim.verdict, "category": claim.category, "hit_at": claim.hit_at.isoformat()}
    return changed(table, claim, data)


def _second(moment: datetime, latest: datetime) -> datetime:
    """Return a moment to the second, none after the latest that can be."""
    return min(moment, latest).replace(microsecond=0)


@service("jackpot.tick_check")
def tick_check(
    command: Command, *, claim_id: int, item: str, reference: str = "", witness_id: int | None = None
) -> Outcome:
    """
    Note that an item of the checklist is done; the same twice is once.

    The pictures' `reference` and a witness from the staff are asked for by their items. A reference says where the
    pictures are found, and nothing about anybody.

    :raises NotFound: no such claim, or no such person.
    :raises ClaimIsOver: it was decided.
    :raises Malformed: no such item, or it lacks what it asks for.
    :raises OwnWitness: the witness is who ticks it.
    """
    table, claim = lock_claim(command, claim_id)
    if item not in ClaimCheck.Item.values:
        raise Malformed(field="item")
    if item == ClaimCheck.Item.SURVEILLANCE and not reference:
        raise Malformed(field="reference")
    if item == ClaimCheck.Item.WITNESSES:
        if witness_id is None:
            raise Malformed(field="witness_id")
        if witness_id == command.staff_id:
            raise OwnWitness
        if not Staff.objects.filter(room_id=command.room_id, id=witness_id).exists():
            raise NotFound(what="person")
    data = {"claim": claim.pk, "item": item}
    if ClaimCheck.objects.filter(claim=claim, item=item).exists():
        return done(table, data=data)
    ClaimCheck.objects.create(
        claim=claim,
        item=item,
        reference=reference if item == ClaimCheck.Item.SURVEILLANCE else "",
        witness_id=witness_id if item == ClaimCheck.Item.WITNESSES else None,
        done_at=command.at,
        done_by_id=command.staff_id,
    )
    return done(table, data=data, audiences=(CLAIMS,))


@service("jackpot.dispute_claim")
def dispute_claim(command: Command, *, claim_id: int, version: int, reason: str) -> Outcome:
    """
    Note that a claim is disputed: it keeps everything and waits, and the table deals on with another deck.

    :raises NotFound, Stale, ClaimIsOver: as they say.
    :raises Malformed: the reason is none of `Claim.Dispute`.
    """
    if reason not in Claim.Dispute.values:
        raise Malformed(field="reason")
    table, claim = lock_claim(command, claim_id, version=version)
    claim.disputed, claim.disputed_at, claim.disputed_by_id = reason, command.at, command.by.staff_id
    save_claim(claim, "disputed", "disputed_at", "disputed_by_id")
    return _let_go(table, claim, {"why": reason})


@service("jackpot.verify_claim")
def verify_claim(command: Command, *, claim_id: int, version: int) -> Outcome:
    """
    Verify a claim: the floor has inspected the hands and walked the checklist (H7.10, L-P39); the table deals on.

    :raises NotFound, Stale, ClaimIsOver, ClaimIsVerified: as they say.
    :raises CardsNotEntered: nobody has entered the cards.
    :raises ClaimFails: by the criteria it wins nothing.
    :raises HandNotSettled: its hand is not settled in the log.
    :raises ChecklistOpen: an item is still to be done.
    """
    table, claim = lock_claim(command, claim_id, version=version)
    if claim.status == Claim.Status.VERIFIED:
        raise ClaimIsVerified
    if claim.status == Claim.Status.CALLED:
        raise CardsNotEntered
    row = standing_hand(claim)
    if row.status != Hand.Status.SETTLED:
        raise HandNotSettled(hand_number=row.number)
    # Again, by who was in the hand as the log has it now: it may have been corrected since.
    judged_claim = judge_entered(claim, claim.entered, seats_of(row))
    if judged_claim.judged.verdict is Verdict.FAILS:
        raise ClaimFails
    if missing := still_open(claim):
        raise ChecklistOpen(number=len(missing))
    claim.verdict, claim.category = judged_claim.judged.verdict.value, judged_claim.judged.category
    claim.status, claim.verified_at, claim.verified_by_id = Claim.Status.VERIFIED, command.at, command.staff_id
    save_claim(claim, "verdict", "category", "status", "verified_at", "verified_by")
    return _let_go(table, claim, {"verdict": claim.verdict, "category": claim.category})


@service("jackpot.refuse_claim")
def refuse_claim(
    command: Command, *, claim_id: int, version: int, reason: str, approved_by_id: int | None = None
) -> Outcome:
    """
    Refuse a claim, with a reason; nothing of it is lost (L-P45). The table deals on.

    What fails by the criteria the floor refuses. Where it qualifies, or the rules leave it to the house, a manager has
    signed `refusal_signs` with their own PIN (`people.services.second_person`, before this command).

    :raises NotFound, Stale, ClaimIsOver: as they say.
    :raises Malformed: the reason is none of `Claim.Reason`.
    :raises CardsNotEntered: it was not looked at: a mistapped claim is withdrawn.
    :raises NeedsManager, NeedsSecondSignature: nobody signed it, or not this.
    """
    if reason not in set(Claim.Reason.values) - {Claim.Reason.MISTAPPED}:
        raise Malformed(field="reason")
    table, claim = lock_claim(command, claim_id, version=version)
    if claim.status == Claim.Status.CALLED:
        raise CardsNotEntered
    if approved_by_id is not None:
        check_signed(command, approved_by_id, needs=NEEDS, signs=refusal_signs(claim_id, reason=reason))
    elif claim.verdict != Verdict.FAILS:
        raise NeedsManager
    claim.approved_by_id = approved_by_id
    return _end(command, table, claim, Claim.Status.REFUSED, reason)


# ---- what they share


def look_at_claim(room_id: int, claim_id: int) -> Claim:
    """Return a claim without locking it. One query. :raises NotFound: the room has no such claim."""
    claim = Claim.objects.filter(room_id=room_id, id=claim_id).select_related("table", "hand__opening__game").first()
    if claim is None:
        raise NotFound(what="claim")
    return claim


def lock_claim(command: Command, claim_id: int, *, version: int | None = None) -> tuple[Table, Claim]:
    """
    Return a claim that is still open, with its table, whose lock is the claim's too: nobody writes one without it.

    :raises NotFound: the room has no such claim.
    :raises ClaimIsOver: it was approved, refused or withdrawn.
    :raises Stale: it is no longer at `version` (None: not asked).
    """
    seen = look_at_claim(command.room_id, claim_id)
    table = lock_table(command, seen.table_id)
    # Read anew, now that nobody else writes it: until the table was locked somebody may have decided it.
    claim = Claim.objects.get(id=claim_id)
    claim.table, claim.hand = table, seen.hand
    if not claim.is_open:
        raise ClaimIsOver
    if version is not None and claim.version != version:
        raise Stale(what="claim", version=claim.version)
    return table, claim


def save_claim(claim: Claim, *fields: str) -> None:
    """Store a claim's changed fields with a new version."""
    claim.version += 1
    claim.save(update_fields=[*fields, "version"])


def still_open(claim: Claim) -> list[str]:
    """Return the items of the checklist that are still to be done. One query."""
    walked = set(ClaimCheck.objects.filter(claim=claim).values_list("item", flat=True))
    return [item for item in ClaimCheck.Item.values if item not in walked]


def changed(table: Table, claim: Claim, data: dict[str, Any], *, audiences: Iterable[str] = ()) -> Outcome:
    """Return the outcome of a command that changed a claim, and not whether its table waits."""
    return done(table, data=_data(claim, data), audiences=(CLAIMS, *audiences))


def _let_go(table: Table, claim: Claim, data: dict[str, Any]) -> Outcome:
    """Return the same where the table deals on, unless another claim holds it by now."""
    if holding(table) is not None:
        return changed(table, claim, data)
    return let_go(table, HELD_FOR, data=_data(claim, data), audiences=(CLAIMS,))


def _data(claim: Claim, data: dict[str, Any]) -> dict[str, Any]:
    return {
        "claim": claim.pk,
        "hand_row_id": claim.hand_id,
        "status": claim.status,
        "claim_version": claim.version,
        **data,
    }


def _end(command: Command, table: Table, claim: Claim, status: Claim.Status, reason: str) -> Outcome:
    claim.status, claim.reason = status, reason
    claim.decided_at, claim.decided_by_id = command.at, command.by.staff_id
    save_claim(claim, "status", "reason", "decided_at", "decided_by", "approved_by")
    return _let_go(table, claim, {"why": reason, "approved_by_id": claim.approved_by_id})
