"""Questions about foreign notes: what is taken, at which rate, and what a drawer should hold of it."""

from collections.abc import Mapping
from decimal import Decimal

from babel.numbers import format_decimal
from django.db.models import Sum

from casino.cage.models import DrawerSession, NoteRate, NotesTaken, Slip
from casino.cage.notes import note_values
from casino.money import format_cents
from casino.rooms.models import Room

MILLION = 10**6


def rates_of(room_id: int) -> list[NoteRate]:
    """Return the newest row of each currency of which the room has ever recorded a rate, by currency. One query."""
    rows = NoteRate.objects.filter(room_id=room_id).order_by("currency", "-id").distinct("currency")
    return list(rows.select_related("recorded_by"))


def rate_in_force(room_id: int, currency: str) -> NoteRate | None:
    """Return the rate at which notes of a currency are taken; None where they are not. One query."""
    rate = NoteRate.objects.filter(room_id=room_id, currency=currency).order_by("-id").first()
    return rate if rate is not None and rate.rate_millionths is not None else None


def last_rates(room_id: int) -> dict[str, int]:
    """Return the last rate of each currency that the room ever took, in millionths, by currency. One query."""
    rows = NoteRate.objects.filter(room_id=room_id, rate_millionths__isnull=False)
    newest = rows.order_by("currency", "-id").distinct("currency").values_list("currency", "rate_millionths")
    return {currency: rate for currency, rate in newest if rate is not None}


def expected_notes(session: DrawerSession) -> dict[str, tuple[int, int]]:
    """
    Return what a session's slips brought of each currency and was not given back, as (face, value in the room's money),
    in cents. One query.
    """
    taken = NotesTaken.objects.filter(slip__session=session, slip__status=Slip.Status.PAID).order_by()
    sums = taken.values_list("currency").annotate(Sum("face_cents"), Sum("value_cents"))
    return {currency: (face, value) for currency, face, value in sums}


def rate_text(rate_millionths: int | None) -> str:
    """Write a rate in full, without zeros at its end: 87100 is "0.0871"; nothing where there is none."""
    return f"{(Decimal(rate_millionths) / MILLION).normalize():f}" if rate_millionths else ""


def rate_shown(rate_millionths: int | None, room: Room) -> str:
    """Write a rate as its room does: 87100 is "0,0871" in Helsinki; nothing where there is none."""
    rate = Decimal(rate_millionths) / MILLION if rate_millionths else None
    return str(format_decimal(rate, "#,##0.######", locale=room.locale)) if rate else ""


def note_texts(currency: str, room: Room) -> list[tuple[int, str, str]]:
    """Return a currency's notes, greatest first: minor units, and as the room writes it, without currency and with."""
    return [
        (
            value,
            str(format_decimal(value // 100, locale=room.locale)),
            format_cents(value, currency=currency, locale=room.locale),
        )
        for value in note_values(currency)
    ]


def pieces_text(notes: Mapping[int, int], currency: str, room: Room) -> str:
    """Write how many there are of each note: "2 × 500 SEK, 1 × 100 SEK". No line breaks within one."""
    return ", ".join(
        f"{count}\u00a0×\u00a0{format_cents(value, currency=currency, locale=room.locale)}"
        for value, count in notes.items()
    )
