"""An app that nobody has heard of: a bar, with a tile on the map, a figure on the felt, and a call of its own."""
