"""What the cage refuses."""

from collections.abc import Container
from typing import ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal
from casino.rulebooks import reasons


class _OfDrawer(Refusal):
    """
    Something about a drawer, or about a runner's bank (`is_bank` in its data), which is never called a drawer.

    A book knows it of banks by a reason of its own: `drawer_closed` as `bank_closed`, `cash_short` as
    `bank_cash_short`.
    """

    of_bank: ClassVar[str | Promise] = ""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        reasons.register(cls._bank_reason(), sentence=lambda: cls.of_bank)

    @classmethod
    def sentences(cls) -> tuple[str | Promise, ...]:
        """Return the sentence about drawers, and the one about banks."""
        return cls.sentence, cls.of_bank

    @classmethod
    def _bank_reason(cls) -> str:
        return f"bank_{cls.code.removeprefix('drawer_')}"

    @property
    def reason(self) -> str:
        """The reason under which a book may cite a clause: `bank_…` of a bank, the class's own of a drawer."""
        return self._bank_reason() if self.data.get("is_bank") else super().reason

    @property
    def fitting_sentence(self) -> str | Promise:
        """The sentence for a bank where it is one, else for a drawer."""
        return self.of_bank if self.data.get("is_bank") else self.sentence


class DrawerClosed(_OfDrawer):
    """Nothing is paid from a drawer that is not open."""

    code = "drawer_closed"
    sentence = _("Drawer %(number)s is closed. Open it with its float first.")
    of_bank = _("Bank %(number)s is closed. Open it with its float first.")


class DrawerOpen(_OfDrawer):
    """The drawer is open already."""

    code = "drawer_open"
    sentence = _("Drawer %(number)s is open already.")
    of_bank = _("Bank %(number)s is open already.")


class OwnDrawer(Refusal):
    """Who pays never counts their own drawer, where the rule book does not let that be."""

    code = "own_drawer"
    sentence = _("Who paid from a drawer never counts it. Somebody else counts and signs.")


class CountedBefore(Refusal):
    """A recount is by others: who erred once errs again, and who lied too."""

    code = "counted_before"
    sentence = _("Who counted this drawer before does not count it again. Somebody else counts it, and signs.")


class CountStands(Refusal):
    """A closed day takes no posting, and so no recount."""

    code = "count_stands"
    sentence = _("The gaming day of this count is over: what was counted stands. What is found now is posted today.")


class CashShort(_OfDrawer):
    """
    A drawer pays the cash that lies in it and no more; card slips and deposits are none. How much lies there nobody is
    told who pays out of it, whatever they manage: its count stays blind.
    """

    code = "cash_short"
    sentence = _(
        "Drawer %(number)s holds less than %(asked)s in cash. Nothing was paid. "
        "A fill of %(asked)s from the vault will do."
    )
    of_bank = _(
        "Bank %(number)s holds less than %(asked)s in cash. Nothing was paid. "
        "A fill of %(asked)s from the vault will do."
    )


class ChipsShort(_OfDrawer):
    """No more chips go back to the vault than lie in the drawer."""

    code = "chips_short"
    sentence = _("Drawer %(number)s holds fewer chips than %(asked)s.")
    of_bank = _("Bank %(number)s holds fewer chips than %(asked)s.")


class DrawerCountedFirst(_OfDrawer):
    """A drawer that was too short that often pays nothing more, whatever the sum: else sums tell what lies there."""

    code = "drawer_counted_first"
    status = 409
    sentence = _(
        "Drawer %(number)s was too short too often for what it was to pay. It takes money and pays none out until two "
        "have counted and closed it; then it is opened again."
    )
    of_bank = _(
        "Bank %(number)s was too short too often for what was taken out of it. Nothing more is until two have counted "
        "and closed it; then it is opened again."
    )


class FillOfNothing(Refusal):
    """A fill or a credit is of some cash or chips, and whoever counts one says how many there are."""

    code = "fill_of_nothing"
    status = 400
    sentence = _("There is nothing to move. Say how many there are of each, in cash or in chips.")


