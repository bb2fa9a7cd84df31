"""What a hand owes by its rule book: rake and drop of pots that somebody has counted."""

from typing import Any

from casino.reports.pack.script.tables import Hand

Game = dict[str, Any]


def rake_due(game: Game, hand: Hand) -> int | None:
    """Return the rake of a hand in cents, None where the log does not say what it is reckoned by."""
    if "rake" not in game or not (hand.has_flop or game.get("is_rake_due_without_flop")):
        return 0
    if not hand.pots or (game.get("rake_relief") and not hand.participants):
        return None
    reliefs = sorted(game.get("rake_relief", ()), key=lambda relief: int(relief["participants_max"]))
    short = [relief["rake"] for relief in reliefs if hand.participants <= relief["participants_max"]]
    rake = short[0] if short else game["rake"]
    total = sum(hand.pots)
    due = _reckoned(rake, total, chip=game.get("rake_chip_cents") or game["smallest_chip_cents"])
    # What all pots together cannot bear is not taken.
    return due if due is None or due <= total else 0


def drop_due(game: Game, hand: Hand) -> int | None:
    """Return the drop of a hand in cents, as `rake_due`: it comes out of what the rake has left."""
    drop = game.get("drop")
    if drop is None or not hand.has_flop:
        return 0
    rake = rake_due(game, hand)
    if rake is None or not hand.pots or not hand.participants:
        return None
    if hand.participants < drop["participants_min"]:
        return 0
    cents = int(drop["charge_cents"])
    return cents if cents <= sum(hand.pots) - rake else 0


def _reckoned(rake: dict[str, Any], total: int, *, chip: int) -> int | None:
    """Return what so much in all pots pays: by full blocks, by tiers, or as a share; None: in a way not known here."""
    if rake["kind"] == "step":
        due = total // int(rake["block_cents"]) * int(rake["charge_cents"])
        return min(due, int(rake.get("maximum_cents") or due))
    if rake["kind"] == "tiers":
        return max(int(cents) for begins, cents in rake["tiers"] if begins <= total)
    if rake["kind"] == "share":
        due = (total * int(rake.get("rate_bp", 0)) + 50_00) // 100_00 + int(rake.get("fixed_cents", 0))
        due = max(due - due % chip, int(rake.get("minimum_cents", 0)))
        return min(due, int(rake.get("maximum_cents") or due))
    return None
