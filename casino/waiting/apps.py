from django.apps import AppConfig


class WaitingConfig(AppConfig):
    name = "casino.waiting"
    pages_at = ""
    calls_at = ""

    def ready(self) -> None:
        from casino.cage import day_ends
        from casino.people import elsewhere
        from casino.waiting import exception_kinds, push, reasons
        from casino.waiting.keeper import Lists
        from casino.waiting.services.evening import LISTS_END
        from casino.waiting.whereabouts import OnLists
        from tables import claims

        claims.register(Lists())
        day_ends.register(LISTS_END)
        elsewhere.register(OnLists())
        push.register()
        reasons.register()
        exception_kinds.register()
