from django.apps import AppConfig


class JackpotConfig(AppConfig):
    name = "jackpot"

    def ready(self) -> None:
        from jackpot import reasons
        from jackpot.collect import jackpot_drop
        from tables.collectors import add_collector

        add_collector(jackpot_drop)
        reasons.register()
