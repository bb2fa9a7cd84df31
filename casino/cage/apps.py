from django.apps import AppConfig


class CageConfig(AppConfig):
    name = "casino.cage"
    label = "cage"

    def ready(self) -> None:
        from casino.cage import days, push, services  # noqa: F401 - each registers what it has
        from casino.cage.selectors import drawer_numbers
        from casino.cage.whereabouts import AtTheCage
        from casino.ledger import owners
        from casino.people import elsewhere

        owners.register("drawer", drawer_numbers)
        elsewhere.register(AtTheCage())
