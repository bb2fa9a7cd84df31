from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PromotionsConfig(AppConfig):
    name = "casino.promotions"
    label = "promotions"

    def ready(self) -> None:
        from casino.cage import deliveries
        from casino.field_names import name_field
        from casino.ledger import owners
        from casino.promotions import chart, prizes, proof, push
        from casino.promotions.selectors import fund_names

        chart.register()
        owners.register(chart.OWNER, fund_names)
        proof.register()
        push.register()
        deliveries.register(prizes.DESTINATION, prizes.Winnings())
        name_field("begins_at", _("Begins at"))
        name_field("shown_at", _("Shown at"))
