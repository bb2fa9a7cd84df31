"""What closing and opening a gaming day refuses."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from casino.cage import day_counts, open_items
from casino.errors import Refusal


class DayAlreadyOpen(Refusal):
    """One gaming day at a time."""

    code = "day_already_open"
    status = 409
    sentence = _("A gaming day is open already.")


class DayHasBeen(Refusal):
    """A gaming day is named for the date on which it opens, and each date has one."""

    code = "day_has_been"
    sentence = _(
        "The gaming day of %(date)s is closed, and a closed day takes nothing more. The next one can open from "
        "%(opens_at)s, when the date changes; what is found meanwhile is posted then."
    )

    def __init__(self, **data: Any) -> None:
        # What the log and stored answers have from before does not say when: it was midnight.
        super().__init__(**{"opens_at": "00:00", **data})


class DayNotFinished(Refusal):
    """Something of the day is still open: `still_open` holds (kind, number) of each."""

    code = "day_not_finished"
    sentence = _("The day cannot close yet. Still open: %(items)s.")

    def named(self) -> dict[str, str]:
        """Return what is open, as people call it."""
        return {"items": "; ".join(open_items.label(kind, number) for kind, number in self.data["still_open"])}


class DayLeavesOpen(DayNotFinished):
    """What may be carried over is carried with a reason each; `still_open` holds what has none yet."""

    code = "day_leaves_open"
    status = 409
    sentence = _(
        "Not finished: %(items)s. Finish it, or carry each over with a reason: it stays on the report of the day."
    )


class CarriesOwn(DayNotFinished):
    """Who carries something over puts off its count or judgement, and never of what they had a part in themselves."""

    code = "carries_own"
    sentence = _(
        "Not yours to carry over, for you had a part in it: %(items)s. Somebody else counts or judges it first, or "
        "another manager closes the day."
    )


class DayStillOpen(Refusal):
    """The counts of a day close after its operations."""

    code = "day_still_open"
    status = 409
    sentence = _("This gaming day is still open. It closes for operations first, and then as counted.")


class CountsAreClosed(Refusal):
    """A day closes as counted once, and for good."""

    code = "counts_are_closed"
    status = 409
    sentence = _(
        "The gaming day of %(date)s is closed for good: no count of it is waited for. What is found now is posted "
        "today and names it."
    )


class CountsMissing(Refusal):
    """A day closes as counted when all of it is; `items` holds (kind, id) of what is neither counted nor carried."""

    code = "counts_missing"
    status = 409
    sentence = _(
        "Not counted yet: %(items)s. Count it, or carry each over with a reason: it stays on the report of the day."
    )

    def named(self) -> dict[str, str]:
        """Return what is not counted, as people call it."""
        return {"items": "; ".join(day_counts.label(kind, row_id) for kind, row_id in self.data["items"])}


class CarriesOwnCount(CountsMissing):
    """Nobody puts off, by either signature, the count of what they may not count themselves."""

    code = "carries_own_count"
    status = 422
    sentence = _(
        "One of you two had a part in this, and so neither counts it nor carries it over: %(items)s. Others count it "
        "first, or two others close the day as counted. Of what cannot be found one of you is enough who had none."
    )


class DropFirst(CountsMissing):
    """What lies at a table can be in no report: it is dropped before the day closes as counted."""

    code = "drop_first"
    sentence = _("Take down first what fell on that day: %(items)s. Then it is counted, or carried over.")
