"""An app that nobody has heard of: a bar with a page, calls and money of its own, and a tile on others' screens."""
