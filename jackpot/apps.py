from django.apps import AppConfig


class JackpotConfig(AppConfig):
    name = "jackpot"

    def ready(self) -> None:
        from jackpot import reasons
        from jackpot.drop import Drop
        from tables import charges

        charges.register(Drop())
        reasons.register()
