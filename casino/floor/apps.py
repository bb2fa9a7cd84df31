from django.apps import AppConfig


class FloorConfig(AppConfig):
    name = "casino.floor"
    label = "floor"

    def ready(self) -> None:
        from casino.floor import push

        push.register()
