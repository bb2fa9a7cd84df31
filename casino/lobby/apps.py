from django.apps import AppConfig


class LobbyConfig(AppConfig):
    name = "casino.lobby"
    label = "lobby"
    pages_at = ""

    def ready(self) -> None:
        from casino.lobby import push

        push.register()