class FillNotAt(Refusal):
    """A fill slip goes its way one step after the other, and each is taken once: it stands at `status`."""

    code = "fill_not_at"
    status = 409
    sentence = _("Fill slip %(number)s has gone on meanwhile: look at how it stands now.")


class AuthorisedByRequester(Refusal):
    """Who asks never approves."""

    code = "asked_for_it"
    sentence = _("Who asked for a fill never authorises it. Somebody else of the floor does.")


class FillsInOneStep(Refusal):
    """Each step of a fill is somebody's own sign-in, where the rule book does not let two do them all at once."""

    code = "fills_in_one_step"
    sentence = _(
        "By this house’s rule book a fill or a credit goes its way as a slip: asked for, authorised, given to a runner "
        "and counted by two, each with their own sign-in. Ask for it under Fills. Nothing was moved."
    )


class MoreThanAuthorised(Refusal):
    """What was authorised is the most that is given to the runner; more is another fill."""

    code = "more_than_authorised"
    sentence = _("That is more than was authorised. Give less, or ask for another fill.")


class CarriedIt(Refusal):
    """What somebody carried is counted by others."""

    code = "carried_it"
    sentence = _("Who carried it neither counts it nor signs for it there. Two others do.")


class OwnFill(Refusal):
    """Whoever gave, carried or counted a fill does not judge what differs on it."""

    code = "own_fill"
    sentence = _(
        "Who gave it out, carried it or counted it does not judge what differs. Somebody else of the floor does."
    )


class OwnDoubt(Refusal):
    """Who paid does not judge what differs where they paid: it may be theirs."""

    code = "own_doubt"
    sentence = _(
        "Who paid this slip, or moved something in this drawer, does not judge what differs. Somebody else of the "
        "floor does."
    )


class ReceiverMissing(Refusal):
    """Of the two who count a fill one is responsible for where it lies from then on."""

    code = "receiver_missing"
    sentence = _(
        "One of the two who count has to work there: the dealer at a table, the cashier at a drawer or the vault."
    )


class PayoutNeedsSecond(Refusal):
    """Above the book's sum nobody pays out alone."""

    code = "payout_needs_second"
    sentence = _("Nobody pays out more than %(limit)s alone. A second person signs this payout with their own PIN.")


class PayoutsNeedSecond(Refusal):
    """Nor does anybody in parts: with this one a player would be paid more than the book's sum by one person alone."""

    code = "payouts_need_second"
    sentence = _(
        "With this payout %(total)s would be paid to this player today by one person alone; more than %(limit)s never "
        "is. A second person signs it with their own PIN."
    )


class SameBuyIn(Refusal):
    """Probably a tap made twice: two devices, or a page loaded anew. Said on purpose, it is another one."""

    code = "same_buy_in"
    status = 409
    sentence = _("The same buy-in of %(amount)s was asked for or paid %(seconds)s s ago. Is this another one?")


class TooMuchAtOnce(Refusal):
    """More than the book lets anybody bring or take at once: a slip of the finger."""

    code = "too_much_at_once"
    sentence = _("%(asked)s is more than the cage takes or pays at once: at most %(limit)s. Look at the amount again.")


class SlipNotWaiting(Refusal):
    """The slip has been paid or cancelled."""

    code = "slip_not_waiting"
    status = 409
    sentence = _("This slip no longer waits for money: it was paid or cancelled.")


class SlipNotPaid(Refusal):
    """Only a paid slip can be reversed, and once."""

    code = "slip_not_paid"
    status = 409
    sentence = _("Only a paid slip can be reversed. A waiting one is cancelled.")


class NothingToSign(Refusal):
    """Players sign what goes onto their deposit and what comes off it."""

    code = "nothing_to_sign"
    sentence = _("Players sign what moves their deposit, and no other slip.")


