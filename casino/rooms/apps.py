from django.apps import AppConfig


class RoomsConfig(AppConfig):
    name = "casino.rooms"
    label = "rooms"
