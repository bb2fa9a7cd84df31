"""
Foreign notes out of the vault, to a bank or an exchange, and what the house got for them: by two, both ways.

What the vault holds of them came with drawers' counts. A recount that finds fewer after they have gone leaves less than
nothing there: a fact that stands on the page of exchanges.
"""

from collections.abc import Sequence
from typing import Any

from django.db.models import Max

from casino.cage import day_ends
from casino.cage.errors import ExchangeTakenBack, NotesNeeded, NotesNotThere
from casino.cage.models import NotesBrought, NotesCounted, NotesExchanged
from casino.cage.rules import added_up, cents_of, exchange_lines, worth_found
from casino.cage.selectors.exchanges import notes_brought, vault_notes_of
from casino.cage.services.amounts import Pieces
from casino.cage.services.foreign import check_known
from casino.cage.services.locks import lock_numbering, next_number
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound
from casino.ledger.services import check_vault_gave, mirror, open_accounts, post, reverse
from casino.people.services.signatures import check_signed
from casino.rooms.selectors import lock_open_day, open_day

# What the second person must be allowed to do.
NEEDS = "cage.approve_exchange"


def exchange_signs(*, currency: str, pieces: Pieces, got_cents: int) -> str:
    """Return what the second person signs: the notes that go, and what the house got for them."""
    return f"exchange.{currency}.{cents_of(pieces)}.{got_cents}"


def reversal_signs(*, exchange_id: int, reason: str) -> str:
    """Return what the second person signs when an exchange is taken back."""
    return f"exchange.{exchange_id}.back.{reason}"


@service("cage.exchange_notes")
def exchange_notes(
    command: Command, *, currency: str, pieces: Sequence[Any], got_cents: int, approved_by_id: int
) -> Outcome:
    """
    Take foreign notes out of the vault to whoever exchanges them, and put what the house got for them into its cash.

    `pieces` are how many of each note, in minor units of `currency`; `got_cents` is the house's own money, 0 where
    nothing was given. They leave at what they stood at in the vault, on average; the difference has an account of its
    own. `approved_by_id` is the second person, who has signed `exchange_signs`.

    :raises Malformed: there are no such notes, or less than nothing was got.
    :raises NotesNeeded: none are named.
    :raises NeedsSecondSignature: nobody signed it, or not this.
    :raises NoOpenDay: no gaming day is open.
    :raises NotesNotThere: the vault holds fewer of a note.
    """
    if got_cents < 0:
        raise Malformed(field="got_cents")
    check_known(currency, pieces)
    signs = exchange_signs(currency=currency, pieces=pieces, got_cents=got_cents)
    check_signed(command, approved_by_id, needs=NEEDS, signs=signs)
    goes, face_cents = added_up(pieces), cents_of(pieces)
    if not goes:
        raise NotesNeeded
    # Of what lies there only another exchange takes away, which waits for this lock.
    room = lock_numbering(command.room_id)
    day = lock_open_day(room.pk)
    number, lies = next_number(NotesExchanged.objects.filter(room=room)), vault_notes_of(room.pk, currency)
    if lies is None or face_cents > lies.face_cents or any(count > lies.pieces.get(value, 0) for value, count in goes):
        raise NotesNotThere(currency=currency)
    worth_cents = worth_found(face_cents, (lies.face_cents, lies.cents), 0)
    if not worth_cents and not got_cents:
        # Notes of a rate at which they are worth less than a cent, given for nothing: there is nothing to post.
        raise Malformed(field="got_cents")
    open_accounts(room, "house", room.pk)
    transfer_id = post(
        room_id=room.pk,
        day_id=day.pk,
        kind="notes_exchanged",
        lines=exchange_lines(worth_cents, got_cents, room_id=room.pk),
        key=f"exchange.{number}",
        made_by_id=command.staff_id,
        at=command.at,
        approved_by_id=approved_by_id,
        about={"exchange": number},
    )
    exchange = NotesExchanged.objects.create(
        room=room,
        number=number,
        currency=currency,
        pieces=goes,
        face_cents=face_cents,
        worth_cents=worth_cents,
        got_cents=got_cents,
        exchanged_at=command.at,
        exchanged_by_id=command.staff_id,
        approved_by_id=approved_by_id,
        transfer_id=transfer_id,
    )
    return Outcome(chain="vault", data=_data(exchange))