class SlipNotToSign(Refusal):
    """Nothing has moved by it, or it was taken back."""

    code = "slip_not_to_sign"
    status = 409
    sentence = _("No player signs this slip: nothing was paid by it yet, or it was reversed or cancelled.")


class AlreadySigned(Refusal):
    """One paper, one signature."""

    code = "already_signed"
    status = 409
    sentence = _("That the player signed this slip was noted before.")


class TypedVoucher(Refusal):
    """What is typed of a voucher is to be mended."""


class VoucherNeeded(TypedVoucher):
    """Paid by voucher: by which one?"""

    code = "voucher_needed"
    sentence = _("Type what stands on the voucher, number and letters.")


class VoucherUnknown(TypedVoucher):
    """The number alone will not do: the letters beside it prove that somebody holds the paper."""

    code = "voucher_unknown"
    sentence = _("The house has no such voucher. Look at number and letters again.")


class VoucherSpent(TypedVoucher):
    """A voucher is taken once."""

    code = "voucher_spent"
    status = 409
    sentence = _("Voucher %(number)s was taken before, or is void or over.")


class VoucherOver(TypedVoucher):
    """A voucher is taken until its last gaming day."""

    code = "voucher_over"
    sentence = _("Voucher %(number)s was good until %(date)s.")


class VoucherForTooLong(Refusal):
    """For how many days a voucher may be taken is the house's to say (`cage.voucher_days_max`)."""

    code = "voucher_for_too_long"
    sentence = _("A voucher is good for %(days)s days at most.")


class VoucherOfOtherAmount(Refusal):
    """A voucher is taken whole, and nothing of it is paid in cash."""

    code = "voucher_of_other_amount"
    sentence = _("This voucher is over %(voucher)s, and not over %(asked)s. It is taken whole.")


class ForeignNotTaken(Refusal):
    """Foreign notes are taken at a rate that a manager has recorded, and at none other."""

    code = "foreign_not_taken"
    sentence = _("No rate is in force for %(currency)s: such notes are not taken.")


class NotesNeeded(Refusal):
    """Paid by foreign notes: by which ones?"""

    code = "notes_needed"
    sentence = _("Type how many there are of each note.")


class NotesTooFew(Refusal):
    """Notes pay what they are worth at the recorded rate, and no more."""

    code = "notes_too_few"
    sentence = _("These notes are worth %(worth)s, less than %(asked)s. They buy chips for %(buys)s.")


class NoteTooMany(Refusal):
    """The cage sells chips and changes no money: a note that is not needed goes back as it came."""

    code = "note_too_many"
    sentence = _("The smallest of these notes is not needed: without it they are worth %(worth)s. Give it back.")


class ChangeTooMuch(Refusal):
    """The cage sells chips and changes no money: of what notes are worth more is chips than change."""

    code = "change_too_much"
    sentence = _(
        "These notes are worth %(worth)s, and the cage changes no money. They buy chips for %(least)s at least."
    )


class NotesInVault(Refusal):
    """Foreign notes go to the vault with the drawer's count, and none come back from there."""

    code = "notes_in_vault"
    sentence = _(
        "The foreign notes of this slip went to the vault when the drawer was counted. Pay the chips out in cash "
        "instead."
    )


class NotesNotThere(Refusal):
    """More foreign notes are to go to be exchanged than the log has in the vault, of one value or of several."""

    code = "notes_not_there"
    sentence = _("The vault holds fewer of these notes in %(currency)s. Count them again, and type what goes.")


class ExchangeTakenBack(Refusal):
    """An exchange is taken back once."""

    code = "exchange_taken_back"
    status = 409
    sentence = _("Exchange %(number)s was taken back before.")


class UnclaimedEnded(Refusal):
    """What was found is given out or kept once."""

    code = "unclaimed_ended"
    status = 409
    sentence = _("This was given to its owner before, or the house has kept it.")


