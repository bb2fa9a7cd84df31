from django.apps import AppConfig


class PaperConfig(AppConfig):
    name = "casino.paper"
    label = "paper"
