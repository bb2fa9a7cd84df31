"""What two managers do to a jackpot: its sum corrected, the seed taken back, the pool wound down."""

import re

import pytest
from django.test import Client

from casino import clock
from casino.cage.models import Slip
from casino.cage.selectors.slips import prizes_of
from casino.cage.services import cancel_slip, reverse_slip, take_money
from casino.cage.services.voiding import NEEDS as NEEDS_TO_VOID
from casino.errors import Malformed, NotFound, Refusal, Stale
from casino.ledger.proof import problems
from casino.live.render import fragment
from casino.people.errors import NeedsSecondSignature
from casino.rooms.selectors import rule_book_in_force
from jackpot.errors import NoJackpot, PoolNotOpen
from jackpot.errors_claims import ShareStays
from jackpot.errors_pools import (
    BelowGuarantee,
    ClaimsOpen,
    SeedOverMost,
    SeedStays,
    SharesDiffer,
    StillFed,
    SumIsSo,
)
from jackpot.models import Movement, Pool
from jackpot.push import wall_foot
from jackpot.selectors.pools import figures
from jackpot.services import changing, claims
from tables.models import Seating
from tables.services.corrections import void_settled_hand
from tables.services.opening import close_table
from tables.services.seating import leave_seat
from tests.jackpot.beats import SEVEN, Beats, base_sum
from tests.jackpot.books import HELSINKI, SEED_GOES_BACK, TWO, WITHOUT, put_in_force, second_pool
from tests.jackpot.test_takings import end_day, minute, tablets_notified
from tests.tables.conftest import House
from tests.taps import at_desktop

pytestmark = [pytest.mark.usefixtures("contexts"), pytest.mark.two_houses]


@pytest.fixture
def beats(house: House) -> Beats:
    beats = Beats(house)
    beats.sum(12_345_67)
    return beats


def sound(beats: Beats) -> None:
    """Assert that the ledger proves every pool; the first correction here was no command."""
    assert [problem for problem in problems(beats.house.room_id) if problem.what != "event"] == []
    with clock.frozen(beats.house.at):
        for pool in Pool.objects.all():
            assert Client().get(f"/jackpot/sums/{pool.code}/").context["proof"].agrees


def sums(beats: Beats) -> list[int | None]:
    return [base_sum(beats.house.room_id, pool.code) for pool in Pool.objects.order_by("id")]


def at_table(beats: Beats, number: int = 1) -> str:
    """Return what the tablet of a table shows of a jackpot, "" for nothing."""
    with clock.frozen(beats.house.at):
        html = fragment(beats.house.room_id, f"table.{number}.dealer", "en").html
    found = re.search(r'class="felt-jackpot">(.*?)</li>', html)
    return re.sub(r"<[^>]+>", "", found[1]).replace("\xa0", " ") if found else ""


def refusal_text(beats: Beats, refused: Refusal) -> str:
    book = rule_book_in_force(beats.house.room_id, at=beats.house.at)[1]
    return refused.text(beats.house.cast.room.money_format, book=book)


@pytest.mark.helsinki
def test_a_correction_goes_either_way_and_everybody_reads_why(beats: Beats):
    with clock.frozen(beats.house.at):
        (before,) = wall_foot(room_id=beats.house.room_id)
    beats.corrected(12_300_00, "drops")
    answer = beats.corrected(12_400_00, "complaint")
    with clock.frozen(beats.house.at):
        (foot,) = wall_foot(room_id=beats.house.room_id)
        page = Client().get("/jackpot/sums/bad-beat/").content.decode()
        file = Client().get("/jackpot/sums/bad-beat/history.csv").content.decode().splitlines()

    assert (answer.data["sum_cents"], answer.data["new_sum_cents"], beats.sum()) == (12_300_00, 12_400_00, 12_400_00)
    assert figures(Pool.objects.get().pk)["corrected"] == -11_400_00
    assert ("12\u00a0345,67" in before.html, "12\u00a0400" in foot.html) == (True, True)
    for why in ("Hands had dropped too much or too little", "A complaint was upheld"):
        assert f"Corrected, signed by two: {why}" in page
        assert sum(why in line for line in file) == 1
    movement = Movement.objects.latest("number")
    assert (movement.made_by_id, movement.approved_by_id) == (beats.house.cast.mari.pk, beats.house.cast.frans.pk)
    sound(beats)


