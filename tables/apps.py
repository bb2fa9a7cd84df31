from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"

    def ready(self) -> None:
        from casino.cage import deliveries
        from tables import push
        from tables.deliveries import Seat, UncountedStack

        deliveries.register("seat", Seat())
        deliveries.on_cash_out.append(UncountedStack())
        push.register()
