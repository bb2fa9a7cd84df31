from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PaperConfig(AppConfig):
    name = "casino.paper"
    label = "paper"
    pages_at = ""
    calls_at = "paper/"

    def ready(self) -> None:
        from casino.cage import deliveries
        from casino.field_names import name_field
        from casino.live.areas import AT_TABLE
        from casino.paper import exception_kinds, form, proof
        from casino.paper.beside import at_table
        from casino.paper.slips import DESTINATION, PaidOnPaper
        from casino.rulebooks import reasons

        deliveries.register(DESTINATION, PaidOnPaper())
        AT_TABLE.give(at_table)
        proof.register()
        exception_kinds.register()
        reasons.register_refusals("casino.paper")
        name_field(form.TIME, _("From and until"))
        name_field(form.DROP_SLIP, _("Drop slip"))
        name_field(form.DOWN_SLIP, _("Down slip"))
        name_field(form.TIME_SLIP, _("Time slip"))
        name_field(form.LISTS, _("Waiting lists"))
        name_field(form.CHIPS, _("Buy-ins, and who came and left"))
        name_field("slip", _("Slip no."))
        name_field("from_at", _("From and until"))
        name_field("until_at", _("From and until"))
