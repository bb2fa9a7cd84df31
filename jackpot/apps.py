from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class JackpotConfig(AppConfig):
    name = "jackpot"

    def ready(self) -> None:
        from casino.field_names import name_field
        from jackpot import reasons
        from jackpot.drop import Drop
        from tables import charges

        charges.register(Drop())
        reasons.register()
        name_field("dealt_in", _("Dealt in"))
        name_field("away", _("Of them away"))
        name_field("sum", _("Of a sum of"))
        name_field("variant", _("Game"))
