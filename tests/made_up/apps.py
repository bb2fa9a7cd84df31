from django.apps import AppConfig


class BarConfig(AppConfig):
    name = "tests.made_up"
    label = "bar"

    def ready(self) -> None:
        from tests.made_up import push

        push.register()
