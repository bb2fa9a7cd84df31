from django.apps import AppConfig


class CommandsConfig(AppConfig):
    name = "casino.commands"
    label = "commands"

    def ready(self) -> None:
        # `live` and `audit` stand side by side and do not know each other; the log is the outbox of news.
        from casino.audit import selectors
        from casino.live import hub

        hub.set_outbox(newest=selectors.newest_event_id, since=selectors.audiences_since)
