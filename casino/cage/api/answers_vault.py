"""What calls answer of the vault's counts."""

from typing import Any

from rest_framework import serializers

from casino.cage.api.bodies import Pairs
from casino.cage.models import VaultCount, VaultNotesCounted


class VaultAnswer(serializers.Serializer[Any]):
    """What a count of the vault begins with: nothing of what lies there."""

    version = serializers.IntegerField(help_text="What If-Match names: it goes up with whatever goes in or out.")
    last_counted_at = serializers.DateTimeField(allow_null=True)
    counted_first_since = serializers.DateTimeField(
        allow_null=True,
        help_text="Since when it gives nothing until it was counted; null: it gives.",
    )


# Of a count, what tells what lies in the vault: only whoever reads the books reads it, for the next count is blind too.
SUMS = (
    "cash_pieces", "cash_cents", "card_slips_cents", "foreign", "foreign_cents", "chip_pieces", "chips_cents",
    "expected_cash_cents", "expected_card_slips_cents", "expected_foreign_cents", "expected_chips_cents",
)  # fmt: skip


class VaultNotesCountedAnswer(serializers.ModelSerializer[VaultNotesCounted]):
    """What a count of the vault found of a currency's notes, and what was expected; pieces are [value, how many]."""

    pieces = Pairs()
    expected_pieces = Pairs()

    class Meta:
        model = VaultNotesCounted
        fields = [
            "currency", "pieces", "face_cents", "cents", "expected_pieces", "expected_face_cents", "expected_cents",
        ]  # fmt: skip


class VaultCountAnswer(serializers.ModelSerializer[VaultCount]):
    """
    One count of the vault, beside what was expected; pieces are [value in cents, how many].

    Who does not read the books reads by how much it differs, and null for what lies there.
    """

    day = serializers.DateField(source="day.date")
    cash_pieces = Pairs(allow_null=True)
    chip_pieces = Pairs(allow_null=True)
    foreign = VaultNotesCountedAnswer(source="notes", many=True, allow_null=True)
    money_difference_cents = serializers.IntegerField()
    chips_difference_cents = serializers.IntegerField()

    class Meta:
        model = VaultCount
        fields = [
            "id", "number", "day", "counted_at", "counted_by_id", "counted_with_id", "cash_pieces", "cash_cents",
            "card_slips_cents", "foreign", "foreign_cents", "chip_pieces", "chips_cents", "expected_cash_cents",
            "expected_card_slips_cents", "expected_foreign_cents", "expected_chips_cents", "money_difference_cents",
            "chips_difference_cents", "transfer_id", "unjudged", "judged_at", "judged_by_id",
        ]  # fmt: skip
        extra_kwargs = {name: {"allow_null": True} for name in SUMS if name.endswith("_cents")}

    def to_representation(self, instance: VaultCount) -> dict[str, Any]:
        representation: dict[str, Any] = super().to_representation(instance)
        return representation if self.context["reads_books"] else {**representation, **dict.fromkeys(SUMS)}
