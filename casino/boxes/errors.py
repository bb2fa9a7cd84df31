"""What is refused about boxes."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class BoxElsewhere(Refusal):
    """A box is in one place until it is counted."""

    code = "box_elsewhere"
    status = 409
    sentence = _(
        "Box %(number)s of this kind hangs at table %(table_number)s, or came from there and waits to be counted. Look "
        "at the number again."
    )


class NothingToDrop(Refusal):
    """No box of this kind hangs at the table, and nothing lies there in none."""

    code = "nothing_to_drop"
    status = 409
    sentence = _("No box of this kind hangs at table %(table_number)s, and the log has put nothing there.")


class BoxStillHangs(Refusal):
    """A box is counted once it is dropped: until then chips fall into it."""

    code = "box_still_hangs"
    sentence = _("This box still hangs at its table. Drop it first.")


class BoxReasonNeeded(Refusal):
    """Boxes have numbers: who counts what lay in none says how that came."""

    code = "box_reason_needed"
    sentence = _("This box has no number. Say why before it is counted.")


class BoxCounted(Refusal):
    """What was counted stands; it is counted again, and not taken back."""

    code = "box_counted"
    status = 409
    sentence = _("This box has been counted: what was done with it before is not taken back. Count it again instead.")


class BoxHasChips(Refusal):
    """The chips of a box lie in it: that it was hung is taken back as long as none do."""

    code = "box_has_chips"
    status = 409
    sentence = _("The log has put something into this box since it was hung. Drop it instead, and it is counted.")


class BoxOnReport(Refusal):
    """What a day's report carries as a box stays one, and is counted."""

    code = "box_on_report"
    status = 409
    sentence = _(
        "This stands as not counted on the report of a day that is closed: it is not taken back. Count it instead."
    )


class AnotherSince(Refusal):
    """The last act at a table's box is taken back, and none before it."""

    code = "another_box_since"
    status = 409
    sentence = _("Another box has hung there since. Take that back first.")


class OwnBox(Refusal):
    """Who put chips into a box never counts it: as who pays never counts their own drawer."""

    code = "own_box"
    sentence = _("Who dealt at the table while this box hung there never counts it. Somebody else counts and signs.")


class OwnBoxDiffers(Refusal):
    """Whoever dealt while the box hung does not judge its difference, which may be theirs."""

    code = "own_box_differs"
    sentence = _(
        "Who dealt at the table while this box hung there does not judge what differs. Somebody else of the floor does."
    )