@pytest.mark.helsinki
@pytest.mark.rule("H7.33", "L-P43")
def test_no_correction_goes_below_the_guarantee_or_by_one_person_or_of_a_sum_that_changed(beats: Beats):
    version = beats.pool_version()
    for refusal, refused in (
        (SumIsSo, lambda: beats.corrected(12_345_67)),
        (Malformed, lambda: beats.corrected(12_000_00, "because")),
        (Stale, lambda: beats.corrected(12_000_00, version=version - 1)),
    ):
        with pytest.raises(refusal):
            refused()
    with pytest.raises(BelowGuarantee) as below:
        beats.corrected(999_99)
    arguments = {"jackpot": "bad-beat", "version": version, "new_sum_cents": 12_000_00, "reason": "takings"}
    for signer in (beats.house.cast.mari, beats.house.cast.frans):
        with pytest.raises(NeedsSecondSignature):
            beats.house.tap(changing.correct_sum, beats.house.cast.mari, **arguments, approved_by_id=signer.pk)

    assert (
        refusal_text(beats, below.value)
        == "H7.33: The house guarantees 1\u00a0000\u00a0€: the sum is not corrected to less."
    )
    assert (beats.sum(), beats.pool_version()) == (12_345_67, version)
    # To the guarantee itself it goes.
    beats.corrected(1_000_00)
    assert beats.sum() == 1_000_00


@pytest.mark.helsinki
@pytest.mark.rule("H7.33", "L-P43")
def test_the_house_takes_its_seed_back_where_the_book_says_so_and_above_the_guarantee_alone(beats: Beats):
    with pytest.raises(SeedStays) as stays:
        beats.recovered(1_00)
    put_in_force(beats.house, SEED_GOES_BACK)
    beats.open()
    claim = beats.called()
    with pytest.raises(ClaimsOpen):
        beats.recovered(1_00)
    beats.step(claims.withdraw_claim, claim)
    beats.corrected(1_400_00)
    with pytest.raises(SeedOverMost) as above:
        beats.recovered(400_01)
    beats.recovered(400_00)
    beats.corrected(5_000_00)
    with pytest.raises(SeedOverMost) as all_put_in:
        beats.recovered(600_01)
    beats.recovered(600_00)

    assert refusal_text(beats, stays.value) == "H7.33: What the house put in stays in the jackpot."
    assert (above.value.data["most_cents"], all_put_in.value.data["most_cents"]) == (400_00, 600_00)
    held = figures(Pool.objects.get().pk)
    assert (held["sum"], held["seed"]) == (4_400_00, 0)
    sound(beats)


