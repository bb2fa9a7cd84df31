"""What the jackpot's events say in the log, and how claims are named there."""

from datetime import date
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from casino.audit.sentences import By, Part, Reader, name_codes, name_things, say
from jackpot.words import CORRECTIONS, VERDICTS
from jackpot.words_claims import DISPUTES, ITEMS, REASONS

say(
    {
        "jackpot.add_takings": _("What was dropped was added to the jackpots."),
        "jackpot.call_bad_beat": _("A bad beat was called in hand {hand_row_id}: claim {claim}, and the table waits."),
        "jackpot.withdraw_claim": _("Claim {claim} was taken back: {why}."),
        "jackpot.enter_hands": _("The cards of claim {claim} were entered: {verdict}."),
        "jackpot.tick_check": _("Of claim {claim} it was noted: {item}."),
        "jackpot.dispute_claim": _("Claim {claim} is disputed: {why}."),
        "jackpot.verify_claim": _("Claim {claim} was verified: {verdict}."),
        "jackpot.approve_claim": _(
            "Claim {claim} was approved: {paid_cents} of {sum_cents}, the sum is {base_cents};"
            " signed by {approved_by_id}."
        ),
        "jackpot.dispute_share": By(
            "is_disputed",
            {
                True: _("Of claim {claim} the share of {player_id} is disputed."),
                False: _("Of claim {claim} the share of {player_id} is disputed no more."),
            },
        ),
        "jackpot.refuse_claim": _("Claim {claim} was refused: {why}."),
        "jackpot.correct_sum": _(
            "The jackpot {jackpot} was corrected from {sum_cents} to {new_sum_cents}: {why};"
            " signed by {approved_by_id}."
        ),
        "jackpot.recover_seed": _(
            "The house took its seed back from the jackpot {jackpot}: from {sum_cents} to {new_sum_cents};"
            " signed by {approved_by_id}."
        ),
        "jackpot.sign_report": By(
            "agrees",
            {
                True: _(
                    "The jackpots’ report from {first_date} to {last_date} was signed: it adds up;"
                    " signed by {approved_by_id}."
                ),
                False: _(
                    "The jackpots’ report from {first_date} to {last_date} was signed: it does not agree with the"
                    " ledger; signed by {approved_by_id}."
                ),
            },
        ),
        "jackpot.wind_down": By(
            "how",
            {
                "moved": _(
                    "The jackpot {jackpot} was wound down: {sum_cents} moved to {moved_to}; signed by {approved_by_id}."
                ),
                "paid_out": _(
                    "The jackpot {jackpot} was wound down: {sum_cents} paid out to players; signed by {approved_by_id}."
                ),
            },
        ),
    }
)
name_codes("why", {**DISPUTES, **REASONS, **CORRECTIONS})
name_codes("verdict", {each.value: text for each, text in VERDICTS.items()})
name_codes("item", ITEMS)


def _as_logged(reader: Reader, ids: set[Any]) -> dict[Any, Part]:
    return {each: Part(str(each)) for each in ids}


name_things(("claim", "claim_id"), _as_logged)
# By their codes, which they keep for ever.
name_things(("jackpot", "moved_to"), _as_logged)


def _dates(reader: Reader, dates: set[Any]) -> dict[Any, Part]:
    return {each: Part(date_format(date.fromisoformat(each), "j.n.Y")) for each in dates}


name_things(("first_date", "last_date"), _dates)
