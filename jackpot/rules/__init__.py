"""What decides of a jackpot: whether a hand wins it, what each is paid, which of two is paid first."""