@pytest.mark.helsinki
@pytest.mark.rule("L-O14")
def test_a_jackpot_that_ends_goes_to_another_with_what_was_dropped_today_and_its_games_and_claims_follow(beats: Beats):
    second_pool(beats.house)
    beats.open()
    beats.house.settle(20_00)
    # A closed table feeds none; the tablet of an open one hears of its own jackpot alone.
    shown = [at_table(beats, 2), at_table(beats)]
    beats.corrected(12_345_66)
    audiences = [tablets_notified()]
    answer = beats.wound_down("small", "bad-beat")
    shown, audiences = [*shown, at_table(beats)], [*audiences, tablets_notified()]
    beats.corrected(12_345_67 + 1_001_00)
    audiences.append(tablets_notified())
    small, big = Pool.objects.get(code="small"), Pool.objects.get(code="bad-beat")
    # The games of 2/2 go on naming it: their drops, and a bad beat there, are the other's now.
    claim = beats.called()
    beats.step(claims.withdraw_claim, claim)
    with clock.frozen(beats.house.at):
        page = Client().get("/jackpot/sums/small/").content.decode()
        rules = Client().get("/jackpot/rules/").content.decode()
        (foot,) = wall_foot(room_id=beats.house.room_id)
    with pytest.raises(PoolNotOpen):
        beats.wound_down("small", "bad-beat")
    end_day(beats.house)

    assert (answer.data["sum_cents"], answer.data["new_sum_cents"], answer.data["moved_to"]) == (
        1_001_00,
        0,
        "bad-beat",
    )
    assert shown == ["", "Small jackpot 1 000 €", "Bad beat jackpot 13 346,66 €"]
    assert audiences == [[], ["table.1.dealer"], ["table.1.dealer"]]
    assert (small.state, small.moved_to, figures(small.pk)["takings"]) == ("closed", big, 0)
    assert sums(beats) == [12_345_67 + 1_001_00 + 1_00, 0]
    assert claim.code == "bad-beat"
    assert "Its money is in Bad beat jackpot now." in page
    # What nobody can win any more is neither guaranteed nor announced.
    assert "The house guarantees" not in page
    assert ("Bad beat jackpot" in rules, "Small jackpot" in rules) == (True, False)
    assert "Moved to another jackpot: Bad beat jackpot" in page
    assert "Small jackpot" not in foot.html
    sound(beats)


@pytest.mark.slow
@pytest.mark.rule("H7.17")
def test_what_another_jackpot_brings_is_not_paid_of_to_a_claim_that_was_hit_before(beats: Beats):
    second_pool(beats.house, TWO.replace(', jackpot = "small"', ""))
    beats.open()
    claim = beats.verified()
    beats.wound_down("small", "bad-beat")

    claim = beats.approved(claim, sum_cents=12_345_67)

    assert (claim.sum_cents, claim.base_cents) == (12_345_67, 2_469_18)
    assert sums(beats) == [2_469_18 + 1_000_00, 0]
    sound(beats)


@pytest.mark.helsinki
@pytest.mark.rule("H7.6", "H7.16")
def test_a_jackpot_does_not_end_while_a_claim_is_open_and_who_won_is_paid_after_it(beats: Beats):
    beats.open()
    claim = beats.verified()
    with pytest.raises(ClaimsOpen) as waits:
        beats.wound_down(shares={"Lee": 12_345_67})
    share = beats.approved(claim).shares.latest("seat_number")
    for player in list(beats.house.cast.players):
        leave(beats, player)
    beats.house.tap(close_table, table_id=beats.house.table_id())
    left = 2_469_18 + 1_00
    with pytest.raises(StillFed) as fed:
        beats.wound_down(shares={"Lee": left})
    put_in_force(beats.house, WITHOUT)
    # Its tables are closed by then: who played there tonight stands on the page to be paid.
    with clock.frozen(beats.house.at):
        named = at_desktop(beats.house.cast.mari).get("/jackpot/pools/bad-beat/").context["players"]
    assert {player.nickname for player in named} == set(SEVEN)
    with pytest.raises(SharesDiffer):
        beats.wound_down(shares={"Lee": left - 1})
    with pytest.raises(NotFound):
        beats.wound_down(moved_to="another")
    answer = beats.wound_down(shares={"Lee": left - 1_000_00, "Kai": 1_000_00})

    assert refusal_text(beats, waits.value).startswith("H7.6: Claims to this jackpot are still open: table 1, hand ")
    assert refusal_text(beats, fed.value).startswith("H7.16: Games still drop for this jackpot")
    assert [Slip.objects.get(id=slip).status for slip in answer.data["slips"]] == ["requested"] * 2
    assert figures(share.claim.pool_id or 0)["pending"] == 9_876_49 + left
    (slip,) = [
        each for each in prizes_of(beats.house.room_id, beats.house.player("Kai").pk) if each.amount_cents == 1_000_00
    ]
    with pytest.raises(ShareStays):
        beats.house.tap(cancel_slip, slip_id=slip.slip_id)
    beats.house.tap(
        take_money, beats.house.cast.carla, slip_id=slip.slip_id, drawer_id=beats.house.drawer_id, method="deposit"
    )
    beats.pay(share)
    assert figures(share.claim.pool_id or 0)["pending"] == 9_876_49 + left - 1_000_00 - share.cents
    # Taken back, it waits again, though its jackpot has ended.
    signing = beats.signed(
        beats.house.cast.mari, beats.house.cast.frans, signs=f"slip.{slip.slip_id}", needs=NEEDS_TO_VOID
    )
    reverse_slip(signing, slip_id=slip.slip_id, reason="not_handed_over", approved_by_id=beats.house.cast.frans.pk)
    again = prizes_of(beats.house.room_id, beats.house.player("Kai").pk)
    assert [each.label for each in again if each.amount_cents == 1_000_00] == [slip.label]
    assert figures(share.claim.pool_id or 0)["pending"] == 9_876_49 + left - share.cents
    assert sums(beats) == [0]
    sound(beats)


