from django.apps import AppConfig


class LedgerConfig(AppConfig):
    name = "casino.ledger"
    label = "ledger"
    pages_at = "ledger/"
    calls_at = "ledger/"

    def ready(self) -> None:
        from casino.audit import held
        from casino.ledger import services  # noqa: F401 - registers its commands
        from casino.ledger.posting import HELD
        from casino.ledger.whereabouts import InTheLedger
        from casino.people import elsewhere

        held.hold(HELD)
        elsewhere.register(InTheLedger())
