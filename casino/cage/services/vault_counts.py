"""
The vault counted by denomination, blind and by two: what differs has an account of its own, and the floor judges it.

A count is a fact, and no amount is refused; but one that something came into or left meanwhile is no count.
"""

from collections.abc import Sequence
from typing import Any

from casino.cage.audiences import DAY, EVERY_WINDOW
from casino.cage.chart import IN_VAULT
from casino.cage.errors_vault import BothReadBooks, OwnVaultCount, VaultCountedBefore, VaultMoved
from casino.cage.models import VaultCount, VaultNotesCounted
from casino.cage.rules import added_up, cents_of, who_counts, worth_found
from casino.cage.selectors.exchanges import VaultNotes, vault_notes
from casino.cage.selectors.foreign import last_rates
from casino.cage.selectors.vault_counts import KNOWS, NEWS, own_counts, vault_version
from casino.cage.services import foreign as notes_of
from casino.cage.services.amounts import Pieces
from casino.cage.services.counting import Lies, counted_by_two, read_counted
from casino.cage.services.locks import lock_numbering, next_number
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import NotFound
from casino.ledger.chart import PostingLine, of_house
from casino.ledger.models import Transfer
from casino.ledger.selectors.accounts import house_figures
from casino.ledger.services import open_accounts, post
from casino.people.models import Staff
from casino.people.permissions import may_of
from casino.people.services.signatures import check_signed
from casino.rooms.models import GamingDay
from casino.rooms.selectors import lock_open_day_alone

# What the second person under a count must be allowed to do.
NEEDS = "cage.sign_vault"


def vault_count_signs(version: int, lies: Lies) -> str:
    """Return what the second person signs: what lies there, after what went in and out last."""
    return f"vault_count.{version}.{lies.signed}"


@service("cage.count_vault")
def count_vault(
    command: Command,
    *,
    version: int,
    cash: Pieces,
    chips: Pieces,
    card_slips_cents: int,
    approved_by_id: int,
    foreign: Sequence[notes_of.Notes] = (),
) -> Outcome:
    """
    Count the vault: what it holds is what was counted from here on, and the difference is on the vault's over/short.

    `cash`, `chips`, `card_slips_cents` and `foreign` are as in `close_drawer`; `version` is `vault_version` when the
    count began. `approved_by_id` has signed `vault_count_signs` with their own PIN (`people.services.second_person`,
    before this command). Who of both does not read the books counts, and the other stands by; who counted last, on the
    same gaming day, or stood by then, has read what was expected, and does not count.

    Waits for every command that is just posting on this day, and keeps new ones out meanwhile: so what was expected is
    what all transfers until then came to.

    :raises Malformed: of cash or of chips nobody says anything; there is no such piece, or less than none of it.
    :raises NeedsSecondSignature: the second person is not a second one, or has not signed this.
    :raises BothReadBooks: both can look up what is expected.
    :raises NoOpenDay: nothing is posted now.
    :raises VaultCountedBefore: who does not read the books counted last, or stood by.
    :raises VaultMoved: something went in or out since `version`.
    """
    lies = read_counted(command, cash, chips, card_slips_cents, foreign)
    check_signed(command, approved_by_id, needs=NEEDS, signs=vault_count_signs(version, lies))
    readers = _readers(command, approved_by_id)
    room = lock_numbering(command.room_id)
    day = lock_open_day_alone(room.pk)
    if vault_version(room.pk) != version:
        raise VaultMoved
    counter_id = _counter(command, approved_by_id, readers, day)
    # A room of before has no account for what differs.
    open_accounts(room, "house", room.pk)
    expected, notes = house_figures(room.pk), _notes(room.pk, foreign)
    count = VaultCount(
        room=room,
        day=day,
        number=next_number(VaultCount.objects.filter(room=room)),
        **counted_by_two(command, (counter_id, approved_by_id), (cash, chips), lies),
        foreign_cents=sum(each.cents for each in notes),
        expected_cash_cents=expected["vault_cash"],
        expected_chips_cents=expected["vault_chips"],
        expected_card_slips_cents=expected["vault_card_slips"],
        expected_foreign_cents=expected["vault_foreign_notes"],
        # `ledger check` and the pack's script add up until here, and must come to the same that was expected.
        after_transfer_id=Transfer.objects.filter(room=room).order_by("-id").values_list("id", flat=True).first() or 0,
    )
    count.unjudged = any(count.differences_cents) or any(each.cents != each.expected_cents for each in notes)
    lines = over_short_lines(count)
    if any(line.cents for line in lines):
        count.transfer_id = post(
            room_id=room.pk,
            day_id=day.pk,
            kind="vault_counted",
            lines=lines,
            key=f"vault_counted.{count.number}",
            made_by_id=command.staff_id,
            at=command.at,
            approved_by_id=approved_by_id,
            about={"vault_count": count.number},
        )
    # Once it is posted: of a count that is kept only the judging may change, so it has its transfer from the start.
    count.save(force_insert=True)
    for each in notes:
        each.count = count
        each.save(force_insert=True)
    return Outcome(chain="vault", data=_event_data(count), audiences=(EVERY_WINDOW, DAY, NEWS))


