from django.apps import AppConfig


class LiveConfig(AppConfig):
    name = "casino.live"
    label = "live"
