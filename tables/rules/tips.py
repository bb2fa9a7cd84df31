"""How a day's tips are shared. No source says any of it: whose they are is the house's (`dealers.tips` of its book)."""

from collections.abc import Mapping


def shares_by_time(cents: int, seconds: Mapping[int, int]) -> dict[int, int]:
    """
    Return what each dealer gets of a day's pooled tips, in cents, by the time that they have dealt.

    `seconds` is by dealer; whoever has dealt nothing gets nothing. The shares add up to `cents`: what is left over
    goes a cent each to whose share was cut most, of equals to who has dealt longest, then to the lowest id. Nobody has
    dealt: no shares.
    """
    dealt = {dealer: each for dealer, each in seconds.items() if each > 0}
    whole = sum(dealt.values())
    if not whole:
        return {}
    shares = {dealer: cents * each // whole for dealer, each in dealt.items()}
    odd = cents - sum(shares.values())
    cut_most = sorted(dealt, key=lambda dealer: (-(cents * dealt[dealer] % whole), -dealt[dealer], dealer))
    for dealer in cut_most[:odd]:
        shares[dealer] += 1
    return shares
