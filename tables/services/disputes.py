"""A disputed pot: set aside under its hand's name while the game goes on, paid when the floor has decided (L-P11)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound
from casino.ledger.services import open_accounts, post, reverse
from casino.rooms.models import Room
from tables.about import of_hand
from tables.chart import of_table
from tables.errors import AlreadyResolved, SharesDiffer
from tables.models import DisputedPot, DisputedShare, Hand, HandSeat, Seating, Table
from tables.services.state import done, lock_day_and_table, lock_day_and_table_for_fact


@dataclass(frozen=True)
class Share:
    """What a player gets of a disputed pot, in cents."""

    player_id: int
    cents: int


@service("tables.set_pot_aside")
def set_pot_aside(
    command: Command,
    *,
    table_id: int,
    hand_row_id: int | None = None,
    hand_id: UUID | None = None,
    cents: int | None = None,
) -> Outcome:
    """
    Set the pot of a hand apart, counted, under the hand's name. A fact; the next hand is dealt.

    The hand is known by its row or by the id it got on its tablet; by neither, it is the table's newest one. `cents`
    None means the pot as it was logged, less what was taken.
    A pot that lies apart already does so once.

    :raises NotFound: no such hand was played at this table.
    :raises Malformed: nobody knows how many chips that is.
    """
    day, table = lock_day_and_table_for_fact(command, table_id)
    hand = _hand_of(table, hand_row_id, hand_id)
    # By its number: a hand that was undone and logged again, or corrected, has another row and the same pot.
    same = {"hand__opening": hand.opening_id, "hand__number": hand.number}
    known = DisputedPot.objects.filter(table=table, resolved_at=None, **same).first()
    if known is not None:
        return done(table, data={**_about(known, hand), "known": True})
    cents = _counted(hand) if cents is None else cents
    if cents is None or cents <= 0:
        raise Malformed(field="cents")
    # Tables of before this account came to the chart open it now; asking again changes nothing.
    open_accounts(Room.objects.get(id=table.room_id), "table", table.pk)
    transfer_id = post(
        room_id=table.room_id,
        day_id=day.pk,
        kind="pot_set_aside",
        lines=[of_table(table.pk, "in_play", -cents), of_table(table.pk, "set_aside", cents)],
        key=f"set_aside.{command.id}",
        made_by_id=command.by.staff_id,
        at=command.at,
        table_id=table.pk,
        about=of_hand(hand),
    )
    pot = DisputedPot.objects.create(
        room_id=table.room_id,
        table=table,
        hand=hand,
        day=day,
        cents=cents,
        transfer_id=transfer_id,
        set_aside_at=command.at,
        set_aside_by_id=command.by.staff_id,
    )
    return done(table, data=_about(pot, hand))


def _about(pot: DisputedPot, hand: Hand) -> dict[str, int]:
    return {"pot": pot.pk, "hand": hand.number, "opening": hand.opening_id, "cents": pot.cents}


def _hand_of(table: Table, hand_row_id: int | None, hand_id: UUID | None) -> Hand:
    hands = Hand.objects.filter(table=table).exclude(status=Hand.Status.UNDONE)
    if hand_row_id is not None:
        hands = hands.filter(id=hand_row_id)
    elif hand_id is not None:
        hands = hands.filter(hand_id=hand_id)
    hand = hands.order_by("-id").first()
    if hand is None:
        raise NotFound(what="hand")
    return hand


def _counted(hand: Hand) -> int | None:
    if hand.pot_cents is None or hand.pot_is_at_least:
        return None
    return hand.pot_cents - sum(charge.taken_cents for charge in hand.charges.all())


@service("tables.pay_disputed_pot")
def pay_disputed_pot(command: Command, *, table_id: int, pot_id: int, shares: Sequence[Share]) -> Outcome:
    """
    Pay a disputed pot to one player or several, all of it: the floor has decided.

    Who sits at the table gets the chips in play there; who has left it gets them in the hands, for the cage.

    :raises NotFound: this table has no such pot, or a player was not in that hand.
    :raises AlreadyResolved: it was paid or put back before.
    :raises SharesDiffer: the shares are not the pot.
    """
    day, table = lock_day_and_table(command, table_id)
    pot = _open_pot(table, pot_id)
    if sum(share.cents for share in shares) != pot.cents or any(share.cents <= 0 for share in shares):
        raise SharesDiffer(pot_cents=pot.cents)
    players = {share.player_id for share in shares}
    if len(players) < len(shares):
        raise SharesDiffer(pot_cents=pot.cents)
    if HandSeat.objects.filter(hand=pot.hand, player_id__in=players).count() < len(players):
        raise NotFound(what="player")
    sitting = dict(
        Seating.objects.filter(table=table, left_at=None, player_id__in=players).values_list("player_id", "id")
    )
    paid = [_paid(pot, share, sitting) for share in shares]
    in_play = sum(share.cents for share in paid if share.seating_id)
    _post_payment(command, day_id=day.pk, table=table, pot=pot, in_play=in_play)
    DisputedShare.objects.bulk_create(paid)
    _resolve(pot, command, how=DisputedPot.How.PAID)
    payments = [{"player": share.player_id, "cents": share.cents, "seated": bool(share.seating_id)} for share in paid]
    return done(table, data={"pot": pot.pk, "hand": pot.hand.number, "shares": payments})


def _paid(pot: DisputedPot, share: Share, sitting: Mapping[int, int]) -> DisputedShare:
    return DisputedShare(
        room_id=pot.room_id,
        pot=pot,
        player_id=share.player_id,
        seating_id=sitting.get(share.player_id),
        cents=share.cents,
    )


def _post_payment(command: Command, *, day_id: int, table: Table, pot: DisputedPot, in_play: int) -> None:
    into = {"in_play": in_play, "hands": pot.cents - in_play}
    post(
        room_id=table.room_id,
        day_id=day_id,
        kind="disputed_pot_paid",
        lines=[
            of_table(table.pk, "set_aside", -pot.cents),
            *(of_table(table.pk, kind, cents) for kind, cents in into.items() if cents),
        ],
        key=f"disputed_pot.{pot.pk}",
        made_by_id=command.by.staff_id,
        at=command.at,
        table_id=table.pk,
        about=of_hand(pot.hand),
    )


@service("tables.put_pot_back")
def put_pot_back(command: Command, *, table_id: int, pot_id: int) -> Outcome:
    """
    Put a pot back into play that was set aside by mistake: a reversal.

    :raises NotFound: this table has no such pot.
    :raises AlreadyResolved: it was paid or put back before.
    """
    day, table = lock_day_and_table(command, table_id)
    pot = _open_pot(table, pot_id)
    reverse(
        room_id=table.room_id,
        transfer_id=pot.transfer_id,
        day_id=day.pk,
        key=f"put_back.{pot.pk}",
        made_by_id=command.by.staff_id,
        at=command.at,
    )
    _resolve(pot, command, how=DisputedPot.How.PUT_BACK)
    return done(table, data={"pot": pot.pk, "hand": pot.hand.number})


def _open_pot(table: Table, pot_id: int) -> DisputedPot:
    pot = DisputedPot.objects.filter(table=table, id=pot_id).select_related("hand").first()
    if pot is None:
        raise NotFound(what="pot")
    if pot.resolved_at is not None:
        raise AlreadyResolved(hand_number=pot.hand.number)
    return pot


def _resolve(pot: DisputedPot, command: Command, *, how: DisputedPot.How) -> None:
    pot.how, pot.resolved_at, pot.resolved_by_id = how, command.ends(pot.set_aside_at), command.by.staff_id
    pot.save(update_fields=["how", "resolved_at", "resolved_by_id"])