@service("cage.reverse_exchange")
def reverse_exchange(command: Command, *, exchange_id: int, reason: str, approved_by_id: int) -> Outcome:
    """
    Take an exchange back: the mirrored transfer is posted today, and it keeps its number. By two; `reversal_signs`.

    `reason` is one of `NotesExchanged.Reason`.

    :raises Malformed: no such reason.
    :raises NeedsSecondSignature: nobody signed it, or not this.
    :raises NotFound: no such exchange.
    :raises ExchangeTakenBack: it was taken back before.
    :raises NoOpenDay: nothing is posted now.
    :raises VaultShort: the vault holds less cash than was got; it is no try, for managers read what lies there.
    """
    if reason not in NotesExchanged.Reason.values:
        raise Malformed(field="reason")
    signs = reversal_signs(exchange_id=exchange_id, reason=reason)
    check_signed(command, approved_by_id, needs=NEEDS, signs=signs)
    # What lies in the vault is counted under this lock, and every exchange is written under it.
    room = lock_numbering(command.room_id)
    day = lock_open_day(room.pk)
    exchange = NotesExchanged.objects.filter(room=room, id=exchange_id).first()
    if exchange is None:
        raise NotFound(what="exchange")
    if exchange.reversed_at is not None:
        raise ExchangeTakenBack(number=exchange.number)
    back = mirror(exchange.transfer_id)
    exchange.reversal_transfer_id = reverse(
        room_id=room.pk,
        day_id=day.pk,
        transfer_id=exchange.transfer_id,
        key=f"exchange_back.{exchange.number}",
        made_by_id=command.staff_id,
        at=command.at,
        approved_by_id=approved_by_id,
        about={"exchange": exchange.number, "reason": reason},
    )
    # Once it is posted, which locks the vault's accounts: what leaves it by another way at this moment counts too.
    check_vault_gave(room.pk, back)
    exchange.reversal_reason, exchange.reversed_at = reason, command.ends(exchange.exchanged_at)
    exchange.reversed_by_id, exchange.reversal_approved_by_id = command.staff_id, approved_by_id
    exchange.save(update_fields=list(NotesExchanged.may_change))
    return Outcome(chain="vault", data={**_data(exchange), "reason": reason})


def _data(exchange: NotesExchanged) -> dict[str, Any]:
    return {
        "exchange_id": exchange.pk,
        "exchange_number": exchange.number,
        "face": exchange.face,
        "worth_cents": exchange.worth_cents,
        "got_cents": exchange.got_cents,
        "difference_cents": exchange.difference_cents,
    }


# ---- with the gaming day


def _keep_brought(command: Command) -> dict[str, list[int]]:
    """Keep what all counts until the end of this day brought: none of them is made again."""
    day = open_day(command.room_id)
    assert day is not None
    last = NotesBrought.objects.filter(room_id=command.room_id).aggregate(day=Max("day_id"))["day"] or 0
    since = NotesCounted.objects.filter(
        count__session__drawer__room_id=command.room_id, count__session__closed_day_id__gt=last
    )
    if since.exists():
        for each in notes_brought(command.room_id):
            NotesBrought.objects.create(
                room_id=command.room_id,
                day=day,
                currency=each.currency,
                pieces=[[value, many] for value, many in each.pieces.items()],
                face_cents=each.face_cents,
                cents=each.cents,
            )
    return {}


day_ends.register(day_ends.DayEnd(lambda _room_id: "", _keep_brought))
