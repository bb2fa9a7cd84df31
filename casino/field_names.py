"""What screens call the fields that people fill in, by the names that calls have for them; refusals say it."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

_WORDS: dict[str, str | Promise] = {
    "amount": _("Amount"),
    "cents": _("Amount"),
    "counted": _("Amount"),
    "card_slips": _("Card slips"),
    "cash": _("Cash"),
    "chips": _("Chips"),
    "clause": _("Clause"),
    "code": _("Code"),
    "currency": _("Currency"),
    "document": _("Document"),
    "foreign": _("Foreign notes"),
    "full_name": _("Full name"),
    "game_id": _("Game"),
    "gone_id": _("Player"),
    "hands": _("Hands"),
    "last_date": _("Last day"),
    "last_day": _("Last day"),
    "minutes": _("Minutes"),
    "name": _("Name"),
    "new_password": _("New password"),
    "new_pin": _("New PIN"),
    "nickname": _("Nickname"),
    "number": _("Number"),
    "origin": _("What for"),
    "password": _("Password"),
    "pin": _("PIN"),
    "player_id": _("Player"),
    "player_ids": _("Player"),
    "pot": _("Pot"),
    "pots": _("Pot"),
    "rate_millionths": pgettext_lazy("notes", "Rate"),
    "reason": _("Reason"),
    "roles": _("Roles"),
    "seat_number": _("Seat number"),
    "seats": _("Seats"),
    "shares": _("Amount"),
    "stack": _("Stack"),
    "username": _("Name"),
    "valid_until": _("Valid until"),
    "voucher": _("Voucher"),
    "winner_seat": _("Winner"),
    "winners": _("Winner"),
}


def words_of(field: str) -> str:
    """Return what people call a field, the innermost that has a name of theirs: "second.pin" is the PIN."""
    names = (each.removesuffix("_cents") for each in reversed(field.split(".")))
    return str(next((_WORDS[name] for name in names if name in _WORDS), field))


def name_field(name: str, words: str | Promise) -> None:
    """Say what screens call a field, from the AppConfig of whoever asks for it; `name` without its "_cents"."""
    _WORDS[name] = words
