from django.apps import AppConfig


class ReportsConfig(AppConfig):
    name = "casino.reports"
    label = "reports"
    pages_at = "reports/"
    calls_at = "reports/"

    def ready(self) -> None:
        from casino.live.areas import BESIDE_DAY
        from casino.reports import push, services  # noqa: F401 - the second registers its command
        from casino.reports.beside import beside_day

        BESIDE_DAY.give(beside_day)
        push.register()
