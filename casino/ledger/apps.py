from django.apps import AppConfig


class LedgerConfig(AppConfig):
    name = "casino.ledger"
    label = "ledger"

    def ready(self) -> None:
        from casino.ledger import services  # noqa: F401 - registers its commands
        from casino.ledger.whereabouts import InTheLedger
        from casino.people import elsewhere

        elsewhere.register(InTheLedger())
