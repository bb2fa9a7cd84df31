"""What tells the screens that a jackpot's sum has changed."""

# Told by whoever changes a pool; every screen that shows a sum hears it.
NEWS = "jackpot.sum"
