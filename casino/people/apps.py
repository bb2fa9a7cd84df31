from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class PeopleConfig(AppConfig):
    name = "casino.people"
    label = "people"
    pages_at = ""
    calls_at = ""

    def ready(self) -> None:
        # Before anybody's pages: they ask for what is declared there.
        autodiscover_modules("allows")
        # What each app's events say in the log: once all may be asked whom a reader may open.
        autodiscover_modules("sentences")
        # What each app keeps about people, and for how long.
        autodiscover_modules("kept_data")
        # The REST door's description for the OpenAPI page registers itself when it is imported.
        from casino.live import audiences
        from casino.people import exception_report, openapi, push  # noqa: F401
        from casino.people.socket_visitors import visitor_of

        audiences.set_authenticator(visitor_of)
        push.register()
        exception_report.register()
