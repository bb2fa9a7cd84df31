"""What the log says of boxes."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from casino.audit.sentences import By, Part, Reader, name_codes, name_things, say, say_besides
from casino.boxes.models import Box
from casino.boxes.words import NO_NUMBER_REASONS, box_name

say(
    {
        "boxes.hang_box": By(
            "is_changed",
            {
                False: _("At table {table} a box was hung: {box}."),
                True: _("At table {table} the box was changed: {dropped} was dropped, {box} hangs."),
            },
        ),
        "boxes.drop_box": _("At table {table} a box was dropped: {box}."),
        "boxes.take_back": By(
            "was_hung",
            {
                True: _("At table {table} it was taken back that a box was hung: {box}."),
                False: _("At table {table} it was taken back that a box was dropped: {box}."),
            },
        ),
        "boxes.count_box": By(
            "differs",
            {
                False: _(
                    "A box of table {table} was counted, and nothing differs: {box}, {counted_cents}; signed by"
                    " {approved_by_id}."
                ),
                True: _(
                    "A box of table {table} was counted, and it differs by {difference_cents}: {box}, {counted_cents}"
                    " of {expected_cents}; signed by {approved_by_id}."
                ),
            },
        ),
        "boxes.judge_count": _("A count that differs was looked at: {box} of table {table}."),
    }
)

say_besides({"no_number_reason": _("Why it has no number: {no_number_reason}.")})
name_codes("no_number_reason", NO_NUMBER_REASONS)


def _boxes(reader: Reader, ids: set[Any]) -> dict[Any, Part]:
    return {box.pk: Part(box_name(box)) for box in Box.objects.filter(room_id=reader.room_id, id__in=ids)}


name_things(("box", "box_id", "dropped", "instead_of"), _boxes)
