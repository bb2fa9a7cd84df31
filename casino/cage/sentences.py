"""What the cage's events say in the log, and how slips and drawers are named there."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from casino.audit.sentences import By, Part, Reader, also_as, name_chains, name_codes, name_things, say
from casino.cage.labels import CARRY_REASONS, METHODS, REFUSED_FOR, VOUCHER_ORIGINS, VOUCHER_VOID_REASONS
from casino.cage.models import CarriedItem, Slip, VaultCount
from casino.cage.models_fills import FillSlip
from casino.cage.selectors.carried_over import names_of
from casino.cage.selectors.drawers import drawer_numbers

# What a count says, of a drawer and of a runner's bank, closed by it and counted again: that nothing differs, that
# something does, and that notes of another currency do, or other parts of the money, which can leave it whole or not.
_CLOSED = {
    "nothing": _("Drawer {drawer_id} was counted and closed: nothing differs ({session_id})."),
    "differs": _("Drawer {drawer_id} was counted and closed: money differs by {money_difference_cents}, chips by"
                 " {chips_difference_cents} ({session_id})."),
    "notes": _("Drawer {drawer_id} was counted and closed: money differs by {money_difference_cents}, of which foreign"
               " notes by {foreign_difference_cents}, chips by {chips_difference_cents} ({session_id})."),
    "swapped": _("Drawer {drawer_id} was counted and closed: {swapped_cents} of its money lies there as other money"
                 " than it should, chips differ by {chips_difference_cents} ({session_id})."),
    "both": _("Drawer {drawer_id} was counted and closed: money differs by {money_difference_cents}, {swapped_cents}"
              " besides lies there as other money than it should, chips differ by {chips_difference_cents}"
              " ({session_id})."),
    "bank_nothing": _("Bank {drawer_id} was counted and closed: nothing differs ({session_id})."),
    "bank_differs": _("Bank {drawer_id} was counted and closed: money differs by {money_difference_cents}, chips by"
                      " {chips_difference_cents} ({session_id})."),
}  # fmt: skip
_COUNTED_AGAIN = {
    "nothing": _("Drawer {drawer_id} was counted again: nothing differs ({session_id})."),
    "differs": _("Drawer {drawer_id} was counted again: money differs by {money_difference_cents}, chips by"
                 " {chips_difference_cents} ({session_id})."),
    "notes": _("Drawer {drawer_id} was counted again: money differs by {money_difference_cents}, of which foreign notes"
               " by {foreign_difference_cents}, chips by {chips_difference_cents} ({session_id})."),
    "swapped": _("Drawer {drawer_id} was counted again: {swapped_cents} of its money lies there as other money than it"
                 " should, chips differ by {chips_difference_cents} ({session_id})."),
    "both": _("Drawer {drawer_id} was counted again: money differs by {money_difference_cents}, {swapped_cents} besides"
              " lies there as other money than it should, chips differ by {chips_difference_cents} ({session_id})."),
    "bank_nothing": _("Bank {drawer_id} was counted again: nothing differs ({session_id})."),
    "bank_differs": _("Bank {drawer_id} was counted again: money differs by {money_difference_cents}, chips by"
                      " {chips_difference_cents} ({session_id})."),
}  # fmt: skip


def _found(_args: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, str]:
    differs = bool(data.get("money_difference_cents") or data.get("chips_difference_cents"))
    code = "differs" if differs else "nothing"
    if "holder_id" in data:
        return {"found": f"bank_{code}"}
    if data.get("foreign_difference_cents"):
        return {"found": "notes"}
    if data.get("swapped_cents"):
        return {"found": "both" if data.get("money_difference_cents") else "swapped"}
    return {"found": code}


def _fill_differs(data: Mapping[str, Any]) -> bool:
    return bool(data.get("cash_difference_cents") or data.get("chips_difference_cents"))


say(
    {
        "cage.open_day": _("The gaming day {date} opened."),
        "cage.close_day": By(
            "carries",
            {
                False: _("The gaming day {date} closed for operations."),
                True: _("The gaming day {date} closed for operations; carried over: {carried}."),
            },
        ),
        "cage.close_counts": By(
            "carries",
            {
                False: _("The gaming day {date} closed as counted; signed by {approved_by_id}."),
                True: _(
                    "The gaming day {date} closed as counted; signed by {approved_by_id}; carried over: {carried}."
                ),
            },
        ),
        "cage.add_drawer": _("The room has a drawer {drawer_id} now."),
        "cage.add_bank": _("The room has a bank {drawer_id} for runners now."),
        "cage.open_drawer": _("Drawer {drawer_id} opened with {cash_cents} in cash and {chips_cents} in chips."),
        "cage.open_bank": _(
            "Bank {drawer_id} was given to {holder_id} with {cash_cents} in cash and {chips_cents} in chips."
        ),
        "cage.sell_from_bank": _(
            "{player_id} bought {amount_cents} in chips at the table, out of the bank of {holder_id} (slip {slip_id})."
        ),
        "cage.close_drawer": By("found", _CLOSED),
        "cage.recount_drawer": By("found", _COUNTED_AGAIN),
        "cage.fill_drawer": _("Drawer {drawer_id} got {amount_cents} from the vault (slip {slip_id})."),
        "cage.return_to_vault": _("Drawer {drawer_id} gave {amount_cents} to the vault (slip {slip_id})."),
        "cage.request_buy_in": _("{amount_cents} in chips were asked for: {player_id} (slip {slip_id})."),
        "cage.buy_in": By(
            "is_foreign",
            {
                False: _("{player_id} bought {amount_cents} in chips, {method} (slip {slip_id})."),
                True: _(
                    "{player_id} bought {amount_cents} in chips with {face} in notes, worth {value_cents} at {rate};"
                    " {change_cents} went back in cash (slip {slip_id})."
                ),
            },
        ),
        "cage.take_money": By(
            "how",
            {
                "buy_in": _("{player_id} paid {amount_cents} for the chips asked for, {method} (slip {slip_id})."),
                "payout": _("{player_id} was paid {amount_cents}, {method} (slip {slip_id})."),
                "foreign": _(
                    "{player_id} paid {amount_cents} for the chips asked for with {face} in notes, worth {value_cents}"
                    " at {rate}; {change_cents} went back in cash (slip {slip_id})."
                ),
            },
        ),
        "cage.record_rate": By(
            "is_taken",
            {
                True: _("From now on 1 {currency} in notes is taken for {rate} of the room’s money."),
                False: _("Notes in {currency} are no longer taken."),
            },
        ),
        "cage.cash_out": _("{player_id} was paid {amount_cents} for chips, {method} (slip {slip_id})."),
        "cage.deposit": _("{player_id} deposited {amount_cents} (slip {slip_id})."),
        "cage.withdraw": _("{player_id} withdrew {amount_cents} (slip {slip_id})."),
        "cage.cancel_slip": _("The request of {player_id} for {amount_cents} was cancelled (slip {slip_id})."),
        "cage.refuse_request": _(
            "The cage refused {amount_cents} that {player_id} asked for: {refused_for} (slip {slip_id})."
        ),
        "cage.note_chips": By(
            "step",
            {
                "player": _("The chips of slip {slip_id} came to {player_id}: {amount_cents}."),
                "runner": _("A runner carries the chips of {player_id} of slip {slip_id}: {amount_cents}."),
                "signed": _("{approved_by_id} carries the chips of {player_id} of slip {slip_id}: {amount_cents}."),
                "cage": _("The cage has the chips of {player_id} of slip {slip_id} again: {amount_cents}."),
                "not_there": _("The chips of slip {slip_id} did not come to {player_id} after all: {amount_cents}."),
            },
        ),
        "cage.note_money": By(
            "holder",
            {
                "player": _("The money of {player_id} for slip {slip_id} was given back: {amount_cents}."),
                "dealer": _("The dealer took the money of {player_id} for slip {slip_id}: {amount_cents}."),
                "runner": _("A runner took the money of {player_id} for slip {slip_id}: {amount_cents}."),
                "signed": _("{approved_by_id} carries the money of {player_id} for slip {slip_id}: {amount_cents}."),
                "cage": _("The cage received the money of {player_id} for slip {slip_id}: {amount_cents}."),
            },
        ),
        "cage.note_refusal_seen": _("The floor has seen that the cage refused slip {slip_id}."),
        "cage.reverse_slip": By(
            "is_foreign",
            {
                False: _("Slip {slip_id} of {player_id} over {amount_cents} was reversed; signed by {approved_by_id}."),
                True: _(
                    "Slip {slip_id} of {player_id} over {amount_cents} was reversed, {face} in notes given back; signed"
                    " by {approved_by_id}."
                ),
            },
        ),
        "cage.void_rack_sale": _(
            "Slip {slip_id} over {amount_cents} was never sold to {player_id}: that explains what counts of the rack"
            " have found; signed by {approved_by_id}."
        ),
        "cage.note_print": _("Slip {slip_id} was printed."),
        "cage.request_fill": By(
            "kind",
            {
                "fill": _(
                    "A fill from the vault was asked for: {cash_cents} in cash, {chips_cents} in chips ({fill_id})."
                ),
                "credit": _(
                    "A credit to the vault was asked for: {cash_cents} in cash, {chips_cents} in chips ({fill_id})."
                ),
            },
        ),
        "cage.authorise_fill": _("{fill_id} was authorised: {cash_cents} in cash, {chips_cents} in chips."),
        "cage.refuse_fill": _("{fill_id} was called off."),
        "cage.deliver_fill": _("{fill_id} was given to a runner: {approved_by_id} carries it."),
        "cage.verify_fill": By(
            "differs",
            {
                True: _(
                    "{fill_id} was counted where it goes: cash differs by {cash_difference_cents}, chips by"
                    " {chips_difference_cents}; signed by {approved_by_id}."
                ),
                False: _("{fill_id} was counted where it goes: nothing differs; signed by {approved_by_id}."),
            },
        ),
        "cage.return_fill": By(
            "differs",
            {
                True: _(
                    "{fill_id} was brought back: cash differs by {cash_difference_cents}, chips by"
                    " {chips_difference_cents}; signed by {approved_by_id}."
                ),
                False: _("{fill_id} was brought back: nothing differs; signed by {approved_by_id}."),
            },
        ),
        "cage.judge_fill": _("What differs on {fill_id} was judged."),
        "cage.note_fill_print": _("{fill_id} was printed."),
        "cage.note_signature": _("The player signed slip {slip_id} on paper."),
        "cage.take_in_found": _(
            "{amount_cents} that somebody left behind were taken in (number {unclaimed_number}); signed by"
            " {approved_by_id}."
        ),
        "cage.give_unclaimed": _(
            "{amount_cents} that lay unclaimed were given to {player_id} (number {unclaimed_number}); signed by"
            " {approved_by_id}."
        ),
        "cage.keep_unclaimed": _(
            "The house kept {amount_cents} that nobody claimed (number {unclaimed_number}); signed by {approved_by_id}."
        ),
        "cage.issue_voucher": _(
            "Voucher {voucher_number} over {amount_cents} was issued, good until {date}; signed by {approved_by_id}."
        ),
        "cage.void_voucher": _(
            "Voucher {voucher_number} over {amount_cents} is void: {reason}; signed by {approved_by_id}."
        ),
        "cage.note_voucher_print": By(
            "is_copy",
            {
                False: _("Voucher {voucher_number} was printed."),
                True: _("Voucher {voucher_number} was printed again: copy {copy}."),
            },
        ),
        "cage.exchange_notes": _(
            "{face} in notes went from the vault to be exchanged: worth {worth_cents}, {got_cents} came back (exchange"
            " {exchange_number}); signed by {approved_by_id}."
        ),
        "cage.reverse_exchange": _(
            "Exchange {exchange_number} was taken back: {face} in notes lie in the vault again; signed by"
            " {approved_by_id}."
        ),
        "cage.count_vault": By(
            "differs",
            {
                True: _(
                    "The vault was counted ({vault_count_id}): cash differs by {cash_difference_cents}, card slips by"
                    " {card_slips_difference_cents}, foreign notes by {foreign_difference_cents}, chips by"
                    " {chips_difference_cents}; signed by {approved_by_id}."
                ),
                False: _("The vault was counted ({vault_count_id}): nothing differs; signed by {approved_by_id}."),
            },
        ),
        "cage.judge_vault": _("What differs in the vault was judged ({vault_count_id})."),
        "cage.judge_doubt": _("Something to be judged at the cage was judged."),
    },
    more={
        "cage.close_day": lambda args, data: {"carries": bool(data.get("carried"))},
        "cage.close_counts": lambda args, data: {"carries": bool(data.get("carried"))},
        "cage.close_drawer": _found,
        "cage.recount_drawer": _found,
        "cage.verify_fill": lambda args, data: {"differs": _fill_differs(data)},
        "cage.return_fill": lambda args, data: {"differs": _fill_differs(data)},
        "cage.note_chips": lambda args, data: {"step": "signed" if data.get("approved_by_id") else data.get("step")},
        "cage.count_vault": lambda args, data: {"differs": bool(data.get("unjudged"))},
        "cage.note_money": lambda args, data: {
            "holder": "signed" if data.get("approved_by_id") else data.get("money_with")
        },
        "cage.buy_in": lambda args, data: {"is_foreign": "face" in data},
        "cage.reverse_slip": lambda args, data: {"is_foreign": "face" in data},
        "cage.take_money": lambda args, data: {
            "how": "foreign" if "face" in data else "buy_in" if data.get("kind") == "buy_in" else "payout"
        },
        "cage.record_rate": lambda args, data: {"is_taken": bool(data.get("rate_millionths"))},
        "cage.note_voucher_print": lambda args, data: {"is_copy": bool(data.get("copy"))},
    },
)
name_codes("method", METHODS)
name_codes("refused_for", REFUSED_FOR)
name_codes("origin", VOUCHER_ORIGINS)
name_codes("reason", VOUCHER_VOID_REASONS)
name_chains("drawer", _("Drawer {number}"))


def _slips(reader: Reader, ids: set[Any]) -> dict[int, Part]:
    rows = Slip.objects.filter(room_id=reader.room_id, id__in=ids).values_list("id", "drawer__number", "number")
    leads = "page.slips" in reader.may
    return {
        slip_id: Part(
            f"{drawer}–{number:05d}" if number else f"#{slip_id}", reverse("cage_slip", args=[slip_id]) if leads else ""
        )
        for slip_id, drawer, number in rows
    }


def _sessions(reader: Reader, ids: set[Any]) -> dict[int, Part]:
    leads = "page.slips" in reader.may
    return {each: Part(str(_("the count")), reverse("cage_session", args=[each]) if leads else "") for each in ids}


def _drawers(reader: Reader, ids: set[Any]) -> dict[int, Part]:
    return {each: Part(str(number)) for each, number in drawer_numbers(ids).items()}


def _fills(reader: Reader, ids: set[Any]) -> dict[int, Part]:
    rows = FillSlip.objects.filter(room_id=reader.room_id, id__in=ids).values_list("id", "number")
    leads = "page.fills" in reader.may
    return {
        fill_id: Part(
            str(_("Fill slip %(number)s")) % {"number": number}, reverse("cage_fill", args=[fill_id]) if leads else ""
        )
        for fill_id, number in rows
    }


name_things(("fill_id",), _fills)


def _vault_counts(reader: Reader, ids: set[Any]) -> dict[int, Part]:
    rows = VaultCount.objects.filter(room_id=reader.room_id, id__in=ids).values_list("id", "number")
    leads = "page.vault" in reader.may
    return {
        count_id: Part(
            str(_("count %(number)s")) % {"number": number},
            reverse("cage_vault_count", args=[count_id]) if leads else "",
        )
        for count_id, number in rows
    }


name_things(("vault_count_id",), _vault_counts)


def _carried(reader: Reader, ids: set[Any]) -> dict[int, Part]:
    items = list(CarriedItem.objects.filter(room_id=reader.room_id, id__in=ids))
    names = names_of(items)
    return {item.pk: Part(f"{names[item.pk]} ({CARRY_REASONS[item.reason]})") for item in items}


name_things(("carried",), _carried)
name_things(("slip_id", "slip", "slips"), _slips)
name_things(("session_id",), _sessions)
name_things(("drawer_id",), _drawers)
also_as("player", lambda ids: (("slip_id", each) for each in _of_players(ids)))


def _of_players(ids: Any) -> list[int]:
    return list(Slip.objects.filter(player_id__in=ids).order_by("-id").values_list("id", flat=True)[:500])
