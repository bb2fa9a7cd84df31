from django.apps import AppConfig


class LobbyConfig(AppConfig):
    name = "casino.lobby"
    label = "lobby"

    def ready(self) -> None:
        from casino.lobby import push

        push.register()
