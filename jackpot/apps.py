from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class JackpotConfig(AppConfig):
    name = "jackpot"

    def ready(self) -> None:
        from casino.field_names import name_field
        from casino.ledger import owners
        from jackpot import chart, proof, reasons
        from jackpot.drop import Drop
        from jackpot.selectors import pool_names
        from tables import charges

        charges.register(Drop())
        chart.register()
        owners.register(chart.OWNER, pool_names)
        proof.register()
        reasons.register()
        name_field("dealt_in", _("Dealt in"))
        name_field("away", _("Of them away"))
        name_field("sum", _("Of a sum of"))
        name_field("variant", _("Game"))
