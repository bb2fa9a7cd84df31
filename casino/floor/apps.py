from django.apps import AppConfig


class FloorConfig(AppConfig):
    name = "casino.floor"
    label = "floor"
    pages_at = ""

    def ready(self) -> None:
        from casino.cage import open_items
        from casino.floor import push

        push.register()
        # What the floor judges of the cage's sums it judges on its map.
        map_page = open_items.Page("page.floor", "floor", open_items.one_for_all)
        open_items.lead(("doubt", "bank_doubt"), map_page)
