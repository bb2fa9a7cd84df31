from django.apps import AppConfig


class CageConfig(AppConfig):
    name = "casino.cage"
    label = "cage"

    def ready(self) -> None:
        from casino.cage import days, push, services  # noqa: F401 - each registers what it has
        from casino.cage.selectors import drawer_numbers
        from casino.ledger import owners

        owners.register("drawer", drawer_numbers)