class UnclaimedOfAnother(Refusal):
    """What is held by name is given to that person."""

    code = "unclaimed_of_another"
    sentence = _("This is held for another player by name.")


class ClaimNeedsIdentity(Refusal):
    """Who claims what was found shows who they are, whatever the sum."""

    code = "claim_needs_identity"
    sentence = _("Nobody claims what was found without a checked identity. Look at a document first.")


class KeptTooSoon(Refusal):
    """The house keeps nothing before the book's time is over."""

    code = "kept_too_soon"
    sentence = _("What was found is held for its owner for %(days)s days. The house does not keep it sooner.")


class NeedsPlayer(Refusal):
    """Deposits and seats belong to somebody."""

    code = "needs_player"
    sentence = _("Choose the player first: a deposit or a seat belongs to somebody.")


class NeedsAnotherApprover(Refusal):
    """Who asks never approves, and who paid does not either."""

    code = "needs_another_approver"
    sentence = _("A reversal is signed by a second person who neither asks for it nor paid the slip.")


class IdentityNeededUnseen(Refusal):
    """As `IdentityNeeded`, at a table: nobody reads there what somebody bought today."""

    code = "identity_needed_unseen"
    sentence = _("The cage sells these chips: it has something to check first.")


class IdentityNeeded(Refusal):
    """From the book's sum on in a gaming day nobody pays or is paid without a checked identity."""

    code = "identity_needed"
    sentence = _("With this it is %(total)s today. From %(from)s on the identity has to be checked first.")

    def for_reader(self, may: Container[str]) -> Refusal:
        """Return this refusal for who may read the cage's books, `IdentityNeededUnseen` for anybody else."""
        return self if "read.cage" in may else IdentityNeededUnseen()


class TooMuchUnnamed(Refusal):
    """From the book's sum on nobody is a guest without a name."""

    code = "too_much_unnamed"
    sentence = _("From %(from)s on the house has to know who it is. Ask for the name, and check the identity.")


class DepositFull(Refusal):
    """Nothing goes onto a deposit that would then hold more than the book lets one hold."""

    code = "deposit_full"
    sentence = _(
        "A deposit holds %(limit)s at most. %(held)s lie on this one, so %(fits)s more fit. "
        "Settle the rest, or all of it, another way; what waits here whole can wait until its player comes."
    )


class MethodNotTaken(Refusal):
    """This kind of slip cannot be paid that way."""

    code = "method_not_taken"
    sentence = _("This cannot be paid that way.")


class WhoseChips(Refusal):
    """Chips of a guest without a name are asked about first; what was answered comes with the same payout again."""

    code = "whose_chips"
    sentence = _("Ask the guest whose chips these are, and say what was answered. Nothing was paid.")


class NotTakenOnPaper(Refusal):
    """Vouchers are looked up and notes have a rate: neither was taken where Brush was away."""

    code = "not_taken_on_paper"
    sentence = _("What was sold on paper was paid in cash, by card or off a deposit. Say which of these it was.")


class OverOwnBuyInLimit(Refusal):
    """The player has set a limit for a day's buy-ins; what it still leaves is said."""

    code = "over_own_buy_in_limit"
    for_eyes = "read.exclusions"
    sentence = _("This player's own limit is %(limit)s of buy-ins a day. %(left)s may still be bought today.")


class DepositHeld(Refusal):
    """Who has money here is known until it was paid."""

    code = "deposit_held"
    status = 409
    sentence = _("The player has %(amount)s on deposit. Pay it out first.")


class PropertyHeld(Refusal):
    """What somebody left behind is given to them, and to nobody else."""

    code = "property_held"
    status = 409
    sentence = _("The cage holds what this player left behind. Give it out first.")


class SlipStillWaits(Refusal):
    """What is asked for, or was won, is paid to somebody."""

    code = "slip_still_waits"
    status = 409
    sentence = _("A slip of this player still waits at the cage. Pay it, or cancel it, first.")