@service("cage.judge_vault")
def judge_vault(command: Command, *, vault_count_id: int) -> Outcome:
    """
    Take a count of the vault that differs off the floor's to-do, having looked at it.

    :raises NotFound: it is not there, or was judged by somebody else.
    :raises OwnVaultCount: by one of those who counted it.
    """
    room = lock_numbering(command.room_id)
    # Every count of the vault is written under the room's lock.
    count = VaultCount.objects.filter(room=room, id=vault_count_id).first()
    if count is None or not count.unjudged:
        raise NotFound(what="count")
    if own_counts(room.pk, command.staff_id).filter(id=count.pk).exists():
        raise OwnVaultCount
    count.unjudged, count.judged_at = False, command.ends(count.counted_at)
    count.judged_by_id = command.staff_id
    count.save(update_fields=["unjudged", "judged_at", "judged_by"])
    data = {"vault_count_id": count.pk, "vault_count_number": count.number}
    return Outcome(chain="vault", data=data, audiences=(NEWS,))


def over_short_lines(count: VaultCount) -> list[PostingLine]:
    """Return the lines that have the vault hold what was counted, and its over/short the rest. They sum to zero."""
    cash, card_slips, notes, chips = count.differences_cents
    room_id = count.room_id
    lines = [
        of_house(room_id, "vault_cash", cash),
        of_house(room_id, "vault_card_slips", card_slips),
        of_house(room_id, "vault_foreign_notes", notes),
        of_house(room_id, "vault_missing", -cash - card_slips - notes),
        of_house(room_id, "vault_chips", chips),
        of_house(room_id, "vault_chips_missing", -chips),
    ]
    assert {line.kind for line in lines} >= IN_VAULT
    return lines


def _readers(command: Command, second_id: int) -> set[int]:
    """
    Return who of both reads the books: by some door, whatever this device lets them do. One query.

    :raises BothReadBooks: both do.
    """
    both = Staff.objects.filter(id__in=(command.staff_id, second_id)).values_list("id", "roles")
    readers = {staff_id for staff_id, roles in both if KNOWS in may_of(roles)}
    if who_counts(command.staff_id, second_id, never=readers) is None:
        raise BothReadBooks
    return readers


def _counter(command: Command, second_id: int, readers: set[int], day: GamingDay) -> int:
    """Return who of both counts. One query. :raises VaultCountedBefore: neither may."""
    last = VaultCount.objects.filter(room=day.room_id).order_by("-number").first()
    knew = {last.counted_by_id, last.counted_with_id} if last is not None and last.day_id == day.pk else set()
    counter_id = who_counts(command.staff_id, second_id, never=readers | knew)
    if counter_id is None:
        raise VaultCountedBefore
    return counter_id


def _notes(room_id: int, foreign: Sequence[notes_of.Notes]) -> list[VaultNotesCounted]:
    """Return what a count found of each currency beside what lay there, not saved yet. A query, or two."""
    lying = {each.currency: each for each in vault_notes(room_id)}
    counted = {each["currency"]: each["pieces"] for each in foreign}
    # What a recount left of notes that had gone before may be less than nothing, and says no rate.
    taken = {
        currency: (there.face_cents, there.cents)
        for currency, there in lying.items()
        if there.face_cents > 0 and there.cents >= 0
    }
    rates = last_rates(room_id) if counted.keys() - taken.keys() else {}
    rows = []
    for currency in sorted({*lying, *counted}):
        pieces, there = counted.get(currency, ()), lying.get(currency, VaultNotes(currency))
        face_cents = cents_of(pieces)
        row = VaultNotesCounted(
            currency=currency,
            pieces=added_up(pieces),
            expected_pieces=[[value, count] for value, count in there.pieces.items()],
            face_cents=face_cents,
            expected_face_cents=there.face_cents,
            cents=worth_found(face_cents, taken.get(currency, (0, 0)), rates.get(currency, 0)),
            expected_cents=there.cents,
        )
        if face_cents or there.pieces or there.cents:
            rows.append(row)
    return rows


def _event_data(count: VaultCount) -> dict[str, Any]:
    cash, card_slips, notes, chips = count.differences_cents
    return {
        "vault_count_id": count.pk,
        "vault_count_number": count.number,
        "counted_by_id": count.counted_by_id,
        "counted_with_id": count.counted_with_id,
        "cash_difference_cents": cash,
        "card_slips_difference_cents": card_slips,
        "foreign_difference_cents": notes,
        "chips_difference_cents": chips,
        "unjudged": count.unjudged,
    }
