"""What the promotions' events say in the log."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from casino.audit.sentences import By, Part, Reader, name_codes, name_things, say
from casino.promotions.words import (
    CALLED_OFF_FOR,
    DECISION_BACK_FOR,
    PASSED_FOR,
    SPLASH_BACK_FOR,
    TAKEN_BACK_FOR,
)

say(
    {
        "promotions.change_fund": By(
            "takes_out",
            {
                False: _("{amount_cents} put into the fund of {promotion}; signed by {approved_by_id}."),
                True: _("{amount_cents} taken out of the fund of {promotion}; signed by {approved_by_id}."),
            },
        ),
        "promotions.open_periods": _("Periods of {promotion} opened: {number}; they promise {amount_cents}."),
        "promotions.enter_hand": By(
            "leads",
            {
                True: _(
                    "Hand {entry_id} of {player_id} entered for {promotion}, table {table}, seat {seat}: it leads."
                ),
                False: _(
                    "Hand {entry_id} of {player_id} entered for {promotion}, table {table}, seat {seat}: it does not"
                    " lead."
                ),
            },
        ),
        "promotions.take_back_hand": _("Hand {entry_id} of {promotion} was taken back: {taken_back_for}."),
        "promotions.draw_splash": By(
            "is_drawn",
            {
                True: _("For {promotion} table {table} was drawn: its next pot is splashed."),
                False: _("For {promotion} no table was drawn: none played."),
            },
        ),
        "promotions.note_splash": _(
            "Of {promotion} {amount_cents} out of drawer {drawer_id} were splashed in a pot at table {table}."
        ),
        "promotions.pass_splash": _("Of {promotion} a pot was not splashed: {passed_for}."),
        "promotions.take_back_splash": _(
            "Of {promotion} {amount_cents} were not splashed at table {table} after all, and are in the drawer again:"
            " {splash_back_for}; signed by {approved_by_id}."
        ),
        "promotions.take_back_decision": By(
            "was_won",
            {
                True: _(
                    "That period {period_id} of {promotion} was won was taken back, {amount_cents}:"
                    " {decision_back_for}; signed by {approved_by_id}."
                ),
                False: _(
                    "That nobody won period {period_id} of {promotion} was taken back, {amount_cents}:"
                    " {decision_back_for}; signed by {approved_by_id}."
                ),
            },
        ),
        "promotions.decide_period": By(
            "is_won",
            {
                True: _(
                    "Period {period_id} of {promotion} was won by {player_ids}: {amount_cents}; signed by"
                    " {approved_by_id}."
                ),
                False: _("Nobody won period {period_id} of {promotion}: {amount_cents}; signed by {approved_by_id}."),
            },
        ),
        "promotions.call_off_period": _(
            "Period {period_id} of {promotion} was called off: {called_off_for}; signed by {approved_by_id}."
        ),
    }
)
name_codes("passed_for", PASSED_FOR)
name_codes("called_off_for", CALLED_OFF_FOR)
name_codes("taken_back_for", TAKEN_BACK_FOR)
name_codes("splash_back_for", SPLASH_BACK_FOR)
name_codes("decision_back_for", DECISION_BACK_FOR)


def _as_logged(reader: Reader, ids: set[Any]) -> dict[Any, Part]:
    return {each: Part(str(each)) for each in ids}


# By their codes and numbers, under keys that nothing else of the house is logged under.
name_things(("promotion",), _as_logged)
name_things(("period_id",), _as_logged)
name_things(("entry_id", "entry_ids"), _as_logged)
