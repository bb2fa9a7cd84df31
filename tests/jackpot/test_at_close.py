"""What waits over the day's end is named before it, and keeps no day open."""

import pytest

from casino import clock
from casino.ledger.templatetags.money import money
from jackpot.models import Claim, ClaimShare
from jackpot.services import claims
from tests.jackpot.beats import Beats
from tests.jackpot.test_takings import end_day
from tests.support.two_houses import SECOND_BOOK
from tests.tables.conftest import House, make_house
from tests.taps import at_desktop

pytestmark = [pytest.mark.two_houses, pytest.mark.usefixtures("contexts")]


def test_the_manager_reads_before_closing_which_claims_and_shares_wait_on_and_it_keeps_no_day_open(
    house: House,
) -> None:
    beats = Beats(house)
    beats.open()
    beats.sum(12_345_67)
    shares = ClaimShare.objects.filter(claim=beats.approved(beats.verified())).order_by("seat_number")
    beats.pay(shares.get(seat_number=4))
    wait = [f"{each.player} {money(each.cents, house.cast.room)}" for each in shares.filter(paid_at=None)]
    beats.step(claims.dispute_claim, beats.entered(), reason="cards")
    beats.verified()
    with clock.frozen(house.at):
        page = at_desktop(house.cast.mari).get("/cage/day/").context["ends"]

    assert [each.partition(" ")[0] for each in wait] == ["Lee", "Kai", "Timo", "Pekka", "Jo", "Sara"]
    assert [(sentence, address) for sentence, address in page] == [
        ("The vault was never counted.", "/cage/vault/"),
        (
            "Claims to a jackpot that wait over the day’s end: table 1, hand 2 (disputed), table 1, hand 3 (verified). "
            f"Shares of a jackpot that still wait at the cage: {', '.join(wait)}.",
            "",
        ),
    ]
    house.close_drawer()
    end_day(house)
    assert Claim.objects.filter(status__in=Claim.OPEN).count() == 2


def test_where_no_coin_is_smaller_than_a_crown_shares_are_whole_crowns(db: None) -> None:
    beats = Beats(make_house(book=SECOND_BOOK))
    beats.open()
    beats.sum(12_345_67)

    shares = ClaimShare.objects.filter(claim=beats.approved(beats.verified())).values_list("cents", flat=True)

    assert len(shares) == 7
    assert [cents for cents in shares if cents % 1_00] == []
