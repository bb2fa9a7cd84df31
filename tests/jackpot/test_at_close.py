"""What waits over the day's end is named before it, and keeps no day open."""

import pytest

from casino import clock
from jackpot.models import Claim, ClaimShare
from jackpot.services import claims
from tests.jackpot.beats import Beats
from tests.jackpot.test_takings import end_day
from tests.tables.conftest import House
from tests.taps import at_desktop

pytestmark = pytest.mark.usefixtures("contexts")


def test_the_manager_reads_before_closing_which_claims_and_shares_wait_on_and_it_keeps_no_day_open(
    house: House,
) -> None:
    beats = Beats(house)
    beats.open()
    beats.sum(12_345_67)
    shares = ClaimShare.objects.filter(claim=beats.approved(beats.verified()))
    beats.pay(shares.get(seat_number=4))
    beats.step(claims.dispute_claim, beats.entered(), reason="cards")
    beats.verified()
    with clock.frozen(house.at):
        page = at_desktop(house.cast.mari).get("/cage/day/").context["ends"]

    assert [(sentence.replace("\xa0", " "), address) for sentence, address in page] == [
        ("The vault was never counted.", "/cage/vault/"),
        (
            "Claims to a jackpot that wait over the day’s end: table 1, hand 2 (disputed), table 1, hand 3 (verified). "
            "Shares of a jackpot that still wait at the cage: Lee 4 938,26 €, Kai 2 469,13 €, Timo 493,82 €,"
            " Pekka 493,82 €, Jo 493,82 €, Sara 493,82 €.",
            "",
        ),
    ]
    house.close_drawer()
    end_day(house)
    assert Claim.objects.filter(status__in=Claim.OPEN).count() == 2
