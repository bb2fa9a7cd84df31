from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"

    def ready(self) -> None:
        from casino.cage import deliveries, open_items
        from casino.ledger import owners
        from tables import push
        from tables.deliveries import Seat, UncountedStack
        from tables.open_items import OPEN_TABLES
        from tables.owners import table_numbers

        deliveries.register("seat", Seat())
        deliveries.on_cash_out.append(UncountedStack())
        open_items.register(OPEN_TABLES)
        owners.register("table", table_numbers)
        push.register()
