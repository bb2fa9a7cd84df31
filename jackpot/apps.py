from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class JackpotConfig(AppConfig):
    name = "jackpot"
    pages_at = "jackpot/"
    calls_at = "jackpot/"

    def ready(self) -> None:
        from casino.audit import held
        from casino.cage import day_begins, day_ends, deliveries
        from casino.field_names import name_field
        from casino.ledger import owners
        from casino.live.areas import TODO
        from casino.people import elsewhere
        from jackpot import chart, exception_kinds, prizes, proof, push, reasons
        from jackpot.drop import Drop
        from jackpot.held import REPORT
        from jackpot.models import SignedReport
        from jackpot.selectors.pools import pool_names
        from jackpot.selectors.todo import claim_lines
        from jackpot.services.takings import TAKINGS_JOIN, open_pools
        from jackpot.tablet import BAD_BEAT
        from jackpot.whereabouts import InClaims
        from tables import acts, charges

        charges.register(Drop())
        chart.register()
        owners.register(chart.OWNER, pool_names)
        proof.register()
        held.hold(REPORT, saved=SignedReport)
        push.register()
        exception_kinds.register()
        day_begins.register(open_pools)
        day_ends.register(TAKINGS_JOIN)
        reasons.register()
        deliveries.register(prizes.DESTINATION, prizes.Share())
        deliveries.register(prizes.AT_END, prizes.ShareAtEnd())
        acts.register(BAD_BEAT)
        elsewhere.register(InClaims())
        TODO.give(claim_lines, news=(push.CLAIMS,))
        name_field("new_sum_cents", _("New sum"))
        name_field("moved_to", _("Where the money goes"))
        name_field("dealt_in", _("Dealt in"))
        name_field("away", _("Of them away"))
        name_field("sum", _("Of a sum of"))
        name_field("variant", _("Game"))
