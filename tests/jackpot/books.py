"""Helsinki's book with other jackpots in it, for tests."""

from django.db import transaction

from casino.rooms.models import RuleBookVersion
from casino.rooms.selectors import lock_open_day
from casino.rulebooks import text_of
from jackpot.services.takings import open_pools
from tables.services.setup import offer_games
from tests.cast import command
from tests.support.owner import as_owner
from tests.tables.conftest import House

HELSINKI = text_of("helsinki")
JACKPOT = HELSINKI[HELSINKI.index("[[jackpots]]") : HELSINKI.index("[[games]]")]
WITHOUT = HELSINKI.replace(JACKPOT, "")
AT_ONCE = HELSINKI.replace('takings_join = "day_end"', 'takings_join = "at_once"')
# Two jackpots: one of its own for the game of 2/2.
TWO = HELSINKI.replace(
    JACKPOT, JACKPOT + JACKPOT.replace('"bad-beat"', '"small"').replace('"Bad beat jackpot"', '"Small jackpot"')
).replace("participants_min = 6, by", 'participants_min = 6, jackpot = "small", by', 1)
# The same, whose house takes its seed back; the small one's drops join it at once.
JACKPOTS_OF_TWO_KINDS = TWO.replace("seed_is_recovered = false", "seed_is_recovered = true")
JACKPOTS_OF_TWO_KINDS = 'takings_join = "at_once"'.join(JACKPOTS_OF_TWO_KINDS.rsplit('takings_join = "day_end"', 1))
SEED_GOES_BACK = HELSINKI.replace("seed_is_recovered = false", "seed_is_recovered = true")


def put_in_force(house: House, text: str) -> None:
    """Have another book hold from now on, and its games on offer."""
    number = RuleBookVersion.objects.filter(room_id=house.room_id).count() + 1
    with as_owner():
        RuleBookVersion.objects.create(
            room_id=house.room_id, book="helsinki", number=number, text=text, digest="", holds_from=house.at
        )
    house.tap(offer_games, house.cast.mari)


def second_pool(house: House, text: str = TWO) -> None:
    """Have a book with two jackpots hold, and the second one's pool open: by itself it would with the next day."""
    put_in_force(house, text)
    with transaction.atomic():
        open_pools(command(house.cast.mari, at=house.at), lock_open_day(house.room_id).pk)
