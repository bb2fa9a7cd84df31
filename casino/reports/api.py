"""The gaming day's report over REST."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.cage.api.answers import CarriedAnswer
from casino.people.api_auth import api_actor
from casino.reports.figures import NOTES, Charged, DayReport, OpeningOfDay, Ran
from casino.reports.selectors.day import day_report
from casino.rest import Api, Body, CalendarDay, read_query
from casino.rooms.models import GamingDay
from casino.rooms.selectors import room_of

api = Api("reports")


class OfDay(Body):
    """Which gaming day, by its date; the newest one without."""

    date = CalendarDay(required=False)


class ChargedAnswer(serializers.Serializer[Any]):
    """
    One kind of charge in cents. `posted_cents` is `taken_cents` as the ledger has it; what was counted in boxes is null
    where nothing was.
    """

    due_cents = serializers.IntegerField()
    taken_cents = serializers.IntegerField()
    posted_cents = serializers.IntegerField()
    counted_cents = serializers.IntegerField(allow_null=True)
    beyond_cents = serializers.IntegerField(help_text="Of what was counted: what undone hands had left there.")
    over_short_cents = serializers.IntegerField(allow_null=True, help_text="Negative: it is missing.")
    uncounted_cents = serializers.IntegerField()


class RanAnswer(serializers.Serializer[Any]):
    """What a game came to at a table; `charges` are by their kind."""

    table = serializers.IntegerField()
    game = serializers.CharField(help_text="Empty where the table ran none and something was posted there.")
    open_seconds = serializers.IntegerField()
    hands = serializers.IntegerField()
    charges = serializers.DictField(child=ChargedAnswer())
    tips_cents = serializers.IntegerField()
    over_short_cents = serializers.IntegerField(help_text="At other counts than those of boxes; negative: missing.")
    rack_over_short_cents = serializers.IntegerField(help_text="Of it, chips of the table's rack.")
    rack_cash_over_short_cents = serializers.IntegerField(help_text="Of it, cash in the table's rack.")


class NotesAnswer(serializers.Serializer[Any]):
    """How often something noteworthy happened."""

    undone = serializers.IntegerField()
    void = serializers.IntegerField()
    corrected = serializers.IntegerField()
    not_logged = serializers.IntegerField()
    disputes = serializers.IntegerField()
    rulings = serializers.IntegerField()
    penalties = serializers.IntegerField()
    incidents = serializers.IntegerField()
    overrules = serializers.IntegerField()
    restrictions = serializers.IntegerField(help_text="Players who were banned; it belongs to no table.")
    jackpot_hits = serializers.IntegerField()
    caught_up = serializers.IntegerField(help_text="Hands that were played by paper.")


assert tuple(NotesAnswer().fields) == NOTES, "an answer says all that is noteworthy"


class OpeningOfDayAnswer(RanAnswer):
    """One opening of a table: what it ran, under which version of the rule book and within which limits."""

    opening_id = serializers.IntegerField()
    venue = serializers.ChoiceField(
        ["hall", "casino", ""], help_text="Where its rule book says that the room stands; empty where it does not."
    )
    rule_book = serializers.CharField()
    rule_book_version = serializers.IntegerField(allow_null=True)
    small_blind_cents = serializers.IntegerField()
    big_blind_cents = serializers.IntegerField()
    buy_in_min_cents = serializers.IntegerField()
    buy_in_max_cents = serializers.IntegerField(allow_null=True)
    opened_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)
    opened_by_id = serializers.IntegerField()
    closed_by_id = serializers.IntegerField(
        allow_null=True, help_text="Null while it runs, and where it was played on."
    )
    dealer_ids = serializers.ListField(
        child=serializers.IntegerField(), help_text="Who has dealt in it on this day, in the order of pushing in."
    )
    notes = NotesAnswer()


class DealerOfDayAnswer(serializers.Serializer[Any]):
    """One dealer; `staff_id` is null for hands of which nobody was named."""

    staff_id = serializers.IntegerField(allow_null=True)
    downs = serializers.IntegerField()
    seconds = serializers.IntegerField()
    hands = serializers.IntegerField()
    taken = serializers.DictField(child=serializers.IntegerField(), help_text="Cents by the kind of charge.")


class TipsOfDealerAnswer(serializers.Serializer[Any]):
    """What a dealer gets of the tips that were counted on the day: `cents`, of which payroll has some already."""

    dealer_id = serializers.IntegerField()
    seconds = serializers.IntegerField()
    cents = serializers.IntegerField()
    handed_cents = serializers.IntegerField()
    owed_cents = serializers.IntegerField()


class PlayerOfDayAnswer(serializers.Serializer[Any]):
    """One player; `player_id` is null for what was paid to whom nobody named."""

    player_id = serializers.IntegerField(allow_null=True)
    nickname = serializers.CharField()
    seconds = serializers.IntegerField()
    bought_in_cents = serializers.IntegerField(allow_null=True, help_text="Null where it is `left_out`.")
    cashed_out_cents = serializers.IntegerField(allow_null=True)


class DrawerOfDayAnswer(serializers.Serializer[Any]):
    """A drawer's session. What was counted, and when it closed, is null where it was not counted on the day."""

    number = serializers.IntegerField()
    opened_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)
    float_cash_cents = serializers.IntegerField()
    float_chips_cents = serializers.IntegerField()
    counts = serializers.IntegerField()
    cash_cents = serializers.IntegerField(allow_null=True)
    card_slips_cents = serializers.IntegerField(allow_null=True)
    chips_cents = serializers.IntegerField(allow_null=True)
    money_over_short_cents = serializers.IntegerField(allow_null=True, help_text="Negative: it is missing.")
    chips_over_short_cents = serializers.IntegerField(allow_null=True)
    foreign_cents = serializers.IntegerField(allow_null=True, help_text="Foreign notes, in the room's money.")
    holder_id = serializers.IntegerField(allow_null=True, help_text="The runner who held it, where it is a bank.")
    carried_from = serializers.DateField(
        allow_null=True, help_text="The earlier gaming day on which it was opened, where it was carried over."
    )
    is_carried = serializers.BooleanField(help_text="It was not counted when the day closed, and was carried over.")


