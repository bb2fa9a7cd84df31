"""Which screens show tables, and what is rendered for each."""


def register() -> None:
    """Make the audiences of the tables known to `live`."""
