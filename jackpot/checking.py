"""A hand as it is typed in, and whether it would win a jackpot. Nothing is written."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import QueryDict
from rest_framework import serializers

from casino.cage.notes import coin_cents
from casino.errors import Malformed
from casino.poker.cards import NoCard, SameCard, cards_of
from casino.poker.ranking import WrongCards
from casino.poker.variants import Variant
from casino.rest import Body, Cents, Text, Whole, typed
from casino.rooms.selectors import rule_book_in_force
from casino.rulebooks import RuleBook
from casino.rulebooks.jackpots import Jackpot
from casino.rulebooks.units import SEATS_MAX
from jackpot.errors import BoardNotDealt, CardTwice, HandNotDealt, MoreHandsThanPlayers, NoJackpot, NotACard
from jackpot.rules.claims import Judged, PlayedHand, ShownHand, TooManyHands, judge
from jackpot.rules.payout import Base, Payout, payout_of


class HandToCheck(Body):
    """A hand, and of which sum its shares are to be shown."""

    jackpot = Text(max_length=40, required=False, help_text="Its code; without it the rule book's first.")
    variant = serializers.ChoiceField(choices=[each.value for each in Variant])
    board = Text(max_length=60, required=False, default="", allow_blank=True, help_text="As 7d Kh, in any spelling.")
    hands = Text(max_length=600, help_text="The players' hands with commas between them: AhAs,KhKs.")
    thrown_in = Text(
        max_length=40, required=False, default="", allow_blank=True, help_text="Which hands were not shown: 1,3."
    )
    dealt_in = Whole(min_value=1, max_value=SEATS_MAX, help_text="How many players got cards.")
    away = Whole(min_value=0, max_value=SEATS_MAX, default=0, help_text="How many of them were not at their seats.")
    sum_cents = Cents(required=False, help_text="Without it, what the house guarantees.")
    is_tournament = serializers.BooleanField(default=False)
    told = serializers.BooleanField(default=False, help_text="Somebody spoke of their cards in mid-hand.")


@dataclass(frozen=True)
class Checked:
    """What would become of a hand under the book in force; `paid` is None where it wins nothing."""

    book: RuleBook
    jackpot: Jackpot
    played: PlayedHand
    judged: Judged
    paid: tuple[Payout, Base] | None


def of_form(form: QueryDict) -> dict[str, Any]:
    """Return what the page's form says as a call would say it: hands are repeated fields, and empty ones are none."""
    rows = [(number, text) for number, text in enumerate(form.getlist("hand"), start=1) if text.strip()]
    thrown_in = set(form.getlist("thrown_in"))
    fields: dict[str, Any] = {
        "hands": ",".join("".join(text.split()).replace(",", "") for _row, text in rows),
        "thrown_in": ",".join(str(at) for at, (row, _text) in enumerate(rows, start=1) if str(row) in thrown_in),
        "is_tournament": "is_tournament" in form,
        "told": "told" in form,
    }
    for name, field in HandToCheck().fields.items():
        text = form.get("sum" if name == "sum_cents" else name, "")
        if name not in fields and text.strip():
            fields[name] = typed(text, field)
    return fields


def of_query(query: QueryDict) -> dict[str, Any]:
    """Return what an address says behind its question mark, numbers as numbers; sums are cents there."""
    sent, fields = query.dict(), HandToCheck().fields
    kinds = {str(name): Whole() if name == "sum_cents" else field for name, field in fields.items()}
    return {name: typed(str(text), kinds[name]) for name, text in sent.items() if name in kinds}


def check(room_id: int, fields: Mapping[str, Any], *, at: datetime) -> Checked:
    """
    Return what would become of a hand, by the rule book in force. One query for the book.

    :raises ValidationError, Malformed: a field is missing, cannot be read, or cannot be with the others.
    :raises NoJackpot, NotACard, CardTwice, BoardNotDealt, HandNotDealt, MoreHandsThanPlayers: as they say.
    """
    form = HandToCheck(data=fields)
    form.is_valid(raise_exception=True)
    data = form.validated_data
    _version_id, book = rule_book_in_force(room_id, at=at)
    jackpot = jackpot_of(book, data.get("jackpot", ""))
    played = _played(data)
    judged = judged_by(played, jackpot)
    sum_cents, coin = data.get("sum_cents", jackpot.seed_cents), coin_cents(book.house.currency)
    paid = payout_of(played, judged, jackpot, sum_cents=sum_cents, coin_cents=coin)
    return Checked(book, jackpot, played, judged, paid)


def jackpot_of(book: RuleBook, code: str = "") -> Jackpot:
    """Return a book's jackpot by its code, its first without one. :raises NoJackpot: it has none."""
    for jackpot in book.jackpots:
        if code in {"", jackpot.code}:
            return jackpot
    raise NoJackpot


def cards_in(text: str) -> tuple[str, ...]:
    """Return the cards of a text. :raises NotACard: a part of it is none."""
    try:
        return cards_of(text)
    except NoCard as wrong:
        raise NotACard(text=wrong.text) from None


def _played(data: Mapping[str, Any]) -> PlayedHand:
    """:raises Malformed: a hand is thrown in, or a player away, that is not there. :raises NotACard: a part is none."""
    hidden = {part.strip() for part in data["thrown_in"].split(",")}
    hands = [text for text in data["hands"].split(",") if text.strip()]
    if not hidden - {""} <= {str(number) for number in range(1, len(hands) + 1)}:
        raise Malformed(field="thrown_in")
    if data["away"] > data["dealt_in"]:
        raise Malformed(field="away")
    return PlayedHand(
        variant=Variant(data["variant"]),
        board=cards_in(data["board"]),
        hands=tuple(
            ShownHand(cards_in(text), is_shown=str(number) not in hidden) for number, text in enumerate(hands, start=1)
        ),
        dealt_in=data["dealt_in"],
        away=data["away"],
        is_tournament=data["is_tournament"],
        was_talked_about=data["told"],
    )


def judged_by(played: PlayedHand, jackpot: Jackpot) -> Judged:
    """
    Return what becomes of a claim by a jackpot.

    :raises MoreHandsThanPlayers, CardTwice, BoardNotDealt, HandNotDealt: as they say.
    """
    try:
        return judge(played, jackpot)
    except TooManyHands:
        raise MoreHandsThanPlayers(hands=len(played.hands), players=played.participants) from None
    except SameCard as wrong:
        raise CardTwice(card=wrong.card) from None
    except WrongCards as wrong:
        if wrong.where == "board":
            raise BoardNotDealt(expected=wrong.expected, got=wrong.got) from None
        number = next(at for at, hand in enumerate(played.hands, start=1) if len(hand.cards) == wrong.got)
        raise HandNotDealt(number=number, expected=wrong.expected, got=wrong.got) from None