class ExchangeOfDayAnswer(serializers.Serializer[Any]):
    """
    Foreign notes that went out of the vault to be exchanged on the day, or came back there (`is_back`, amounts are
    negative). `face_cents` are minor units of theirs, the rest is the room's money.
    """

    number = serializers.IntegerField()
    currency = serializers.CharField()
    face_cents = serializers.IntegerField()
    worth_cents = serializers.IntegerField()
    got_cents = serializers.IntegerField()
    difference_cents = serializers.IntegerField()
    is_back = serializers.BooleanField()


class VaultCountOfDayAnswer(serializers.Serializer[Any]):
    """A count of the vault on the day: what was counted, and expected after transfer `after_transfer_id`."""

    number = serializers.IntegerField()
    counted_at = serializers.DateTimeField()
    counted_by_id = serializers.IntegerField()
    counted_with_id = serializers.IntegerField()
    after_transfer_id = serializers.IntegerField()
    cash_cents = serializers.IntegerField()
    card_slips_cents = serializers.IntegerField()
    foreign_cents = serializers.IntegerField(help_text="Foreign notes, in the room's money.")
    chips_cents = serializers.IntegerField()
    expected_cash_cents = serializers.IntegerField()
    expected_card_slips_cents = serializers.IntegerField()
    expected_foreign_cents = serializers.IntegerField()
    expected_chips_cents = serializers.IntegerField()
    money_over_short_cents = serializers.IntegerField(help_text="Negative: it is missing.")
    chips_over_short_cents = serializers.IntegerField()


class NotesOfDayAnswer(serializers.Serializer[Any]):
    """
    Foreign notes of one currency in a drawer's session: what slips brought since it was opened and was not given back,
    and what its last count found (null where it was not counted on the day). Faces are minor units of theirs, the rest
    is the room's money.
    """

    number = serializers.IntegerField(help_text="The drawer.")
    currency = serializers.CharField()
    slips = serializers.IntegerField()
    face_cents = serializers.IntegerField()
    cents = serializers.IntegerField()
    counted_face_cents = serializers.IntegerField(allow_null=True)
    counted_cents = serializers.IntegerField(allow_null=True)


class DrawerSumAnswer(serializers.Serializer[Any]):
    """What a drawer's counts of the day found over or short of a unit, and what was posted of it."""

    number = serializers.IntegerField()
    unit = serializers.ChoiceField(["money", "chips"])
    cents = serializers.IntegerField()
    posted_cents = serializers.IntegerField()


