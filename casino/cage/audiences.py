"""Which screens a change at the cage touches."""

# What all windows show: what waits there, and what is open. Others hear it as news.
EVERY_WINDOW = "cage"
# The day’s own page.
DAY = "cage.day"


def at_window(number: int) -> tuple[str, str]:
    """Return everybody who sees a drawer: the window where it stands, and what all windows show."""
    return (EVERY_WINDOW, f"cage.{number}")
