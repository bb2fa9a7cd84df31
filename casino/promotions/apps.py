from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PromotionsConfig(AppConfig):
    name = "casino.promotions"
    label = "promotions"
    pages_at = "promotions/"
    calls_at = "promotions/"

    def ready(self) -> None:
        from casino.cage import day_ends, deliveries
        from casino.field_names import name_field
        from casino.ledger import owners
        from casino.live.areas import TODO
        from casino.people import elsewhere
        from casino.promotions import chart, exception_kinds, prizes, proof, push
        from casino.promotions.at_close import PROMISED
        from casino.promotions.selectors.funds import fund_names
        from casino.promotions.selectors.todo import drawn_lines, undecided_lines
        from casino.promotions.whereabouts import InPromotions

        chart.register()
        owners.register(chart.OWNER, fund_names)
        proof.register()
        push.register()
        exception_kinds.register()
        TODO.give(undecided_lines, news=(push.NEWS,))
        TODO.give(drawn_lines, news=(push.NEWS,))
        day_ends.register(PROMISED)
        deliveries.register(prizes.DESTINATION, prizes.Winnings())
        elsewhere.register(InPromotions())
        name_field("begins_at", _("Begins at"))
        name_field("shown_at", _("Shown at"))