class RunnerOfDayAnswer(serializers.Serializer[Any]):
    """What a runner carried of fills and credits that were counted on the day, and what of it was over or short."""

    runner_id = serializers.IntegerField(source="carried.runner_id")
    fills = serializers.IntegerField(source="carried.count", help_text="Fill slips.")
    cash_cents = serializers.IntegerField(source="carried.cash_cents", help_text="Given to the runner.")
    chips_cents = serializers.IntegerField(source="carried.chips_cents")
    cash_over_short_cents = serializers.IntegerField(
        source="carried.cash_over_short_cents", help_text="Negative: it is missing."
    )
    chips_over_short_cents = serializers.IntegerField(source="carried.chips_over_short_cents")
    posted_cash_cents = serializers.IntegerField()
    posted_chips_cents = serializers.IntegerField()


class CashPlayAnswer(serializers.Serializer[Any]):
    """What a dealer sold out of a table's rack, for cash; the same slips are among those of the day."""

    table = serializers.IntegerField(source="sold.place_number")
    dealer_id = serializers.IntegerField(source="sold.staff_id")
    slips = serializers.IntegerField(source="sold.count")
    sold_cents = serializers.IntegerField(source="sold.cents")
    back = serializers.IntegerField(source="sold.back", help_text="Reversed since.")
    back_cents = serializers.IntegerField(source="sold.back_cents")
    never = serializers.IntegerField(
        source="sold.never", help_text="Never sold, as two have said after a count: it explains what that found."
    )
    never_cents = serializers.IntegerField(source="sold.never_cents")
    cents = serializers.IntegerField()


class SlipsAnswer(serializers.Serializer[Any]):
    """Slips of one kind and method: paid and reversed on the day; `posted_cents` is `cents` as the ledger has it."""

    kind = serializers.CharField()
    method = serializers.CharField()
    paid = serializers.IntegerField()
    paid_cents = serializers.IntegerField()
    back = serializers.IntegerField(help_text="Reversed.")
    back_cents = serializers.IntegerField()
    cents = serializers.IntegerField()
    posted_cents = serializers.IntegerField()


class TrialOfDayAnswer(serializers.Serializer[Any]):
    """All accounts of one kind, before the day, in, out, and after it."""

    owner_kind = serializers.CharField()
    kind = serializers.CharField()
    unit = serializers.CharField()
    currency = serializers.CharField()
    opening_cents = serializers.IntegerField()
    came_cents = serializers.IntegerField()
    went_cents = serializers.IntegerField()
    closing_cents = serializers.IntegerField()


class StretchAnswer(serializers.Serializer[Any]):
    """A quarter of an hour, or an hour, of the night. Seats are tenths, on average."""

    began_at = serializers.DateTimeField()
    seats_taken_tenths = serializers.IntegerField()
    seats_tenths = serializers.IntegerField()
    hands = serializers.IntegerField()
    taken = serializers.DictField(child=serializers.IntegerField(), help_text="Cents by the kind of charge.")


class AgeBandAnswer(serializers.Serializer[Any]):
    """Deposits after the day whose oldest part had lain from so many days to so many (null: and more)."""

    from_days = serializers.IntegerField()
    to_days = serializers.IntegerField(allow_null=True)
    count = serializers.IntegerField()
    cents = serializers.IntegerField()


class DayReportAnswer(serializers.Serializer[Any]):
    """A gaming day's report; `differs` is how many figures are others when they are reckoned by the ledger."""

    date = serializers.DateField()
    opened_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)
    stage = serializers.ChoiceField(GamingDay.Stage.choices, help_text="How far the day has closed.")
    counted_at = serializers.DateTimeField(allow_null=True)
    counted_by_ids = serializers.ListField(child=serializers.IntegerField(), help_text="Who closed it as counted.")
    at = serializers.DateTimeField(help_text="The moment of these figures: what comes later changes an open day's.")
    differs = serializers.IntegerField()
    left_out = serializers.CharField(
        help_text="What is not in it for whoever reads it, and why; empty where nothing is left out."
    )
    tables = RanAnswer(many=True)
    openings = OpeningOfDayAnswer(many=True)
    elsewhere = serializers.DictField(
        child=serializers.IntegerField(), help_text="What is noteworthy and belongs to no table."
    )
    dealers = DealerOfDayAnswer(many=True)
    tips = TipsOfDealerAnswer(many=True, help_text="Of a closed day as it stood then.")
    tips_since = TipsOfDealerAnswer(many=True, help_text="By how much that is another since the day has closed.")
    players = PlayerOfDayAnswer(many=True)
    drawers = DrawerOfDayAnswer(many=True)
    drawer_sums = DrawerSumAnswer(many=True)
    foreign_notes = NotesOfDayAnswer(many=True)
    exchanges = ExchangeOfDayAnswer(many=True)
    vault_counts = VaultCountOfDayAnswer(many=True)
    runners = RunnerOfDayAnswer(many=True)
    slips = SlipsAnswer(many=True)
    cash_plays = CashPlayAnswer(many=True)
    carried = CarriedAnswer(many=True)
    trial = TrialOfDayAnswer(many=True)
    deposits = AgeBandAnswer(many=True)
    stretch_seconds = serializers.IntegerField()
    night = StretchAnswer(many=True)


