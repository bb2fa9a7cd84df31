from django.apps import AppConfig


class CageConfig(AppConfig):
    name = "casino.cage"
    label = "cage"

    def ready(self) -> None:
        from casino.audit import held
        from casino.cage import days, push, services  # noqa: F401 - each registers what it has
        from casino.cage.held import COUNT, SLIP
        from casino.cage.models import DrawerCount, Slip
        from casino.cage.selectors import drawer_numbers
        from casino.cage.whereabouts import AtTheCage
        from casino.ledger import owners
        from casino.people import elsewhere

        held.hold(SLIP, saved=Slip)
        held.hold(COUNT, saved=DrawerCount)
        owners.register("drawer", drawer_numbers)
        elsewhere.register(AtTheCage())
