from django.apps import AppConfig


class BarConfig(AppConfig):
    name = "tests.made_up"
    label = "bar"
    pages_at = "bar/"
    calls_at = "bar/"

    def ready(self) -> None:
        from casino.cage import open_items
        from tests.made_up import chart, push
        from tests.made_up.open_items import UNWASHED

        chart.register()
        open_items.register(UNWASHED)
        push.register()