class ReportOfDay(APIView):
    """What a gaming day came to, the open one so far."""

    needs = "read.day_report"

    @api.reading("reports.day", "The report of a gaming day", query=OfDay, answer=DayReportAnswer, is_one=True)
    def get(self, request: Request) -> Response:
        on = read_query(OfDay, request).get("date")
        by = api_actor(request)
        report = day_report(room_of(by.room_id), date.fromisoformat(on) if on else None, shown_to=by.staff_id)
        return Response(DayReportAnswer(report_json(report)).data)


def report_json(report: DayReport) -> dict[str, Any]:
    """Return a report as calls answer it."""
    day = report.day
    return {
        "date": day.date,
        "opened_at": day.opened_at,
        "closed_at": day.closed_at,
        "stage": day.stage,
        "counted_at": day.counted_at,
        "counted_by_ids": [who for who in (day.counted_by_id, day.counted_with_id) if who is not None],
        "at": report.at,
        "differs": report.differs,
        "left_out": report.left_out,
        "tables": [_ran(each) for each in report.tables],
        "openings": [_opening(each) for each in report.openings if each.opening],
        "elsewhere": report.elsewhere,
        "drawers": [each.session for each in report.drawers],
        **{
            name: getattr(report, name)
            for name in (
                "dealers",
                "tips",
                "tips_since",
                "players",
                "drawer_sums",
                "foreign_notes",
                "exchanges",
                "vault_counts",
                "runners",
                "slips",
                "cash_plays",
                "carried",
                "trial",
                "deposits",
                "stretch_seconds",
                "night",
            )
        },
    }


def _ran(ran: Ran) -> dict[str, Any]:
    return {
        "table": ran.table_number,
        "game": ran.game,
        "open_seconds": ran.seconds,
        "hands": ran.hands,
        "charges": {kind: _charged(of) for kind, of in ran.charges.items()},
        "tips_cents": ran.tips_cents,
        "over_short_cents": ran.over_short_cents,
        "rack_over_short_cents": ran.rack_over_short_cents,
        "rack_cash_over_short_cents": ran.rack_cash_over_short_cents,
    }


def _charged(of: Charged) -> Mapping[str, int | None]:
    return {
        "due_cents": of.due,
        "taken_cents": of.taken,
        "posted_cents": of.posted,
        "counted_cents": of.counted,
        "beyond_cents": of.beyond,
        "over_short_cents": of.over_short,
        "uncounted_cents": of.uncounted,
    }


def _opening(each: OpeningOfDay) -> dict[str, Any]:
    opening = each.opening
    assert opening is not None, "what was posted where nothing ran is no opening"
    game = opening.game
    return {
        **_ran(each.ran),
        "opening_id": opening.pk,
        "venue": each.venue,
        "rule_book": each.book,
        "rule_book_version": each.book_number,
        "small_blind_cents": game.small_blind_cents,
        "big_blind_cents": game.big_blind_cents,
        "buy_in_min_cents": game.buy_in_min_cents,
        "buy_in_max_cents": game.buy_in_max_cents,
        "opened_at": opening.opened_at,
        "closed_at": opening.closed_at,
        "opened_by_id": opening.opened_by_id,
        "closed_by_id": opening.closed_by_id,
        "dealer_ids": list(each.dealer_ids),
        "notes": {name: each.ran.notes.get(name, 0) for name in NOTES},
    }