def leave(beats: Beats, nickname: str) -> None:
    for sits in Seating.objects.filter(player=beats.house.player(nickname), left_at=None):
        beats.house.tap(leave_seat, table_id=sits.table_id, seating_id=sits.pk, stack_cents=None)


@pytest.mark.slow
def test_drops_that_were_taken_back_after_they_had_joined_are_covered_by_the_house_at_the_end(beats: Beats):
    second_pool(beats.house, TWO.replace('takings_join = "day_end"', 'takings_join = "at_once"'))
    beats.open()
    row = beats.house.settle(20_00)
    minute(beats.house)
    beats.house.tap(void_settled_hand, table_id=beats.house.table_id(), hand_row_id=row.pk, reason="void")
    answer = beats.wound_down("small", "bad-beat")

    small = figures(Pool.objects.get(code="small").pk)
    assert answer.data["sum_cents"] == 1_001_00
    assert (small["sum"], small["takings"], small["seed"]) == (0, 0, -1_001_00)
    sound(beats)


@pytest.mark.rule("H7.16")
def test_a_jackpot_is_paid_out_only_where_what_feeds_it_by_another_name_goes_on_to_a_third(beats: Beats):
    second_pool(beats.house)
    beats.wound_down("bad-beat", "small")
    # The book names the one that was moved, and its drops have come to this one since.
    put_in_force(beats.house, HELSINKI)
    with pytest.raises(StillFed, match="a rule book in force by which nothing is dropped for it, and close its tables"):
        beats.wound_down("small", shares={"Lee": 13_345_67})

    assert sums(beats) == [0, 13_345_67]


def test_no_money_goes_to_a_jackpot_that_nobody_can_win_by_the_book(beats: Beats):
    second_pool(beats.house)
    put_in_force(beats.house, HELSINKI)
    with pytest.raises(NoJackpot):
        beats.wound_down("bad-beat", "small")

    assert sums(beats) == [12_345_67, 1_000_00]
    with clock.frozen(beats.house.at):
        desk = at_desktop(beats.house.cast.mari)
        assert [desk.get(f"/jackpot/pools/{code}/").context["others"] for code in ("bad-beat", "small")] == [
            [],
            [("bad-beat", "Bad beat jackpot")],
        ]


@pytest.mark.slow
@pytest.mark.helsinki
def test_a_bad_beat_is_a_claim_to_the_jackpot_that_takes_the_drops_once_theirs_was_paid_out(beats: Beats):
    second_pool(beats.house)
    beats.open()
    beats.wound_down("small", shares={"Lee": 600_00, "Kai": 400_00})
    on_tablets = tablets_notified()

    claim = beats.verified()

    assert (on_tablets, at_table(beats)) == (["table.1.dealer"], "Bad beat jackpot 12 345,67 €")
    assert claim.code == "bad-beat"
    beats.approved(claim, sum_cents=12_345_67)
    sound(beats)
