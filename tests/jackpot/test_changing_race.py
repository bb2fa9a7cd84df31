"""A jackpot does not end under a bad beat that is just being called for it."""

from django.db import connection

from jackpot.errors_pools import ClaimsOpen
from jackpot.models import Claim, Pool
from tests.jackpot.beats import Beats
from tests.jackpot.books import second_pool
from tests.tables.conftest import make_house
from tests.tables.test_lock_order import meet


def test_who_ends_a_jackpot_waits_for_the_claim_that_is_being_called_and_finds_it(committing_db: object) -> None:
    beats = Beats(make_house())
    second_pool(beats.house)
    beats.open()
    hand = beats.played()
    refused = []

    def ends() -> None:
        try:
            beats.wound_down("small", "bad-beat")
        except ClaimsOpen as refusal:
            refused.append(refusal.data["claims"])

    meet(lambda: beats.called(hand=hand), ends)

    assert refused == [[[1, hand.number]]]
    assert (Claim.objects.get().code, Pool.objects.get(code="small").state) == ("small", "open")
    connection.close()
