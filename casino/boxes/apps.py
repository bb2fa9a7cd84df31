from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class BoxesConfig(AppConfig):
    name = "casino.boxes"
    label = "boxes"
    pages_at = "boxes/"
    calls_at = "boxes/"

    def ready(self) -> None:
        from casino.audit import held
        from casino.boxes import exception_kinds, proof, push
        from casino.boxes.day_end import BOXES_WAIT
        from casino.boxes.held import BOX, BOX_COUNT, BOX_COUNT_REASON
        from casino.boxes.models import Box, BoxCount
        from casino.boxes.of_day import BOXES, IN_NO_BOX
        from casino.boxes.selectors.log import COUNTED
        from casino.boxes.whereabouts import InBoxes
        from casino.cage import day_counts, day_ends
        from casino.field_names import name_field
        from casino.ledger import words
        from casino.people import elsewhere
        from tables import charges

        words.name_transfers({COUNTED: _("box counted")})
        charges.name_emptying(COUNTED)
        proof.register()
        elsewhere.register(InBoxes())
        push.register()
        exception_kinds.register()
        day_ends.register(BOXES_WAIT)
        day_counts.register(BOXES)
        day_counts.register(IN_NO_BOX)
        held.hold(BOX, saved=Box)
        held.hold(BOX_COUNT, saved=BoxCount)
        held.hold(BOX_COUNT_REASON)
        name_field("pieces", _("How many of each"))
        name_field("charge", _("Box"))
        name_field("table_number", _("Table"))
